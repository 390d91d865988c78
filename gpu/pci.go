package gpu

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Vendors' numbers on the PCI bus. Source: the PCI ID repository.
const (
	pciNVIDIA = 0x10de
	pciAMD    = 0x1002
	pciIntel  = 0x8086
)

// pciCard is a graphics card as the kernel lists it, without asking the card itself.
type pciCard struct {
	bus      string // 0000:01:00.0; "" for a card that is on no PCI bus
	dir      string // its folder
	vendor   int
	device   int
	driver   string // of the kernel; "" when none is bound
	asleep   bool   // switched off to save power
	maySleep bool   // the kernel may switch it off
}

// maxFolder bounds how many entries of a folder are looked at.
const maxFolder = 4096

// pci lists the cards under sys, in the order of their addresses. Everything it reads is kept by the kernel, so that no card
// is woken.
func (m Monitor) pci() []pciCard {
	var cards []pciCard
	base := m.path("sys/bus/pci/devices")
	for _, name := range names(base) {
		dir := filepath.Join(base, name)
		if class, ok := readNumber(filepath.Join(dir, "class")); !ok || class>>16 != 0x03 { // display controllers
			continue
		}
		cards = append(cards, pciRead(dir, busAddress(name)))
	}
	// A made or a reduced system may have the second listing only.
	base = m.path("sys/class/drm")
	for _, name := range names(base) {
		if !cardName.MatchString(name) {
			continue
		}
		dir := filepath.Join(base, name, "device")
		bus := busAddress(uevent(dir, "PCI_SLOT_NAME"))
		if bus == "" {
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				bus = busAddress(filepath.Base(real))
			}
		}
		if bus != "" && slices.ContainsFunc(cards, func(c pciCard) bool { return c.bus == bus }) {
			continue
		}
		if c := pciRead(dir, bus); c.vendor != 0 || c.driver != "" {
			cards = append(cards, c)
		}
	}
	return cards
}

var cardName = regexp.MustCompile(`^card[0-9]+$`)

func pciRead(dir, bus string) pciCard {
	c := pciCard{bus: bus, dir: dir, driver: uevent(dir, "DRIVER")}
	if n, ok := readNumber(filepath.Join(dir, "vendor")); ok {
		c.vendor = int(n)
	}
	if n, ok := readNumber(filepath.Join(dir, "device")); ok {
		c.device = int(n)
	}
	status, _ := readText(filepath.Join(dir, "power", "runtime_status"))
	control, _ := readText(filepath.Join(dir, "power", "control"))
	c.asleep = status == "suspended"
	c.maySleep = control == "auto" && status != "unsupported" && status != ""
	return c
}

// uevent reads one value of a device's uevent file, or "".
func uevent(dir, key string) string {
	text, _ := readText(filepath.Join(dir, "uevent"))
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && k == key {
			return v
		}
	}
	return ""
}

// path is a path under the root that is looked at.
func (m Monitor) path(rel string) string {
	root := m.Root
	if root == "" {
		root = "/"
	}
	return filepath.Join(root, filepath.FromSlash(rel))
}

// names lists a folder in order, or nothing when it cannot be read.
func names(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.Readdirnames(maxFolder) // what was read before a fault counts
	slices.Sort(list)
	return list
}

// readText reads a small file and trims it.
func readText(name string) (string, bool) {
	f, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return "", false
	}
	return string(bytes.TrimSpace(bytes.ToValidUTF8(b, nil))), true
}

// readNumber reads a file that holds one whole number, decimal or with 0x.
func readNumber(name string) (int64, bool) {
	text, ok := readText(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 0, 64)
	return n, err == nil && n >= 0
}

// readSize reads a file that holds a number of bytes.
func readSize(name string) *int64 {
	if n, ok := readNumber(name); ok {
		return known(uint64(n))
	}
	return nil
}

// procName is the name of an NVIDIA card from the driver's own listing, which does not wake it.
func (m Monitor) procName(c pciCard) string {
	text, _ := readText(m.path("proc/driver/nvidia/gpus/" + c.bus + "/information"))
	scan := bufio.NewScanner(strings.NewReader(text))
	for scan.Scan() {
		if k, v, ok := strings.Cut(scan.Text(), ":"); ok && strings.TrimSpace(k) == "Model" && strings.TrimSpace(v) != "" {
			return strings.TrimSpace(v)
		}
	}
	return "the NVIDIA card at " + c.bus
}

// wsl reports whether this is Linux inside of Windows.
func (m Monitor) wsl() bool {
	text, _ := readText(m.path("proc/version"))
	return strings.Contains(strings.ToLower(text), "microsoft")
}

// others says which cards are left over, and why models cannot use them as they are.
func (m Monitor) others(cards []pciCard, s *Status) {
	for _, c := range cards {
		switch {
		case c.driver == "vfio-pci":
			s.say(KindOtherDriver, "the card at "+c.bus+" is given to a virtual machine (vfio-pci), so nothing here can use it")
		case c.vendor == pciNVIDIA && (c.driver == "nouveau" || c.driver == "nova-core" || c.driver == "nova"):
			s.say(KindOtherDriver, "the NVIDIA card at "+c.bus+" runs under the driver "+c.driver+", with which Ollama does not use it: install NVIDIA's own driver")
		case c.vendor == pciNVIDIA && c.driver == "" && !s.odd():
			s.say(KindNoDriver, "the NVIDIA card at "+c.bus+" has no driver: install NVIDIA's driver to use it")
		case c.vendor == pciAMD && c.driver == "radeon":
			s.say(KindOtherDriver, "the AMD card at "+c.bus+" runs under the old driver radeon, with which Ollama does not use it")
		case c.driver == "asahi":
			s.say(KindOtherDriver, "the Apple graphics run under Asahi Linux, where Ollama has no Metal: models run on the processor and in the machine's memory")
		}
	}
}
