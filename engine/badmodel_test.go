package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// noise is a word that no document and no question holds; whatever of a bad model reaches a digest carries it.
const noise = "Zorblax"

// scripted is a model server that answers as its script says. Without a script it answers as the extractive channel does,
// under a name of its own.
type scripted struct {
	extractive.Model
	answer func(call research.Call, n int, good string) (string, error) // n counts calls from 0
	wait   func(context.Context) error

	mu    sync.Mutex
	calls int
	waits int
}

func (s *scripted) Limits() research.Limits {
	return research.Limits{Name: "ollama:tiny", NumCtx: 4096, TokensPerByte: 0.3}
}

func (s *scripted) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	good, err := s.Model.Chat(ctx, c)
	if err != nil {
		return good, err
	}
	s.mu.Lock()
	n := s.calls
	s.calls++
	s.mu.Unlock()
	a := research.Answer{Text: good.Text, By: "ollama:tiny", DoneReason: "stop", NumCtx: 4096, PromptTokens: 300, AnswerTokens: 100}
	if s.answer != nil {
		a.Text, err = s.answer(c, n, good.Text)
	}
	return a, err
}

func (s *scripted) Wait(ctx context.Context) error {
	s.mu.Lock()
	s.waits++
	s.mu.Unlock()
	if s.wait != nil {
		return s.wait(ctx)
	}
	return ctx.Err()
}

// fits answers every role with noise that fits its schema.
func fits(c research.Call, _ int, _ string) (string, error) {
	say := noise + " says the Zorblax is 4711"
	return map[research.Role]string{
		research.Analyst:        `{"intent":"Prediction","facets":["` + say + `","What is Zorblax?"],"shape":"debate"}`,
		research.Planner:        `{"hypotheses":[{"statement":"` + say + `","rationale":"` + say + `","would_confirm":"` + say + `","would_refute":"` + say + `","facets":["f9"]}]}`,
		research.Reader:         `{"claims":[{"passage":1,"facet":"f1","statement":"` + say + `","quote":"` + say + `"}]}`,
		research.Reasoner:       `{"gaps":[{"name":"` + say + `","kind":"logical","reason":"` + say + `","facet":"f1","queries":["` + noise + `"]}]}`,
		research.FindingsWriter: `{"sentences":[{"text":"` + say + `","refs":[1]}]}`,
		research.LevelsWriter:   `{"facts":[{"subject":"` + noise + `","action":"is","object":"4711","refs":[1]}],"impact":[{"text":"` + say + `","refs":[1]}],"decisions":[{"text":"Trust zorblax now.","refs":[1]}],"plain":[{"text":"` + say + `","refs":[1,2]}]}`,
		research.PeerReviewer:   `{"remarks":[{"sentence":1,"problem":"` + say + `"}]}`,
	}[c.Role], nil
}

var digits = regexp.MustCompile(`\d+`)

