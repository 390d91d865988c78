package research

// Difference is what changed between two reports on one question, the earlier and the later. It is worked out from their digests
// by code; each change is named once. Every list may be empty.
type Difference struct {
	Question string  `json:"question"`
	Lang     string  `json:"lang"` // "en" or "zh", as of the later report
	Earlier  Edition `json:"earlier"`
	Later    Edition `json:"later"`
	// Line says all of it in one sentence; when nothing changed, it says that.
	Line           string             `json:"line"`
	New            []ChangedFinding   `json:"new"`            // stand in the later report only
	Gone           []ChangedFinding   `json:"gone"`           // stood in the earlier report only
	Confidences    []ConfidenceChange `json:"confidences"`    // findings of both whose confidence is another
	Contradictions []ReportConflict   `json:"contradictions"` // what the later report holds against the earlier one
	Sources        []SourceChange     `json:"sources"`
}

// Edition names one of the two reports.
type Edition struct {
	Run      string `json:"run,omitempty"`
	Date     string `json:"date"` // 2006-01-02, the run's clock
	Findings int    `json:"findings"`
}

// ChangedFinding is a finding as the report prints it that has it, or those of its sentences that the other one lacks.
type ChangedFinding struct {
	Finding    string     `json:"finding"` // its id in its report
	Text       string     `json:"text"`
	Confidence Ratio      `json:"confidence"`
	Band       Band       `json:"band"`
	Label      Label      `json:"label,omitempty"`
	Sources    []CitedRef `json:"sources"`
}

// CitedRef is a source as a report cites it.
type CitedRef struct {
	Key      int    `json:"key"` // the printed number, from 1
	Title    string `json:"title"`
	Location string `json:"location"`
}

// ConfidenceChange is a finding that both reports print, with its two confidences.
type ConfidenceChange struct {
	Text     string     `json:"text"`
	From     Ratio      `json:"from"`
	To       Ratio      `json:"to"`
	FromBand Band       `json:"from_band"`
	ToBand   Band       `json:"to_band"`
	Sources  []CitedRef `json:"sources"` // of the later report
}

// ReportConflict is a statement of the later report that cannot hold beside one of the earlier.
type ReportConflict struct {
	Earlier string `json:"earlier"` // as it stood there
	Later   string `json:"later"`
	Reason  string `json:"reason"`
	// Stands says that the later report prints the earlier statement too.
	Stands         bool       `json:"stands"`
	EarlierSources []CitedRef `json:"earlier_sources"` // keys of the earlier report
	LaterSources   []CitedRef `json:"later_sources"`
}

// What became of a source.
const (
	SourceNew     = "new"     // cited by the later report only
	SourceChanged = "changed" // its text is another
	SourceDied    = "died"    // it can be read no more
	SourceUncited = "uncited" // as it was, and cited no more; no news by itself
	SourceUnseen  = "unseen"  // cited no more, and not looked at again
)

// SourceChange is what became of one source.
type SourceChange struct {
	Location string `json:"location"`
	Title    string `json:"title"`
	What     string `json:"what"`
	Note     string `json:"note,omitempty"` // why it died
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"` // sha256 of the clean texts
}

// SourceLook is what a second look at a source of the earlier report saw.
type SourceLook struct {
	SHA256 string  `json:"sha256,omitempty"` // of its clean text
	Fault  string  `json:"fault,omitempty"`  // why there is none
	As     Verdict `json:"verdict,omitempty"`
}

// Nothing reports whether there is no news: what is only cited no more, or was not looked at, is none.
func (d Difference) Nothing() bool {
	for _, s := range d.Sources {
		if s.What != SourceUncited && s.What != SourceUnseen {
			return false
		}
	}
	return len(d.New)+len(d.Gone)+len(d.Confidences)+len(d.Contradictions) == 0
}

// Briefing is one page over the last news of several watches, mixed by kinds of sources.
type Briefing struct {
	Title   string         `json:"title"`
	Lang    string         `json:"lang"`
	Date    string         `json:"date"`
	Watches []BriefedWatch `json:"watches"`
	Mix     []Share        `json:"mix"`
	Lines   []BriefLine    `json:"lines"`
}

// BriefedWatch is a watch of a briefing with the report that its lines come from.
type BriefedWatch struct {
	Name     string `json:"name"`
	Question string `json:"question"`
	Run      string `json:"run,omitempty"`
	Date     string `json:"date,omitempty"`
	Line     string `json:"line"`           // what its last run found in one sentence, or why there is nothing
	File     string `json:"file,omitempty"` // of its report, beside the page
}

// Share is how a briefing was mixed of one kind of source: what was wanted, what there was and what was taken, in lines.
type Share struct {
	Kind   string `json:"kind"`
	Wanted int    `json:"wanted"`
	Had    int    `json:"had"`
	Taken  int    `json:"taken"`
}

// BriefLine is a line of a briefing, with the citation of its report.
type BriefLine struct {
	Watch      string     `json:"watch"`
	Kind       string     `json:"kind"` // of its first source: web, news, feeds, papers, reference, social, files
	What       string     `json:"what"` // new, contradiction, confidence, stands: a finding of a first report
	Text       string     `json:"text"`
	Note       string     `json:"note,omitempty"`
	Confidence Ratio      `json:"confidence,omitempty"`
	Band       Band       `json:"band,omitempty"`
	Sources    []CitedRef `json:"sources"`
	Run        string     `json:"run"`
	File       string     `json:"file,omitempty"`
}
