package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"assay/engine/extractive"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/store"
	"assay/engine/text"
)

func TestGuard(t *testing.T) {
	r := &run{Config: Config{Request: research.Request{
		Question: "How hot is the Marrow kiln fired, and who runs Project Zeus?", Libraries: []string{"/l"}, Protected: []string{"Zeus", "天火计划", "north wing"},
	}}}
	zh := &run{Config: Config{Request: research.Request{Question: "斯凯里角灯塔建于哪一年？", Libraries: []string{"/l"}, Protected: []string{"天火"}}}}
	open := &run{Config: Config{Request: research.Request{Question: "kiln", Protected: []string{"Zeus"}}}}
	for _, tc := range []struct {
		name        string
		r           *run
		query, want string
	}{
		{"the question's words", r, "Marrow kiln fired", "Marrow kiln fired"},
		{"another form of a word", r, "kilns fire", "kilns fire"},
		{"a rare word of a file", r, "Marrow kiln quixotry", "Marrow kiln"},
		{"a name of a file", r, "Marrow kiln Agnes Calder", "Marrow kiln"},
		{"a number of a file", r, "Marrow kiln 1240", "Marrow kiln"},
		{"the words of the angles", r, "Marrow kiln criticism problems limitations", "Marrow kiln criticism problems limitations"},
		{"a word hidden in another", r, "Marrow kiln/quixotry", "Marrow"},
		{"a protected word of the question", r, "Project Zeus kiln", "Project kiln"},
		{"in another form", r, "project ZEUS's kiln", "project kiln"},
		{"joined to another word", r, "kiln-zeus Marrow", "Marrow"},
		{"full width", r, "kiln ｚｅｕｓ Marrow", "kiln Marrow"},
		{"two words", open, "the zeus kiln", "the kiln"},
		{"open runs may use other words", open, "quixotry of kilns", "quixotry of kilns"},
		{"chinese of the question", zh, "斯凯里角灯塔 历史", "斯凯里角灯塔 历史"},
		{"a chinese name of a file", zh, "灯塔王小明设计", "灯塔"},
		{"protected chinese", zh, "灯塔天火计划", "灯塔 计划"},
		{"nothing is left", r, "quixotry", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, _ := tc.r.guard(research.Understanding{}).pass(tc.query); got != tc.want {
				t.Errorf("pass(%q) = %q, want %q", tc.query, got, tc.want)
			}
		})
	}
}

// FuzzGuard: whatever a query holds, no word gets out that neither the question nor the program's own words have, and no protected one.
func FuzzGuard(f *testing.F) {
	for _, s := range []string{"Marrow kiln canary77", "canary77", "王小明灯塔", "a\u200bcanary77", "zeus"} {
		f.Add(s)
	}
	r := &run{Config: Config{Request: research.Request{Question: "How hot is the Marrow kiln fired? 灯塔", Libraries: []string{"/l"}, Protected: []string{"zeus"}}}}
	g := r.guard(research.Understanding{})
	f.Fuzz(func(t *testing.T, s string) {
		got, _ := g.pass(s)
		for _, tok := range text.Tokens(got) {
			wideRun := strings.ContainsFunc(tok.Text, wide)
			if !wideRun && !g.stems[text.Stem(tok.Norm, "en")] || wideRun && !g.runHolds(tok.Text) {
				t.Errorf("pass(%q) = %q lets %q out", s, got, tok.Text)
			}
			if squashed(tok.Text) == "zeus" {
				t.Errorf("pass(%q) = %q lets a protected word out", s, got)
			}
		}
	})
}

// canaries are words that stand in the person's files and nowhere else, and names.
func canaries(rng *rand.Rand) (words, names []string) {
	letter := func(s string) string { return string(s[rng.Intn(len(s))]) }
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(letter("bcdfgklmnprstvz") + letter("aeiou"))
		}
		return b.String()
	}
	for i := range 200 {
		words = append(words, fmt.Sprintf("%s%d", word(4), i))
	}
	for range 50 {
		a, b := word(3), word(4)
		names = append(names, strings.ToUpper(a[:1])+a[1:]+" "+strings.ToUpper(b[:1])+b[1:])
	}
	return words, names
}

// files is a library of documents that hold canaries beside what the question is about.
type files struct{ docs []research.Document }

func (f files) Name() string { return "library" }

func (f files) Search(_ context.Context, q research.Query) ([]research.Hit, error) {
	var out []research.Hit
	for _, d := range f.docs {
		out = append(out, research.Hit{Provider: "library", Location: d.Location, Title: d.Title, End: len(d.Text)})
	}
	return out, nil
}

// home reads files and the world.
type home struct {
	files
	*world
}

func (h home) Read(ctx context.Context, location string) (research.Document, error) {
	for _, d := range h.docs {
		if d.Location == location {
			return d, nil
		}
	}
	return h.world.Read(ctx, location)
}