// TestBadModel: whatever a model answers, the run ends, nothing of it is printed that no page holds, and the report says
// that it was made without the model's words.
func TestBadModel(t *testing.T) {
	reader := func(f func(*research.ReadClaim)) func(research.Call, int, string) (string, error) {
		return func(c research.Call, _ int, good string) (string, error) {
			if c.Role != research.Reader {
				return good, nil
			}
			var a research.ReaderAnswer
			if err := json.Unmarshal([]byte(good), &a); err != nil {
				return "", err
			}
			for i := range a.Claims {
				f(&a.Claims[i])
			}
			b, err := json.Marshal(a)
			return string(b), err
		}
	}
	writer := func(f func(*research.WrittenSentence)) func(research.Call, int, string) (string, error) {
		return func(c research.Call, _ int, good string) (string, error) {
			if c.Role != research.FindingsWriter {
				return good, nil
			}
			var a research.WriterAnswer
			if err := json.Unmarshal([]byte(good), &a); err != nil {
				return "", err
			}
			for i := range a.Sentences {
				f(&a.Sentences[i])
			}
			b, err := json.Marshal(a)
			return string(b), err
		}
	}
	always := func(s string) func(research.Call, int, string) (string, error) {
		return func(research.Call, int, string) (string, error) { return s, nil }
	}
	for _, tc := range []struct {
		name   string
		answer func(research.Call, int, string) (string, error)
		not    []string // beside the noise
		wrote  bool     // the model's own words may stand
	}{
		{name: "empty", answer: always("")},
		{name: "prose", answer: always("I am sorry, " + noise + " cannot do that.")},
		{name: "wrong keys", answer: always(`{"` + noise + `":"` + noise + `","answer":42}`)},
		{name: "cut", answer: always(`{"claims":[{"passage":1,"facet":"f1","statement":"` + noise)},
		{name: "control tokens only", answer: always("<|im_start|>assistant<|channel|>analysis " + noise + "<|im_end|>"), not: []string{"<|"}},
		{name: "noise that fits", answer: fits},
		{name: "empty lists", answer: func(c research.Call, n int, good string) (string, error) {
			if c.Role == research.Reader {
				return `{"claims":[]}`, nil
			}
			return good, nil
		}},
		{name: "remarks on the question with names of its own", answer: func(c research.Call, n int, good string) (string, error) {
			switch c.Role {
			case research.Reasoner:
				return `{"gaps":[{"name":"When the Skerry Point lighthouse was built by Rupert Zorblax","kind":"logical","reason":"lighthouse","facet":"f1","queries":["Zorblax"]}]}`, nil
			case research.PeerReviewer:
				return `{"remarks":[{"sentence":1,"problem":"The Skerry Point lighthouse was built by Rupert Zorblax"}]}`, nil
			}
			return good, nil
		}, wrote: true},
		{name: "statements with other numbers", answer: reader(func(c *research.ReadClaim) { c.Statement = digits.ReplaceAllString(c.Statement+" "+"in 1874", "4711") }), not: []string{"4711"}},
		{name: "statements with other names", answer: reader(func(c *research.ReadClaim) { c.Statement = "Rupert Zorblax built it: " + c.Statement })},
		{name: "quotations of its own", answer: reader(func(c *research.ReadClaim) { c.Quote = noise + " " + c.Quote })},
		{name: "passages that were not shown", answer: reader(func(c *research.ReadClaim) { c.Passage += 1000; c.Statement += " " + noise })},
		{name: "sentences with other numbers", answer: writer(func(s *research.WrittenSentence) { s.Text = digits.ReplaceAllString(s.Text+" in 1874", "4711") }), not: []string{"4711"}},
		{name: "sentences with other names", answer: writer(func(s *research.WrittenSentence) { s.Text = "Rupert Zorblax says: " + s.Text })},
		{name: "a report of its own instead of a sentence", answer: writer(func(s *research.WrittenSentence) { s.Text = "# Report\n\nNo findings were given." }), not: []string{"No findings", "# Report"}},
		{name: "a remark on the findings", answer: writer(func(s *research.WrittenSentence) { s.Text = "No lighthouse findings were built here." }), not: []string{"findings were built"}},
		{name: "refs out of range", answer: writer(func(s *research.WrittenSentence) { s.Refs = []int{99}; s.Text += " " + noise })},
		{name: "control tokens around", answer: func(_ research.Call, _ int, good string) (string, error) {
			return "<think>" + noise + "</think><|im_start|>" + good + "<|im_end|>", nil
		}, not: []string{"<|", "think>"}, wrote: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, lighthouse)
			c.Model = &scripted{answer: tc.answer}
			d, js, _ := digestOf(t, c)
			for _, s := range append([]string{noise, strings.ToLower(noise)}, tc.not...) {
				if i := strings.Index(js, s); i >= 0 {
					t.Errorf("%q is in the digest: ...%s", s, js[max(0, i-200):min(len(js), i+60)])
				}
			}
			if !strings.Contains(printed(d), "built in 1874") {
				t.Errorf("the report lost what the pages say:\n%s", printed(d))
			}
			if tc.wrote {
				return
			}
			if d.Model.Channel != "ollama" || d.Model.Note == "Every sentence of the model was held against its passages." {
				t.Errorf("the report does not say that the model's words did not hold: %+v", d.Model)
			}
		})
	}
}

