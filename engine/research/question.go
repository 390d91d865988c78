package research

// Depth is how much work a run may do. CONTRACT table: quick, standard, deep.
type Depth string

const (
	Quick    Depth = "quick"
	Standard Depth = "standard"
	Deep     Depth = "deep"
)

// Shape is the form of the argument of a report.
type Shape string

const (
	ShapeAuto   Shape = "auto"   // the engine decides
	ShapeDebate Shape = "debate" // steelman and counter
	ShapeSurvey Shape = "survey" // one balanced debate section
	ShapeFact   Shape = "fact"   // neither: one word, number or statement answers it; nobody asks for it, the engine decides it
)

// Egress is how far a run may reach.
type Egress string

const (
	Closed Egress = "closed" // loopback services the person named, no forwarded model
	Own    Egress = "own"    // servers the person named, wherever they are
	Web    Egress = "web"    // public web
)

// Request is what the person asked and how the run may answer. It is the first event of a record.
type Request struct {
	Question  string   `json:"question"`
	Libraries []string `json:"libraries"`        // absolute folders; may be empty
	Attach    []string `json:"attach,omitempty"` // absolute files that become sources
	About     string   `json:"about,omitempty"`  // the reader's background; planning only
	Shape     Shape    `json:"shape"`
	Depth     Depth    `json:"depth"`
	Lang      string   `json:"lang"`  // "en", "zh" or "auto"
	Model     string   `json:"model"` // "auto", "extractive", "ollama:NAME", "recorded:FILE"
	Egress    Egress   `json:"egress"`
	// Servers says that the search servers the person named are asked too; a run whose reach is the web asks them always, a
	// closed one only those of this machine that ask nobody else.
	Servers bool `json:"servers,omitempty"`
	// Sources, Queries: at least so many independent voices are wanted, and at most so many queries go to each provider outside.
	// If zero, what the depth says.
	MinSources int `json:"min_sources,omitempty"`
	MaxQueries int `json:"max_queries,omitempty"`
	// Mix is which share of the pages, in percent, is of each kind of provider: web, news, feeds, papers, reference. If empty, quality decides.
	Mix map[string]int `json:"mix,omitempty"`
	// Deliver are names of deliveries that get the result besides those that get every one.
	Deliver []string `json:"deliver,omitempty"`
	// Hosts is the person's own table of who stands behind a host; it goes before the program's.
	Hosts []HostRow `json:"hosts,omitempty"`
	// Protected are words that no query to anybody else may hold.
	Protected    []string `json:"protected,omitempty"`
	AllowPartial bool     `json:"allow_partial,omitempty"`
	// Template is the name of the report's template; empty: code chooses by domain and intent.
	Template string `json:"template,omitempty"`
	// Embedding is the model of the server by whose vectors pages are held against the question: a name, "off" for words alone, or
	// empty for an installed one.
	Embedding string `json:"embedding,omitempty"`
	// LookUp says that the scholarly works which the report cites may be looked up in catalogues: their titles, authors and identifiers
	// leave the machine. Only a run of the web does.
	LookUp bool   `json:"look_up,omitempty"`
	Now    string `json:"now"` // RFC 3339; the run's clock
	Seed   int64  `json:"seed"`
}

// HostRow says who stands behind a host, and why that is said.
type HostRow struct {
	Name   string `json:"name"` // "example.org", or a pattern such as "*.gov.??"
	Origin Origin `json:"origin"`
	Tier   int    `json:"tier"` // 1 to 3
	Why    string `json:"why"`
}

// Intent is the kind of question (HDRI 4.1.1).
type Intent string

const (
	FactQuery      Intent = "FactQuery"
	TrendAnalysis  Intent = "TrendAnalysis"
	Comparison     Intent = "Comparison"
	CausalAnalysis Intent = "CausalAnalysis"
	Prediction     Intent = "Prediction"
	Comprehensive  Intent = "Comprehensive"
)

// AnswerType is what kind of expression would answer a facet.
type AnswerType string

const (
	AnswerAny      AnswerType = "any"
	AnswerPerson   AnswerType = "person"
	AnswerOrg      AnswerType = "organisation"
	AnswerName     AnswerType = "name" // any proper name or term
	AnswerPlace    AnswerType = "place"
	AnswerDate     AnswerType = "date"
	AnswerQuantity AnswerType = "quantity"
	AnswerReason   AnswerType = "reason"
)

