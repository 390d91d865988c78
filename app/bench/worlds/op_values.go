package worlds

import (
	"fmt"
	"strconv"
	"strings"

	"assay/engine/research"
)

// numbered are the facts whose sentence holds a number that is no year.
var numbered = []string{"output", "prior", "cost", "share", "counted", "upkeep", "points", "best", "staff"}

// valueOperators are wrong figures, dates and results.
var valueOperators = []Operator{
	{ID: "24", Name: "a digit changed", Targets: []string{"numberunsupported", "scalemismatch"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, numbered...)
		ground := w.grounds(w.block(id))
		return w.retext(id, func(s string) string { return changeFigure(s, r, ground) })
	}},
	{ID: "25", Name: "a small number in words changed", Targets: []string{"numberunsupported"}, Apart: "small numbers in words are often a writer's own, and are not held against a text", apply: func(w World, r *random) (Mutant, bool) {
		small := smallEN
		if w.Lang == "zh" {
			small = smallZH
		}
		was, to := w.set.crews, w.set.crews
		for to == was {
			to = r.between(2, 9)
		}
		return w.retext("crews", func(s string) string {
			s = strings.Replace(s, small[was], small[to], 1)
			return strings.Replace(s, capital(small[was]), capital(small[to]), 1)
		})
	}},
	{ID: "26", Name: "another scale or currency", Targets: []string{"scalemismatch", "numberunsupported"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "cost", "upkeep")
		to := []string{"million", pick(r, []string{"billion", "thousand", "trillion"}), "$", pick(r, []string{"€", "£"})}
		if w.Lang == "zh" {
			to = []string{"亿元", pick(r, []string{"万元", "万亿元"}), "万元", pick(r, []string{"亿元", "万美元"})}
			if id == "upkeep" {
				return w.retext(id, func(s string) string { return strings.ReplaceAll(s, to[2], to[3]) })
			}
			return w.retext(id, func(s string) string { return strings.ReplaceAll(s, to[0], to[1]) })
		}
		at := 2 * r.below(2)
		return w.retext(id, func(s string) string { return strings.ReplaceAll(s, to[at], to[at+1]) })
	}},
	{ID: "27", Name: "percent for percentage points, and back", Targets: []string{"percentpointconfusion"}, apply: func(w World, r *random) (Mutant, bool) {
		s := w.set
		if r.below(2) == 0 {
			return w.retext("points", func(said string) string {
				return strings.NewReplacer("percentage points", "percent", "个百分点", "%").Replace(said)
			})
		}
		// The mirror: the relative growth told as points.
		relative := (s.share2 - s.share1) * 100 / s.share1
		if relative == s.share2-s.share1 {
			return Mutant{}, false
		}
		was, to := fmt.Sprint(s.share2-s.share1), fmt.Sprint(relative)
		if w.Lang == "en" {
			return w.retext("share", func(string) string {
				return fmt.Sprintf("The part of %s covered by %s rose by %d percent between %d and %d.", s.Share, s.subject, s.share2-s.share1, s.y1, s.y2)
			})
		}
		return w.retext("points", func(said string) string { return strings.Replace(said, was+"个百分点", to+"个百分点", 1) })
	}},
	{ID: "28", Name: "a year shifted by one to three", Targets: []string{"dateunsupported"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "output", "prior", "share", "opened", "deal", "upkeep", "best")
		ground := w.grounds(w.block(id))
		return w.retext(id, func(s string) string {
			all := figure.FindAllStringIndex(s, -1)
			for _, i := range order(r, len(all)) {
				n := s[all[i][0]:all[i][1]]
				y, err := strconv.Atoi(n)
				if err != nil || !isYear(n) || w.Lang == "zh" && !strings.HasPrefix(s[all[i][1]:], "年") {
					continue
				}
				for _, d := range order(r, 6) {
					if to := fmt.Sprint(y + []int{-3, -2, -1, 1, 2, 3}[d]); !printsNumber(ground, to) {
						return s[:all[i][0]] + to + s[all[i][1]:]
					}
				}
			}
			return s
		})
	}},
	{ID: "29a", Name: "a past event moved after the day of the run", Targets: []string{"dateanachronism"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "opened", "deal", "output", "best")
		was := map[string]int{"opened": w.set.opened[0], "deal": w.set.deal, "output": w.set.y2, "best": w.set.y2}[id]
		to := fmt.Sprint(w.set.now + r.between(1, 6))
		return w.retext(id, func(s string) string { return strings.ReplaceAll(s, fmt.Sprint(was), to) })
	}},
	{ID: "29b", Name: "every cited page is older than the event", Targets: []string{"dateanachronism"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "opened", "deal", "best")
		year := map[string]int{"opened": w.set.opened[0], "deal": w.set.deal, "best": w.set.y2}[id]
		b := w.block(id)
		to := year + r.between(2, 4)
		if to > w.set.now-1 || printsNumber(w.grounds(b), fmt.Sprint(to)) {
			return Mutant{}, false
		}
		for _, ref := range b.Refs {
			w.source(ref).Published = fmt.Sprintf("%d-11-02", year)
		}
		return w.retext(id, func(s string) string { return strings.ReplaceAll(s, fmt.Sprint(year), fmt.Sprint(to)) })
	}},
	{ID: "30", Name: "something old told as current, and a newer page differs", Targets: []string{"staleascurrent"}, apply: func(w World, r *random) (Mutant, bool) {
		year := w.set.now - r.between(4, 8)
		b := w.block("head")
		for _, ref := range b.Refs {
			w.source(ref).Published = fmt.Sprintf("%d-05-20", year)
		}
		c := w.View.Claims["c-head"]
		c.Published = fmt.Sprintf("%d-05-20", year)
		w.View.Claims[c.ID] = c
		words := strings.ReplaceAll(w.set.say("head", 0), w.set.head, w.set.critic)
		newer := w.other("head", words)
		return Mutant{View: w.View, At: []string{"head", newer.ID}, Change: fmt.Sprintf("its pages are of %d; a page of %d says: %s", year, w.set.now, words)}, true
	}},
	{ID: "40a", Name: "a derived value changed", Targets: []string{"arithmeticinconsistent"}, apply: func(w World, r *random) (Mutant, bool) {
		c := w.View.Claims["c-growth"]
		d := *c.Derivation
		d.Value = d.Value.Add(research.NewRatio(int64(r.between(1, 900)), 1))
		c.Derivation = &d
		w.View.Claims[c.ID] = c
		return Mutant{View: w.View, At: []string{c.ID, "growth"}, Change: "the difference is said to be " + d.Value.Decimal(0)}, true
	}},
	{ID: "40b", Name: "a cell or the total of a table changed", Targets: []string{"arithmeticinconsistent"}, apply: func(w World, r *random) (Mutant, bool) {
		return w.retext("table", func(s string) string {
			lines := strings.Split(s, "\n")
			i := r.between(2, len(lines)-1)
			name, cell, _ := strings.Cut(lines[i], " | ")
			n, err := strconv.Atoi(cell)
			if err != nil {
				return s
			}
			lines[i] = name + " | " + fmt.Sprint(n+r.between(2, 90))
			return strings.Join(lines, "\n")
		})
	}},
	{ID: "40c", Name: "shares of one whole over 100 %", Targets: []string{"arithmeticinconsistent"}, apply: func(w World, r *random) (Mutant, bool) {
		head := map[string]string{"en": "Area | Share of visits", "zh": "区域 | 访问量占比"}[w.Lang]
		a, b := r.between(30, 44), r.between(30, 44)
		c := 100 - a - b + r.between(3, 15)
		return w.retext("table", func(string) string {
			return fmt.Sprintf("%s\n--- | ---\n%s | %d%%\n%s | %d%%\n%s | %d%%", head, w.set.rowNames[0], a, w.set.rowNames[1], b, w.set.rowNames[2], c)
		})
	}},
}

