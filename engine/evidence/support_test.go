package evidence

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"assay/engine/research"
)

func TestConfidence(t *testing.T) {
	// The table of CHECKS 4.1.
	for _, tc := range []struct {
		k, n int
		want research.Ratio
		band research.Band
	}{
		{1, 1, "2/3", research.Verify}, {2, 2, "3/4", research.Verify}, {3, 3, "4/5", research.Accept}, {4, 5, "5/7", research.Verify},
		{7, 8, "4/5", research.Accept}, {1, 2, "1/2", research.Verify}, {1, 3, "2/5", research.Reject}, {0, 0, "1/2", research.Reject},
		{5, 3, "4/5", research.Accept}, {-1, -1, "1/2", research.Reject},
	} {
		t.Run(fmt.Sprintf("%d of %d", tc.k, tc.n), func(t *testing.T) {
			got := Confidence(tc.k, tc.n)
			if got != tc.want {
				t.Errorf("Confidence(%d, %d) = %s, want %s", tc.k, tc.n, got, tc.want)
			}
			if b := Band(got, max(tc.k, 0)); b != tc.band {
				t.Errorf("Band(%s, %d) = %s, want %s", got, tc.k, b, tc.band)
			}
		})
	}
	if b := Band("99/100", 1); b != research.Verify {
		t.Errorf("Band(99/100, 1) = %s, want verify: one voice is never accepted", b)
	}
}

// world is a set of sources that vote on one claim.
type world struct {
	sources map[string]research.Source
	ev      []research.Evidence
	edges   []research.Edge
}

func (w *world) add(id, voice string, st research.Stance) {
	w.sources[id] = research.Source{ID: id, Location: "lib/" + id, Voice: voice, Origin: research.Industry}
	w.ev = append(w.ev, research.Evidence{Passage: "p" + id, Source: id, Stance: st})
}

func (w *world) support() research.Support {
	return Support(research.Claim{ID: "c1"}, slices.Clone(w.ev), w.sources, w.edges)
}

func newWorld() *world { return &world{sources: map[string]research.Source{}} }

func TestSupport(t *testing.T) {
	yes, no, off := research.Confirms, research.Contradicts, research.Neutral
	for _, tc := range []struct {
		name     string
		make     func(*world)
		k, n     int
		conf     research.Ratio
		band     research.Band
		label    research.Label
		clusters int
	}{
		{"nobody", func(w *world) {}, 0, 0, "1/2", research.Reject, research.LabelUnconfirmed, 0},
		{"one", func(w *world) { w.add("s1", "a", yes) }, 1, 1, "2/3", research.Verify, research.LabelSingle, 1},
		{"two of one voice", func(w *world) { w.add("s1", "a", yes); w.add("s2", "a", yes) }, 1, 1, "2/3", research.Verify, research.LabelSingle, 1},
		{"two", func(w *world) { w.add("s1", "a", yes); w.add("s2", "b", yes) }, 2, 2, "3/4", research.Verify, research.LabelUnconfirmed, 2},
		{"three", func(w *world) { w.add("s1", "a", yes); w.add("s2", "b", yes); w.add("s3", "c", yes) }, 3, 3, "4/5", research.Accept, "", 3},
		{"neutral is not counted", func(w *world) { w.add("s1", "a", yes); w.add("s2", "b", off) }, 1, 1, "2/3", research.Verify, research.LabelSingle, 2},
		{"against", func(w *world) { w.add("s1", "a", yes); w.add("s2", "b", no) }, 1, 2, "1/2", research.Verify, research.LabelContested, 2},
		{"only against", func(w *world) { w.add("s2", "b", no) }, 0, 1, "1/3", research.Reject, research.LabelUnconfirmed, 1},
		{"against wins within a voice", func(w *world) { w.add("s1", "a", yes); w.add("s2", "a", no) }, 0, 1, "1/3", research.Reject, research.LabelUnconfirmed, 1},
		{"a copy by text", func(w *world) {
			w.add("s1", "a", yes)
			w.add("s2", "b", yes)
			w.edges = []research.Edge{{A: "s2", B: "s1", Why: whyDuplicate, Score: "9/10"}}
		}, 1, 1, "2/3", research.Verify, research.LabelSingle, 1},
		{"copies of an absent text", func(w *world) {
			w.add("s1", "a", yes)
			w.add("s2", "b", yes)
			w.edges = []research.Edge{{A: "s0", B: "s1", Why: whyDuplicate, Score: "9/10"}, {A: "s0", B: "s2", Why: whySyndication, Score: "1/2"}}
		}, 1, 1, "2/3", research.Verify, research.LabelSingle, 1},
		{"voice by way of an absent source", func(w *world) {
			w.add("s1", "", yes)
			w.add("s2", "", yes)
			w.edges = []research.Edge{{A: "s0", B: "s1", Why: whyVoice, Score: "1"}, {A: "s0", B: "s2", Why: whyVoice, Score: "1"}}
		}, 1, 1, "2/3", research.Verify, research.LabelSingle, 1},
		{"an absent copy does not make two publishers one", func(w *world) {
			w.add("s1", "a", yes)
			w.add("s2", "b", yes)
			w.edges = []research.Edge{{A: "s8", B: "s9", Why: whyDuplicate, Score: "1"}, {A: "s1", B: "s8", Why: whyVoice, Score: "1"}, {A: "s2", B: "s9", Why: whyVoice, Score: "1"}}
		}, 2, 2, "3/4", research.Verify, research.LabelUnconfirmed, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			tc.make(w)
			s := Support(research.Claim{ID: "c1"}, w.ev, w.sources, w.edges)
			if s.K != tc.k || s.N != tc.n || s.Confidence != tc.conf || s.Band != tc.band || s.Label != tc.label || len(s.Clusters) != tc.clusters {
				t.Errorf("Support = %+v, want %d/%d %s %s %q in %d clusters", s, tc.k, tc.n, tc.conf, tc.band, tc.label, tc.clusters)
			}
			for _, e := range w.ev {
				i := slices.IndexFunc(s.Clusters, func(c research.Cluster) bool { return c.ID == e.Cluster })
				if i < 0 || !slices.Contains(s.Clusters[i].Sources, e.Source) {
					t.Errorf("vote of %s has the cluster %q", e.Source, e.Cluster)
				}
			}
		})
	}
}

