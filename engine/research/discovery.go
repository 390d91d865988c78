package research

// Discovery is where a question could be answered: addresses and files, before any page of the web is opened.
type Discovery struct {
	Schema    int         `json:"schema"`
	Topic     string      `json:"topic"` // the question
	Lang      string      `json:"lang"`
	Depth     Depth       `json:"depth"`
	Egress    Egress      `json:"egress"`
	Date      string      `json:"date"` // 2006-01-02
	Asked     []Asked     `json:"asked"`
	Notes     []string    `json:"notes"`
	Sources   []PoolEntry `json:"sources"` // best first
	Stats     SourceStats `json:"source_stats"`
	Faults    []string    `json:"faults"` // whom nothing could be learnt from, one sentence each
	Outbox    []Outbound  `json:"outbox"`
	BelowWeb  bool        `json:"below_floor"` // a pool of the web that misses a floor
	PerAngle  []AngleUse  `json:"angles"`
	Providers []Outsider  `json:"providers"`
}

// AngleUse says how many sources an angle named first.
type AngleUse struct {
	Angle   Angle `json:"angle"`
	Queries int   `json:"queries"`
	Sources int   `json:"sources"`
}

// PoolEntry is one address or file of a pool.
type PoolEntry struct {
	Title       string   `json:"title"`
	URL         string   `json:"url"` // or folder/path for a file
	Domain      string   `json:"domain"`
	Voice       string   `json:"voice"`
	OriginType  Origin   `json:"origin_type"`
	Tier        int      `json:"tier"`
	Angle       Angle    `json:"angle"`
	Adversarial bool     `json:"adversarial"`
	Snippet     string   `json:"snippet,omitempty"`
	Published   string   `json:"published,omitempty"`
	Providers   []string `json:"providers"`
	Quality     Quality  `json:"quality"`
	// Counted says that it counts toward the floors; Note says why not.
	Counted bool   `json:"counted"`
	Note    string `json:"note,omitempty"`
}
