package gpu

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What AMD's tools print, and the files of sys as somebody copied them.

var (
	// The name of a file of sys with its value after it: "mem_info_vram_total 536870912", with or without the folder, on the
	// same line or on the next.
	sysValue = regexp.MustCompile(`(?:card(\d+)/(?:device/)?)?mem_info_(vram|gtt)_(total|used)\s*[:=]?\s*(\d+)`)
	kfdValue = regexp.MustCompile(`size_in_bytes\s*[:=]?\s*(\d+)`)
)

// readAMDFiles reads copies of the files of amdgpu.
func readAMDFiles(text string, s *Status) bool {
	cards := map[int]*amdPools{}
	for _, m := range sysValue.FindAllStringSubmatch(text, 4*maxCards) {
		number, _ := strconv.Atoi(m[1]) // 0 when the folder was not copied
		p := cards[number]
		if p == nil {
			p = &amdPools{}
			cards[number] = p
		}
		p.set(m[2], m[3], parseSize(m[4], 1))
	}
	if len(cards) == 0 {
		return false
	}
	if m := kfdValue.FindStringSubmatch(text); m != nil && len(cards) == 1 {
		for _, p := range cards {
			p.kfd = parseSize(m[1], 1)
		}
	}
	for i, number := range slices.Sorted(maps.Keys(cards)) {
		if len(s.GPUs) < maxCards {
			cards[number].fill(GPU{Index: i, Name: amdName(i, "")}, s)
		}
	}
	return true
}

// set puts a size where it belongs; a pool is "vram" or "gtt", a kind "total" or "used".
func (p *amdPools) set(pool, kind string, n *int64) {
	to := map[string]**int64{"vramtotal": &p.vramTotal, "vramused": &p.vramUsed, "gtttotal": &p.gttTotal, "gttused": &p.gttUsed}[pool+kind]
	if to != nil && *to == nil {
		*to = n
	}
}

// parseSize reads a whole number and returns it times unit, or nil when it is no size.
func parseSize(s string, unit int64) *int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > maxBytes/unit {
		return nil
	}
	return size(n * unit)
}

func amdName(i int, name string) string {
	if name != "" {
		return name
	}
	if i == 0 {
		return "AMD card"
	}
	return fmt.Sprintf("AMD card %d", i)
}

var (
	smiCard = regexp.MustCompile(`^GPU:\s*(\d+)`)
	// TOTAL_VRAM: 512 MB
	smiValue = regexp.MustCompile(`^(TOTAL|USED)_(VRAM|GTT)\s*:\s*(\d+)\s*([KMGT]?B)`)
	smiName  = regexp.MustCompile(`^MARKET_NAME\s*:\s*(\S.*)`)
)

