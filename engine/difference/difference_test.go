package difference

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/engine/research"
)

// report makes a digest of findings, each "text @ confidence @ location".
func report(date string, lines ...string) research.Digest {
	d := research.Digest{Schema: 1, Lang: "en", Topic: "When does gold melt?", Date: date, Claims: map[string]research.Claim{}}
	at := map[string]int{}
	var fs []research.DigestFinding
	for i, l := range lines {
		p := strings.Split(l, " @ ")
		n, ok := at[p[2]]
		if !ok {
			n = len(d.Sources)
			at[p[2]] = n
			name, body, _ := strings.Cut(p[2], "#")
			d.Sources = append(d.Sources, research.DigestSource{ID: "s" + name, URL: name, Title: name, SHA256: "sha-" + name + body})
		}
		fs = append(fs, research.DigestFinding{ID: fmt.Sprintf("f%d", i), Text: p[0], Confidence: research.MustDecimal(p[1]), Band: research.Verify, Refs: []int{n}})
	}
	d.Sections = []research.Section{{ID: "s1", Findings: fs}}
	return d
}

func texts(fs []research.ChangedFinding) (out []string) {
	for _, f := range fs {
		out = append(out, f.Text)
	}
	return out
}

func TestBetween(t *testing.T) {
	const gold, silver = "Gold melts at 1064 degrees Celsius.", "Silver melts at 962 degrees Celsius."
	tests := []struct {
		name            string
		before, after   []string
		fresh, gone     []string
		conflicts       []string // earlier | later
		confidences     []string
		sources         []string // what location
		line            string
		looks           map[string]research.SourceLook
		earlierConflict []research.Contradiction
	}{
		{name: "the same", before: []string{gold + " @ .5 @ a.txt"}, after: []string{gold + " @ .5 @ a.txt"}, line: "Nothing new since 2026-01-01: the finding stands as before."},
		{name: "in other words and order", before: []string{"The old bridge of the town was built of stone in 1820. @ .5 @ a.txt", gold + " @ .5 @ a.txt"},
			after: []string{gold + " @ .5 @ a.txt", "In 1820 the old bridge of the town was built, of stone @ .5 @ a.txt"}, line: "Nothing new since 2026-01-01: all 2 findings stand as before."},
		{name: "one more, of a new source", before: []string{gold + " @ .5 @ a.txt"}, after: []string{gold + " @ .5 @ a.txt", silver + " @ .5 @ b.txt"},
			fresh: []string{silver}, sources: []string{"new b.txt"}, line: "Since 2026-01-01: 1 new finding, 1 new source."},
		{name: "one gone whose file died", before: []string{gold + " @ .5 @ a.txt", silver + " @ .5 @ b.txt"}, after: []string{gold + " @ .5 @ a.txt"},
			gone: []string{silver}, sources: []string{"died b.txt"}, looks: map[string]research.SourceLook{"b.txt": {Fault: "it is not there any more"}},
			line: "Since 2026-01-01: 1 finding gone, 1 source died."},
		{name: "cited no more, as it was", before: []string{gold + " @ .5 @ a.txt", gold + " @ .5 @ b.txt", silver + " @ .5 @ b.txt"}, after: []string{gold + " @ .5 @ a.txt", silver + " @ .5 @ a.txt"},
			sources: []string{"uncited b.txt"}, looks: map[string]research.SourceLook{"b.txt": {SHA256: "sha-b.txt"}}, line: "Nothing new since 2026-01-01: all 2 findings stand as before."},
		{name: "not looked at again", before: []string{gold + " @ .5 @ a.txt", silver + " @ .5 @ b.txt"}, after: []string{gold + " @ .5 @ a.txt", silver + " @ .5 @ a.txt"},
			sources: []string{"unseen b.txt"}, line: "Nothing new since 2026-01-01: all 2 findings stand as before."},
		{name: "another value in a source that changed", before: []string{gold + " @ .5 @ a.txt"}, after: []string{"Gold melts at 1099 degrees Celsius. @ .5 @ a.txt#2"},
			conflicts: []string{gold + "|Gold melts at 1099 degrees Celsius."}, sources: []string{"changed a.txt"},
			line: "Since 2026-01-01: 1 contradiction with the earlier report, 1 source changed."},
		{name: "a source that says no", before: []string{"The council approved the plan for the harbour. @ .5 @ a.txt"},
			after:     []string{"The council approved the plan for the harbour. @ .5 @ a.txt", "The council did not approve the plan for the harbour. @ .5 @ b.txt"},
			conflicts: []string{"The council approved the plan for the harbour.|The council did not approve the plan for the harbour."}, sources: []string{"new b.txt"},
			line: "Since 2026-01-01: 1 contradiction with the earlier report, 1 new source."},
		{name: "another name said of the same", before: []string{"The first leader of the project was Anna Berg. @ .5 @ a.txt"}, after: []string{"The first leader of the project was Carl Dorn. @ .5 @ a.txt#2"},
			conflicts: []string{"The first leader of the project was Anna Berg.|The first leader of the project was Carl Dorn."}, sources: []string{"changed a.txt"},
			line: "Since 2026-01-01: 1 contradiction with the earlier report, 1 source changed."},
		{name: "the same said of another", before: []string{"Gold is a metal that conducts heat. @ .5 @ a.txt"},
			after: []string{"Gold is a metal that conducts heat. @ .5 @ a.txt", "Silver is a metal that conducts heat. @ .5 @ a.txt"},
			fresh: []string{"Silver is a metal that conducts heat."}, line: "Since 2026-01-01: 1 new finding."},
		{name: "confidence", before: []string{gold + " @ .5 @ a.txt"}, after: []string{gold + " @ .75 @ a.txt"}, confidences: []string{gold + " 1/2 3/4"}, line: "Since 2026-01-01: 1 changed confidence."},
		{name: "a sentence more in a finding", before: []string{gold + " @ .5 @ a.txt"}, after: []string{gold + " " + silver + " @ .5 @ a.txt"}, fresh: []string{silver}, line: "Since 2026-01-01: 1 new finding."},
		{name: "nothing to nothing", line: "Nothing new since 2026-01-01: no finding, as before."},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			d := Between(report("2026-01-01", tc.before...), report("2026-01-08", tc.after...), Options{Looks: tc.looks})
			var conflicts, confidences, sources []string
			for _, c := range d.Contradictions {
				conflicts = append(conflicts, c.Earlier+"|"+c.Later)
			}
			for _, c := range d.Confidences {
				confidences = append(confidences, fmt.Sprint(c.Text, " ", c.From, " ", c.To))
			}
			for _, s := range d.Sources {
				sources = append(sources, s.What+" "+s.Location)
			}
			for _, w := range []struct {
				what      string
				got, want []string
			}{{"new", texts(d.New), tc.fresh}, {"gone", texts(d.Gone), tc.gone}, {"contradictions", conflicts, tc.conflicts}, {"confidences", confidences, tc.confidences}, {"sources", sources, tc.sources}} {
				if !reflect.DeepEqual(w.got, w.want) {
					t.Errorf("%s = %q, want %q", w.what, w.got, w.want)
				}
			}
			if d.Line != tc.line {
				t.Errorf("line = %q, want %q", d.Line, tc.line)
			}
			if d.Nothing() != strings.HasPrefix(d.Line, "Nothing new") {
				t.Errorf("Nothing = %v beside the line %q", d.Nothing(), d.Line)
			}
		})
	}
}

