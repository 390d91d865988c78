package desk

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/gpu"
)

// MemorySettings is what the person says about the memory of the cards. The zero value of a field means its default. The model
// that is insisted on is [Settings.Model], the cache type and the calls at once are those of the model server.
type MemorySettings struct {
	// Reserve is left free on each card for the desktop and other programs, and Budget is the most that models may take of
	// each: a size such as "1.5GiB" or "800MiB", a share of the card such as "10%", or "0". If empty, 1 GiB and all.
	Reserve string `json:"reserve,omitempty"`
	Budget  string `json:"budget,omitempty"`
	// Cards are both for one card, by its place in the list of cards, from 0.
	Cards map[int]CardMemory `json:"cards,omitempty"`
	// Context is the window to run with, in tokens, whatever fits. If zero, it is planned.
	Context int `json:"context,omitempty"`
	// Batch is how many tokens of a prompt are read at once (num_batch), whatever fits. If zero, it is planned.
	Batch int `json:"batch,omitempty"`
	// UseReserve lets models take the reserve too.
	UseReserve bool `json:"use_reserve,omitempty"`
	// NVML has NVIDIA's cards asked through the driver's library, in a child of this program, in place of nvidia-smi: that
	// takes milliseconds. Where the child cannot answer, nvidia-smi is asked all the same.
	NVML bool `json:"nvml,omitempty"`
}

// CardMemory are the reserve and the budget of one card; empty ones are those of all cards.
type CardMemory struct {
	Reserve string `json:"reserve,omitempty"`
	Budget  string `json:"budget,omitempty"`
}

// Bounds of what may be asked of a load. What is larger than these is a slip of the keyboard.
const (
	maxWindow = 1 << 26 // tokens
	maxBatch  = 1 << 14 // tokens
	maxCards  = 64
	maxAtOnce = 256
	maxMiB    = 1 << 30 // a pebibyte
	minBatch  = 32
)

// check says in one sentence what is wrong, or returns nil.
func (m MemorySettings) check() error {
	if err := checkShares(m.Reserve, m.Budget, ""); err != nil {
		return err
	}
	if len(m.Cards) > maxCards {
		return fmt.Errorf("memory: %d cards are set and there may be %d", len(m.Cards), maxCards)
	}
	for _, i := range slices.Sorted(maps.Keys(m.Cards)) {
		if i < 0 || i >= maxCards {
			return fmt.Errorf("memory: card %d: cards are counted from 0", i)
		}
		if err := checkShares(m.Cards[i].Reserve, m.Cards[i].Budget, fmt.Sprintf(" of card %d", i)); err != nil {
			return err
		}
	}
	if err := checkWindow(m.Context); err != nil {
		return err
	}
	return checkBatch(m.Batch)
}

func checkWindow(n int) error {
	switch {
	case n == 0, n >= gpu.MinContext && n <= maxWindow:
		return nil
	case n > maxWindow:
		return fmt.Errorf("window of %s tokens: no model has one of more than %s", gpu.Grouped(n), gpu.Grouped(maxWindow))
	}
	return fmt.Errorf("a window of %d: a research needs %s tokens at least", n, gpu.Grouped(gpu.MinContext))
}

func checkBatch(n int) error {
	if n != 0 && (n < minBatch || n > maxBatch) {
		return fmt.Errorf("a batch of %d: use %d to %s tokens", n, minBatch, gpu.Grouped(maxBatch))
	}
	return nil
}

func checkShares(reserve, budget, whose string) error {
	if _, err := parseShare(reserve); err != nil {
		return fmt.Errorf("reserve%s %w", whose, err)
	}
	b, err := parseShare(budget)
	if err != nil {
		return fmt.Errorf("budget%s %w", whose, err)
	}
	if b.None {
		return fmt.Errorf("budget%s %q: with no memory at all no model fits; leave it empty for all of the card", whose, budget)
	}
	return nil
}

// parseShare reads a size such as "1.5GiB", a share such as "10%", or "0"; empty is not set.
func parseShare(s string) (gpu.Share, error) {
	t := strings.TrimSpace(s)
	if t == "" {
		return gpu.Share{}, nil
	}
	if num, ok := strings.CutSuffix(t, "%"); ok {
		n, err := strconv.Atoi(strings.TrimSpace(num))
		if err != nil || n < 0 || n > 100 {
			return gpu.Share{}, fmt.Errorf("%q: a share of a card is a whole number from 0%% to 100%%", short(s))
		}
		return gpu.Share{Percent: n, None: n == 0}, nil
	}
	if strings.Trim(t, "0.") == "" {
		return gpu.Share{None: true}, nil
	}
	n, err := ParseSize(s)
	if err != nil {
		return gpu.Share{}, err
	}
	return gpu.Share{MiB: (n + (1 << 20) - 1) >> 20}, nil
}

var sizeForm = regexp.MustCompile(`^([0-9]{1,18}(?:[.,][0-9]{1,9})?)\s*([kKmMgGtT]?[iI]?[bB]?)$`)

// sizeUnits are bytes by the unit's name in lower case. Those without an i are decimal, as on the package of a card and in the
// list of the server.
var sizeUnits = map[string]float64{
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// ParseSize reads an amount of memory such as "15.2GiB", "800 MiB" or "16GB", in bytes; it is more than 0 and at most a
// pebibyte.
func ParseSize(s string) (int64, error) {
	m := sizeForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, fmt.Errorf("%q: write a size as 15.2GiB or 800MiB", short(s))
	}
	unit, ok := sizeUnits[strings.ToLower(m[2])]
	if !ok {
		return 0, fmt.Errorf("%q: name the unit, as in 15.2GiB or 800MiB", short(s))
	}
	n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	n = math.Round(n * unit)
	switch {
	case err != nil || n > maxMiB<<20:
		return 0, fmt.Errorf("%q: no machine has more than 1024 TiB", short(s))
	case n < 1:
		return 0, fmt.Errorf("%q: it is no memory at all", short(s))
	}
	return int64(n), nil
}

// short keeps what a person typed to the length of a message.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}

// policy is what the settings let a plan do.
func (s Settings) policy(known gpu.Calibration) gpu.Policy {
	p := gpu.Policy{Calibration: known, Override: gpu.Override{Context: s.Memory.Context, Batch: s.Memory.Batch, Anyway: s.Memory.UseReserve}}
	// What is set was checked when it was read.
	p.Reserve, _ = parseShare(s.Memory.Reserve)
	p.Budget, _ = parseShare(s.Memory.Budget)
	for _, i := range slices.Sorted(maps.Keys(s.Memory.Cards)) {
		if p.PerDevice == nil {
			p.PerDevice = map[int]gpu.Limits{}
		}
		var l gpu.Limits
		l.Reserve, _ = parseShare(s.Memory.Cards[i].Reserve)
		l.Budget, _ = parseShare(s.Memory.Cards[i].Budget)
		p.PerDevice[i] = l
	}
	return p
}
