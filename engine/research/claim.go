package research

// Grade says what kind of evidence a passage is.
type Grade string

const (
	Primary   Grade = "primary"
	Secondary Grade = "secondary"
	Opinion   Grade = "opinion"
)

// Band is the decision of Eq. 7.
type Band string

const (
	Accept Band = "accept" // >= 0.8 and more than one voice
	Verify Band = "verify" // 0.5 to 0.8
	Reject Band = "reject" // < 0.5
)

// Label is the mark a finding carries beside its band.
type Label string

const (
	LabelNone        Label = ""
	LabelSingle      Label = "reported by one source"
	LabelUnconfirmed Label = "unconfirmed"
	LabelContested   Label = "contested"
	LabelDerived     Label = "derived"
)

// Kind of a quantity.
type QuantityKind string

const (
	Count    QuantityKind = "count"
	Percent  QuantityKind = "percent"
	Money    QuantityKind = "money"
	Measure  QuantityKind = "measure" // with a unit
	Year     QuantityKind = "year"
	Version  QuantityKind = "version" // 2.1, 10.0.2.2: compared as text
	Ordinal  QuantityKind = "ordinal"
	Duration QuantityKind = "duration"
)

// Quantity is a number in a text. Value is exact and scaled: "$1.9 billion" is 1900000000.
type Quantity struct {
	Value Ratio        `json:"value"`
	Unit  string       `json:"unit,omitempty"` // normalised: "MB", "USD", "%", "packages"
	Kind  QuantityKind `json:"kind"`
	Text  string       `json:"text"`
	Start int          `json:"start"` // in the text it was read from
	End   int          `json:"end"`
}

// Claim is one checkable statement with its source. An explicit claim stands in a passage; a derived one follows from
// other claims by a named rule.
type Claim struct {
	ID         string     `json:"id"`
	Text       string     `json:"text"`
	Facet      string     `json:"facet"`
	Source     string     `json:"source,omitempty"`  // empty for a derived claim
	Passage    string     `json:"passage,omitempty"` // its own passage, exactly the words it rests on
	Start      int        `json:"start"`             // offsets of that passage in the source's clean text
	End        int        `json:"end"`
	Grade      Grade      `json:"grade,omitempty"`
	Published  string     `json:"published,omitempty"`
	Subject    string     `json:"subject,omitempty"`
	Predicate  string     `json:"predicate,omitempty"`
	Object     string     `json:"object,omitempty"`
	Key        string     `json:"key,omitempty"` // subject|attribute|period, when it could be worked out
	Quantities []Quantity `json:"quantities,omitempty"`
	Dates      []string   `json:"dates,omitempty"` // partial ISO
	// AsOf is the time of which it speaks, partial ISO: its own date, or else the one that its paragraph gives before it; empty: not told.
	AsOf      string   `json:"as_of,omitempty"`
	Names     []string `json:"names,omitempty"`
	Bias      []string `json:"bias,omitempty"`
	Relevance Ratio    `json:"relevance"` // to its facet, 0..1
	By        string   `json:"by"`        // channel that proposed it

	Evidence   []Evidence  `json:"evidence,omitempty"` // stage 6
	Support    *Support    `json:"support,omitempty"`
	Derivation *Derivation `json:"derivation,omitempty"`
	Flags      []string    `json:"flags,omitempty"` // names of checks that exclude it
}

// Stance of a passage on a claim.
type Stance string

const (
	Confirms    Stance = "confirm"
	Contradicts Stance = "contradict"
	Neutral     Stance = "neutral" // does not address; not counted in Eq. 3
)

// Evidence is a passage plus its stance on a claim.
type Evidence struct {
	Passage string `json:"passage"`
	Source  string `json:"source"`
	Stance  Stance `json:"stance"`
	Reason  string `json:"reason"`  // what the matchers saw, one clause
	Cluster string `json:"cluster"` // id of the voice it counts for
}

// Edge joins two sources that are not independent.
type Edge struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Why   string `json:"why"` // url, voice, work, duplicate, simhash, syndication; for one claim: citing, error
	Score Ratio  `json:"score"`
	// Said is how one of them names the other, or the address by which it links it; of citing only.
	Said string `json:"said,omitempty"`
}

