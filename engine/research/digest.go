package research

// Digest is the only input of the renderer: the fields of the Hermes schema, extended. Its JSON Schema is
// digest.schema.json. Two runs with the same clock, seed and material have byte-identical digests, so nothing in it is a
// run id, a duration, an event number or a path outside the library.
type Digest struct {
	Schema        int                `json:"schema"`
	Lang          string             `json:"lang"`
	Shape         Shape              `json:"shape"`
	Title         string             `json:"title"`
	Subtitle      string             `json:"subtitle"`
	Topic         string             `json:"topic"` // the question
	Date          string             `json:"date"`  // 2006-01-02
	Byline        string             `json:"byline"`
	Summary       string             `json:"summary"` // 2 to 4 sentences
	Verdict       string             `json:"verdict"`
	SourceStats   SourceStats        `json:"source_stats"`
	Callouts      []Callout          `json:"callouts"`
	Issues        []Issue            `json:"issues"`
	Steelman      string             `json:"steelman,omitempty"`
	Counter       string             `json:"counter,omitempty"`
	Debate        *Debate            `json:"debate,omitempty"`
	Metaphors     []string           `json:"metaphors"`
	Sections      []Section          `json:"sections"`
	Sources       []DigestSource     `json:"sources"`
	FutureWork    []string           `json:"future_work"`
	Understanding Understanding      `json:"understanding"`
	Hypotheses    []Hypothesis       `json:"hypotheses"`
	Passages      map[string]Passage `json:"passages"` // every passage cited or used as evidence
	Claims        map[string]Claim   `json:"claims"`   // every claim a finding, hypothesis or contradiction names
	Traces        map[string]Trace   `json:"traces"`   // by finding id
	Coverage      []CoverageRow      `json:"coverage"`
	Contradicts   []Contradiction    `json:"contradictions"`
	Gaps          []Gap              `json:"gaps"`
	Timeline      []TimelineEntry    `json:"timeline"`
	Graph         Graph              `json:"graph"`
	Levels        Levels             `json:"levels"`
	Outbox        []OutboxSummary    `json:"outbox"`
	Model         ModelUse           `json:"model"`
	Metrics       Metrics            `json:"metrics"`
	// What follows is absent from records of before there was such a thing.
	Argument   *Argument       `json:"argument,omitempty"` // of a contested proposition; Steelman and Counter are its words
	Template   *TemplateUse    `json:"template,omitempty"`
	References *ReferenceCheck `json:"references,omitempty"`
	Gates      []Gate          `json:"gates,omitempty"` // the checklist before delivery
	// Earlier is what earlier runs bear on the question, shown beside the findings and no part of them; nil when there is nothing.
	Earlier *Earlier `json:"earlier,omitempty"`
}

// SourceStats is the stats bar.
type SourceStats struct {
	Independent   int      `json:"independent"` // voices
	Opened        int      `json:"opened"`
	Verified      int      `json:"verified"`
	OriginTypes   int      `json:"origin_types"`
	Adversarial   int      `json:"adversarial"`
	Floor         Floor    `json:"floor"`
	Shortfall     []string `json:"shortfall"` // one sentence a floor that was missed
	Rejected      int      `json:"rejected"`
	ClosedLibrary bool     `json:"closed_library"`
	// AcademicOnly: every source is a paper or of a university, for which the floor of origin types is passed.
	AcademicOnly bool `json:"academic_only,omitempty"`
}

// Floor is what the depth asks for.
type Floor struct {
	Voices      int `json:"voices"`
	OriginTypes int `json:"origin_types"`
	Adversarial int `json:"adversarial"`
}

// Callout level is warn, error, info or ok.
type Callout struct {
	Level string `json:"level"`
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Issue is something left out of the body, with the reason: a rejected source, an excluded claim, a caveat.
type Issue struct {
	Kind   string `json:"kind"` // source, claim, check, caveat
	Text   string `json:"text"`
	Reason string `json:"reason"`
	Source string `json:"source,omitempty"` // location
}

// Section of a report. Findings carry the citations.
type Section struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Facets   []string        `json:"facets"`
	Body     string          `json:"body"` // prose, paragraphs separated by a blank line; holds no claim of its own
	Findings []DigestFinding `json:"findings"`
	Quotes   []Quote         `json:"quotes"`
	Callouts []Callout       `json:"callouts"`
	Tables   []Table         `json:"tables"`
	Diagrams []Diagram       `json:"diagrams"`
	Images   []Image         `json:"images"`
}

