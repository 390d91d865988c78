package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/engine/audit"
	"assay/engine/extractive"
	"assay/engine/research"
)

// slowReader is a model that reads a number of stretches and then no further until it is let go.
type slowReader struct {
	extractive.Model
	reads  atomic.Int64
	most   int64
	goOn   chan struct{}
	steady chan struct{} // closed when it waits
}

func (*slowReader) Limits() research.Limits {
	return research.Limits{Name: "slow", NumCtx: 8192, TokensPerByte: .3, Parallel: 1}
}

func (m *slowReader) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	if c.Role == research.Reader && m.reads.Add(1) > m.most {
		if m.reads.Load() == m.most+1 {
			close(m.steady)
		}
		select {
		case <-m.goOn:
		case <-ctx.Done():
			return research.Answer{}, ctx.Err()
		}
	}
	a, err := m.Model.Chat(ctx, c)
	a.By = "slow"
	return a, err
}

// sixMetals is a library of a page for each of several metals.
func sixMetals(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "metals")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, metal := range []string{"Gold", "Silver", "Copper", "Iron", "Tin", "Lead"} {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s melts at %d degrees Celsius. ", metal, metal, 300+i*150)
		for k := range 12 {
			fmt.Fprintf(&b, "\n\nPiece %d of %s was weighed before it melted at the mint number %d of the kingdom.", k, strings.ToLower(metal), k*7+i)
		}
		if err := os.WriteFile(filepath.Join(dir, metal+".md"), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// While a model reads slowly there is a page already: with a passage under every statement, and it says how much the model has read.
// The run is not changed by it, and what the page said and the report does not is told.
func TestSoFar(t *testing.T) {
	d := newPlace(t).open(t, "terminal")
	d.wire.soFarEvery = 20 * time.Millisecond
	m := &slowReader{most: 2, goOn: make(chan struct{}), steady: make(chan struct{})}
	d.wire.ollama = func(context.Context, string, research.Egress, pinnedLoad, told) (Channel, error) {
		return Channel{Name: "ollama:slow", Why: "It is slow.", model: m}, nil
	}
	req := request(sixMetals(t))
	req.Question, req.Model = "At how many degrees do gold, silver and copper melt, and what was weighed?", "ollama:slow"
	j := start(t, d, req, StartOptions{})
	<-m.steady

	page, err := d.SoFar(t.Context(), j.ID())
	if err != nil {
		t.Fatal(err)
	}
	if page.Read != 2 || page.Windows <= page.Read || page.Digest.Metrics.Findings == 0 {
		t.Errorf("read %d of %d, %d findings", page.Read, page.Windows, page.Digest.Metrics.Findings)
	}
	for _, f := range page.Digest.EveryFinding() {
		for _, c := range f.Citations {
			if p, ok := page.Digest.Passages[c]; !ok || p.Text == "" {
				t.Errorf("%q cites %s, which the page does not hold", f.Text, c)
			}
		}
		if len(f.Citations) == 0 {
			t.Errorf("%q cites nothing", f.Text)
		}
	}
	b, err := os.ReadFile(page.File)
	if err != nil || !strings.Contains(string(b), "The model has read 2 of") {
		t.Errorf("the page does not say how much was read: %v", err)
	}
	// It is written by itself, too, and announced once.
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		events, err := d.Events(j.ID(), 0, 0)
		if err != nil || time.Now().After(end) {
			t.Fatalf("no page is announced: %v", err)
		}
		if n := notes(events, FileSoFar); n == 1 {
			break
		} else if n > 1 {
			t.Fatalf("announced %d times", n)
		}
	}
	close(m.goOn)
	res := wait(t, j)
	if res.Digest == nil {
		t.Fatalf("%+v", res)
	}
	run, err := ReadRunFile(filepath.Join(j.Dir(), FileRun))
	if err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(run); !rep.OK() {
		t.Errorf("audit: %v", rep.Faults)
	}
	alone := start(t, d, req, StartOptions{})
	other := wait(t, alone)
	a, err1 := EncodeDigest(*res.Digest)
	c, err2 := EncodeDigest(*other.Digest)
	if err1 != nil || err2 != nil || string(a) != string(c) {
		t.Errorf("a page on the way changed the report: %v, %v", err1, err2)
	}
}

// notes counts the notes that hold words.
func notes(events []research.Event, words string) (n int) {
	for _, ev := range events {
		if ev.Kind == research.EventNote && strings.Contains(string(ev.Payload), words) {
			n++
		}
	}
	return n
}

// What a page showed and the report does not is said, sentence by sentence, with the reason.
func TestFallen(t *testing.T) {
	page := func(fs ...research.DigestFinding) research.Digest {
		return research.Digest{Sections: []research.Section{{ID: "s", Findings: fs}}}
	}
	same := research.DigestFinding{ID: "1", Text: "Gold melts.", Citations: []string{"p1"}}
	old := research.DigestFinding{ID: "2", Text: "Silver melts at 962.", Citations: []string{"p2"}}
	worded := research.DigestFinding{ID: "3", Text: "The melting point of silver is 962.", Citations: []string{"p2"}}
	if got := fallen(page(same, old), page(same, old)); len(got) != 0 {
		t.Errorf("nothing fell, and it says %q", got)
	}
	if got := fallen(page(same, old), page(same, worded)); len(got) != 1 || !strings.Contains(got[0], "in other words") || !strings.Contains(got[0], worded.Text) {
		t.Errorf("worded anew: %q", got)
	}
	if got := fallen(page(same, old), page(same)); len(got) != 1 || !strings.Contains(got[0], "does not") || !strings.Contains(got[0], old.Text) {
		t.Errorf("fallen: %q", got)
	}
	if got := fallen(page(same), research.Digest{}); len(got) != 1 || !strings.Contains(got[0], "nothing of what was read") {
		t.Errorf("nothing found: %q", got)
	}
}

// Before anything was opened there is no page, and that is said in a sentence.
func TestNothingSoFar(t *testing.T) {
	d := testDesk(t, hang)
	j := start(t, d, request(folder(t)), StartOptions{})
	defer func() { j.Cancel(); wait(t, j) }()
	var wrong *UsageError
	if _, err := d.SoFar(t.Context(), j.ID()); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "nothing was opened yet") {
		t.Errorf("SoFar = %v", err)
	}
	if _, err := d.SoFar(t.Context(), "2020"); err == nil {
		t.Error("a run that is not there has a page")
	}
}
