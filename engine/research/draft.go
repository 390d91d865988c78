package research

// Draft is a report that has not been through the bank of checks.
type Draft struct {
	Sections []DraftSection `json:"sections"`
	Summary  []Block        `json:"summary"`
}

// DraftSection is one section; ID is stable over repairs.
type DraftSection struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Facets []string `json:"facets"`
	Blocks []Block  `json:"blocks"`
}

// Block kinds.
const (
	BlockFinding   = "finding"
	BlockParagraph = "paragraph"
	BlockQuote     = "quote"
	BlockTable     = "table"
)

// Block is one finding, paragraph, quote or table of a section.
type Block struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Text       string   `json:"text"`
	Refs       []string `json:"refs"`      // source ids as cited; may be wrong until checked
	Citations  []string `json:"citations"` // passage ids
	Claims     []string `json:"claims"`
	Confidence Ratio    `json:"confidence,omitempty"`
	Band       Band     `json:"band,omitempty"`
	Label      Label    `json:"label,omitempty"`
	By         string   `json:"by"` // who wrote it
}

// Dispatch is one model call as the bank sees it.
type Dispatch struct {
	ID           string `json:"id"`
	Task         string `json:"task"` // facet or section it was for
	Role         Role   `json:"role"`
	Scope        string `json:"scope"`
	Prompt       string `json:"prompt"`
	Visible      string `json:"visible"`
	Thinking     string `json:"thinking"`
	Schema       string `json:"schema"` // the JSON Schema asked for; empty: prose
	DoneReason   string `json:"done_reason"`
	PromptTokens int    `json:"prompt_tokens"`
	AnswerTokens int    `json:"answer_tokens"`
	NumCtx       int    `json:"num_ctx"`
	Evidence     string `json:"evidence"` // the evidence block as rendered
	Try          int    `json:"try"`
}

// LedgerRow is one row of the per-task ledger that the engine computes.
type LedgerRow struct {
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Digest  string `json:"digest"`
}
