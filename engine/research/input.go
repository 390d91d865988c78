package research

// The typed inputs of the roles. A server gets the prompt that was rendered from one of these; the extractive channel reads
// the value itself.

// AnalystInput asks what a question means. Draft is what the rules found; the model may fill what they left open.
type AnalystInput struct {
	Question string
	Lang     string
	About    string
	Draft    Understanding
}

// AnalystAnswer fits analyst.schema.json. Unknown or invalid values are ignored: code decides.
type AnalystAnswer struct {
	Intent string   `json:"intent"`
	Facets []string `json:"facets"`
	Shape  string   `json:"shape"`
}

// PlannerInput asks for hypotheses.
type PlannerInput struct {
	Understanding Understanding
	About         string
	References    []string // openings of attached files
}

// PlannerAnswer fits planner.schema.json.
type PlannerAnswer struct {
	Hypotheses []PlannedHypothesis `json:"hypotheses"`
}

// PlannedHypothesis is a hypothesis as proposed.
type PlannedHypothesis struct {
	Statement    string   `json:"statement"`
	Rationale    string   `json:"rationale"`
	WouldConfirm string   `json:"would_confirm"`
	WouldRefute  string   `json:"would_refute"`
	Test         string   `json:"test,omitempty"`
	Facets       []string `json:"facets"`
}

// ReaderInput is a window of passages of one source to take claims from.
type ReaderInput struct {
	Lang     string
	Question string
	Facets   []Facet
	Weights  map[string]float64 // informativeness of each facet stem, >= 0
	Source   string             // title, for the reader
	Passages []Passage
}

// ReaderAnswer fits reader.schema.json.
type ReaderAnswer struct {
	Claims []ReadClaim `json:"claims"`
}

// ReadClaim is a claim as proposed: a statement and the words of the passage it rests on.
type ReadClaim struct {
	Passage   int    `json:"passage"` // 1-based index into the input's passages
	Facet     string `json:"facet"`
	Statement string `json:"statement"`
	Quote     string `json:"quote"` // verbatim
}

// ReasonerInput asks for gaps beside those that code found.
type ReasonerInput struct {
	Understanding Understanding
	Hypotheses    []Hypothesis
	Claims        []Claim
}

// ReasonerAnswer fits reasoner.schema.json.
type ReasonerAnswer struct {
	Gaps []ProposedGap `json:"gaps"`
}

// ProposedGap is a gap as proposed.
type ProposedGap struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Reason  string   `json:"reason"`
	Facet   string   `json:"facet"`
	Queries []string `json:"queries"`
}

// WriterInput is one facet with its citable findings; nothing else of the run is in it.
type WriterInput struct {
	Lang     string
	Question string
	Facet    Facet
	Findings []WriterFinding
}

// WriterFinding is a finding as a writer sees it. Index is what it cites.
type WriterFinding struct {
	Index   int // 1-based
	Text    string
	Passage string
	Label   Label
}

// WriterAnswer fits findings_writer.schema.json.
type WriterAnswer struct {
	Sentences []WrittenSentence `json:"sentences"`
}

// WrittenSentence cites findings by the index they were given.
type WrittenSentence struct {
	Text string `json:"text"`
	Refs []int  `json:"refs"`
}

// LevelsInput is what the reading levels are written from: the findings as they are printed, and nothing of what they rest on.
type LevelsInput struct {
	Lang     string
	Question string
	Findings []PrintedFinding
}

// PrintedFinding is a finding as a reader of the report sees it. Index is what is cited.
type PrintedFinding struct {
	Index int // 1-based
	Text  string
	Label Label
}

// LevelsAnswer fits levels_writer.schema.json.
type LevelsAnswer struct {
	Facts     []WrittenFact     `json:"facts"`
	Impact    []WrittenSentence `json:"impact"`
	Decisions []WrittenSentence `json:"decisions"`
	Plain     []WrittenSentence `json:"plain"`
}

// WrittenFact is a sentence of a finding cut in three.
type WrittenFact struct {
	Subject string `json:"subject"`
	Action  string `json:"action"`
	Object  string `json:"object"`
	Refs    []int  `json:"refs"`
}

// ArguerInput is a contested proposition with the findings of the report.
type ArguerInput struct {
	Lang        string
	Proposition string
	Findings    []WriterFinding
}

// ArguerAnswer fits builder.schema.json.
type ArguerAnswer struct {
	Steelman []WrittenSentence `json:"steelman"`
	Counter  []WrittenAnswer   `json:"counter"`
}

// WrittenAnswer is a sentence against a point; Answers is the number of the point, 1 first, and 0 for none.
type WrittenAnswer struct {
	Text    string `json:"text"`
	Refs    []int  `json:"refs"`
	Answers int    `json:"answers"`
}

// ReviewerInput is a draft with its evidence and no history.
type ReviewerInput struct {
	Lang      string
	Question  string
	Sentences []WrittenSentence
	Findings  []WriterFinding
}

// ReviewerAnswer fits peer_reviewer.schema.json.
type ReviewerAnswer struct {
	Remarks []Remark `json:"remarks"`
}

// Remark counts only when it points at a sentence and a check confirms it.
type Remark struct {
	Sentence int    `json:"sentence"` // 1-based
	Problem  string `json:"problem"`
}