// TestRecordedContradiction: what the later run itself found to contradict is taken over, printed or not.
func TestRecordedContradiction(t *testing.T) {
	before := report("2026-01-01", "The tower has 210 steps. @ .5 @ a.txt")
	after := report("2026-01-08", "The tower has 210 steps. @ .5 @ a.txt", "Its clock is of 1901. @ .5 @ b.txt")
	after.Claims["c1"] = research.Claim{ID: "c1", Text: "The tower has 210 steps.", Source: "sa.txt"}
	after.Claims["c2"] = research.Claim{ID: "c2", Text: "Visitors climb 240 steps to the top.", Source: "sb.txt"}
	after.Contradicts = []research.Contradiction{{ID: "x", A: "c2", B: "c1", Reason: "the values are 240 and 210"}}
	d := Between(before, after, Options{})
	if len(d.Contradictions) != 1 || d.Contradictions[0].Later != "Visitors climb 240 steps to the top." || !d.Contradictions[0].Stands ||
		len(d.Contradictions[0].LaterSources) != 1 || d.Contradictions[0].LaterSources[0].Location != "b.txt" {
		t.Fatalf("Contradictions = %+v", d.Contradictions)
	}
	// A contradiction that the earlier run knew is no news.
	before.Claims["c2"] = after.Claims["c2"]
	if d := Between(before, after, Options{}); len(d.Contradictions) != 0 {
		t.Errorf("a known contradiction is told again: %+v", d.Contradictions)
	}
}

func TestMix(t *testing.T) {
	tests := []struct {
		name         string
		shares, have map[string]int
		total        int
		want         string
	}{
		{"as asked", map[string]int{"news": 40, "feeds": 40, "social": 20}, map[string]int{"news": 30, "feeds": 30, "social": 30}, 20, "feeds 8/8 news 8/8 social 4/4"},
		{"remainders", map[string]int{"a": 34, "b": 33, "c": 33}, map[string]int{"a": 9, "b": 9, "c": 9}, 10, "a 4/4 b 3/3 c 3/3"},
		{"one kind is short", map[string]int{"news": 40, "feeds": 40, "social": 20}, map[string]int{"news": 30, "feeds": 2, "social": 30}, 20, "feeds 8/2 news 8/12 social 4/6"},
		{"all are short", map[string]int{"news": 50, "feeds": 50}, map[string]int{"news": 1, "feeds": 2}, 20, "feeds 10/2 news 10/1"},
		{"what no share names", map[string]int{"news": 60}, map[string]int{"news": 30, "files": 2, "web": 30}, 10, "files 0/2 news 6/6 web 0/2"},
		{"no shares", nil, map[string]int{"news": 3, "web": 30}, 10, "news 0/3 web 0/7"},
		{"nothing", map[string]int{"news": 100}, nil, 10, "news 10/0"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, s := range Mix(tc.shares, tc.have, tc.total) {
				got = append(got, fmt.Sprintf("%s %d/%d", s.Kind, s.Wanted, s.Taken))
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("Mix = %q, want %q", strings.Join(got, " "), tc.want)
			}
		})
	}
}

// TestMixHolds: never more than there is or than the page holds, and the page is full when there is enough.
func TestMixHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"news", "feeds", "social", "web", "papers", "files"}), func(s string) string { return s }).Draw(t, "kinds")
		shares, have, all := map[string]int{}, map[string]int{}, 0
		left := 100
		for _, k := range kinds {
			shares[k] = rapid.IntRange(0, left).Draw(t, "share")
			left -= shares[k]
			have[k] = rapid.IntRange(0, 40).Draw(t, "have")
			all += have[k]
		}
		total, taken := rapid.IntRange(0, 60).Draw(t, "total"), 0
		for _, s := range Mix(shares, have, total) {
			if s.Taken > s.Had || s.Taken < 0 {
				t.Fatalf("%+v takes more than there is", s)
			}
			taken += s.Taken
		}
		if want := min(total, all); taken != want {
			t.Fatalf("Mix takes %d, want %d", taken, want)
		}
	})
}
