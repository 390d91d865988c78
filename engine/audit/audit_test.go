package audit

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestCheckPasses(t *testing.T) {
	r := Check(fixture(t))
	for _, f := range r.Faults {
		t.Error(f)
	}
	if r.Checked < 300 {
		t.Errorf("Check made %d comparisons, want at least 300", r.Checked)
	}
}

// clone copies a run by way of JSON, so that a mutation does not reach the fixture's other copies of a slice.
func clone(t testing.TB, run research.Run) research.Run {
	t.Helper()
	raw, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	var out research.Run
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCheckFinds(t *testing.T) {
	editClaim := func(id string, edit func(*research.Claim)) func(*research.Run) {
		return func(r *research.Run) {
			c := r.Digest.Claims[id]
			edit(&c)
			r.Digest.Claims[id] = c
		}
	}
	editFinding := func(i int, edit func(*research.DigestFinding)) func(*research.Run) {
		return func(r *research.Run) { edit(&r.Digest.Sections[0].Findings[i]) }
	}
	editPassage := func(words string, edit func(*research.Passage)) func(*research.Run) {
		return func(r *research.Run) {
			for id, p := range r.Digest.Passages {
				if strings.Contains(p.Text, words) {
					edit(&p)
					r.Digest.Passages[id] = p
				}
			}
		}
	}
	impact := func(edit func(*research.LevelLine)) func(*research.Run) {
		return func(r *research.Run) { edit(&r.Digest.Levels.Impact[0]) }
	}
	for _, tc := range []struct {
		name   string
		mutate func(*research.Run)
		want   string // part of the first fault that names the place
	}{
		{"digit of a finding's confidence", editFinding(0, func(f *research.DigestFinding) { f.Confidence = "3/5" }), "finding fd1: confidence printed 3/5, recomputed 4/5"},
		{"number in a level's line", impact(func(l *research.LevelLine) { l.Text += " That is 4 in 5." }), "levels, impact, line 1: the number 4 is in none of its findings"},
		{"name in a level's line", impact(func(l *research.LevelLine) { l.Text = "The packages of Fedora are fewer." }), "levels, impact, line 1: the name Fedora is in none of its findings"},
		{"other words in a level's line", impact(func(l *research.LevelLine) { l.Text = "Trust nobody at all." }), "levels, impact, line 1: shares no word with its findings"},
		{"finding of a level's line", impact(func(l *research.LevelLine) { l.Findings = []string{"fd9"} }), "levels, impact, line 1: cites the finding fd9, which is not in the report"},
		{"level's line without a finding", impact(func(l *research.LevelLine) { l.Findings = nil }), "levels, impact, line 1: cites no finding"},
		{"object of a fact", func(r *research.Run) { r.Digest.Levels.Facts[0].Object = "64,419 programs" }, "levels, fact 1: Debian 12, has, 64,419 programs do not stand one behind the other"},
		{"digit of a lower bound", editFinding(1, func(f *research.DigestFinding) { f.Lower = "8/15" }), "finding fd2: lower bound printed 8/15, recomputed 7/15"},
		{"digit of a claim's confidence", editClaim("c2", func(c *research.Claim) { c.Support.Confidence = "1/3" }), "claim c2: confidence printed 1/3, recomputed 2/3"},
		{"digit of a raw ratio", editClaim("c4", func(c *research.Claim) { c.Support.Raw = "1/3" }), "claim c4: raw printed 1/3, recomputed 1/2"},
		{"k of a claim", editClaim("c1", func(c *research.Claim) { c.Support.K = 4 }), "claim c1: k printed 4, recomputed 3"},
		{"band of a claim", editClaim("c2", func(c *research.Claim) { c.Support.Band = research.Accept }), "claim c2: band printed accept, recomputed verify"},
		{"label of a claim", editClaim("c2", func(c *research.Claim) { c.Support.Label = "" }), "claim c2: label printed nothing, recomputed reported by one source"},
		{"band of a finding", editFinding(2, func(f *research.DigestFinding) { f.Band = research.Accept }), "finding fd3: is printed twice"},
		{"r of a derivation", editClaim("c3", func(c *research.Claim) { c.Derivation.R = "9/10" }), "claim c3: r of rule difference printed 9/10, recomputed 1"},
		{"value of a derivation", editClaim("c3", func(c *research.Claim) { c.Derivation.Value = "4968" }), "claim c3: value printed 4968, recomputed 4868"},
		{"basis of a derivation turned", editClaim("c3", func(c *research.Claim) { c.Derivation.Basis = []string{"c1", "c2"} }), "claim c3: value printed 4868, recomputed -4868"},
		{"circular derivation", editClaim("c3", func(c *research.Claim) { c.Derivation.Basis[0] = "c3" }), "claim c3: its chain of derivation is circular"},
		{"byte of a passage", editPassage("59,551", func(p *research.Passage) { p.Text = strings.Replace(p.Text, "59,551", "59,561", 1) }), "its text is not what stands in s1"},
		{"offset of a passage", editPassage("59,551", func(p *research.Passage) { p.Start++ }), "passage p"},
		{"page of a passage", editPassage("59,551", func(p *research.Passage) { p.Page = 1 }), "page printed 1, recomputed 2"},
		{"byte of a blob", func(r *research.Run) {
			for sha, text := range r.Blobs {
				r.Blobs[sha] = strings.Replace(text, "59,551", "59,561", 1)
			}
		}, "the kept text was changed"},
		{"blob lost", func(r *research.Run) { delete(r.Blobs, research.SHA256(texts[1])) }, "is not among the blobs"},
		{"citation of another passage", editFinding(0, func(f *research.DigestFinding) { f.Citations[1] = research.ID("p", "none") }), "finding fd1, citation 2: passage"},
		{"citation of a passage of another claim", editFinding(0, func(f *research.DigestFinding) {
			f.Citations[0] = research.ID("p", research.SHA256(texts[0]), "62", "107")
		}), "neither holds nor confirms a claim of the finding"},
		{"citation dropped", editFinding(1, func(f *research.DigestFinding) { f.Citations = f.Citations[:1] }), "finding fd2: cites no passage for claim c1"},
		{"key of a finding", editFinding(0, func(f *research.DigestFinding) { f.Refs[1] = 2 }), "finding fd1: its keys are [1][3], its citations are of [1][2]"},
		{"keys out of order", func(r *research.Run) {
			s := r.Digest.Sources
			s[0], s[1] = s[1], s[0]
		}, "finding fd2: its keys are [1], its citations are of [2]"},
		{"vote", editClaim("c4", func(c *research.Claim) { c.Evidence[1].Stance = research.Confirms }), "claim c4, cluster k"},
		{"vote moved to another source", editClaim("c4", func(c *research.Claim) { c.Evidence[1].Source = "s1" }), "claim c4, vote 2: source printed s1, recomputed s4"},
		{"edge dropped", editClaim("c1", func(c *research.Claim) { c.Support.Clusters[0].Edges = nil }), "no chain of edges joins s1 and s3"},
		{"edge's reason", editClaim("c1", func(c *research.Claim) { c.Support.Clusters[0].Edges[0].Why = "work" }), `the works are "w1" and "w3"`},
		{"edge's score", editClaim("c1", func(c *research.Claim) { c.Support.Clusters[0].Edges[0].Score = "1/2" }), "score 1/2 of reason voice is outside 1 to 1"},
		{"one voice counted twice", func(r *research.Run) {
			c := r.Digest.Claims["c1"]
			one := func(id string) research.Cluster {
				return research.Cluster{ID: research.ID("k", "c1", id), Sources: []string{id}, Stance: research.Confirms}
			}
			c.Support.Clusters = []research.Cluster{one("s1"), one("s2"), one("s3"), one("s4")}
			c.Support.K, c.Support.N, c.Support.Confidence = 4, 4, "5/6"
			for i := range c.Evidence {
				c.Evidence[i].Cluster = research.ID("k", "c1", c.Evidence[i].Source)
			}
			r.Digest.Claims["c1"] = c
		}, "claim c1: s1 and s3 are not independent, and count as two voices"},
		{"verdict of a card", func(r *research.Run) { r.Digest.Sources[1].Verdict = research.RejectAI }, "source s2 [2]: verdict printed reject_ai, recomputed verified"},
		{"verdict in the record", func(r *research.Run) {
			for i, e := range r.Events {
				if e.Kind == research.EventSource && strings.Contains(string(e.Payload), `"id":"s2"`) {
					r.Events[i].Payload = json.RawMessage(strings.Replace(string(e.Payload), `"verified"`, `"reject_ai"`, 1))
				}
			}
		}, "source s2 [2]: recorded verdict printed reject_ai"},
		{"excluded claim cited", editClaim("c4", func(c *research.Claim) { c.Flags = []string{"G12 DateUnsupported"} }), "finding fd3: rests on claim c4, which [G12 DateUnsupported] excludes"},
		{"number in a finding", editFinding(0, func(f *research.DigestFinding) { f.Text = "Debian 12 has 64,429 packages." }), "finding fd1: the number 64429 in its text stands in no passage"},
		{"derived number in a finding", editFinding(1, func(f *research.DigestFinding) { f.Text = "That is 4,878 more than Debian 11 had." }), "the number 4878"},
		{"year in a finding", editFinding(2, func(f *research.DigestFinding) { f.Text = "It was released in June 2024, one source says." }), "the number 2024"},
		{"number in a table", func(r *research.Run) { r.Digest.Sections[0].Tables[0].Rows[0][1].Text = "59,561" }, "section sec1, table 1, row 1, cell 2: the number 59561"},
		{"quotation", func(r *research.Run) { r.Digest.Sections[0].Quotes[0].Text = "holds 64,418 packages" }, "section sec1, quote 1: its words are not those of passage"},
		{"quality", func(r *research.Run) { r.Digest.Sources[0].Quality.Value = "14/20" }, "source s1 [1]: quality printed 14/20, recomputed 13/20"},
		{"coverage", func(r *research.Run) { r.Digest.Coverage[1].State = "covered" }, `coverage "f2": state printed covered, recomputed partial`},
		{"metrics", func(r *research.Run) { r.Digest.Metrics.Objective = "12/18" }, "metrics: objective printed 12/18, recomputed 11/18"},
		{"stats", func(r *research.Run) { r.Digest.SourceStats.Independent = 4 }, "source_stats: independent printed 4, recomputed 3"},
		{"hypothesis", func(r *research.Run) { r.Digest.Hypotheses[0].Status = research.Refuted }, "hypothesis h1: status printed refuted, recomputed confirmed"},
		{"contradiction", func(r *research.Run) { r.Digest.Contradicts[0].Preferred = "c5" }, "preferred printed c5, recomputed c4"},
		{"trace node dropped", func(r *research.Run) {
			tr := r.Digest.Traces["fd1"]
			tr.Nodes = tr.Nodes[1:]
			r.Digest.Traces["fd1"] = tr
		}, "trace fd1: lacks the node s1 (source)"},
		{"trace out of order", func(r *research.Run) {
			n := r.Digest.Traces["fd1"].Nodes
			n[0], n[len(n)-2] = n[len(n)-2], n[0]
		}, "trace fd1, node c1: comes before"},
		{"trace lost", func(r *research.Run) { delete(r.Digest.Traces, "fd2") }, "finding fd2: has no trace"},
		{"event lost", func(r *research.Run) { r.Events = append(r.Events[:3], r.Events[4:]...) }, "event 5: stands at place 4"},
		{"no digest", func(r *research.Run) { r.Digest = nil }, "digest: the run has none"},
		{"recorded digest differs", func(r *research.Run) {
			raw, _ := json.Marshal(map[string]any{"digest": r.Digest})
			r.Events = append(r.Events, research.Event{Seq: int64(len(r.Events)) + 1, Kind: research.EventStage + "report", Key: "k", Payload: raw})
			r.Digest.Title = "Packets"
		}, "digest.title is Packets, event"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run := clone(t, fixture(t))
			tc.mutate(&run)
			if err := run.Seal(); err != nil { // so that it is found by what is recomputed
				t.Fatal(err)
			}
			r := Check(run)
			for _, f := range r.Faults {
				if strings.Contains(f.String(), tc.want) {
					return
				}
			}
			t.Errorf("no fault says %q; faults: %v", tc.want, r.Faults)
		})
	}
}