// DigestFinding is a finding as printed. Refs are 0-based indices into Digest.Sources, in order of first use.
type DigestFinding struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Refs       []int    `json:"refs"`
	Citations  []string `json:"citations"` // passage ids, each of a source in Refs
	Claims     []string `json:"claims"`
	Confidence Ratio    `json:"confidence"`
	Lower      Ratio    `json:"lower"`
	Band       Band     `json:"band"`
	Label      Label    `json:"label,omitempty"`
	Trace      string   `json:"trace"` // key into Digest.Traces
}

// Quote is verbatim.
type Quote struct {
	Text    string `json:"text"`
	Passage string `json:"passage"`
	Ref     int    `json:"ref"`
}

// Cell of a table with its sources.
type Cell struct {
	Text string `json:"text"`
	Refs []int  `json:"refs,omitempty"`
}

// Table is made by code from claims.
type Table struct {
	Caption string   `json:"caption"`
	Headers []string `json:"headers"`
	Rows    [][]Cell `json:"rows"`
}

// Diagram code is mermaid text.
type Diagram struct {
	Code    string `json:"code"`
	Caption string `json:"caption"`
	Refs    []int  `json:"refs,omitempty"`
}

// Image is inlined, never remote.
type Image struct {
	URL     string `json:"url"`
	Caption string `json:"caption"`
	Alt     string `json:"alt"`
}

// Debate is the one balanced section of a survey; each side cites findings.
type Debate struct {
	Title   string          `json:"title"`
	For     []DigestFinding `json:"for"`
	Against []DigestFinding `json:"against"`
	Note    string          `json:"note"` // says so when a side is empty
}

// DigestSource is a card of the appendix.
type DigestSource struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	URL         string  `json:"url"` // location
	Domain      string  `json:"domain"`
	OriginType  Origin  `json:"origin_type"`
	Tier        int     `json:"tier"`
	Angle       Angle   `json:"angle"`
	Adversarial bool    `json:"adversarial"`
	Snippet     string  `json:"snippet"` // first cited passage
	Verdict     Verdict `json:"verdict"`
	Note        string  `json:"note"`
	Author      string  `json:"author"`
	Published   string  `json:"published"`
	Retrieved   string  `json:"retrieved"`
	Voice       string  `json:"voice"`
	SHA256      string  `json:"sha256"`
	Quality     Quality `json:"quality"`
	MediaType   string  `json:"media_type"`
	Pages       string  `json:"pages,omitempty"` // "12" or "12, 14"
}

// TimelineEntry is a dated claim.
type TimelineEntry struct {
	Date  string `json:"date"` // partial ISO
	Text  string `json:"text"`
	Claim string `json:"claim"`
	Refs  []int  `json:"refs"`
	// Also are claims that say the same of the same time, or of one that this date is a part of; their sources are among the refs.
	Also []string `json:"also,omitempty"`
}

// Levels are the reading levels beside the main text (HDRI 5.3). Facts is level 1; the others are what a model concludes from the
// findings that each line cites, and no findings themselves. Every list may be empty.
type Levels struct {
	Facts     []LevelFact `json:"facts"`     // level 1: who does what
	Impact    []LevelLine `json:"impact"`    // level 2: what follows, step by step
	Decisions []LevelLine `json:"decisions"` // level 3
	Plain     []LevelLine `json:"plain"`     // for a reader of twelve
	Note      string      `json:"note"`      // who wrote them, what was left out, or why there are none; in the report's language
}

// LevelFact is a sentence of a finding cut in three, in its own words and in their order.
type LevelFact struct {
	Subject  string   `json:"subject"`
	Action   string   `json:"action"`
	Object   string   `json:"object"`
	Findings []string `json:"findings"`
}

