package evidence

import (
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

func said(s string) research.Claim {
	c := research.Claim{ID: "c", Text: s, Quantities: text.Quantities(s)}
	for _, d := range temporal.Dates(s) {
		c.Dates = append(c.Dates, d.ISO)
	}
	return c
}

// What a short claim rests on: all of it in one statement, with its sides and its negation as they are, whatever stands beside it.
func TestStanceOfStatements(t *testing.T) {
	const solar = "In 2019, Germany had 49 gigawatts of solar capacity. In 2023, Germany had 82 gigawatts of solar capacity. France had 10 gigawatts of solar capacity in 2019."
	for _, tt := range []struct {
		name, claim, window string
		want                research.Stance
	}{
		{"figure of its year beside others", "Germany had 82 gigawatts of solar capacity in 2023.", solar, research.Confirms},
		{"figure of another year", "Germany had 82 gigawatts of solar capacity in 2019.", "In 2019, Germany had 49 gigawatts of solar capacity.", research.Contradicts},
		{"figure of another country", "France had 30 gigawatts of solar capacity in 2023.", "In 2023, Germany had 82 gigawatts of solar capacity.", research.Neutral},
		{"another deed", "Germany had 82 gigawatts of solar capacity in 2023.", "Germany added 14 gigawatts of solar capacity in 2023.", research.Neutral},
		{"refers back", "Corvo 1.2 had 848 packages.", "Corvo 1.2 Rex (December 12th, 1996): named for a dinosaur. This release consisted of 848 packages.", research.Confirms},
		{"short and negated", "The bridge is safe for trucks.", "The bridge has three lanes. The bridge is not safe for trucks.", research.Contradicts},
		{"negated in both", "The bridge is not safe for trucks.", "The bridge has three lanes. The bridge is not safe for trucks.", research.Confirms},
		{"never", "Corvo 1.0 was released.", "Corvo 1.0 was never released: Mirador shipped a development release of Corvo and entitled it 1.0.", research.Contradicts},
		{"not of another thing", "The bridge is safe for trucks.", "The bridge is safe for trucks. The tunnel is not safe for trucks.", research.Confirms},
		{"sides of before", "The bridge was built before the tunnel.", "The tunnel was built before the bridge.", research.Contradicts},
		{"sides of after", "The bridge was built after the tunnel.", "The tunnel was built after the bridge, in 1990.", research.Contradicts},
		{"sides in place", "The bridge was built before the tunnel.", "In the end the bridge was built before the tunnel was.", research.Confirms},
		{"sides of by", "Anna Roe was replaced by Tom Lund.", "Tom Lund was replaced by Anna Roe in 1998.", research.Contradicts},
		{"by, something else", "Corvo was founded by Anna Roe.", "This document was drafted by Anna Roe, refined by the other Corvo developers in June 1997.", research.Neutral},
		{"verb in other words far off", "Tom Lund founded Corvo.", "The earliest tool, written by Tom Lund and called pkg, created a package in a Corvo-specific format.", research.Neutral},
		{"verb missing", "Corvo was founded by Anna Roe.", "Anna Roe led Corvo from 1996 to 1997.", research.Neutral},
		{"verb in other words", "Tom Lund founded Corvo.", "Tom Lund, a student, created Corvo in 1993.", research.Confirms},
		{"passive", "Corvo was founded by Tom Lund.", "Tom Lund founded Corvo in August 1993.", research.Confirms},
		{"chinese sides", "大桥的建成早于隧道的建成", "隧道的建成早于大桥的建成。", research.Contradicts},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, why := Stance(said(tt.claim), tt.window); got != tt.want {
				t.Errorf("Stance(%q, %q) = %v, %s; want %v", tt.claim, tt.window, got, why, tt.want)
			}
		})
	}
}

// Two short sentences that cannot both hold are a contradiction between claims too.
func TestShortContradictions(t *testing.T) {
	claim := func(id, source, s string) research.Claim {
		c := said(s)
		c.ID, c.Source = id, source
		return c
	}
	for _, pair := range [][2]string{
		{"The bridge is safe for trucks.", "The bridge is not safe for trucks."},
		{"The bridge was built before the tunnel.", "The tunnel was built before the bridge."},
	} {
		got := Contradictions([]research.Claim{claim("c1", "s1", pair[0]), claim("c2", "s2", pair[1])})
		if len(got) != 1 || got[0].Kind != kindDirect {
			t.Errorf("Contradictions(%q) = %v; want one direct pair", pair, got)
		}
	}
	if got := Contradictions([]research.Claim{claim("c1", "s1", "The bridge is safe for trucks."), claim("c2", "s2", "The tunnel is not safe for trucks.")}); len(got) != 0 {
		t.Errorf("the bridge and the tunnel contradict each other: %v", got)
	}
}

func TestReasonsAreWords(t *testing.T) {
	if got := Turned("Corvo 1.0 was released.", "Corvo 1.0 was never released."); !strings.Contains(got, `"released"`) {
		t.Errorf("Turned says %q; want the word as it is written", got)
	}
}

func FuzzTurned(f *testing.F) {
	f.Add("A was built before B.", "B was built before A, not after.")
	f.Add("甲早于乙", "乙早于甲")
	f.Fuzz(func(t *testing.T, claim, window string) {
		if len(claim) > 2000 || len(window) > 4000 {
			t.Skip("longer than what is read")
		}
		Turned(claim, window)
		Agrees(claim, window)
		Stating(said(claim), window, "2020")
		if r := Turned(claim, claim); r != "" && Agrees(claim, claim) {
			t.Errorf("%q both agrees with itself and is turned: %s", claim, r)
		}
	})
}