// Cluster is a set of sources that count as one voice for one claim.
type Cluster struct {
	ID      string   `json:"id"`
	Sources []string `json:"sources"` // sorted
	Edges   []Edge   `json:"edges,omitempty"`
	Stance  Stance   `json:"stance"` // confirm if any member confirms and none contradicts; contradict if any contradicts
}

// Support is the arithmetic of one claim (Eq. 3, its smoothing, Eq. 7).
type Support struct {
	K          int       `json:"k"`                  // clusters that confirm
	N          int       `json:"n"`                  // clusters that address
	Raw        Ratio     `json:"raw"`                // k/n, Eq. 3
	Confidence Ratio     `json:"confidence"`         // by the calibration map, else (k+1)/(n+2)
	Smoothed   Ratio     `json:"smoothed,omitempty"` // (k+1)/(n+2), where a map is in force
	Map        string    `json:"map,omitempty"`      // the calibration map: see [Calibrations]
	Band       Band      `json:"band"`
	Label      Label     `json:"label,omitempty"`
	Clusters   []Cluster `json:"clusters"`
	Perspect   bool      `json:"perspective,omitempty"` // contested: one perspective counted once
	Chained    bool      `json:"chained,omitempty"`     // edges of citing and of shared errors were looked for
}

// Derivation says how a derived claim follows (Alg. 3, Eq. 4).
type Derivation struct {
	Rule       string   `json:"rule"` // difference, growth, ratio, sum, order, interval
	Basis      []string `json:"basis"`
	Reasoning  string   `json:"reasoning"`
	Value      Ratio    `json:"value"`
	R          Ratio    `json:"r"`          // strength, by rule
	Confidence Ratio    `json:"confidence"` // r * min(basis), upper bound
	Product    Ratio    `json:"product"`    // r * product(basis), independent value
	Lower      Ratio    `json:"lower"`      // r * max(0, sum - (m-1)), Frechet lower bound
	Voices     int      `json:"voices"`     // fewest confirming voices behind a claim of the basis
	Depth      int      `json:"depth"`      // 1 over explicit claims, else 1 + the deepest of the basis; at most 3
}

// Contradiction is two claims that cannot both hold, or two perspectives.
type Contradiction struct {
	ID         string `json:"id"`
	Kind       string `json:"kind"` // direct, indirect, temporal
	A          string `json:"a"`    // claim id
	B          string `json:"b"`
	Reason     string `json:"reason"`
	Resolution string `json:"resolution"`          // recency, authority, corroboration, unresolved, contested, evolution
	Preferred  string `json:"preferred,omitempty"` // claim id, when resolved
}

// Finding is what a run concludes and reports.
type Finding struct {
	ID         string   `json:"id"`
	Facet      string   `json:"facet"`
	Text       string   `json:"text"`
	Claims     []string `json:"claims"` // claim ids it rests on, at least one
	Confidence Ratio    `json:"confidence"`
	Lower      Ratio    `json:"lower"`
	Band       Band     `json:"band"`
	Label      Label    `json:"label,omitempty"`
	Flags      []string `json:"flags,omitempty"`
	By         string   `json:"by"`
}

// Gap is something the run did not find (HDRI Def. 3.4).
type Gap struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`       // logical or informational
	Importance string   `json:"importance"` // high, medium, low
	Reason     string   `json:"reason"`
	Facet      string   `json:"facet,omitempty"`
	Hypothesis string   `json:"hypothesis,omitempty"`
	Inferable  bool     `json:"inferable,omitempty"`
	Queries    []string `json:"queries,omitempty"`
	// Angle is the one that the queries are asked under; empty: none.
	Angle Angle `json:"angle,omitempty"`
}

// CoverageRow is one requirement (Eq. 8).
type CoverageRow struct {
	Requirement string   `json:"requirement"`
	Facet       string   `json:"facet,omitempty"`
	Hypothesis  string   `json:"hypothesis,omitempty"`
	State       string   `json:"state"` // covered, partial, missing
	Claims      []string `json:"claims,omitempty"`
}

// GraphNode and GraphEdge are the knowledge graph; every edge names the claims that carry it.
type GraphNode struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// GraphEdge is a relation between two nodes.
type GraphEdge struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Relation string   `json:"relation"`
	Claims   []string `json:"claims"`
}

// Graph is the knowledge graph of a run.
type Graph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
}
