package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// faultyConfig answers the test's question through a server that plays faults, with short waits.
func faultyConfig(t *testing.T, s *enginetest.Server) Config {
	t.Helper()
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: s.URL, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	m, err := ollama.New(context.Background(), ollama.Config{
		HTTP: client.HTTP(fetch.Model), BaseURL: s.URL, Model: "tiny", Closed: true,
		First: time.Second, Idle: time.Second, Pause: 10 * time.Millisecond, Poll: 10 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, lighthouse)
	c.Model, c.Request.Model = m, "ollama:tiny"
	return c
}

// busyRounds is how often a prompt may be sent to a server that says each time that it is too busy for it: three tries of the channel, and as
// many once more.
const busyRounds = 6

// residue is what no artifact may hold: control tokens, reasoning, and the marks of a citation interface.
var residue = regexp.MustCompile(`<\|[a-z_]+\|>|</?think|assistantfinal|oaicite|【\d`)

// Each fault that a server or a model shows is played at every second call of a whole run: the run ends with its report, which prints
// nothing that does not stand in a source, and says what was not the model's; only a model that is not there any more ends it until it
// is. What a server has answered is not asked again
// unchanged, by another seed neither; what it did not answer is, at most once, and what it was too busy for as often as it may be asked.
func TestEveryFaultInAWholeRun(t *testing.T) {
	for i, f := range append(append([]enginetest.Fault{enginetest.Good}, enginetest.AnswerFaults...), enginetest.ServerFaults...) {
		if i%enginetest.Sparse(4) != 0 {
			continue
		}
		name := string(f)
		if f == enginetest.Good {
			name = "none"
		}
		t.Run(name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			var over atomic.Bool
			s.Fault = func(n int, r enginetest.ChatRequest) enginetest.Fault {
				every := 2
				if f == enginetest.Hangs || f == enginetest.HangsMidway {
					every = 6 // each costs a wait
				}
				if n < 3 || n%every != every-1 || over.Load() { // what wakes and measures it, and the calls between
					return enginetest.Good
				}
				return f
			}
			c := faultyConfig(t, s)
			rec := store.NewMemory(c.Request, c.Code)
			d, err := (&Engine{c}).Run(context.Background(), rec)
			if f == enginetest.Status404 { // the model was taken away: the run ends with a sentence and goes on when it is back
				if !errors.Is(err, ErrModelUnavailable) {
					t.Errorf("Run = %v", err)
				}
				over.Store(true)
				d, err = (&Engine{c}).Run(context.Background(), rec)
			}
			if err != nil {
				t.Fatalf("the run is lost: %v", err)
			}
			js := asJSON(t, d)
			if m := residue.FindString(js); m != "" {
				t.Errorf("the digest holds %q", m)
			}
			for _, p := range d.Sections {
				for _, x := range p.Findings {
					if !standsIn(rec.Run(), x.Text) {
						t.Errorf("printed what no source holds: %q", x.Text)
					}
				}
			}
			if !strings.Contains(printed(d), "built in 1874") {
				t.Errorf("the report lost what the pages say:\n%s", printed(d))
			}
			times := map[string]int{}
			for _, r := range s.Chats() {
				times[r.Prompt()]++ // another seed makes no other prompt
			}
			again := 0
			most := 2
			if f == enginetest.Status429 || f == enginetest.Status503 {
				most = busyRounds
			}
			for _, n := range times {
				if n > most {
					t.Errorf("a prompt was sent %d times", n)
				}
				again += n - 1
			}
			if once := f == enginetest.Good || isAnswerFault(f) || slices.Contains(refusals, f); once && again > 0 {
				t.Errorf("%d prompts were sent again unchanged although each was answered or refused", again)
			} else if again > len(s.Chats())/2 {
				t.Errorf("%d of %d calls were sent again", again, len(s.Chats()))
			}
			t.Logf("| %s | %d calls, %d sent again | %s | %s |", name, len(s.Chats()), again, answeredBy(d), d.Model.Note)
		})
	}
}

func isAnswerFault(f enginetest.Fault) bool { return slices.Contains(enginetest.AnswerFaults, f) }

// refusals are what a server would say to the same call again.
var refusals = []enginetest.Fault{enginetest.CutCount, enginetest.FullCount, enginetest.TooLong400, enginetest.NoQuery500, enginetest.Status400, enginetest.NotOllama404}

// answeredBy counts who answered the calls of a run.
func answeredBy(d research.Digest) string {
	var out []string
	for who, n := range d.Model.Answered {
		out = append(out, fmt.Sprintf("%s %d", who, n))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}