func TestSupportContested(t *testing.T) {
	w := newWorld()
	for _, v := range []string{"a", "b", "c"} {
		w.add("s"+v, v, research.Confirms)
	}
	if s := SupportContested(research.Claim{ID: "c1"}, w.ev, w.sources, nil); s.Band != research.Verify || !s.Perspect || s.Confidence != "4/5" {
		t.Errorf("three voices of one perspective: %+v, want verify at 4/5", s)
	}
	a := w.sources["sa"]
	a.Origin = research.Academic
	w.sources["sa"] = a
	if s := SupportContested(research.Claim{ID: "c1"}, w.ev, w.sources, nil); s.Band != research.Accept {
		t.Errorf("voices of two perspectives: %+v, want accept", s)
	}
}

// random makes a world of up to 12 sources with 6 voices and a few copies.
func random(r *rand.Rand) *world {
	w := newWorld()
	stances := []research.Stance{research.Confirms, research.Confirms, research.Contradicts, research.Neutral}
	n := r.IntN(13)
	for i := range n {
		w.add(fmt.Sprintf("s%02d", i), fmt.Sprintf("v%d", r.IntN(6)), stances[r.IntN(len(stances))])
	}
	for range r.IntN(4) {
		if a, b := r.IntN(max(n, 1)), r.IntN(max(n, 1)); a < b && b < n {
			w.edges = append(w.edges, research.Edge{A: w.ev[a].Source, B: w.ev[b].Source, Why: whyDuplicate, Score: "4/5"})
		}
	}
	return w
}

// TestSupportProperties holds the promises of CHECKS 4.4 over 2,000 random worlds.
func TestSupportProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		w := random(r)
		before := w.support()

		w.add("t1", "new voice", research.Confirms)
		if after := w.support(); after.Confidence.Cmp(before.Confidence) < 0 {
			t.Fatalf("world %d: a confirming voice lowered %s to %s", i, before.Confidence, after.Confidence)
		}
		w.ev = w.ev[:len(w.ev)-1]

		if len(w.ev) > 0 {
			of := w.ev[r.IntN(len(w.ev))]
			w.add("t2", w.sources[of.Source].Voice, of.Stance)
			w.edges = append(w.edges, research.Edge{A: of.Source, B: "t2", Why: whyDuplicate, Score: "1"})
			if after := w.support(); after.Confidence.Cmp(before.Confidence) > 0 {
				t.Fatalf("world %d: a copy raised %s to %s", i, before.Confidence, after.Confidence)
			}
			w.ev, w.edges = w.ev[:len(w.ev)-1], w.edges[:len(w.edges)-1]
		}

		for _, c := range before.Clusters {
			if c.Stance != research.Contradicts {
				continue
			}
			without := &world{sources: w.sources, edges: w.edges}
			for _, e := range w.ev {
				if !slices.Contains(c.Sources, e.Source) {
					without.ev = append(without.ev, e)
				}
			}
			if after := without.support(); after.Confidence.Cmp(before.Confidence) < 0 {
				t.Fatalf("world %d: removing a contradicting voice lowered %s to %s", i, before.Confidence, after.Confidence)
			}
		}

		r.Shuffle(len(w.ev), func(i, j int) { w.ev[i], w.ev[j] = w.ev[j], w.ev[i] })
		r.Shuffle(len(w.edges), func(i, j int) { w.edges[i], w.edges[j] = w.edges[j], w.edges[i] })
		for j := range w.edges {
			if r.IntN(2) == 0 {
				w.edges[j].A, w.edges[j].B = w.edges[j].B, w.edges[j].A
			}
		}
		if after := w.support(); !reflect.DeepEqual(before, after) {
			t.Fatalf("world %d: another order of sources changed the support:\n%+v\n%+v", i, before, after)
		}
	}
}

