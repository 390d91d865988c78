package research

// Query is a string for one provider.
type Query struct {
	Text  string `json:"text"`
	Lang  string `json:"lang"`
	Angle Angle  `json:"angle,omitempty"`
	Facet string `json:"facet,omitempty"`
	Site  string `json:"site,omitempty"`
	// Range narrows by publication date; zero means any.
	Range DateRange `json:"range"`
	// Limit is the most hits wanted. If zero, 10.
	Limit int `json:"limit,omitempty"`
	// Outside says that it is for providers beyond the person's own files, and for no other.
	Outside bool `json:"outside,omitempty"`
}

// Hit is one answer of a provider to a query: where something may stand. A hit is never evidence; the source is opened.
type Hit struct {
	Provider  string `json:"provider"`
	Location  string `json:"location"` // URL, or folder/path for a file of a library
	Title     string `json:"title"`
	Snippet   string `json:"snippet,omitempty"`
	Published string `json:"published,omitempty"` // 2006-01-02, a prefix of it, or empty
	Start     int    `json:"start,omitempty"`     // of the passage in the clean text, when the provider knows it
	End       int    `json:"end,omitempty"`
	Score     Ratio  `json:"score"` // the provider's own, 0..1 within one answer
}

// Heading is a heading of a document's clean text.
type Heading struct {
	Start int    `json:"start"` // byte offset of its line
	Level int    `json:"level"` // 1..6
	Text  string `json:"text"`
}

// Span is a half-open range of bytes of a clean text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Link is a link to another site.
type Link struct {
	Span
	URL string `json:"url"`
}

// Document is one opened file or page as clean text. Text is UTF-8, paragraphs separated by a blank line, each heading,
// list item and table row on a line of its own; every offset in the program points into it.
type Document struct {
	Location  string    `json:"location"`       // as in Hit
	Path      string    `json:"path,omitempty"` // absolute file, outside the digest
	MediaType string    `json:"media_type"`
	Title     string    `json:"title"`
	Byline    string    `json:"byline,omitempty"`
	Publisher string    `json:"publisher,omitempty"`
	Published string    `json:"published,omitempty"`
	Lang      string    `json:"lang,omitempty"`      // ISO 639-1, empty when unknown
	Canonical string    `json:"canonical,omitempty"` // rel=canonical
	Text      string    `json:"-"`                   // kept as a blob under SHA256
	SHA256    string    `json:"sha256"`              // of Text
	Headings  []Heading `json:"headings,omitempty"`
	Tables    []Span    `json:"tables,omitempty"` // runs of lines that are rows, cells separated by a tab
	// Heads are the first rows of those Tables whose every row has a cell for each of its columns and whose first row names them. A row
	// with fewer cells than that has lost empty ones at one of its ends; a head with one fewer has an empty first cell.
	Heads []Span `json:"heads,omitempty"`
	// Pages holds the byte offset at which each page of a paginated document begins; empty otherwise.
	Pages []int `json:"pages,omitempty"`
	// Own says that it came from a server the person named, so that they vouch for it as for a file of theirs.
	Own bool `json:"own,omitempty"`
	// Hidden is text that the page carries and does not show, at most 2,000 bytes of it. It is in no other field: nothing reads
	// it but the check that reports on it.
	Hidden string `json:"hidden,omitempty"`
	// Host is the row of the person's own table that speaks of its host; nil: none does.
	Host *HostRow `json:"host,omitempty"`
	// Paper says that the page catalogues a paper, and FullText where it says that the whole of it is; only of pages of the web. DOI is
	// the paper's, when the page names it.
	Paper    bool   `json:"paper,omitempty"`
	FullText string `json:"full_text,omitempty"`
	DOI      string `json:"doi,omitempty"`
	// Links are links of the main text to other sites, each with the block of text that holds it; the first hundred of a page.
	Links []Link `json:"links,omitempty"`
	// Listing says that a page of the web is a list of links to other pages with no text of its own.
	Listing bool `json:"listing,omitempty"`
	// Reused says that the page was kept by an earlier run; nil when it was fetched.
	Reused *Reuse `json:"reused,omitempty"`
	// Whole says that the main text was not told from the rest of the page.
	Whole bool `json:"whole,omitempty"`
	// Fault says in one sentence why there is no text; empty when it was read.
	Fault string `json:"fault,omitempty"`
	// Verdict is the verdict the reader of the format suggests when Fault is set: unread, needs_script, ...
	Verdict Verdict `json:"verdict,omitempty"`
}