// DateRange is a closed range of days, "2006-01-02"; an empty end is open.
type DateRange struct {
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

// Temporal is the time a question speaks of (HDRI 4.1.2).
type Temporal struct {
	Category string    `json:"category,omitempty"` // Current, Recent, ThisYear, Future, Past, After, Before; empty: none
	Text     string    `json:"text,omitempty"`     // the words of the question it was read from
	Range    DateRange `json:"range"`
}

// Entity is a name in the question.
type Entity struct {
	Text string `json:"text"`
	Type string `json:"type"` // person, organisation, place, work, term
	// Known is the number under which a register of names holds what the name stands for ("Q7593"), and Aliases are the other names that
	// it gives; Other is its name in the other of the two languages. Empty where nobody was asked or nothing was taken.
	Known   string   `json:"known,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
	Other   string   `json:"other,omitempty"`
}

// NameLookup is what a register of names answered for one name.
type NameLookup struct {
	Name    string      `json:"name"`
	Lang    string      `json:"lang"` // in which it was asked
	Entries []NameEntry `json:"entries"`
	Fault   string      `json:"fault,omitempty"` // why it could not look
}

// NameEntry is one thing that goes by a name.
type NameEntry struct {
	ID           string            `json:"id"`
	Labels       map[string]string `json:"labels"`       // by language: the name that comes first
	Aliases      []string          `json:"aliases"`      // of all languages
	Descriptions map[string]string `json:"descriptions"` // by language: a few words that tell it from others
}

// Facet is a part of the question that can be answered alone. A question has at least one.
type Facet struct {
	ID    string     `json:"id"` // "f1", "f2", ... in the order of the question
	Text  string     `json:"text"`
	Terms []string   `json:"terms"` // stems that tell this facet from the others, in order of the text
	Want  AnswerType `json:"want"`
}

// Identifier is an exact identifier that code recognised in the question.
type Identifier struct {
	Kind  string `json:"kind"` // doi, arxiv, cve, pmid, isbn, url
	Value string `json:"value"`
}

// Understanding is the result of stage 1.
type Understanding struct {
	Question         string       `json:"question"`
	Lang             string       `json:"lang"` // "en" or "zh"
	Intent           Intent       `json:"intent"`
	IntentConfidence Ratio        `json:"intent_confidence"`
	Temporal         Temporal     `json:"temporal"`
	Scope            *Scope       `json:"scope,omitempty"`
	Entities         []Entity     `json:"entities"`
	Terms            []string     `json:"terms"` // content stems of the question
	Identifiers      []Identifier `json:"identifiers"`
	Facets           []Facet      `json:"facets"`
	Shape            Shape        `json:"shape"` // debate or survey, decided
	Domain           string       `json:"domain"`
	// Template is the name of the report's template, and TemplateWhy how it was chosen: asked, intent, domain.
	Template    string `json:"template,omitempty"`
	TemplateWhy string `json:"template_why,omitempty"`
	Complexity  Ratio  `json:"complexity"` // 0..1
	Strategy    string `json:"strategy"`
	Budget      Budget `json:"budget"`
}

// Scope is what a question limits itself to and what it leaves out. What is left out is in no term, facet or query.
type Scope struct {
	Countries []string `json:"countries,omitempty"` // by their English names, in the order of the question
	Field     string   `json:"field,omitempty"`     // as written: "in the field of FIELD"
	Exclude   []string `json:"exclude,omitempty"`   // as written
}

// Budget bounds the work of a run (CONTRACT section 3).
type Budget struct {
	SearchDepth    int `json:"search_depth"` // d_max
	Tasks          int `json:"tasks"`        // n_tasks
	GapRounds      int `json:"gap_rounds"`   // I_max
	QueriesPerGap  int `json:"queries_per_gap"`
	Sources        int `json:"sources"` // opened at most
	FloorVoices    int `json:"floor_voices"`
	FloorOrigins   int `json:"floor_origins"`
	FloorOpposing  int `json:"floor_opposing"`
	PassagesPerHit int `json:"passages_per_hit"`
}

// Status of a hypothesis (HDRI Def. 3.3).
type Status string

const (
	Unverified Status = "unverified"
	Partial    Status = "partial"
	Confirmed  Status = "confirmed"
	Refuted    Status = "refuted"
)

// Hypothesis is a testable candidate answer.
type Hypothesis struct {
	ID           string `json:"id"` // "h1", ...
	Statement    string `json:"statement"`
	Rationale    string `json:"rationale"`
	WouldConfirm string `json:"would_confirm"`
	WouldRefute  string `json:"would_refute"`
	// Test says how code judges a template: "states" (some claim answers), "agree" (voices agree), "differ"; empty: the
	// statement itself is matched against the claims.
	Test       string   `json:"test,omitempty"`
	Facets     []string `json:"facets"`
	Status     Status   `json:"status"`
	Confidence Ratio    `json:"confidence,omitempty"`
	For        []string `json:"for,omitempty"`     // claim ids
	Against    []string `json:"against,omitempty"` // claim ids
}

// Angle is one of the ten query angles of Hermes.
type Angle string

// Angles lists the ten in the order in which they are asked; criticism and opposition are the adversarial ones.
var Angles = []Angle{"overview", "primary_research", "history", "current_state", "mechanism", "criticism", "opposition", "regulatory", "economics", "future"}

// Adversarial reports whether the angle asks for counter-evidence.
func (a Angle) Adversarial() bool { return a == "criticism" || a == "opposition" }

// Task is one search job for one hypothesis or gap.
type Task struct {
	ID         string  `json:"id"`
	Hypothesis string  `json:"hypothesis,omitempty"`
	Gap        string  `json:"gap,omitempty"`
	Facet      string  `json:"facet,omitempty"`
	Purpose    string  `json:"purpose"`
	Priority   int     `json:"priority"` // 1 first
	Queries    []Query `json:"queries"`
}

// Plan is all tasks of one round.
type Plan struct {
	Round int    `json:"round"` // 0 first, then one a gap round
	Tasks []Task `json:"tasks"`
	// Preview is what the plan asks of others, for who approves it; nil when nobody is asked.
	Preview *Preview `json:"-"`
}
