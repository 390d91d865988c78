package gpu

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Windows' other cards are asked through PowerShell, whose answer is text: the driver's registry keys hold the whole size,
// those of DirectX the number (LUID) by which the counters name a card, and the counters what is in use. The names of the
// counters' classes are the same in every language, those of Get-Counter are not. Not run on real hardware: recorded and
// made outputs only.

// windowsQuery prints a line for each thing it finds, its values parted by "|".
const windowsQuery = `$ErrorActionPreference='SilentlyContinue'
Get-ItemProperty 'HKLM:\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0*' | ForEach-Object { 'assay-card|' + $_.DriverDesc + '|' + $_.'HardwareInformation.qwMemorySize' + '|' + $_.DriverVersion }
Get-ItemProperty 'HKLM:\SOFTWARE\Microsoft\DirectX\*' | ForEach-Object { 'assay-luid|' + $_.Description + '|' + $_.AdapterLuid + '|' + $_.DedicatedVideoMemory + '|' + $_.SharedSystemMemory }
Get-CimInstance Win32_PerfFormattedData_GPUPerformanceCounters_GPUAdapterMemory | ForEach-Object { 'assay-used|' + $_.Name + '|' + $_.DedicatedUsage }
Get-CimInstance Win32_VideoController | ForEach-Object { 'assay-wmi|' + $_.Name + '|' + $_.AdapterRAM + '|' + $_.DriverVersion }`

// windows adds the cards that NVIDIA's tool did not.
func (m Monitor) windows(ctx context.Context, s *Status) {
	out, _, err := m.runFor(ctx, slow*m.timeout(), []string{"powershell.exe", `C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`},
		"-NoProfile", "-NonInteractive", "-Command", windowsQuery)
	if err != nil {
		if len(s.GPUs) == 0 {
			s.say(KindToolFailed, "Windows did not name its graphics cards in time, so they are unknown")
		}
		return
	}
	readWindows(string(out), s)
}

// windowsCard is a card as Windows knows it.
type windowsCard struct {
	name, driver string
	whole        *int64 // 64 bits, from the driver or DirectX
	luid         string // 0x00000000_0x0001532a
	used         *int64
	adapterRAM   *int64 // 32 bits, from WMI
}

// capped32 is from where a 32 bit size says no more than "this or more": drivers write 4 GiB less 1 MiB, or the most that
// fits, for every larger card.
const capped32 = 1<<32 - 1<<20

// fill adds a card and says what is odd. NVIDIA's are left to NVIDIA's tool, which knows what is in use.
func (c windowsCard) fill(number int, s *Status) {
	g := GPU{Index: number, Name: c.name, Vendor: vendorOf(c.name), Driver: c.driver, MemoryTotal: c.whole}
	if g.MemoryTotal != nil && *g.MemoryTotal == 0 {
		g.MemoryTotal = nil
	}
	capped := false
	if g.MemoryTotal == nil && c.adapterRAM != nil && *c.adapterRAM > 0 {
		if capped = *c.adapterRAM >= capped32; capped {
			g.AtLeast = size(*c.adapterRAM)
		} else {
			g.MemoryTotal = c.adapterRAM
		}
	}
	// Graphics in a processor have a small part of the machine's memory of their own and use the rest as they need it, or a
	// large part that was set aside for them, which then is as good as a card's.
	aside := integratedName(g.Name) && g.MemoryTotal != nil && *g.MemoryTotal > carveOut
	g.Shared = integratedName(g.Name) && !aside
	if g.MemoryTotal != nil && c.used != nil && *c.used <= *g.MemoryTotal && !g.Shared {
		g.MemoryUsed, g.MemoryFree = c.used, size(*g.MemoryTotal-*c.used)
	}
	s.GPUs = append(s.GPUs, g)
	switch {
	case aside:
		s.sayOf(KindAPU, g.Name+" is part of the processor and its "+gib(*g.MemoryTotal)+" are set aside from the machine's memory")
	case capped:
		s.sayOf(KindCapped, "Windows' 32 bit figure for "+g.Name+" is at its limit, which means 4 GiB or more; the driver's registry value HardwareInformation.qwMemorySize has the whole size")
	case g.Shared:
		s.sayOf(KindIntegrated, g.Name+" is part of the processor and shares the machine's memory, which is not added to that of another card")
	case g.MemoryTotal == nil:
		s.sayOf(KindUnknown, "Windows does not give the memory of "+g.Name+", so it is unknown")
	case g.MemoryFree == nil:
		s.sayOf(KindUsedUnknown, "how much of the memory of "+g.Name+" is in use was not given, so what is free is unknown")
	}
}