// notComputed are the numbers of a digest that nothing in the record determines. Every other one must be covered.
var notComputed = map[string]string{
	"claims.*.relevance":                    "measured by the engine from the words of the facet",
	"metrics.checks":                        "diagnostics raised; the events name them",
	"metrics.rounds":                        "gap rounds used",
	"model.num_ctx":                         "window the server was asked for",
	"understanding.complexity":              "judged by the engine",
	"understanding.intent_confidence":       "judged by the engine",
	"understanding.budget.tasks":            "setting",
	"understanding.budget.search_depth":     "setting",
	"understanding.budget.gap_rounds":       "setting",
	"understanding.budget.queries_per_gap":  "setting",
	"understanding.budget.sources":          "setting",
	"understanding.budget.passages_per_hit": "setting",
}

// TestCheckEveryNumber changes each number of the digest, one at a time, and wants a fault.
func TestCheckEveryNumber(t *testing.T) {
	run := fixture(t)
	raw, err := json.Marshal(run.Digest)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	tried, allowed := 0, map[string]bool{}
	eachNumber(tree, "", "", func(path, pattern string, set func(any), old any) {
		set(changed(old))
		defer set(old)
		mutated := run
		b, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var d research.Digest
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		mutated.Digest = &d
		if err := mutated.Seal(); err != nil { // so that it is found by what is recomputed
			t.Fatal(err)
		}
		tried++
		if !Check(mutated).OK() {
			return
		}
		if notComputed[pattern] == "" {
			t.Errorf("%s: %v changed to %v, and nothing was found", path, old, changed(old))
		}
		allowed[pattern] = true
	})
	t.Logf("%d numbers changed, %d kinds are not computed", tried, len(allowed))
	if tried < 200 {
		t.Errorf("only %d numbers were tried", tried)
	}
}

