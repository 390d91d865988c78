package research

// GateState is what became of one line of the checklist that a report goes through before it is delivered.
type GateState string

// The states of a gate. A gate that had nothing to look at is unchecked, which is not the same as passed.
const (
	GatePass      GateState = "pass"
	GateFail      GateState = "fail"
	GateUnchecked GateState = "unchecked"
)

// Gate is one line of the checklist. A line that fails is told on the front page of the report.
type Gate struct {
	Name  string    `json:"name"`            // authors, machine_marks, argument, ...
	Title string    `json:"title,omitempty"` // the line in the language of the report
	State GateState `json:"state"`
	Notes []string  `json:"notes,omitempty"` // what was found, a sentence each, in the language of the report
}

// Argument is the form of a report on a contested proposition: the strongest case for it that the findings make, and a counter that
// takes it up point by point. [Digest.Steelman] and [Digest.Counter] are made of it by code.
type Argument struct {
	Proposition string          `json:"proposition"`
	By          string          `json:"by"` // who proposed the points: "extractive" when code did
	Points      []ArgumentPoint `json:"points"`
	// Beside are points against the proposition that take up none of the points for it.
	Beside []ArgumentPoint `json:"beside"`
	Note   string          `json:"note"` // what is missing on a side; in the report's language
}

// ArgumentPoint is one point of a side, with the findings it rests on by their ids. Answers are points of the other side that take it
// up; a point without any stands unanswered and is told so.
type ArgumentPoint struct {
	Text     string           `json:"text"`
	Findings []string         `json:"findings"`
	Answers  []ArgumentAnswer `json:"answers"`
}

// ArgumentAnswer takes up a point of the other side.
type ArgumentAnswer struct {
	Text     string   `json:"text"`
	Findings []string `json:"findings"`
	Why      string   `json:"why"` // contradicts, denies, or the words that both speak of
}

// TemplateUse says which template a report follows and what of it was found.
type TemplateUse struct {
	Name string `json:"name"`
	Why  string `json:"why"` // domain, intent, or asked
	// Sections are the aspects that the template asks for, with the findings that speak to each; Requires is what the report must rest on.
	Sections []TemplateRow `json:"sections"`
	Requires []TemplateRow `json:"requires"`
}

// TemplateRow is one thing that a template asks for.
type TemplateRow struct {
	Name     string   `json:"name"`  // id of the section or the requirement
	Title    string   `json:"title"` // in the report's language
	State    string   `json:"state"` // covered, missing
	Findings []string `json:"findings"`
}

// ReferenceCheck says how many of the scholarly works that a report cites were held against catalogues.
type ReferenceCheck struct {
	Total    int `json:"total"`
	Checked  int `json:"checked"`  // at least one catalogue looked
	Mismatch int `json:"mismatch"` // no catalogue has it as it is cited
	// Note says in one sentence why something was not checked; empty when all was.
	Note string `json:"note"`
}
