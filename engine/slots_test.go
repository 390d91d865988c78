package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// atOnce is a model whose server answers n calls at once.
type atOnce struct {
	*ollama.Model
	n int
}

func (m atOnce) Limits() research.Limits {
	l := m.Model.Limits()
	l.Parallel = m.n
	l.NumCtx = 2600 // small windows: many readers' calls
	return l
}

// slotted runs a research through a server that computes n calls at once, each for the service time.
func slotted(t testing.TB, n int, service time.Duration) (*enginetest.Server, time.Duration, research.Digest) {
	t.Helper()
	s := enginetest.NewServer(t)
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: s.URL, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	m, err := ollama.New(t.Context(), ollama.Config{HTTP: client.HTTP(fetch.Model), BaseURL: s.URL, Model: enginetest.TinyModel, Closed: true, TokensPerByte: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, "When was the Skerry Point lighthouse built, who built it, how tall is it, and what does it burn?")
	if _, err := m.Chat(t.Context(), research.Call{Role: research.Analyst, Prompt: "Answer: ready.", Budget: 8}); err != nil { // loaded, as before a run
		t.Fatal(err)
	}
	s.Slots, s.Service = n, service
	c.Model, c.Request.Model = atOnce{m, n}, "ollama:"+enginetest.TinyModel
	began := time.Now()
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	if err != nil {
		t.Fatal(err)
	}
	return s, time.Since(began), d
}

// TestSlotsAreFilled: as many calls are out as the server answers at once, and one more that waits; how many makes no difference to
// the report.
func TestSlotsAreFilled(t *testing.T) {
	var first string
	for _, n := range []int{1, 2, 4} {
		s, _, d := slotted(t, n, 30*time.Millisecond)
		if got := s.Most(); got != n+1 {
			t.Errorf("with %d slots %d calls were out at once, want %d", n, got, n+1)
		}
		if js := asJSON(t, d); first == "" {
			first = js
		} else if js != first {
			t.Errorf("with %d slots the report differs: %s", n, firstDiff(first, js))
		}
	}
}

// BenchmarkSlots says how well the slots of a server are used: busy is the share of the slots' time in use from the first to the last
// reader's call, idle the share of the whole run in which no call was computed.
func BenchmarkSlots(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var busy, idle float64
			for b.Loop() {
				s, whole, _ := slotted(b, n, 500*time.Millisecond)
				busy, idle = use(s.Served(), n, whole)
			}
			b.ReportMetric(busy, "busy")
			b.ReportMetric(idle, "idle")
		})
	}
}

// use works out both shares. The last calls of a stage cannot fill all slots: what counts is the time in which a call could have been out.
func use(served []enginetest.Served, slots int, whole time.Duration) (busy, idle float64) {
	var reading []enginetest.Served
	var covered time.Duration
	var until time.Time
	for _, s := range byBegin(served) {
		if strings.Contains(s.Chat.Prompt(), "\"claims\"") || strings.Contains(string(s.Chat.Format), "claims") {
			reading = append(reading, s)
		}
		from := s.Began
		if from.Before(until) {
			from = until
		}
		if s.Ended.After(from) {
			covered += s.Ended.Sub(from)
			until = s.Ended
		}
	}
	idle = 1 - float64(covered)/float64(whole)
	if len(reading) == 0 {
		return 0, idle
	}
	var used time.Duration
	last := reading[0].Ended
	for _, s := range reading {
		used += s.Ended.Sub(s.Began)
		if s.Ended.After(last) {
			last = s.Ended
		}
	}
	span := last.Sub(reading[0].Began)
	// Calls come in whole rounds: n calls on k slots take ceil(n/k) service times.
	rounds := (len(reading) + slots - 1) / slots
	full := float64(used) * float64(rounds*slots) / float64(len(reading))
	return full / (float64(span) * float64(slots)), idle
}

func byBegin(s []enginetest.Served) []enginetest.Served {
	out := append([]enginetest.Served{}, s...)
	for i := range out {
		for j := i; j > 0 && out[j].Began.Before(out[j-1].Began); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