// changeFigure changes one digit of one number of a sentence so that no source prints the result; the sentence as it was when
// there is none. Years are left to their own operator.
func changeFigure(s string, r *random, ground string) string {
	all := figure.FindAllStringIndex(s, -1)
	near := strings.Contains(s, "about") || strings.Contains(s, "约")
	for _, i := range order(r, len(all)) {
		n := strings.TrimRight(s[all[i][0]:all[i][1]], ",")
		end := all[i][0] + len(n)
		if isYear(n) || followedBy(s[end:], "年", "月", "日") || monthBefore(s[:all[i][0]], s[end:]) {
			continue
		}
		digits := order(r, len(n))
		if near {
			digits = []int{0} // anything less is within what "about" allows
		}
		for _, d := range digits {
			if n[d] < '0' || n[d] > '9' {
				continue
			}
			shift := byte(r.between(2, 8))
			to := n[:d] + string('0'+(n[d]-'0'+shift)%10) + n[d+1:]
			if to[0] != '0' && !printsNumber(ground, to) && !rounds(n, to) {
				return s[:all[i][0]] + to + s[end:]
			}
		}
	}
	return s
}

// order returns 0 to n-1 in random order.
func order(r *random, n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return take(r, all, n)
}

func followedBy(s string, words ...string) bool {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// monthBefore reports whether a number is the day of a date in English.
func monthBefore(before, after string) bool {
	for _, m := range monthsEN {
		if strings.HasPrefix(after, " "+m) || strings.HasSuffix(before, m+" ") {
			return true
		}
	}
	return false
}

// rounds reports whether a number is another one, rounded to fewer digits.
func rounds(n, to string) bool {
	a, b := strings.ReplaceAll(n, ",", ""), strings.ReplaceAll(to, ",", "")
	if strings.Contains(a, ".") || !strings.HasSuffix(b, "0") {
		return false
	}
	digits := len(strings.TrimRight(b, "0"))
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	unit := 1
	for range len(b) - digits {
		unit *= 10
	}
	return err1 == nil && err2 == nil && (x+unit/2)/unit*unit == y
}
