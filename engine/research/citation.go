package research

// CitedWork is a scholarly work as a report or a page names it, in the words found there. Any field may be empty; Year 0 is
// unknown.
type CitedWork struct {
	Of      string   `json:"of,omitempty"` // id of the source, finding or block that the reference belongs to
	Title   string   `json:"title"`
	Authors []string `json:"authors"` // in order, as written; "et al." and "others" are left out
	Year    int      `json:"year,omitempty"`
	Venue   string   `json:"venue,omitempty"` // journal, conference or publisher
	DOI     string   `json:"doi,omitempty"`
	ArXiv   string   `json:"arxiv,omitempty"`
	PMID    string   `json:"pmid,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Partial says that the list of authors ends with "et al." or "others".
	Partial bool `json:"partial,omitempty"`
}

// Work is one scholarly work as a catalogue records it.
type Work struct {
	Catalogue string   `json:"catalogue"` // name of the provider
	Location  string   `json:"location"`
	Title     string   `json:"title"`
	Authors   []string `json:"authors"`
	Year      int      `json:"year,omitempty"` // of publication; 0 when the catalogue has none
	Venue     string   `json:"venue,omitempty"`
	DOI       string   `json:"doi,omitempty"`
	ArXiv     string   `json:"arxiv,omitempty"`
	Preprint  bool     `json:"preprint,omitempty"` // the catalogue files it as one
}

// CatalogueAnswer is what one catalogue said of a reference.
type CatalogueAnswer struct {
	Catalogue string `json:"catalogue"`
	Works     []Work `json:"works"` // the likeliest first; empty when it looked and found nothing
	// ByID is the work that the catalogue has under the reference's own identifier; nil when it was not asked for one, or has none.
	ByID *Work `json:"by_id,omitempty"`
	// IDUnknown says that the catalogue was asked for the identifier and answered that it has no such work.
	IDUnknown bool `json:"id_unknown,omitempty"`
	// Fault says in one sentence why it could not look; then the answer says nothing of the reference.
	Fault string `json:"fault,omitempty"`
}

// CitationLookup is a reference with what the catalogues said of it. It is an input of the checks, recorded like any other: no
// check asks a catalogue.
type CitationLookup struct {
	Reference CitedWork         `json:"reference"`
	Answers   []CatalogueAnswer `json:"answers"` // one for each catalogue, in the order in which they are asked
	// Note says in one sentence why nothing was asked: looking up is off, or the run is closed. Empty when catalogues were asked.
	Note string `json:"note,omitempty"`
}

// Checked reports whether at least one catalogue looked. A lookup that is not checked is no verdict: it is printed as "not checked".
func (l CitationLookup) Checked() bool {
	for _, a := range l.Answers {
		if a.Fault == "" {
			return true
		}
	}
	return false
}