// units of AMD's tools, which write MB and mean MiB.
var units = map[string]int64{"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}

var (
	smiColumn = regexp.MustCompile(`\b(VRAM|GTT)_(USED|FREE|TOTAL)\b`)
	smiSize   = regexp.MustCompile(`(\d+)(?:\.\d+)?\s*([KMGT]?B)\b`)
)

// readAMDSMI reads what amd-smi prints of memory: its lists, and the table of amd-smi monitor.
func readAMDSMI(text string, s *Status) bool {
	pools, names, current := map[int]*amdPools{}, map[int]string{}, 0
	var columns [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if c := smiColumn.FindAllStringSubmatch(line, 8); len(c) > 1 {
			columns = c
		} else if m := rocmRow.FindStringSubmatch(line); m != nil && columns != nil {
			number, err := strconv.Atoi(m[1])
			sizes := smiSize.FindAllStringSubmatch(line, 8)
			if err != nil || len(sizes) != len(columns) || len(pools) == maxCards {
				continue
			}
			if pools[number] == nil {
				pools[number] = &amdPools{}
			}
			for i, c := range columns {
				pools[number].set(strings.ToLower(c[1]), strings.ToLower(c[2]), parseSize(sizes[i][1], units[sizes[i][2]]))
			}
		} else if m := smiCard.FindStringSubmatch(line); m != nil {
			current, _ = strconv.Atoi(m[1])
		} else if m := smiName.FindStringSubmatch(line); m != nil {
			names[current] = m[1]
		} else if m := smiValue.FindStringSubmatch(line); m != nil {
			if pools[current] == nil && len(pools) < maxCards {
				pools[current] = &amdPools{}
			}
			if p := pools[current]; p != nil {
				p.set(strings.ToLower(m[2]), strings.ToLower(m[1]), parseSize(m[3], units[m[4]]))
			}
		}
	}
	for i, number := range slices.Sorted(maps.Keys(pools)) {
		// The table shows GTT in place of VRAM on a processor with graphics, and only there.
		p := pools[number]
		p.apu = p.apu || columns != nil && p.gttTotal != nil && p.vramTotal == nil
		p.fill(GPU{Index: number, Name: amdName(i, names[number])}, s)
	}
	return len(pools) > 0
}

var (
	// GPU[0]          : VRAM Total Used Memory (B): 17453056
	rocmValue = regexp.MustCompile(`^GPU\[(\d+)\]\s*:\s*(VRAM|GTT) Total (Used )?Memory \(B\):\s*(\d+)`)
	rocmName  = regexp.MustCompile(`^GPU\[(\d+)\]\s*:\s*Card [Ss]eries:\s*(\S.*)`)
	rocmRow   = regexp.MustCompile(`^(\d+)\s+\S`)
)

// readROCm reads what rocm-smi prints: its lists, its JSON, and its table, which holds no sizes.
func readROCm(text string, s *Status) bool {
	pools, named := map[int]*amdPools{}, map[int]string{}
	at := func(number string) *amdPools {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || pools[n] == nil && len(pools) == maxCards {
			return &amdPools{}
		}
		if pools[n] == nil {
			pools[n] = &amdPools{}
		}
		return pools[n]
	}
	table := -1 // the column VRAM% of the table
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := rocmValue.FindStringSubmatch(line); m != nil {
			kind := "total"
			if m[3] != "" {
				kind = "used"
			}
			at(m[1]).set(strings.ToLower(m[2]), kind, parseSize(m[4], 1))
		} else if m := rocmName.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			named[n] = m[2]
		} else if fields := strings.Fields(line); slices.Contains(fields, "VRAM%") {
			table = slices.Index(fields, "VRAM%")
		} else if m := rocmRow.FindStringSubmatch(line); m != nil && table >= 0 {
			at(m[1])
		}
	}
	if table < 0 {
		rocmJSON(text, at, named)
	}
	for i, number := range slices.Sorted(maps.Keys(pools)) {
		g := GPU{Index: number, Name: amdName(i, named[number]), Vendor: "amd"}
		if p := pools[number]; p.vramTotal != nil || table < 0 {
			p.fill(g, s)
			continue
		}
		s.GPUs = append(s.GPUs, g)
		s.sayOf(KindToolBug, "rocm-smi gives a share of the memory at most, and version 3.3 not even that, so the memory of "+g.Name+" is unknown; read mem_info_vram_total and mem_info_vram_used under /sys/class/drm/card*/device instead")
	}
	return len(pools) > 0
}

// rocmJSON reads rocm-smi --json: an object a card.
func rocmJSON(text string, at func(string) *amdPools, named map[int]string) {
	var cards map[string]map[string]any
	if json.Unmarshal([]byte(text), &cards) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(cards)) {
		number, ok := strings.CutPrefix(name, "card")
		if !ok {
			continue
		}
		p := at(number)
		for _, v := range []struct{ key, pool, kind string }{
			{"VRAM Total Memory (B)", "vram", "total"}, {"VRAM Total Used Memory (B)", "vram", "used"},
			{"GTT Total Memory (B)", "gtt", "total"}, {"GTT Total Used Memory (B)", "gtt", "used"},
		} {
			if text, ok := cards[name][v.key].(string); ok {
				p.set(v.pool, v.kind, parseSize(text, 1))
			}
		}
		for _, key := range []string{"Card Series", "Card series"} {
			if text, ok := cards[name][key].(string); ok {
				if n, err := strconv.Atoi(number); err == nil {
					named[n] = text
				}
			}
		}
	}
}