func TestFindingConfidence(t *testing.T) {
	accepted := research.Claim{ID: "a", Support: &research.Support{K: 3, N: 3, Confidence: "4/5", Band: research.Accept}}
	single := research.Claim{ID: "b", Support: &research.Support{K: 1, N: 1, Confidence: "2/3", Band: research.Verify, Label: research.LabelSingle}}
	derived := research.Claim{ID: "d", Derivation: &research.Derivation{Confidence: "4/5", Lower: "3/5", Voices: 3}}
	for _, tc := range []struct {
		name        string
		claims      []research.Claim
		conf, lower research.Ratio
		band        research.Band
		label       research.Label
	}{
		{"none", nil, "0", "0", research.Reject, research.LabelUnconfirmed},
		{"one", []research.Claim{accepted}, "4/5", "4/5", research.Accept, ""},
		{"the same twice", []research.Claim{accepted, accepted}, "4/5", "4/5", research.Accept, ""},
		{"two", []research.Claim{accepted, single}, "2/3", "7/15", research.Verify, research.LabelSingle},
		{"derived", []research.Claim{derived}, "4/5", "3/5", research.Accept, research.LabelDerived},
		{"not cross-validated", []research.Claim{accepted, {ID: "x"}}, "0", "0", research.Reject, research.LabelUnconfirmed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conf, lower, band, label := FindingConfidence(tc.claims)
			if conf != tc.conf || lower != tc.lower || band != tc.band || label != tc.label {
				t.Errorf("FindingConfidence = %s %s %s %q, want %s %s %s %q", conf, lower, band, label, tc.conf, tc.lower, tc.band, tc.label)
			}
		})
	}
}

func TestHypothesisConfidence(t *testing.T) {
	claim := func(id string, k, n int) research.Claim {
		c := Confidence(k, n)
		return research.Claim{ID: id, Support: &research.Support{K: k, N: n, Confidence: c, Band: Band(c, k)}}
	}
	a, v, r := claim("a", 3, 3), claim("v", 1, 1), claim("r", 0, 2)
	for _, tc := range []struct {
		name         string
		pro, against []research.Claim
		conf         research.Ratio
		status       research.Status
	}{
		{"nothing", nil, nil, "1/2", research.Unverified},
		{"rejected claims are nothing", []research.Claim{r}, nil, "1/2", research.Unverified},
		{"accepted", []research.Claim{a, a}, nil, "2/3", research.Confirmed},
		{"to be verified", []research.Claim{v}, nil, "2/3", research.Partial},
		{"against", nil, []research.Claim{v}, "1/3", research.Refuted},
		{"both sides", []research.Claim{a}, []research.Claim{v}, "1/2", research.Partial},
		{"a claim on both sides", []research.Claim{a}, []research.Claim{a}, "1/2", research.Unverified},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conf, status := HypothesisConfidence(tc.pro, tc.against)
			if conf != tc.conf || status != tc.status {
				t.Errorf("HypothesisConfidence = %s %s, want %s %s", conf, status, tc.conf, tc.status)
			}
		})
	}
}

func TestCoverage(t *testing.T) {
	rows := []research.CoverageRow{{State: "covered"}, {State: "partial"}, {State: "missing"}}
	if got := Coverage(rows); got != "1/2" {
		t.Errorf("Coverage = %s, want 1/2", got)
	}
	if got := Coverage(nil); got != "0" {
		t.Errorf("Coverage(nil) = %s, want 0", got)
	}
	single := research.Claim{ID: "b", Source: "s1", Support: &research.Support{K: 1, N: 1, Confidence: "2/3", Band: research.Verify, Label: research.LabelSingle}}
	for tier, want := range map[int]string{1: "covered", 2: "partial"} {
		if got := Requirement([]research.Claim{single}, map[string]research.Source{"s1": {Tier: tier}}); got != want {
			t.Errorf("Requirement of a single source of tier %d = %s, want %s", tier, got, want)
		}
	}
	single.Flags = []string{"G09"}
	if got := Requirement([]research.Claim{single}, nil); got != "missing" {
		t.Errorf("Requirement of a flagged claim = %s, want missing", got)
	}
}
