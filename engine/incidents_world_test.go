package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/checks"
	"assay/engine/enginetest"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// writing is one call of the writer as the scripted model sees it.
type writing struct {
	part     string   // of the question, or all of it
	findings []string // in order; their numbers are one more
	nth      int      // call for this part, from 0
	prompt   string
}

// about reports whether the part is the one that these words stand in, and not the whole question.
func (a writing) about(words string) bool {
	return strings.Contains(a.part, words) && !strings.Contains(a.part, ",")
}

// whole reports whether the report is to be written in one call.
func (a writing) whole() bool { return strings.Contains(a.part, ",") }

var findingLine = regexp.MustCompile(`^\[(\d+)\](?: \([^)]*\))? (.*)$`)

// readAsk reads the prompt of the writer.
func readAsk(prompt string) writing {
	a := writing{prompt: prompt}
	inside := false
	for _, line := range strings.Split(prompt, "\n") {
		part, is := strings.CutPrefix(line, "Part: ")
		m := findingLine.FindStringSubmatch(line)
		switch {
		case is && a.part == "":
			a.part = part
		case strings.HasPrefix(line, "BEGIN EVIDENCE"):
			inside = true
		case strings.HasPrefix(line, "END EVIDENCE"):
			inside = false
		case inside && m != nil:
			a.findings = append(a.findings, m[2])
		}
	}
	return a
}

// say is an answer that fits the writer's schema: each sentence with the numbers of the findings it cites.
func say(sentences ...research.WrittenSentence) string {
	b, err := json.Marshal(research.WriterAnswer{Sentences: append([]research.WrittenSentence{}, sentences...)})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func sentence(text string, refs ...int) research.WrittenSentence {
	return research.WrittenSentence{Text: text, Refs: refs}
}

// all are the numbers of everything that was shown.
func (a writing) all() []int {
	var out []int
	for i := range a.findings {
		out = append(out, i+1)
	}
	return out
}

// well is what a writer without a fault answers: a sentence for each finding that it was shown.
func (a writing) well() string {
	var out []research.WrittenSentence
	for i, f := range a.findings {
		out = append(out, sentence(f, i+1))
	}
	return say(out...)
}

// unfilled is one sentence that has a place left open, and cites everything.
func (a writing) unfilled(open string) string {
	return say(sentence(strings.TrimSuffix(a.findings[0], ".")+" ["+open+"].", a.all()...))
}

// extraPage is a document beside the library of the tests.
type extraPage struct{ location, title, text string }

// incidentShelf is a library with further pages on it. It stands in for the provider and for the reader.
type incidentShelf struct {
	*memo
	more []extraPage
}

func (s incidentShelf) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	hits, err := s.memo.Search(ctx, q)
	out := []research.Hit{}
	for _, p := range s.more {
		out = append(out, research.Hit{Provider: s.Name(), Location: p.location, Title: p.title, Snippet: p.text, Score: "1"})
	}
	return append(out, hits...), err
}

func (s incidentShelf) Read(ctx context.Context, location string) (research.Document, error) {
	for _, p := range s.more {
		if p.location == location {
			return research.Document{Location: p.location, MediaType: "text/markdown", Title: p.title, Lang: "en", Text: p.text, SHA256: research.SHA256(p.text)}, nil
		}
	}
	return s.memo.Read(ctx, location)
}

// incident is something that went wrong in a real program of this kind, as a whole run of this one. The model is a script behind a
// server that speaks its protocol, and the script is the whole of what is made up.
type incident struct {
	name, tells string
	answers     string   // what answers it, in words
	without     []string // the same as switches; all of them are off in the run before
	any         bool     // each of the switches by itself is enough
	question    string
	attempts    int // of the repair loop, where the run before comes to no other end; 0: as always
	pages       []extraPage
	write       func(writing) (string, enginetest.Fault)
	says        func(played) string
}

// played is what came of a run.
type played struct {
	digest  research.Digest
	run     research.Run
	asks    []writing // of the writer, in the order in which they came
	news    []research.CheckNews
	channel research.Limits
}

// plain are the answers of the roles that no incident is about: code finds what there is to find.
var plain = []struct{ begins, answer string }{
	{"A person asks", `{"intent":"FactQuery","facets":[],"shape":"survey"}`},
	{"Propose 3 to 5", `{"hypotheses":[]}`},
	{"Read the passages", `{"claims":[]}`},
	{"The claims below", `{"gaps":[]}`},
	{"You did not write", `{"remarks":[]}`},
	{"Explain the findings", `{"facts":[],"impact":[],"decisions":[],"plain":[]}`},
}

// stage is the server with the script of an incident.
type script struct {
	in   incident
	mu   sync.Mutex
	asks []writing
	said map[string]string // by prompt
}

