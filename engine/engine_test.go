package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
	"assay/engine/store"
)

// zhLighthouse asks the Chinese documents.
const zhLighthouse = "斯凯里角灯塔建于哪一年，由谁设计，塔高多少米？"

func TestDeterminism(t *testing.T) {
	for _, q := range []string{lighthouse, zhLighthouse, "How many visitors did the Skerry Point lighthouse receive in 2018 and 2019?"} {
		t.Run(q, func(t *testing.T) {
			_, first, _ := digestOf(t, config(t, q))
			_, second, _ := digestOf(t, config(t, q))
			if first != second {
				t.Errorf("two runs with one clock and seed differ: %s", firstDiff(first, second))
			}
		})
	}
}

func TestRunAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, question string
		says           []string // in the findings
		not            []string
	}{
		{"date, name", lighthouse, []string{"built in 1874", "Agnes Calder was the engineer"}, []string{"1790", "Rupert Hallow", "flour"}},
		{"quantity", "How high is the tower of the Skerry Point lighthouse?", []string{"38 metres high", "36 metres high"}, []string{"90 metres"}},
		{"count", "How many keepers did the Skerry Point lighthouse have in 1902?", []string{"14 keepers"}, nil},
		{"reason", "Why was the paraffin lamp of the Skerry Point lighthouse replaced?", []string{"could not land in winter"}, nil},
		{"chinese", zhLighthouse, []string{"建于1874年", "艾格尼丝·考尔德", "塔高38米"}, []string{"1790"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, _, _ := digestOf(t, config(t, tc.question))
			got := printed(d)
			for _, s := range tc.says {
				if !strings.Contains(got, s) {
					t.Errorf("the findings do not say %q:\n%s", s, got)
				}
			}
			for _, s := range tc.not {
				if strings.Contains(got, s) {
					t.Errorf("the findings say %q:\n%s", s, got)
				}
			}
		})
	}
}

// TestSources looks at how each document of the library was judged.
func TestSources(t *testing.T) {
	d, _, rec := digestOf(t, config(t, "How many visitors did the Skerry Point lighthouse receive in 2019?"))
	reasons := map[string]string{}
	for _, i := range d.Issues {
		if i.Kind == "source" {
			reasons[i.Source] = i.Reason
		}
	}
	if r := reasons["harbour-office/assistant.md"]; !strings.HasPrefix(r, string(research.RejectAI)) {
		t.Errorf("the page a machine wrote is not among the issues as such: %q", r)
	}
	if strings.Contains(printed(d), "90,000") {
		t.Error("a page that a machine wrote is quoted")
	}
	// The guild passes on the office's report: two documents, one voice.
	voices := 0
	for _, c := range d.Claims {
		if !strings.Contains(c.Text, "15,500") || c.Support == nil || c.Derivation != nil {
			continue
		}
		voices++
		if c.Support.K != 1 {
			t.Errorf("%q is confirmed by %d voices, want 1: the copy of a report is no second voice", c.Text, c.Support.K)
		}
		if c.Support.Band == research.Accept {
			t.Errorf("%q is accepted on one voice", c.Text)
		}
	}
	if voices == 0 {
		t.Error("no claim states the visitors of 2019")
	}
	run := rec.Run()
	seen := map[string]bool{}
	for _, ev := range run.Events {
		if ev.Kind == research.EventRead {
			if seen[ev.Key] {
				t.Errorf("read twice: %s", ev.Key)
			}
			seen[ev.Key] = true
			if strings.Contains(string(ev.Payload), `"path"`) {
				t.Errorf("the record holds a path of this machine: %s", ev.Payload)
			}
		}
	}
}

// TestOneParagraphTwoParts: a part of the question whose answer stands in the excerpt of another part is not told as missing.
func TestOneParagraphTwoParts(t *testing.T) {
	d, _, _ := digestOf(t, config(t, lighthouse))
	for _, g := range d.Gaps {
		if strings.HasPrefix(g.Name, "Not found") {
			t.Errorf("told as missing although it is printed: %s", g.Name)
		}
	}
	if len(d.Sections) != 3 {
		t.Errorf("%d sections for three parts", len(d.Sections))
	}
}