// vendorOf is the vendor in a card's name, or "".
func vendorOf(name string) string {
	low := strings.ToLower(name)
	for _, v := range []struct{ word, vendor string }{
		{"nvidia", "nvidia"}, {"geforce", "nvidia"}, {"quadro", "nvidia"}, {"tesla", "nvidia"}, {"rtx", "nvidia"},
		{"amd", "amd"}, {"radeon", "amd"}, {"intel", "intel"}, {"apple", "apple"},
	} {
		if strings.Contains(low, v.word) {
			return v.vendor
		}
	}
	return ""
}

var integratedForm = regexp.MustCompile(`(?i)\b(u?hd graphics|iris|vega \d+ graphics|radeon\(tm\) graphics|radeon graphics|radeon\(tm\) \d{3}m|radeon \d{3}m|radeon\(tm\) 80[456]0s|intel\(r\) graphics|arc\(tm\) graphics)\b`)

// integratedName reports whether a card of this name is part of a processor.
func integratedName(name string) bool { return integratedForm.MatchString(name) }

// software are the adapters that are no cards.
func software(name string) bool {
	low := strings.ToLower(name)
	return name == "" || strings.Contains(low, "microsoft basic") || strings.Contains(low, "remote display") || strings.Contains(low, "microsoft remote")
}

var luidName = regexp.MustCompile(`(?i)luid_(0x[0-9a-f]{8}_0x[0-9a-f]{8})`)

// readWindows reads the answer to windowsQuery.
func readWindows(text string, s *Status) bool {
	var cards []*windowsCard
	find := func(name string) *windowsCard {
		for _, c := range cards {
			if c.name == name {
				return c
			}
		}
		if software(name) || len(cards) == maxCards {
			return &windowsCard{}
		}
		cards = append(cards, &windowsCard{name: name})
		return cards[len(cards)-1]
	}
	used, any := map[string]*int64{}, false
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) < 3 || !strings.HasPrefix(f[0], "assay-") {
			continue
		}
		any = true
		switch f[0] {
		case "assay-card":
			find(f[1]).set(parseSize(f[2], 1), "", last(f, 3))
		case "assay-luid":
			// Two cards of one name cannot be told apart by it, so their use stays unknown.
			if c := find(f[1]); c.luid == "" {
				c.set(parseSize(last(f, 3), 1), luidOf(f[2]), "")
			} else {
				c.luid = "two"
			}
		case "assay-used":
			if m := luidName.FindStringSubmatch(f[1]); m != nil {
				used[strings.ToLower(m[1])] = parseSize(f[2], 1)
			}
		case "assay-wmi":
			c := find(f[1])
			c.adapterRAM = parseSize(f[2], 1)
			c.set(nil, "", last(f, 3))
		}
	}
	number := 0
	for _, c := range cards {
		if vendorOf(c.name) == "nvidia" && hasVendor(s, "nvidia") {
			continue
		}
		c.used = used[c.luid]
		c.fill(number, s)
		number++
	}
	return any
}

func (c *windowsCard) set(whole *int64, luid, driver string) {
	if whole != nil && (c.whole == nil || *whole > *c.whole) {
		c.whole = whole
	}
	if luid != "" {
		c.luid = luid
	}
	if driver != "" {
		c.driver = driver
	}
}

// last is the i-th field, or "" when there are not so many.
func last(fields []string, i int) string {
	if i < len(fields) {
		return fields[i]
	}
	return ""
}

func hasVendor(s *Status, vendor string) bool {
	for _, g := range s.GPUs {
		if g.Vendor == vendor {
			return true
		}
	}
	return false
}

// luidOf writes DirectX's number for a card as the counters do: its upper and lower half.
func luidOf(number string) string {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return ""
	}
	hex := strconv.FormatUint(uint64(n), 16)
	hex = strings.Repeat("0", 16-len(hex)) + hex
	return "0x" + hex[:8] + "_0x" + hex[8:]
}

var (
	wmiPair  = regexp.MustCompile(`^"?(?:\w+\.)?(\w+)"?\s*[:=]\s*"?(.*?)"?,?$`)
	wmiLoose = regexp.MustCompile(`^(\S.*?)\s+(\d{6,})\s*$`)
	wmiSlash = regexp.MustCompile(`/([^/]+)/(\d{6,})\s*$`)
)

