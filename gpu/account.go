package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// Account is how a load stands to the memory of its cards, so that the sum can be done again. Sizes are bytes.
type Account struct {
	Cards []CardAccount `json:"cards"` // those that would hold it, one or all that take part in a split
	// Whole is what is to be placed: all that the load takes of one card; of a split the weights and the cache, because each card
	// holds a working memory and a driver's part of its own.
	Whole int64 `json:"whole_bytes"`
	Room  int64 `json:"room_bytes"` // what the cards have for it
	Over  int64 `json:"over_bytes"` // Whole less Room, if more than 0: what is missing before it fits
}

// CardAccount is one card's share of an [Account].
type CardAccount struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Free    int64  `json:"free_bytes"`    // with what models that can go give back
	Reserve int64  `json:"reserve_bytes"` // to be left to other programs
	Held    int64  `json:"held_bytes"`    // what the server keeps free beside the load, or it moves layers off the card
	Budget  *int64 `json:"budget_bytes"`  // the most that models may take; nil when none is set
	Own     int64  `json:"own_bytes"`     // of a split: the card's own working memory and driver
	Lost    int64  `json:"lost_bytes"`    // of a split: the room of a layer, because none is divided
	Room    int64  `json:"room_bytes"`    // what is left for the load; never negative
}

// account does the sum for a load on the cards with these indices; none means the first.
func account(devices []slot, e Estimate, m Model, cards []int) Account {
	split := len(cards) > 1
	a := Account{Cards: []CardAccount{}}
	var own, lost int64
	if split {
		own = (e.Of(PartCompute) + e.Of(PartOverhead)) / int64(max(e.Load.Devices, 1))
		lost = largestShare(m, e)
	}
	for i, s := range devices {
		if split && !slices.Contains(cards, s.device.Index) || !split && (len(cards) == 1 && s.device.Index != cards[0] || len(cards) == 0 && i > 0) {
			continue
		}
		c := CardAccount{Index: s.device.Index, Name: s.device.Name, Free: s.free, Reserve: s.reserve, Held: max(e.Margin-overheadOf(e), 0), Own: own, Lost: lost}
		if s.stated {
			c.Held = 0
		}
		c.Room = s.free - max(c.Reserve, c.Held)
		if s.budget >= 0 {
			b := s.budget
			c.Budget, c.Room = &b, min(c.Room, b)
		}
		c.Room = max(c.Room-own-lost, 0)
		a.Room += c.Room
		a.Cards = append(a.Cards, c)
		a.Whole = on(s.device, e)
	}
	if split {
		a.Whole = e.Card() - e.Of(PartCompute) - e.Of(PartOverhead)
	}
	a.Over = max(a.Whole-a.Room, 0)
	return a
}

// Budgeted reports whether it is a budget that leaves a card no more room, and not its memory.
func (a Account) Budgeted() bool { return slices.ContainsFunc(a.Cards, CardAccount.budgeted) }

func (c CardAccount) budgeted() bool {
	return c.Budget != nil && *c.Budget < c.Free-max(c.Held, c.Reserve)
}

// Words are the sum in sentences, one for each card and one for the result; none without a card.
func (a Account) Words() []string {
	var out []string
	for _, c := range a.Cards {
		out = append(out, c.words(len(a.Cards) > 1))
	}
	if len(a.Cards) > 1 {
		end := "they have room for that"
		if a.Over > 0 {
			end = fmt.Sprintf("there is room for %s, so %s are missing", mibText(a.Room), mibText(a.Over))
		}
		out = append(out, fmt.Sprintf("Weights and cache of %s are to be divided over %s together: %s.", mibText(a.Whole), plural(len(a.Cards), "card"), end))
	} else if len(a.Cards) == 1 {
		end := "fit"
		if a.Over > 0 {
			end = fmt.Sprintf("are %s more", mibText(a.Over))
		}
		out = append(out, fmt.Sprintf("The %s of the load %s.", mibText(a.Whole), end))
	}
	return out
}

// words is the sum of one card.
func (c CardAccount) words(split bool) string {
	var less []string
	switch {
	case c.Held > c.Reserve && c.Reserve > 0:
		less = append(less, fmt.Sprintf("%s that the server keeps free, the reserve of %s among them", mibText(c.Held), mibText(c.Reserve)))
	case c.Held > c.Reserve:
		less = append(less, mibText(c.Held)+" that the server keeps free")
	case c.Reserve > 0:
		less = append(less, mibText(c.Reserve)+" of reserve")
	}
	name := strings.ToUpper(c.Name[:min(len(c.Name), 1)]) + c.Name[min(len(c.Name), 1):]
	if split {
		name = fmt.Sprintf("Card %d", c.Index)
		less = append(less, mibText(c.Own)+" of working memory and driver of its own", mibText(c.Lost)+" because no layer is divided")
	}
	from := mibText(c.Free) + " free"
	if c.budgeted() {
		from = fmt.Sprintf("a budget of %s", mibText(*c.Budget))
		if !split {
			less = nil
		} else {
			less = less[max(len(less)-2, 0):]
		}
	}
	if len(less) == 0 {
		return fmt.Sprintf("%s has %s: room for %s.", name, from, mibText(c.Room))
	}
	return fmt.Sprintf("%s has %s, less %s: room for %s.", name, from, strings.Join(less, ", less "), mibText(c.Room))
}

// Room is what the cards of known free memory have for models together, and what of it is the reserve; known is false when no card
// tells.
func Room(m Machine, p Policy) (free, reserve int64, cards int, known bool) {
	devices, _ := slots(m, p)
	for _, s := range devices {
		free += s.free
		reserve += min(s.reserve, s.free)
	}
	return free, reserve, len(devices), len(devices) > 0
}

// Unscaled says in a sentence each which shares in per cent cannot be applied, because they are of a card whose size is not known.
func Unscaled(m Machine, p Policy) []string {
	var out []string
	for _, d := range m.Devices {
		if d.Total != nil {
			continue
		}
		own := p.PerDevice[d.Index]
		reserve, budget := own.Reserve, own.Budget
		if reserve == (Share{}) {
			reserve = p.Reserve
		}
		if budget == (Share{}) {
			budget = p.Budget
		}
		if reserve.Percent > 0 {
			out = append(out, fmt.Sprintf("The reserve of %d%% is a share of a card whose size is not known here, so %s are left free.", reserve.Percent, mibText(DefaultReserve)))
		}
		if budget.Percent > 0 {
			out = append(out, fmt.Sprintf("The budget of %d%% is a share of a card whose size is not known here, so it bounds nothing.", budget.Percent))
		}
	}
	return slices.Compact(out)
}

// CardNames are the names of cards in one phrase, equal ones counted: "2 x NVIDIA GeForce RTX 4080 SUPER".
func CardNames(devices []Device) string {
	var order []string
	n := map[string]int{}
	for _, d := range devices {
		if n[d.Name]++; n[d.Name] == 1 {
			order = append(order, d.Name)
		}
	}
	for i, name := range order {
		if n[name] > 1 {
			order[i] = fmt.Sprintf("%d x %s", n[name], name)
		}
	}
	return strings.Join(order, " and ")
}
