package research

// Morning says on one page what a night's runs found and what needs the person.
type Morning struct {
	Lang string `json:"lang"`
	Date string `json:"date"` // 2006-01-02 15:04, local
	// Since is from when on runs are told of, in the same form.
	Since string       `json:"since"`
	Needs []MorningRun `json:"needs"` // in which something has to be done
	Found []MorningRun `json:"found"` // that delivered a report
	Waits []MorningRun `json:"waits"` // that wait or are worked on
}

// MorningRun is a run on that page.
type MorningRun struct {
	Run      string `json:"run"`
	Question string `json:"question"`
	State    string `json:"state"`
	// Line is what it found, or why it needs the person, and Do what can be done; sentences.
	Line     string `json:"line"`
	Do       string `json:"do,omitempty"`
	Findings int    `json:"findings"`
	Gaps     int    `json:"gaps"`
	File     string `json:"file,omitempty"` // the report's page beside this one; empty: none
}