// TestNothingIsPrintedTwice: a report that two documents carry stands in a section once.
func TestNothingIsPrintedTwice(t *testing.T) {
	for _, q := range []string{lighthouse, "How many visitors did the Skerry Point lighthouse receive in 2018 and 2019?"} {
		d, _, _ := digestOf(t, config(t, q))
		for _, s := range d.Sections {
			seen := map[string]bool{}
			for _, f := range s.Findings {
				if seen[f.Text] {
					t.Errorf("section %q prints twice: %s", s.Title, f.Text)
				}
				seen[f.Text] = true
			}
		}
	}
}

func TestCopyIsSetAside(t *testing.T) {
	d, _, _ := digestOf(t, config(t, lighthouse))
	n := 0
	for _, i := range d.Issues {
		n += strings.Count(i.Reason, string(research.RejectDuplicate))
	}
	if n != 1 {
		t.Errorf("%d documents set aside as copies, want 1: %+v", n, d.Issues)
	}
}

// finished returns a run as it is exported.
func finished(t *testing.T, question string) research.Run {
	t.Helper()
	d, _, rec := digestOf(t, config(t, question))
	if err := rec.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	rec.SetState(research.StateNews{State: "done"})
	return rec.Run()
}

func TestAudit(t *testing.T) {
	for _, q := range []string{lighthouse, zhLighthouse, "How many visitors did the Skerry Point lighthouse receive in 2018 and 2019?"} {
		if r := audit.Check(finished(t, q)); !r.OK() || r.Checked == 0 {
			t.Errorf("%s: audit of %d items: %v", q, r.Checked, r.Faults)
		}
	}
}

func TestAuditFindsChanges(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(*research.Run)
	}{
		{"confidence of a finding", func(r *research.Run) { r.Digest.Sections[0].Findings[0].Confidence = "76/100" }},
		{"votes of a claim", func(r *research.Run) {
			c := r.Digest.Claims[r.Digest.Sections[0].Findings[0].Claims[0]]
			s := *c.Support
			s.K++
			c.Support = &s
			r.Digest.Claims[c.ID] = c
		}},
		{"a byte of a passage", func(r *research.Run) {
			p := r.Digest.Passages[r.Digest.Sections[0].Findings[0].Citations[0]]
			p.Text = strings.Replace(p.Text, "1874", "1875", 1)
			r.Digest.Passages[p.ID] = p
		}},
		{"a byte of a kept text", func(r *research.Run) {
			sha := r.Digest.Sources[0].SHA256
			r.Blobs[sha] = strings.Replace(r.Blobs[sha], "1874", "1875", 1)
		}},
		{"a citation", func(r *research.Run) { r.Digest.Sections[0].Findings[0].Refs[0]++ }},
		{"a quality", func(r *research.Run) { r.Digest.Sources[0].Quality.Value = "1" }},
		{"a metric", func(r *research.Run) { r.Digest.Metrics.Completeness = "1" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run := finished(t, lighthouse)
			tc.spoil(&run)
			r := audit.Check(run)
			if r.OK() {
				t.Fatal("the audit passes")
			}
			if r.Faults[0].Where == "" || r.Faults[0].What == "" {
				t.Errorf("the fault names no place or no reason: %+v", r.Faults[0])
			}
		})
	}
}