// Verdict of a source.
type Verdict string

const (
	Verified         Verdict = "verified"
	RejectAI         Verdict = "reject_ai"
	RejectUnauthored Verdict = "reject_unauthored"
	RejectDead       Verdict = "reject_dead"
	RejectOffSubject Verdict = "reject_offsubject"
	RejectDuplicate  Verdict = "reject_duplicate"
	RejectListing    Verdict = "reject_listing"
	Unread           Verdict = "unread"
	Paywalled        Verdict = "paywalled"
	Blocked          Verdict = "blocked"
	NeedsScript      Verdict = "needs_script"
	// Struck: the reader of a finished run took the source out of it.
	Struck Verdict = "struck"
)

// Origin is the kind of publisher.
type Origin string

const (
	Academic   Origin = "academic"
	Government Origin = "government"
	Industry   Origin = "industry"
	TradePress Origin = "trade_press"
	Advocacy   Origin = "advocacy"
	Reference  Origin = "reference"
	Personal   Origin = "personal" // a document the person added and nobody else vouches for
)

// Quality holds the four parts of Eq. 6 and the result, each in [0, 1].
type Quality struct {
	Relevance    Ratio `json:"relevance"`
	Authority    Ratio `json:"authority"`
	Freshness    Ratio `json:"freshness"`
	Completeness Ratio `json:"completeness"`
	Value        Ratio `json:"value"` // 0.4 relevance + 0.3 authority + 0.2 freshness + 0.1 completeness
}

// Source is where text came from, after it was opened and judged.
type Source struct {
	ID          string    `json:"id"`
	Location    string    `json:"location"`
	Title       string    `json:"title"`
	Byline      string    `json:"byline,omitempty"`
	Publisher   string    `json:"publisher,omitempty"`
	Published   string    `json:"published,omitempty"`
	Retrieved   string    `json:"retrieved"` // RFC 3339, the run's clock
	Lang        string    `json:"lang,omitempty"`
	MediaType   string    `json:"media_type"`
	SHA256      string    `json:"sha256"` // of the clean text
	Voice       string    `json:"voice"`  // who speaks: publisher, registrable domain, top folder or study
	Work        string    `json:"work"`   // the same in every format of one document
	Origin      Origin    `json:"origin"`
	Tier        int       `json:"tier"` // 1..3
	Angle       Angle     `json:"angle"`
	Adversarial bool      `json:"adversarial"`
	Verdict     Verdict   `json:"verdict"`
	Note        string    `json:"note"` // why trusted or rejected, one sentence
	Quality     Quality   `json:"quality"`
	CopyOf      string    `json:"copy_of,omitempty"` // source id, for reject_duplicate
	Bias        []string  `json:"bias,omitempty"`    // sponsor, advocacy, own product, single perspective; its claims have them too
	Hidden      string    `json:"hidden,omitempty"`  // as of its [Document]
	Named       []Span    `json:"named,omitempty"`   // places in the clean text that providers named
	Passages    []Passage `json:"passages"`
}

// Passage is a contiguous span of a source's clean text.
type Passage struct {
	ID      string `json:"id"` // ID("p", source sha256, start, end)
	Source  string `json:"source"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	SHA256  string `json:"sha256"` // of Text
	Text    string `json:"text"`   // equals the clean text between Start and End
	Heading string `json:"heading,omitempty"`
	Page    int    `json:"page,omitempty"` // 1-based; 0 when the document has no pages
}
