package research

// Known is a claim of an earlier run that was accepted there, or that its report attributes to the one source that makes it. Its
// confidence is that of its own run, and counts for nothing in any other.
type Known struct {
	Run        string        `json:"run"`
	Claim      string        `json:"claim"` // its id there
	Text       string        `json:"text"`
	Question   string        `json:"question"` // that its run answered
	Date       string        `json:"date"`     // RFC 3339, its run's clock
	Lang       string        `json:"lang"`
	Confidence Ratio         `json:"confidence"` // as it was there
	Band       Band          `json:"band"`
	Label      Label         `json:"label,omitempty"`
	Sources    []KnownSource `json:"sources"`
	// Private says that its run read files of the person's own.
	Private bool `json:"private,omitempty"`
}

// KnownSource is a source of an earlier run.
type KnownSource struct {
	Title     string `json:"title"`
	Location  string `json:"location"`
	Published string `json:"published,omitempty"`
	SHA256    string `json:"sha256"`
}

// EarlierAsk is what is asked of earlier runs.
type EarlierAsk struct {
	Question string `json:"question"`
	Lang     string `json:"lang"`
	Before   string `json:"before"` // RFC 3339: only runs whose clock is before it
	// Private says that what runs found in files of the person's own may be shown: this one leaves the machine nowhere.
	Private bool `json:"private"`
}

// Earlier is what earlier runs bear on a question, the closest first.
type Earlier struct {
	Claims []Known `json:"claims"`
	// Withheld is how many more there are that this run does not show, because it reaches beyond this machine and they were found in
	// files of the person's own.
	Withheld int `json:"withheld,omitempty"`
}

// Reuse says that a page was kept by an earlier run and not fetched again.
type Reuse struct {
	Run string `json:"run"`
	At  string `json:"at"` // RFC 3339, when it was fetched
}