func TestNoFinding(t *testing.T) {
	const q = "What is the boiling point of KrNTF2 at sea level?"
	c := config(t, q)
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	if !errors.Is(err, ErrNoFinding) {
		t.Fatalf("Run: %v, want ErrNoFinding; findings:\n%s", err, printed(d))
	}
	if len(d.Gaps) == 0 || d.Gaps[0].Reason == "" || d.Topic != q {
		t.Errorf("the digest of a run without a finding lists no gap: %+v", d.Gaps)
	}
	if d.Verdict == "" || len(d.FutureWork) == 0 || !slices.ContainsFunc(d.Callouts, func(c research.Callout) bool { return c.Level == "error" }) {
		t.Errorf("the digest does not say plainly that nothing was found: %q %v %v", d.Verdict, d.FutureWork, d.Callouts)
	}
	c.Request.AllowPartial = true
	if _, err = (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code)); err != nil {
		t.Errorf("with AllowPartial: %v", err)
	}
}

// TestShortfall: a library under the floors is told; a run of the web under its floors is not delivered as whole.
func TestShortfall(t *testing.T) {
	d, _, _ := digestOf(t, config(t, lighthouse))
	if !d.SourceStats.ClosedLibrary || len(d.SourceStats.Shortfall) == 0 {
		t.Errorf("the closed library tells no shortfall: %+v", d.SourceStats)
	}
	c := config(t, lighthouse)
	c.Request.Egress, c.Request.Libraries = research.Web, nil
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	var short *ShortfallError
	if !errors.As(err, &short) {
		t.Fatalf("a run of the web with two voices: %v, want a ShortfallError", err)
	}
	if len(short.Missing) == 0 || !strings.Contains(short.Error(), short.Missing[0]) || d.Metrics.Findings == 0 {
		t.Errorf("the error does not say what is missing, or the digest is empty: %v", short)
	}
	c.Request.AllowPartial = true
	if _, err = (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code)); err != nil {
		t.Errorf("with AllowPartial: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name, says string
		ctx        context.Context
		change     func(*Config)
	}{
		{"empty question", "question is empty", context.Background(), func(c *Config) { c.Request.Question = " \n\t" }},
		{"no clock", "is not a time", context.Background(), func(c *Config) { c.Request.Now = "" }},
		{"bad clock", "is not a time", context.Background(), func(c *Config) { c.Request.Now = "yesterday" }},
		{"cancelled", "context canceled", cancelled, func(*Config) {}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, lighthouse)
			tc.change(&c)
			rec := store.NewMemory(c.Request, c.Code)
			_, err := (&Engine{c}).Run(tc.ctx, rec)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("Run: %v, want an error that says %q", err, tc.says)
			}
			if ev, _ := rec.Events(0, 0); len(ev) > 0 {
				t.Errorf("a refused run left %d events", len(ev))
			}
		})
	}
}

// TestProviderFault: a provider that fails is told under Issues and does not end the run.
func TestProviderFault(t *testing.T) {
	c := config(t, lighthouse)
	c.Providers = append(c.Providers, brokenProvider{})
	d, _, _ := digestOf(t, c)
	n := 0
	for _, i := range d.Issues {
		if i.Kind == "caveat" && strings.Contains(i.Reason, "broken: no index") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d caveats name the broken provider, want 1: %+v", n, d.Issues)
	}
}

type brokenProvider struct{}

func (brokenProvider) Name() string { return "broken" }

func (brokenProvider) Search(context.Context, research.Query) ([]research.Hit, error) {
	return nil, errors.New("no index")
}

// TestReaderFault: a document that cannot be opened is a source with a verdict.
func TestReaderFault(t *testing.T) {
	c := config(t, lighthouse)
	c.Reader = brokenReader{c.Reader}
	d, _, _ := digestOf(t, c)
	for _, i := range d.Issues {
		if i.Source == "keepers-guild/tower.md" && strings.HasPrefix(i.Reason, string(research.RejectDead)) {
			return
		}
	}
	t.Errorf("no issue names the document that could not be opened: %+v", d.Issues)
}

type brokenReader struct{ Reader }

func (b brokenReader) Read(ctx context.Context, location string) (research.Document, error) {
	if location == "keepers-guild/tower.md" {
		return research.Document{}, errors.New("the disk is gone")
	}
	return b.Reader.Read(ctx, location)
}
