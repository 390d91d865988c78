package app

import (
	"assay/app/desk"
	"assay/engine/research"
)

// What crosses to the page. Lists are never nil, numbers that may be shown are plain integers or text, times are Unix
// milliseconds, and nothing is a []byte or a time.Time, which the bindings would garble.

// Question is what the Ask view sends.
type Question struct {
	Text         string   `json:"text"`
	Depth        string   `json:"depth"`    // quick, standard, deep
	Lang         string   `json:"lang"`     // auto, en, zh
	Shape        string   `json:"shape"`    // auto, debate, survey
	Template     string   `json:"template"` // of the report; empty or auto: by the question
	Model        string   `json:"model"`    // auto, extractive, ollama:NAME
	About        string   `json:"about"`    // the reader's background; planning only
	Offline      bool     `json:"offline"`
	Web          bool     `json:"web"` // the web is searched too; offline forbids it
	AllowPartial bool     `json:"allow_partial"`
	Review       bool     `json:"review"`    // each round's plan waits for [API.ApprovePlan]
	Libraries    []string `json:"libraries"` // folders; empty: every folder of the library
	Attach       []string `json:"attach"`    // files that become sources
}

// Device is one graphics card.
type Device struct {
	Name  string `json:"name"`
	Total int64  `json:"total"` // bytes
	Used  int64  `json:"used"`  // bytes
}

// Machine is the status line.
type Machine struct {
	Version  string   `json:"version"`
	Home     string   `json:"home"`
	AtMs     int64    `json:"at_ms"`
	MemTotal int64    `json:"mem_total"` // bytes
	MemUsed  int64    `json:"mem_used"`  // bytes
	Devices  []Device `json:"devices"`
	GPUNote  string   `json:"gpu_note"` // why there is no device; empty when there is one
	Channel  string   `json:"channel"`  // extractive, ollama
	Model    string   `json:"model"`
	Why      string   `json:"why"` // why this channel, one sentence
}

// RunRow is a line of the list of runs.
type RunRow struct {
	research.RunInfo
	Live bool `json:"live"` // being worked on by this window
}

// RunEvent is one event of a record, cut down to what the page shows. Payload is small JSON; a stage's result is its
// counts only.
type RunEvent struct {
	Seq     int64  `json:"seq"`
	Kind    string `json:"kind"`
	AtMs    int64  `json:"at_ms"`
	TookMs  int64  `json:"took_ms"`
	Payload string `json:"payload"`
}

// RunEvents is what happened in one run after an event: a snapshot when asked for everything, else what to add to it.
// Last is the number of the newest event looked at, which may not be shown itself.
type RunEvents struct {
	ID     string     `json:"id"`
	After  int64      `json:"after"`
	Last   int64      `json:"last"`
	Info   RunRow     `json:"info"`
	Events []RunEvent `json:"events"`
	// Notice says that the run waits because memory is missing; null when it does not. See [API.Relieve].
	Notice *desk.Notice `json:"notice"`
	// Plan waits for the person; null when none does. See [API.ApprovePlan].
	Plan *desk.PlanAsked `json:"plan"`
}

// KeptPage is a part of the kept clean text of a source around a passage. Before, Passage and After follow each other
// without a gap; offsets are bytes of the whole.
type KeptPage struct {
	Title     string `json:"title"`
	Location  string `json:"location"`
	MediaType string `json:"media_type"`
	Lang      string `json:"lang"`
	Before    string `json:"before"`
	Passage   string `json:"passage"`
	After     string `json:"after"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Total     int    `json:"total"`
	CutBefore bool   `json:"cut_before"` // the page goes on before
	CutAfter  bool   `json:"cut_after"`
}

// Recomputed is the result of an audit of a run.
type Recomputed struct {
	Checked int          `json:"checked"` // numbers compared
	TookMs  int64        `json:"took_ms"`
	Faults  []AuditFault `json:"faults"`
}

// AuditFault is one place where the record does not agree with itself.
type AuditFault struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// Place is one folder of the library.
type Place struct {
	Name   string       `json:"name"`
	Dir    string       `json:"dir"`
	Files  int          `json:"files"`
	Done   int          `json:"done"`   // files looked at by the ingestion in progress
	Total  int          `json:"total"`  // files that the ingestion in progress has found
	State  string       `json:"state"`  // ready, reading, faulty
	Detail string       `json:"detail"` // what is wrong, when faulty
	Unread []UnreadFile `json:"unread"`
	// Watch says that the folder is kept up to date while the window is open: "told" of changes by the system, or "looks" from time to
	// time; empty when it is not watched.
	Watch  string `json:"watch"`
	Why    string `json:"why"`     // why it is looked at, or what hinders, in one sentence
	Last   string `json:"last"`    // what changed last, in a few words; empty when nothing has
	LastMs int64  `json:"last_ms"` // when
}

// UnreadFile is a file that could not be read, with the reason and what to do.
type UnreadFile struct {
	Path string `json:"path"` // inside the folder
	Why  string `json:"why"`
}

// Found is the answer to a search of the library.
type Found struct {
	Hits   []FoundPassage `json:"hits"`
	TookMs int64          `json:"took_ms"`
	Places int            `json:"places"` // folders searched
	How    string         `json:"how"`    // by words alone and why, or by meaning too, in one sentence; empty for kept pages
}

// FoundPassage is one passage that holds the words.
type FoundPassage struct {
	Title    string `json:"title"`
	Location string `json:"location"`
	Place    string `json:"place"`
	Text     string `json:"text"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}