// TestCanaries: of 200 words and 50 names in the person's files none gets into a query, whatever a model that has read them proposes;
// gap rounds included.
func TestCanaries(t *testing.T) {
	words, names := canaries(rand.New(rand.NewSource(11)))
	names[49] = "Mabolu Kedira Qosuna" // a short form of the question is spelled out in the files only
	var f files
	for i := range 10 {
		body := "The Mabolu Kedira Qosuna (MKQ) is a kiln, and the MKQ is fired by night.\n\n"
		for j := range 20 {
			n := i*20 + j
			body += fmt.Sprintf("The MKQ kiln (%s) was fired by %s to %d degrees, which some call its %s problem.\n\n", words[n], names[n%50], 9000+n, words[n])
		}
		loc := fmt.Sprintf("notes/%d.txt", i)
		f.docs = append(f.docs, research.Document{Location: loc, MediaType: "text/plain", Title: "Notes of " + names[i], Byline: names[i], Lang: "en", Text: body, SHA256: research.SHA256(body)})
	}
	w := &world{pages: kilns()[:3]}
	leaky := func(c research.Call, _ int, good string) (string, error) {
		switch c.Role {
		case research.Analyst:
			return fmt.Sprintf(`{"intent":"FactQuery","facets":["Who designed the MKQ %s","what are its problems %s","designed problems %s"],"shape":"survey"}`, words[0], words[8], words[9]), nil
		case research.Planner:
			return fmt.Sprintf(`{"hypotheses":[{"statement":"%s designed the MKQ","rationale":"%s","would_confirm":"%s","would_refute":"x","facets":["f1"]}]}`, names[1], words[1], words[2]), nil
		case research.Reasoner:
			in, _ := c.Input.(research.ReasonerInput)
			var gaps []research.ProposedGap
			for i, fc := range in.Understanding.Facets {
				gaps = append(gaps, research.ProposedGap{Name: "MKQ designed", Kind: "informational", Reason: "MKQ problems", Facet: fc.ID, Queries: []string{"MKQ designed " + words[3+i] + " " + names[3+i], words[7]}})
			}
			b, err := json.Marshal(research.ReasonerAnswer{Gaps: gaps})
			return string(b), err
		}
		return good, nil
	}
	for _, tc := range []struct {
		name  string
		model Model
		depth research.Depth
	}{{"without a model", extractive.Model{}, research.Standard}, {"with a model that tells all", &scripted{answer: leaky}, research.Standard}} {
		t.Run(tc.name, func(t *testing.T) {
			w.asked = nil
			c := webConfig(t, w, f, engineOf{world: w, name: "searxng"}, engineOf{world: w, name: "gdelt"})
			c.Request.Question = "Who designed the MKQ, and what are its problems?"
			c.Request.Libraries, c.Request.Depth, c.Request.About = []string{"/notes"}, tc.depth, "I am "+names[2]
			c.Model, c.Reader = tc.model, home{f, w}
			rec := store.NewMemory(c.Request, c.Code)
			if _, err := (&Engine{c}).Run(context.Background(), rec); err != nil {
				t.Fatal(err)
			}
			rounds := 0
			for _, ev := range rec.Run().Events {
				if ev.Kind == research.EventPreview {
					rounds++
				}
			}
			if len(w.asked) < 10 || rounds < 2 {
				t.Fatalf("%d queries in %d rounds: nothing was tried", len(w.asked), rounds)
			}
			all := strings.ToLower(strings.Join(w.asked, "\n"))
			for _, c := range append(append([]string{}, words...), names...) {
				for _, part := range strings.Fields(strings.ToLower(c)) {
					if strings.Contains(all, part) {
						t.Errorf("%q got into a query", part)
					}
				}
			}
			for n := range 200 {
				if strings.Contains(all, fmt.Sprint(9000+n)) {
					t.Errorf("the figure %d got into a query", 9000+n)
				}
			}
		})
	}
}

// TestPlansAreGuarded: parts of a question and gaps that hold words of the person's files lose them before they become queries; in a run
// that reads no files they are kept.
func TestPlansAreGuarded(t *testing.T) {
	for _, private := range []bool{true, false} {
		w := &world{}
		c := webConfig(t, w, engineOf{world: w, name: "searxng"})
		if private {
			c.Request.Attach = []string{"/notes/a.txt"}
		}
		r := &run{Config: c}
		u := intent.Understand(kiln, "en", research.ShapeAuto, research.Quick, r.now)
		u.Facets[0].Text += " quixotry"
		task, _ := r.outsideTask(u, 1)
		gaps := r.gapOutside(u, research.Gap{Facet: "f1", Queries: []string{"Marrow kiln quixotry", "Agnes Calder"}})
		all := ""
		for _, q := range append(task.Queries, gaps...) {
			all += q.Text + "\n"
		}
		for _, word := range []string{"quixotry", "Calder"} {
			if strings.Contains(all, word) == private {
				t.Errorf("files read: %v; %q in the queries: %v", private, word, !private)
			}
		}
	}
}