// eachNumber calls fn for every number and every string that is a ratio. pattern is the path without indices and map keys.
func eachNumber(v any, path, pattern string, fn func(path, pattern string, set func(any), old any)) {
	visit := func(child any, path, pattern string, set func(any)) {
		switch x := child.(type) {
		case float64:
			fn(path, pattern, set, x)
		case string:
			if ratioForm.MatchString(x) {
				fn(path, pattern, set, x)
			}
		default:
			eachNumber(child, path, pattern, fn)
		}
	}
	switch x := v.(type) {
	case map[string]any:
		for _, k := range keysOf(x) {
			part := k
			switch pattern {
			case "claims", "passages", "traces", "model.answered":
				part = "*"
			}
			visit(x[k], strings.TrimPrefix(path+"."+k, "."), strings.TrimPrefix(pattern+"."+part, "."), func(v any) { x[k] = v })
		}
	case []any:
		for i := range x {
			visit(x[i], fmt.Sprintf("%s[%d]", path, i), pattern+"[]", func(v any) { x[i] = v })
		}
	}
}

// changed returns a number with its last digit changed.
func changed(v any) any {
	switch x := v.(type) {
	case float64:
		return x + 1
	case string:
		n, _ := strconv.Atoi(x[len(x)-1:])
		return x[:len(x)-1] + strconv.Itoa((n+1)%9+1)
	}
	return v
}

