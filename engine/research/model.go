package research

import "encoding/json"

// Role is one kind of model call with its capabilities.
type Role string

const (
	Analyst        Role = "analyst"
	Planner        Role = "planner"
	Reader         Role = "reader"
	Reasoner       Role = "reasoner"
	FindingsWriter Role = "findings_writer"
	Builder        Role = "builder"
	PeerReviewer   Role = "peer_reviewer"
	LevelsWriter   Role = "levels_writer"
)

// Call is one model call. Its JSON is its identity in the record.
type Call struct {
	Role Role `json:"role"`
	// Input is the typed value the prompt was rendered from: the extractive channel reads it, servers get the prompt.
	Input       any             `json:"-"`
	System      string          `json:"system"`
	Prompt      string          `json:"prompt"`
	Schema      json.RawMessage `json:"schema,omitempty"`      // JSON Schema of the answer; empty: prose
	Budget      int             `json:"budget"`                // answer tokens at most
	Temperature string          `json:"temperature,omitempty"` // decimal; empty is 0
	Seed        int64           `json:"seed"`
	Try         int             `json:"try"` // 0, or the number of the fresh attempt
}

// Answer is what a model channel gave back.
type Answer struct {
	Text         string `json:"text"`
	Thinking     string `json:"thinking,omitempty"` // never reaches an artifact
	PromptTokens int    `json:"prompt_tokens,omitempty"`
	AnswerTokens int    `json:"answer_tokens,omitempty"`
	NumCtx       int    `json:"num_ctx,omitempty"`
	DoneReason   string `json:"done_reason,omitempty"` // stop, length
	By           string `json:"by"`                    // "extractive", "ollama:NAME", "openai:NAME"
	TookMs       int64  `json:"took_ms,omitempty"`
	// Fault is set by the engine when it records a call that the channel answered with an error which is an answer of
	// its own (a prompt refused as too long, say); empty otherwise.
	Fault string `json:"fault,omitempty"`
}

// Limits are what a channel can take.
type Limits struct {
	Name          string  `json:"name"`
	NumCtx        int     `json:"num_ctx"` // 0: no window (extractive)
	TokensPerByte float64 `json:"tokens_per_byte"`
	Embeds        bool    `json:"embeds"`
	// Parallel is how many calls the server answers at once; 0 when nobody says.
	Parallel int `json:"parallel,omitempty"`
}
