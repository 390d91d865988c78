// Package bakeoff holds the rules by which one model is held against another, and the changelog of what they decided.
//
// Start at [Judge], which turns the trials of a candidate into a [Verdict] with its reasons, and at [Log], the changelog. The
// package is pure: it runs nothing, reads no clock and touches no disk; app/desk runs the trials and keeps the files.
//
// # The six rules
//
// They are the evaluation standard of DeepDelve (its methodology, section 5), as code. Each has a number in [Reason]:
//
//  1. The operating mode is proven by a raw call to the server before the benchmark. A trial without a [Proof] that holds
//     counts for nothing.
//  2. The candidate is the only variable. [Diff] of two setups names every other one; any makes the verdict informational, and
//     so does a [Swap] that memory forced on another role.
//  3. Backend and version stand in every verdict. Under another version an old verdict is marked ([Verdict.Elsewhere]), and
//     trials in which the server itself failed are not held against the model.
//  4. A discard needs two trials that failed. A pass may stand on one.
//  5. Verdicts are kept in a changelog that is only added to. A later entry may supersede an earlier one and then links the
//     corrected retest; both stay.
//  6. A candidate that cannot hold [MinContext] tokens on this hardware is discarded outright and not squeezed, unless the ceiling
//     is the model's own: then it is tried at that ceiling, and the verdict says so.
//
// Files: bakeoff.go the nouns, setup.go rules 1, 2 and 6 on one trial, judge.go the verdict, log.go the changelog.
package bakeoff

import "assay/engine/research"

// MinContext is the window in tokens that research needs (CONTRACT section 4).
const MinContext = 8192

// Candidate is a model as it was tried. What is not known is empty or nil.
type Candidate struct {
	Model        string `json:"model"`  // as a channel names it: "ollama:qwen3:8b", "extractive"
	Digest       string `json:"digest"` // of the model's files, by its server
	Quantization string `json:"quantization"`
	Parameters   string `json:"parameters"` // "20.9B"
	Size         *int64 `json:"size_bytes"` // on disk
	// ContextLength is the longest window that the model was made for, in tokens.
	ContextLength *int `json:"context_length"`
}

// Seat says who answers for a role.
type Seat struct {
	Role   research.Role `json:"role"`
	Model  string        `json:"model"`
	Digest string        `json:"digest"`
}

// Roles are the seats of a run, in order.
var Roles = []research.Role{
	research.Analyst, research.Planner, research.Reader, research.Reasoner, research.FindingsWriter, research.Builder, research.PeerReviewer,
	research.LevelsWriter,
}

// Swap is a change that memory forced on a seat which is not under test.
type Swap struct {
	Role research.Role `json:"role"` // empty: every role of that model
	From string        `json:"from"`
	To   string        `json:"to"`
}

// Setup is everything about a trial except what the candidate did. An empty string or nil is not known, or does not apply
// because no server serves the seats under test (then Backend is empty).
type Setup struct {
	Role  research.Role `json:"role"`  // under test; empty: every role
	Seats []Seat        `json:"seats"` // of all roles, as [Roles]

	Backend    string `json:"backend"` // "ollama"; empty: no server
	Version    string `json:"version"` // of the backend
	NumCtx     *int   `json:"num_ctx"` // asked for, in tokens
	KVType     string `json:"kv_type"` // "f16", "q8_0", "q4_0", as the person stated it: no server tells
	Thinking   string `json:"thinking"`
	ToolFormat string `json:"tool_format"`

	Depth     research.Depth `json:"depth"`
	Questions string         `json:"questions"` // hash of the questions
	Library   string         `json:"library"`   // hash of the documents
	Clock     string         `json:"clock"`     // of the runs
	Seed      int64          `json:"seed"`
	Program   string         `json:"program"` // version of this one
	Machine   string         `json:"machine"` // its graphics cards
	Swaps     []Swap         `json:"swaps"`
}

// Thinking and tool format of every call: no role calls tools, and answers fit a schema that the sampler keeps.
const (
	ThinkingLeast = "least the model allows"
	FormatSchema  = "JSON schema kept by the sampler"
)

// Exchange is one request to a server and its answer, as they went over the wire; long ones are cut.
type Exchange struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"` // 0: no answer
	Sent   string `json:"sent"`
	Got    string `json:"got"`
}