// fault is asked first of a call and settles its answer.
func (s *script) fault(_ int, r enginetest.ChatRequest) enginetest.Fault {
	prompt := r.Messages[len(r.Messages)-1].Content
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range plain {
		if strings.HasPrefix(prompt, p.begins) {
			s.said[prompt] = p.answer
			return enginetest.Good
		}
	}
	if !strings.HasPrefix(prompt, "Write the answer") {
		s.said[prompt] = "The passage says so." // what wakes the server and measures it
		return enginetest.Good
	}
	a := readAsk(prompt)
	for _, earlier := range s.asks {
		if earlier.part == a.part {
			a.nth++
		}
	}
	s.asks = append(s.asks, a)
	text, fault := s.in.write(a)
	s.said[prompt] = text
	return fault
}

func (s *script) answer(r enginetest.ChatRequest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said[r.Messages[len(r.Messages)-1].Content]
}

// config is the run of an incident with whatever answers its calls.
func (in incident) config(t *testing.T, m Model, without []string) Config {
	c := config(t, in.question)
	shelf := incidentShelf{testLibrary(t), in.pages}
	c.Model, c.Request.Model, c.Without = m, "ollama:tiny", without
	c.attempts = in.attempts
	c.Providers, c.Reader = []Provider{shelf}, shelf
	return c
}

// play runs an incident against its server.
func (in incident) play(t *testing.T, without []string) played {
	t.Helper()
	s := enginetest.NewServer(t)
	st := &script{in: in, said: map[string]string{}}
	s.Fault, s.Answer = st.fault, st.answer
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: s.URL, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	m, err := ollama.New(context.Background(), ollama.Config{
		HTTP: client.HTTP(fetch.Model), BaseURL: s.URL, Model: "tiny", Closed: true,
		First: time.Minute, Idle: time.Minute, Pause: 10 * time.Millisecond, Poll: 10 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	out := in.over(t, in.config(t, m, without))
	out.asks = st.asks
	return out
}

// over runs a config over a fresh record.
func (in incident) over(t *testing.T, c Config) played {
	t.Helper()
	rec := store.NewMemory(c.Request, c.Code)
	d, err := (&Engine{c}).Run(context.Background(), rec)
	if err != nil {
		t.Fatalf("%s without %v: %v", in.name, c.Without, err)
	}
	out := played{digest: d, channel: c.Model.Limits()}
	if err := rec.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	rec.SetState(research.StateNews{State: "done"})
	out.run = rec.Run()
	for _, ev := range out.run.Events {
		var n research.CheckNews
		if ev.Kind == research.EventCheck && json.Unmarshal(ev.Payload, &n) == nil {
			out.news = append(out.news, n)
		}
	}
	return out
}

// replayed runs an incident again on the answers of its record, without a server, and lists what the record does not hold.
func (in incident) replayed(t *testing.T, of played, without []string) (played, []recorded.Miss) {
	t.Helper()
	m := recorded.New(recorded.FromRun(of.run), of.channel)
	c := in.config(t, m, without)
	c.Fallback = nil
	return in.over(t, c), m.Misses()
}

// steps is what the bank did, for the log.
func (p played) steps() string {
	var out []string
	for _, n := range p.news {
		out = append(out, fmt.Sprintf("%d %s@%s %s", n.Attempt, n.Check, n.Key, n.Action))
	}
	return strings.Join(out, " > ")
}

// parts says how many parts of the question the report has something on.
func (p played) parts() string {
	n := 0
	for _, s := range p.digest.Sections {
		if len(s.Findings) > 0 {
			n++
		}
	}
	return fmt.Sprintf("%d of %d parts", n, len(p.digest.Understanding.Facets))
}

// has says whether the findings print some words.
func (p played) has(words string) string {
	if strings.Contains(printed(p.digest), words) {
		return "printed"
	}
	return "not printed"
}

// calls counts the calls of the writer.
func (p played) calls() string {
	return howMany(len(p.asks), "call of the writer", "calls of the writer")
}

func howMany(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// turn is the attempt in which a fault was first acted on, by the words in which the check tells of it, or in which everything was written
// anew; what is only ended with the run had none.
func (p played) turn(words string) string {
	last := 0
	for _, n := range p.news {
		last = max(last, n.Attempt)
	}
	for _, n := range p.news {
		switch {
		case n.Action == string(checks.Rebuild):
			return fmt.Sprintf("in attempt %d, with everything", n.Attempt)
		case (n.Attempt < last || n.Action == string(checks.Rewrite)) && strings.Contains(strings.Join(n.Hits, " "), words):
			return fmt.Sprintf("in attempt %d", n.Attempt)
		}
	}
	return fmt.Sprintf("never in %d attempts", last)
}

// on counts the findings printed on a part of the question.
func (p played) on(words string) string {
	n := 0
	for _, s := range p.digest.Sections {
		if strings.Contains(s.Title, words) {
			n += len(s.Findings)
		}
	}
	return howMany(n, "finding", "findings")
}

// told says whether an issue names some words.
func (p played) told(words string) string {
	for _, i := range p.digest.Issues {
		if strings.Contains(i.Text+" "+i.Reason, words) {
			return "told"
		}
	}
	return "not told"
}
