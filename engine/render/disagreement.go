package render

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/engine/research"
)

// disagreement is a contradiction with its sides: two, or all values of one thing over time.
type disagreement struct {
	Kind, Reason, Resolution string
	Sides                    []side
}

// side is one side of a disagreement. What several sources say in the same words is one side with the keys of all of them.
type side struct {
	Text, State string
	Mark        mark
	Voices      string
	Cites       []cite
	Source      string
}

// told is a disagreement as it is gathered from the pairs of the record.
type told struct {
	first research.Contradiction
	words []string            // the sides by their words, in order
	ids   map[string][]string // the claims of a side
	value map[string]string   // what the first reason that names it gives as the value of a side
}

// values are the two values that a reason names.
var values = regexp.MustCompile(`(?:the values are (.+) and (.+)|one has "(.+)" where the other has "(.+)")$`)

// note keeps the value that a pair's reason gives to a side: the one that stands in its words and not in those of the other.
func (t *told) note(reason, words, other string) {
	m := values.FindStringSubmatch(reason)
	if m == nil || t.value[words] != "" {
		return
	}
	for _, v := range m[1:] {
		if low := strings.ToLower(v); v != "" && strings.Contains(words, low) && !strings.Contains(other, low) {
			t.value[words] = v
			return
		}
	}
}

// add puts a claim to the side of its words.
func (t *told) add(words, id string) {
	if t.ids[words] == nil {
		t.words = append(t.words, words)
	}
	if !slices.Contains(t.ids[words], id) {
		t.ids[words] = append(t.ids[words], id)
	}
}

// Disagreements are the contradictions, all sides shown. The record has them in pairs; here a pair that copies of one document say again is
// told once, and the pairs of one thing that changed are one series in the order of time.
func (p *page) Disagreements() []disagreement {
	var all []*told
	pair := map[string]*told{}
	series := map[string]*told{} // by the words of a side
	for _, c := range head(p.D.Contradicts) {
		a, b := p.wordsOf(c.A), p.wordsOf(c.B)
		least, most := min(a, b), max(a, b)
		key := strings.Join([]string{c.Kind, c.Resolution, least, most}, "\x00")
		t := pair[key]
		if t == nil && c.Resolution == "evolution" {
			t = p.series(series, c, a, b)
		}
		if t == nil {
			t = &told{first: c, ids: map[string][]string{}, value: map[string]string{}}
			all = append(all, t)
		}
		pair[key] = t
		t.add(a, c.A)
		t.add(b, c.B)
		t.note(c.Reason, a, b)
		t.note(c.Reason, b, a)
		if c.Resolution == "evolution" {
			series[a+"\x00"+p.facetOf(c.A)], series[b+"\x00"+p.facetOf(c.A)] = t, t
		}
	}
	var out []disagreement
	for _, t := range all {
		out = append(out, p.disagreement(t))
	}
	return out
}

// series is the series that one of the sides of a pair belongs to already; nil when it begins one.
func (p *page) series(known map[string]*told, c research.Contradiction, a, b string) *told {
	facet := p.facetOf(c.A)
	if facet != p.facetOf(c.B) {
		return nil
	}
	if t := known[a+"\x00"+facet]; t != nil {
		return t
	}
	return known[b+"\x00"+facet]
}

func (p *page) facetOf(id string) string { return p.D.Claims[id].Facet }

// wordsOf are the words of a claim as they are compared: without differences of space and case.
func (p *page) wordsOf(id string) string {
	if w := strings.ToLower(strings.Join(strings.Fields(p.D.Claims[id].Text), " ")); w != "" {
		return w
	}
	return id
}

func (p *page) disagreement(t *told) disagreement {
	c := t.first
	res := c.Resolution
	if res == "contested" {
		res = "contested_r"
	}
	d := disagreement{Kind: p.W(c.Kind), Reason: p.Phrase(clip(c.Reason, maxText)), Resolution: p.W(res)}
	when := func(words string) string { return p.D.Claims[t.ids[words][0]].AsOf }
	if c.Resolution == "evolution" {
		slices.SortStableFunc(t.words, func(a, b string) int { return strings.Compare(when(a), when(b)) })
		if len(t.words) > 2 {
			var steps []string
			for _, w := range t.words {
				steps = append(steps, step(when(w), t.value[w]))
			}
			d.Reason = clip(strings.Join(slices.Compact(steps), "; "), maxText)
		}
	}
	for _, w := range t.words {
		d.Sides = append(d.Sides, p.side(c, t.ids[w]))
	}
	return d
}

// step is a time of a series with its value.
func step(when, value string) string {
	if value == "" {
		return when
	}
	return when + ": " + value
}

// side is one side of a contradiction: the claims that say the same words.
func (p *page) side(c research.Contradiction, ids []string) side {
	id := ids[0]
	cl := p.D.Claims[id]
	s := side{Text: clip(cl.Text, maxText)}
	if s.Text == "" {
		s.Text = line(id, 64)
	}
	switch {
	case c.Preferred == "":
	case slices.Contains(ids, c.Preferred):
		s.State, s.Mark = p.W("kept"), mark{"ok", "ok", p.W("kept")}
	default:
		s.State, s.Mark = p.W("set_aside"), mark{"rej", "no", p.W("set_aside")}
	}
	if cl.Support != nil {
		s.Voices = p.F("k_of_n", "n", strconv.Itoa(cl.Support.K), "m", strconv.Itoa(cl.Support.N))
	}
	var keys []int
	for _, id := range ids {
		if n, ok := p.refs[p.D.Claims[id].Source]; ok && !slices.Contains(keys, n-1) {
			keys = append(keys, n-1)
		}
	}
	if len(keys) > 0 {
		s.Cites = p.Refs(keys)
		first := p.D.Sources[keys[0]]
		s.Source = line(first.Title, maxTitle)
		if c.Resolution == "contested" {
			s.Voices = strings.Join(slices.DeleteFunc([]string{p.perspective(first, cl), s.Voices}, func(s string) bool { return s == "" }), p.W("sep"))
		}
	}
	return s
}