// readWMI reads what Win32_VideoController was seen to be printed as: JSON, pairs a line, a table with a header, a line with
// slashes.
func readWMI(text string, s *Status) bool {
	var cards []windowsCard
	if cards = wmiJSON(text); len(cards) == 0 {
		cards = wmiPairs(text)
	}
	if len(cards) == 0 {
		cards = wmiTable(text)
	}
	if len(cards) == 0 {
		for line := range strings.Lines(text) {
			if m := wmiSlash.FindStringSubmatch(line); m != nil {
				cards = append(cards, windowsCard{name: m[1], adapterRAM: parseSize(m[2], 1)})
			}
		}
	}
	for i, c := range cards {
		if c.name == "" {
			c.name = "graphics card"
		}
		if i < maxCards && !software(c.name) {
			c.fill(i, s)
		}
	}
	return len(cards) > 0
}

func wmiJSON(text string) []windowsCard {
	type one struct {
		Name          string
		AdapterRAM    json.Number
		DriverVersion string
	}
	var list []one
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		text = "[" + text + "]"
	}
	if json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	var cards []windowsCard
	for _, o := range list {
		cards = append(cards, windowsCard{name: o.Name, driver: o.DriverVersion, adapterRAM: parseSize(o.AdapterRAM.String(), 1)})
	}
	return cards
}

// wmiPairs reads a value a line; a name that comes again begins the next card.
func wmiPairs(text string) []windowsCard {
	var cards []windowsCard
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		m := wmiPair.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		key := strings.ToLower(m[1])
		if key != "name" && key != "adapterram" && key != "driverversion" && key != "caption" && key != "description" {
			continue
		}
		if len(cards) == 0 || seen[key] {
			cards = append(cards, windowsCard{})
			clear(seen)
		}
		seen[key] = true
		c := &cards[len(cards)-1]
		switch key {
		case "adapterram":
			c.adapterRAM = parseSize(m[2], 1)
		case "driverversion":
			c.driver = m[2]
		default:
			if c.name == "" || key == "name" {
				c.name = m[2]
			}
		}
	}
	for _, c := range cards {
		if c.adapterRAM != nil {
			return cards
		}
	}
	return nil
}

// wmiTable reads a table whose columns begin under their names, or one parted by commas.
func wmiTable(text string) []windowsCard {
	var cards []windowsCard
	var ram, name int
	end, comma := -1, false
	found := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		if !found {
			if ram = strings.Index(line, "AdapterRAM"); ram < 0 {
				continue
			}
			found = true
			if comma = strings.Contains(line, ","); comma {
				ram, name = columnOf(line, "AdapterRAM"), columnOf(line, "Name")
				continue
			}
			name = strings.Index(line, "Name")
			if name >= 0 {
				if next := strings.Fields(line[name:]); len(next) > 1 {
					end = name + strings.Index(line[name:], next[1])
				}
			}
			continue
		}
		c := windowsCard{}
		if comma {
			f := splitCSV(line)
			c.adapterRAM, c.name = parseSize(cell(f, ram), 1), cell(f, name)
		} else {
			number, _, _ := strings.Cut(strings.TrimSpace(from(line, ram, -1)), " ")
			c.adapterRAM, c.name = parseSize(number, 1), strings.TrimSpace(from(line, name, end))
		}
		if m := wmiLoose.FindStringSubmatch(line); c.adapterRAM == nil && m != nil {
			c.adapterRAM, c.name = parseSize(m[2], 1), strings.TrimSpace(m[1]) // its blanks were lost
		}
		if c.adapterRAM != nil && len(cards) < maxCards {
			cards = append(cards, c)
		}
	}
	return cards
}

func columnOf(line, name string) int {
	for i, c := range splitCSV(line) {
		if c == name {
			return i
		}
	}
	return -1
}

func cell(fields []string, i int) string {
	if i < 0 || i >= len(fields) {
		return ""
	}
	return fields[i]
}

// from is what stands in a line from one column to another; -1 as the end is the line's.
func from(line string, start, end int) string {
	if start < 0 || start >= len(line) {
		return ""
	}
	if end < 0 || end > len(line) {
		end = len(line)
	}
	return line[start:max(start, end)]
}