func TestCheckHostile(t *testing.T) {
	good := fixture(t)
	for _, tc := range []struct {
		name string
		run  research.Run
	}{
		{"empty", research.Run{}},
		{"empty digest", research.Run{Digest: &research.Digest{}}},
		{"no events", func() research.Run { r := clone(t, good); r.Events = nil; return r }()},
		{"no blobs", func() research.Run { r := clone(t, good); r.Blobs = nil; return r }()},
		{"negative offsets", func() research.Run {
			r := clone(t, good)
			for id, p := range r.Digest.Passages {
				p.Start, p.End = -5, 1<<60
				r.Digest.Passages[id] = p
			}
			return r
		}()},
		{"negative keys", func() research.Run {
			r := clone(t, good)
			r.Digest.Sections[0].Findings[0].Refs = []int{-1, 1 << 60}
			return r
		}()},
		{"empty clusters", func() research.Run {
			r := clone(t, good)
			r.Digest.Claims["c1"].Support.Clusters[0].Sources = nil
			return r
		}()},
		{"zero denominators", func() research.Run {
			r := clone(t, good)
			r.Digest.Claims["c1"].Support.Confidence = "1/0"
			return r
		}()},
		{"huge exponent", func() research.Run {
			r := clone(t, good)
			r.Digest.Claims["c1"].Support.Confidence = "1e999999999"
			return r
		}()},
		{"payload is no JSON", func() research.Run {
			r := clone(t, good)
			r.Events[1].Payload = json.RawMessage("{")
			return r
		}()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if Check(tc.run).OK() {
				t.Error("Check found nothing")
			}
		})
	}
}

// FuzzCheck wants that no record makes Check panic, and that it says the same twice.
func FuzzCheck(f *testing.F) {
	raw, err := json.Marshal(fixture(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(`{"digest":{"claims":{"c":{"derivation":{"basis":["c"]}}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var run research.Run
		if json.Unmarshal(raw, &run) != nil {
			return
		}
		a, b := Check(run), Check(run)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("Check differs:\n%v\n%v", a, b)
		}
	})
}