// TestModelErrors: what a channel reports instead of an answer.
func TestModelErrors(t *testing.T) {
	fail := func(n int, err error) func(research.Call, int, string) (string, error) {
		return func(_ research.Call, at int, good string) (string, error) {
			if at < n {
				return "", fmt.Errorf("tiny: %w", err)
			}
			return good, nil
		}
	}
	const always = 1 << 30
	for _, tc := range []struct {
		name        string
		answer      func(research.Call, int, string) (string, error)
		fails       error
		substituted bool // the extractive channel answered
		waits       int
	}{
		{name: "breaks once", answer: fail(1, research.ErrServer)},
		{name: "busy once", answer: fail(1, research.ErrBusy)},
		{name: "hangs once", answer: fail(1, research.ErrHung)},
		{name: "always breaks", answer: fail(always, research.ErrServer), substituted: true},
		{name: "always hangs", answer: fail(always, research.ErrHung), substituted: true},
		{name: "prompt too long", answer: fail(always, research.ErrTooLong), substituted: true},
		{name: "prompt cut", answer: fail(always, research.ErrTruncated), substituted: true},
		{name: "ACCEPTANCE 62: gone and back", answer: fail(3, research.ErrUnavailable), waits: 3},
		{name: "no such model", answer: fail(always, research.ErrMissing), fails: ErrModelUnavailable},
		{name: "forbidden", answer: fail(always, research.ErrForbidden), fails: ErrModelUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, lighthouse)
			m := &scripted{answer: tc.answer}
			c.Model = m
			rec := store.NewMemory(c.Request, c.Code)
			d, err := (&Engine{c}).Run(context.Background(), rec)
			if tc.fails != nil {
				if !errors.Is(err, tc.fails) {
					t.Errorf("Run: %v, want %v", err, tc.fails)
				}
				return
			}
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			if got := d.Model.Answered[extractiveName] > 0; got != tc.substituted {
				t.Errorf("answered %v, want the extractive channel among them: %v", d.Model.Answered, tc.substituted)
			}
			if !strings.Contains(printed(d), "built in 1874") {
				t.Errorf("the report lost what the pages say:\n%s", printed(d))
			}
			if m.waits != tc.waits {
				t.Errorf("waited %d times for the server, want %d", m.waits, tc.waits)
			}
			states := map[string]int{}
			for _, ev := range rec.Run().Events {
				var s research.StateNews
				if ev.Kind == research.EventState && json.Unmarshal(ev.Payload, &s) == nil {
					states[s.State]++
				}
			}
			if states["paused"] != tc.waits || states["running"] != tc.waits {
				t.Errorf("the record says %v, want %d pauses with their ends", states, tc.waits)
			}
		})
	}
}

// TestCancel: a run whose model never answers ends soon after its context, and leaves no goroutine and no record of the call.
func TestCancel(t *testing.T) {
	for _, tc := range []struct {
		name string
		gone bool // the server is gone, and the run waits for it
	}{{"in a call", false}, {"while waiting for the server", true}} {
		t.Run(tc.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			c := config(t, lighthouse)
			reached := make(chan struct{})
			var once sync.Once
			hang := func(ctx context.Context) error {
				once.Do(func() { close(reached) })
				<-ctx.Done()
				return ctx.Err()
			}
			c.Model = &hanging{hang: hang, gone: tc.gone}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			rec := store.NewMemory(c.Request, c.Code)
			done := make(chan error, 1)
			go func() {
				_, err := (&Engine{c}).Run(ctx, rec)
				done <- err
			}()
			<-reached
			cancel()
			select {
			case err := <-done:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("Run: %v, want context.Canceled", err)
				}
			case <-time.After(time.Minute): // the bound is two seconds; the machine of a test may be slow
				t.Fatal("the run did not end")
			}
			for _, ev := range rec.Run().Events {
				if ev.Kind == research.EventModel {
					t.Errorf("a cancelled call was recorded: %s", ev.Payload)
				}
			}
		})
	}
}

type hanging struct {
	scripted
	hang func(context.Context) error
	gone bool
}

func (h *hanging) Chat(ctx context.Context, _ research.Call) (research.Answer, error) {
	if h.gone {
		return research.Answer{}, research.ErrUnavailable
	}
	return research.Answer{}, h.hang(ctx)
}

func (h *hanging) Wait(ctx context.Context) error { return h.hang(ctx) }