// Proof is what a raw call showed of the mode in which the server runs a model. A nil figure was not told.
type Proof struct {
	At            string `json:"at"` // RFC 3339
	AskedContext  int    `json:"asked_context"`
	HeldContext   *int   `json:"held_context"`   // context_length of /api/ps after the call
	AskedThinking string `json:"asked_thinking"` // "off", "low", "none": the model has none
	// Thinking says whether the answer came with reasoning apart; ThinkingInText whether marks of it stood in the answer.
	Thinking       *bool      `json:"thinking"`
	ThinkingInText *bool      `json:"thinking_in_text"`
	SchemaKept     *bool      `json:"schema_kept"`       // although the prompt asked for prose
	PromptTokens   *int       `json:"prompt_eval_count"` // of the schema call
	Size           *int64     `json:"size_bytes"`        // loaded
	SizeVRAM       *int64     `json:"size_vram_bytes"`   // of it on the GPU
	Fault          string     `json:"fault"`             // why the server gave no answer
	Memory         bool       `json:"memory"`            // the fault says that the model does not fit into memory
	Attempts       int        `json:"attempts"`          // calls made before the fault was believed
	Exchanges      []Exchange `json:"exchanges"`
}

// Scores count what came out of one question, or of all. They are worked out by code from the record of the run.
type Scores struct {
	Findings int `json:"findings"` // printed
	Grounded int `json:"grounded"` // of them: nothing in the audit speaks against them
	Faults   int `json:"faults"`   // of the audit, over all
	Facets   int `json:"facets"`   // parts of the question as the run understood it
	Answered int `json:"answered"` // of them: covered or partly
	// Tasks are what was asked of the seats under test; Calls the requests that took.
	Tasks int `json:"tasks"`
	Calls int `json:"calls"`
	// Unreadable are answers that fit their schema in no reading; Replaced the tasks that the extractive channel did in the end;
	// Broken those of Replaced where the server failed and not the model.
	Unreadable   int   `json:"unreadable"`
	Replaced     int   `json:"replaced"`
	Broken       int   `json:"broken"`
	PromptTokens int   `json:"prompt_tokens"`
	AnswerTokens int   `json:"answer_tokens"`
	BusyMs       int64 `json:"busy_ms"` // in which at least one call of the seats under test was out
	WallMs       int64 `json:"wall_ms"`
	// Marks are those of a labelled question, 0 to 1, by name. Nil: the question has no labels.
	Marks map[string]float64 `json:"marks,omitempty"`
}

// MarkPoints is the mark by which labelled questions are compared.
const MarkPoints = "points"

// States of an answered question.
const (
	StateOK       = "ok"
	StateNotFound = "not_found" // the run ended well and found nothing
	StateFailed   = "failed"    // the run broke
)

// Answer is one question of a trial.
type Answer struct {
	Question string `json:"question"` // id
	State    string `json:"state"`
	Fault    string `json:"fault,omitempty"`
	Record   string `json:"record"` // file of the run's record, relative to the bake-off's folder
	SHA256   string `json:"sha256"` // of that file
	Scores   Scores `json:"scores"`
}

// Trial is one pass of one model over all questions.
type Trial struct {
	ID        string          `json:"id"`
	Candidate Candidate       `json:"candidate"`
	Reference bool            `json:"reference"` // of the baseline
	Run       int             `json:"run"`       // from 1
	Setup     Setup           `json:"setup"`
	Limits    research.Limits `json:"limits"` // prompts were cut to
	Proof     *Proof          `json:"proof"`  // nil: none was made; a trial without a server needs none
	Answers   []Answer        `json:"answers"`
	Done      bool            `json:"done"` // all questions were answered
	// Notes are sentences on what happened meanwhile.
	Notes []string `json:"notes"`
}

// Total adds up the trial's answers. Marks are means over the labelled questions.
func (t Trial) Total() Scores {
	var s Scores
	labelled := 0
	for _, a := range t.Answers {
		x := a.Scores
		s.Findings += x.Findings
		s.Grounded += x.Grounded
		s.Faults += x.Faults
		s.Facets += x.Facets
		s.Answered += x.Answered
		s.Tasks += x.Tasks
		s.Calls += x.Calls
		s.Unreadable += x.Unreadable
		s.Replaced += x.Replaced
		s.Broken += x.Broken
		s.PromptTokens += x.PromptTokens
		s.AnswerTokens += x.AnswerTokens
		s.BusyMs += x.BusyMs
		s.WallMs += x.WallMs
		if x.Marks != nil {
			labelled++
		}
		for name, m := range x.Marks {
			if s.Marks == nil {
				s.Marks = map[string]float64{}
			}
			s.Marks[name] += m
		}
	}
	for name := range s.Marks {
		s.Marks[name] /= float64(labelled)
	}
	return s
}

// failed counts the questions whose run broke.
func (t Trial) failed() int {
	n := 0
	for _, a := range t.Answers {
		if a.State == StateFailed {
			n++
		}
	}
	return n
}

// Speed is the answer tokens a second while calls were out, the reading of prompts included; nil when none were counted.
func (s Scores) Speed() *float64 {
	if s.AnswerTokens == 0 || s.BusyMs == 0 {
		return nil
	}
	v := float64(s.AnswerTokens) * 1000 / float64(s.BusyMs)
	return &v
}

// share is n of of, nil when there is nothing to be shared.
func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	v := float64(n) / float64(of)
	return &v
}
