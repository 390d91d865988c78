package checks

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

var staleascurrent = &Check{
	ID: "G14", Name: "staleascurrent", Title: "StaleAsCurrent", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalStaleAsCurrent, Advise: Annotate,
}

const (
	// freshDays is how old the newest source of something current may be (CHECKS G14); freshQuick is the same for what
	// changes quickly.
	freshDays  = 730
	freshQuick = 180
)

var (
	current      = regexp.MustCompile(`(?i)\b(?:currently|at present|presently|as of (?:today|now)|nowadays|to date|the (?:latest|current|newest|most recent)|today['’]s|now)\b|目前|现在|如今|当前|最新|现任|迄今|截至目前|时下|眼下|现时|现(?:为|由|有|已|是|居|任|正|担任|共有)|至今(?:仍|还|是)|仍然?(?:是|为|担任)`)
	quickChange  = regexp.MustCompile(`(?i)\b(?:price|prices|costs?|rate|version|release|minister|president|chancellor|ceo|chair(?:man|woman|person)?|director|mayor|governor|population|record)\b|价格|版本|总统|部长|总理|主席|市长|首席执行官|总经理|总裁|董事长|院长|校长|局长|省长|县长|会长|所长|主任|书记|人口|纪录|汇率|利率|房价|油价`)
	datedCurrent = regexp.MustCompile(`(?i)\bas of (?:\w+ ){0,2}\d{4}|截至\s*\d{4}`)
)

func evalStaleAsCurrent(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean, _ := ParseCitations(b.Text)
	word := current.FindString(clean)
	now, n := partialDate(v.Now[:min(len(v.Now), len("2006-01-02"))])
	if word == "" || n < 3 || datedCurrent.MatchString(clean) {
		return nil
	}
	published, ok := latest(v.groundOf(b).sources)
	if !ok {
		return nil // a source without a date is not known to be old
	}
	limit := freshDays
	if quickChange.MatchString(clean) {
		limit = freshQuick
	}
	day, _ := partialDate(published)
	if now.Sub(day) <= time.Duration(limit)*24*time.Hour {
		return nil
	}
	if other, ok := v.newer(b, published); ok {
		return []Hit{{Where: b.ID, Code: "contradicted", What: fmt.Sprintf("it says %q of what its sources said in %s, and a source of %s has %q", word, published, other.Published, head(other.Text, 120))}}
	}
	return []Hit{{Where: b.ID, Code: "old", What: fmt.Sprintf("it says %q of what its sources said in %s", word, published)}}
}

// newer returns a claim of a later source that gives another value for a key of the block.
func (v View) newer(b research.Block, published string) (research.Claim, bool) {
	var keys []string
	own := ""
	for _, id := range b.Claims {
		if c := v.Claims[id]; c.Key != "" {
			keys = append(keys, keyWithoutPeriod(c.Key))
			own = c.Text
		}
	}
	for _, id := range sortedKeys(v.Claims) {
		c := v.Claims[id]
		if len(c.Flags) == 0 && c.Published > published && slices.Contains(keys, keyWithoutPeriod(c.Key)) && !sameValues(own, c.Text) {
			return c, true
		}
	}
	return research.Claim{}, false
}

// keyWithoutPeriod returns subject|attribute of a key.
func keyWithoutPeriod(key string) string {
	bars := 0
	for i, r := range key {
		if r == '|' {
			if bars++; bars == 2 {
				return key[:i]
			}
		}
	}
	return key
}

// sameValues reports whether two texts state the same quantities and names.
func sameValues(a, b string) bool {
	values := func(s string) []string {
		var out []string
		for _, q := range text.Quantities(s) {
			if q.Kind != research.Year {
				out = append(out, string(q.Value)+unitOf(q))
			}
		}
		for _, n := range append(text.Names(s), text.ChineseNames(s)...) {
			out = append(out, n.Norm)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(values(a), values(b))
}