// LevelLine cites findings by their ids; it holds no number, date or name that they do not.
type LevelLine struct {
	Text     string   `json:"text"`
	Findings []string `json:"findings"`
}

// OutboxSummary is one line a host.
type OutboxSummary struct {
	Host     string `json:"host"`
	Kind     string `json:"kind"`
	Requests int    `json:"requests"`
}

// ModelUse says who answered.
type ModelUse struct {
	Channel  string         `json:"channel"` // extractive, ollama, openai, recorded
	Name     string         `json:"name,omitempty"`
	NumCtx   int            `json:"num_ctx,omitempty"`
	Why      string         `json:"why"`      // why this one: "no model server answers at ..."
	Answered map[string]int `json:"answered"` // calls by who answered
	Salvaged bool           `json:"salvaged"` // assembled from the ledger without a model
	Note     string         `json:"note"`     // "No language model was used."
}

// Metrics are the figures of the report (CONTRACT section 3), exact.
type Metrics struct {
	Completeness Ratio `json:"completeness"` // Cov, Eq. 9
	Accuracy     Ratio `json:"accuracy"`     // share of claims in the report that are Accept
	Traceability Ratio `json:"traceability"` // share of sentences whose citation chain passes
	Objective    Ratio `json:"objective"`    // Eq. 1, equal weights
	Findings     int   `json:"findings"`
	Claims       int   `json:"claims"`
	Checks       int   `json:"checks"` // diagnostics raised
	Rounds       int   `json:"rounds"` // gap rounds used
	Words        int   `json:"words"`
}

// Trace is the confidence trace of one finding: a DAG of nodes from sources to the finding (CHECKS 4.4).
type Trace struct {
	Schema      string      `json:"schema"`                // "trace/1"
	Calibration string      `json:"calibration,omitempty"` // sha256 of the map in force; empty: none, (k+1)/(n+2)
	Nodes       []TraceNode `json:"nodes"`                 // basis before what rests on it
}

// TraceNode is one node; which fields are set depends on Kind.
type TraceNode struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // source, passage, cluster, claim, derived, finding

	// source
	SHA256    string `json:"sha256,omitempty"`
	Location  string `json:"location,omitempty"`
	Publisher string `json:"publisher,omitempty"`
	Published string `json:"published,omitempty"`
	// passage
	Source string `json:"source,omitempty"`
	Start  int    `json:"start,omitempty"`
	End    int    `json:"end,omitempty"`
	Text   string `json:"text,omitempty"`
	// cluster
	Sources []string `json:"sources,omitempty"`
	Edges   []Edge   `json:"edges,omitempty"`
	Stance  Stance   `json:"stance,omitempty"`
	Claim   string   `json:"claim,omitempty"`
	// claim
	Votes      []Evidence `json:"votes,omitempty"`
	Quantities []Quantity `json:"quantities,omitempty"`
	K          int        `json:"k,omitempty"`
	N          int        `json:"n,omitempty"`
	Raw        Ratio      `json:"raw,omitempty"`
	// derived
	Rule    string   `json:"rule,omitempty"`
	Basis   []string `json:"basis,omitempty"`
	Value   Ratio    `json:"value,omitempty"`
	R       Ratio    `json:"r,omitempty"`
	Product Ratio    `json:"product,omitempty"`
	Lower   Ratio    `json:"lower,omitempty"`
	// claim, derived, finding
	Confidence Ratio `json:"confidence,omitempty"`
	Band       Band  `json:"band,omitempty"`
	Label      Label `json:"label,omitempty"`
	// finding
	Claims []string `json:"claims,omitempty"`
	Refs   []int    `json:"refs,omitempty"`
}

// EveryFinding lists the findings of the sections and of the debate, each once.
func (d Digest) EveryFinding() []DigestFinding {
	var out []DigestFinding
	seen := map[string]bool{}
	add := func(fs []DigestFinding) {
		for _, f := range fs {
			if !seen[f.ID] {
				seen[f.ID] = true
				out = append(out, f)
			}
		}
	}
	for _, s := range d.Sections {
		add(s.Findings)
	}
	if d.Debate != nil {
		add(d.Debate.For)
		add(d.Debate.Against)
	}
	return out
}
