package gpu

import (
	"cmp"
	"slices"
	"strings"
)

// Loaded is a model that the server holds in memory, as /api/ps tells it; sizes are bytes.
type Loaded struct {
	Name string `json:"name"`
	Size int64  `json:"size_bytes"`      // what it takes in all
	VRAM int64  `json:"size_vram_bytes"` // what of that is on cards; 0 when all is in the machine's memory
}

// HolderKind says what holds memory of the cards.
type HolderKind string

// The kinds of holders.
const (
	HoldsModel   HolderKind = "model"
	HoldsProcess HolderKind = "process"
	HoldsDriver  HolderKind = "driver" // the reserve of the driver
	HoldsOther   HolderKind = "other"  // in use and told by nobody: drivers, screens, programs of others
)

// Holder is one who holds memory of the cards. Bytes is nil when it is there and how much it holds is not told.
type Holder struct {
	Kind  HolderKind `json:"kind"`
	Name  string     `json:"name"`
	Bytes *int64     `json:"memory_bytes"`
}

// Holders says who holds the memory of the cards that have their own: the loaded models, other programs by name, the driver's
// reserve, and the rest. The models' own server is left out of the programs when models are given, because it holds them.
// Models and programs are in order of size, those whose size is not told last.
//
// /api/ps does not say on which card a model is, so this is of all cards together.
func Holders(s Status, models []Loaded) []Holder {
	used, reserved := sums(s.GPUs)
	var list []Holder
	var told int64 // what of the used memory has a name
	complete := true
	for _, m := range models {
		if m.VRAM > 0 {
			list = append(list, Holder{HoldsModel, m.Name, size(m.VRAM)})
			told += m.VRAM
		}
	}
	programs := programs(s.Processes, len(list) > 0)
	for _, p := range programs {
		if p.Bytes == nil {
			complete = false
		} else {
			told += *p.Bytes
		}
	}
	bySize(list)
	bySize(programs)
	list = append(list, programs...)
	if reserved != nil && *reserved > 0 {
		list = append(list, Holder{HoldsDriver, "reserve of the driver", reserved})
	}
	if used == nil {
		return list
	}
	if rest := *used - told; rest > otherLeast || !complete && rest > 0 {
		name := "other programs, screens and the driver"
		if !complete {
			name = "the programs without a size, screens and the driver"
		}
		list = append(list, Holder{HoldsOther, name, size(rest)})
	}
	return list
}

// otherLeast is the rest from which it is worth a line, in bytes: figures of a driver are rounded to MiB.
const otherLeast = 8 << 20

// programs are the programs on the cards with their name and sum of sizes; several of one name are one. A size that is not
// told makes the sum of that name unknown.
func programs(list []Process, withoutServer bool) []Holder {
	var out []Holder
	for _, p := range list {
		if withoutServer && servesModels(p.Name) {
			continue
		}
		i := slices.IndexFunc(out, func(h Holder) bool { return h.Name == p.Name })
		switch {
		case i < 0:
			h := Holder{HoldsProcess, p.Name, nil}
			if p.Bytes != nil {
				h.Bytes = size(*p.Bytes)
			}
			out = append(out, h)
		case p.Bytes == nil || out[i].Bytes == nil:
			out[i].Bytes = nil
		default:
			*out[i].Bytes += *p.Bytes
		}
	}
	return out
}

// servesModels reports whether a program is Ollama or one of its runners: "ollama" and "ollama_llama_server" to 0.29,
// "llama-server" from 0.30 on.
func servesModels(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(strings.ToLower(name), ".exe"))
	return name == "ollama" || strings.HasPrefix(name, "ollama_") || strings.HasPrefix(name, "ollama-") || name == "llama-server"
}

func bySize(list []Holder) {
	slices.SortStableFunc(list, func(a, b Holder) int {
		switch {
		case a.Bytes == nil && b.Bytes == nil:
			return cmp.Compare(a.Name, b.Name)
		case a.Bytes == nil:
			return 1
		case b.Bytes == nil:
			return -1
		}
		return cmp.Or(cmp.Compare(*b.Bytes, *a.Bytes), cmp.Compare(a.Name, b.Name))
	})
}

// sums adds up what is used and reserved on the cards with memory of their own; nil when a card does not tell.
func sums(cards []GPU) (used, reserved *int64) {
	var u, r int64
	own, all, any := 0, true, false
	for _, g := range cards {
		if g.Shared || g.Asleep {
			continue
		}
		own++
		if g.MemoryUsed == nil {
			all = false
		} else {
			u += *g.MemoryUsed
		}
		if g.MemoryReserved != nil {
			r += *g.MemoryReserved
			any = true
		}
	}
	if own > 0 && all {
		used = size(u)
	}
	if any {
		reserved = size(r)
	}
	return used, reserved
}

// Usable adds up what one program may take on all cards with memory of their own, and on the largest of them; nil when no
// card tells. Cards that use the machine's memory count only when there is no other.
func (s Status) Usable() (all, largest *int64) {
	for _, shared := range []bool{false, true} {
		for _, g := range s.GPUs {
			if g.Shared != shared || g.Usable == nil {
				continue
			}
			if all == nil {
				all, largest = size(0), size(0)
			}
			*largest = max(*largest, *g.Usable)
			if shared {
				*all = *largest // two parts of one memory are not added
			} else {
				*all += *g.Usable
			}
		}
		if all != nil {
			return all, largest
		}
	}
	return nil, nil
}
