package research

import (
	"encoding/json"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Event is one entry of a run's record. Key is empty for an event that is only news; otherwise the record holds at most one
// event with that key, and its payload is what the engine goes on with.
type Event struct {
	Seq     int64           `json:"seq"` // 1, 2, ... in the order of the record
	Kind    string          `json:"kind"`
	Key     string          `json:"key,omitempty"`
	AtMs    int64           `json:"at_ms"` // Unix milliseconds by the real clock
	TookMs  int64           `json:"took_ms,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Kinds of events. A stage's kind is "stage NAME"; an effect's kind is one of the effect constants.
const (
	EventRequest   = "request" // payload Request, first
	EventSetup     = "setup"   // payload Setup: what answers and where it looks; key "setup", then "setup 2" and so on
	EventStage     = "stage "  // prefix; payload is the stage's result
	EventBegin     = "begin"   // payload StageNews: a stage began
	EventModel     = "model"   // effect: payload Answer
	EventSearch    = "search"  // effect: payload []Hit
	EventRead      = "read"    // effect: payload Document, text in blobs
	EventFetch     = "fetch"   // effect: payload Document
	EventEmbed     = "embed"   // effect
	EventLookUp    = "lookup"  // effect: payload CitationLookup
	EventNames     = "names"   // effect: payload NameLookup, what else a name of the question is called
	EventKnown     = "known"   // effect: payload Earlier, what earlier runs bear on the question
	EventSource    = "source"  // news: payload Source without passages
	EventCheck     = "check"   // news: payload CheckNews
	EventNote      = "note"    // news: payload Note
	EventOutbox    = "outbox"  // news: payload Outbound
	EventPreview   = "preview" // news: payload Preview: what a round asks of others, before it does
	EventState     = "state"   // payload StateNews: running, paused, interrupted, done, stopped, failed
	EventTick      = "tick"    // never recorded: tokens a second, memory
	EffectPrefixes = "model search read fetch embed lookup names known"
)

// StageNames in order; the words the window shows are the same.
var StageNames = []string{"understand", "hypothesise", "plan", "search", "extract", "reason", "report", "persist"}

// Setup is what a run was given to work with. A resumed run keeps to it, and a replay takes its limits and names from it.
//
// A run has one, unless memory ran short and it went on with a smaller window: then another follows, which holds for the stages
// that were not finished yet. The one that was under way is gone through again with the new limits, so all calls of one stage
// have the same.
type Setup struct {
	Model     string   `json:"model"` // the channel that was chosen: "extractive", "ollama:NAME", "recorded"
	Why       string   `json:"why"`   // one sentence
	Limits    Limits   `json:"limits"`
	Providers []string `json:"providers"` // names, in the order in which they are asked
	// Outside are those of the Providers that ask others than the person's own files.
	Outside []Outsider `json:"outside,omitempty"`
	// Own are the servers (host:port) the person named whose pages may be read: they vouch for them.
	Own []string `json:"own,omitempty"`
	// Meaning is the embedding model by which the library was searched besides its words; empty: by words alone.
	Meaning string `json:"meaning,omitempty"`
	// NumBatch is sent with every call, as Limits.NumCtx is; 0 leaves it to the server.
	NumBatch int `json:"num_batch,omitempty"`
	// Plan says in sentences how the model and its window were chosen from the memory there was; nil when nothing was planned.
	Plan []string `json:"plan,omitempty"`
	// After is how many stages were finished before it held, rounds counted; 0 for the first.
	After int `json:"after,omitempty"`
}

// Outsider is a provider that asks others than the person's own files.
type Outsider struct {
	Name string `json:"name"`
	Host string `json:"host"` // who is asked
}

// Preview is what a round asks of others, in the order in which each of them is asked.
type Preview struct {
	Round int     `json:"round"`
	Asks  []Asked `json:"asks"`
	// Pages is the most pages that are opened of what they name, on hosts that are known only then.
	Pages int `json:"pages"`
	// Notes are sentences: what was kept back, and what nobody is asked for.
	Notes []string `json:"notes,omitempty"`
}

// Asked is one query to one provider, as it is sent.
type Asked struct {
	Outsider
	Query string `json:"query"`
	Angle Angle  `json:"angle,omitempty"`
}

// SetupKey is the key of a run's nth setup, from 1.
func SetupKey(n int) string {
	if n <= 1 {
		return EventSetup
	}
	return EventSetup + " " + strconv.Itoa(n)
}

// StageNews says that a stage began or ended.
type StageNews struct {
	Stage string `json:"stage"`
	Round int    `json:"round"`
}

// CheckNews says that a check of the bank fired and what was done.
type CheckNews struct {
	Attempt int      `json:"attempt"`
	Check   string   `json:"check"` // "G09 NumberUnsupported"
	Key     string   `json:"key"`
	Action  string   `json:"action"`
	Hits    []string `json:"hits"`
}

// Note is one sentence of news for the person: a fallback, a shortfall, a pause.
type Note struct {
	Level string `json:"level"` // info, warn, error
	Text  string `json:"text"`
}

// Outbound is one request that left the process for another host, or was refused.
type Outbound struct {
	AtMs  int64  `json:"at_ms"`
	Host  string `json:"host"`
	Kind  string `json:"kind"` // search, page, model, update, look, deliver
	Bytes int64  `json:"bytes"`
	Why   string `json:"why"`
	Fault string `json:"fault,omitempty"`
}

// Kinds of requests that a run sends when its report is made: second looks at sources of an earlier report, and deliveries. No report
// counts them, since it was written before.
const (
	OutboxLook    = "look"
	OutboxDeliver = "deliver"
)

// AfterReport reports whether requests of a kind are sent when the report is made.
func AfterReport(kind string) bool { return kind == OutboxLook || kind == OutboxDeliver }

// Loopback reports whether a host, with or without a port, is this machine by name or address.
func Loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// StateNews is the state of a run.
type StateNews struct {
	State  string `json:"state"`
	Detail string `json:"detail,omitempty"`
	Exit   int    `json:"exit,omitempty"`
}

// Run is run.json: a whole record, self-contained.
type Run struct {
	Schema  int               `json:"schema"`
	Code    string            `json:"code"` // version of the program that made it
	ID      string            `json:"id"`
	Title   string            `json:"title"`
	State   StateNews         `json:"state"`
	Request Request           `json:"request"`
	Events  []Event           `json:"events"`
	Blobs   map[string]string `json:"blobs"` // sha256 -> clean text of every opened source
	Seals   *Seals            `json:"seals,omitempty"`
	Digest  *Digest           `json:"digest,omitempty"`
}

// RunInfo is a line of the list of runs.
type RunInfo struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Question  string `json:"question"`
	State     string `json:"state"` // queued, running, paused, interrupted, done, stopped, failed
	Detail    string `json:"detail"`
	CreatedMs int64  `json:"created_ms"`
	UpdatedMs int64  `json:"updated_ms"`
	Model     string `json:"model"`
	Asked     string `json:"asked"` // the model that was asked for; Model is the one that answered
	Depth     string `json:"depth"`
	Findings  int    `json:"findings"`
	Sources   int    `json:"sources"`
	Project   string `json:"project,omitempty"` // the project the person filed it under; empty: none
	Schema    int    `json:"schema"`
	Code      string `json:"code"`
	// Holder names the program that works on the run just now ("window, process 4711"); empty when none does.
	Holder string `json:"holder,omitempty"`
	// Place is the run's place in the queue; zero when it never was in it.
	Place Place `json:"place,omitzero"`
}

// Place is a run's place in the queue of a home.
type Place struct {
	Priority int   `json:"priority"` // higher goes first; 0 is normal
	Rank     int64 `json:"rank"`     // lower goes first among those of one priority
	AddedMs  int64 `json:"added_ms"` // when it was put there; 0: never
	// Takes is how often it was taken by a worker since its record grew last; Recorded is the length of the record then.
	Takes    int   `json:"takes,omitempty"`
	Recorded int64 `json:"recorded,omitempty"`
}
