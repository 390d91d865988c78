package gpu

// Device is one card, or the machine's main memory when there is none. Sizes are bytes; a nil size is unknown.
type Device struct {
	Index   int     `json:"index"`
	Name    string  `json:"name"`
	Backend Backend `json:"backend"`
	Total   *int64  `json:"total_bytes"`
	Free    *int64  `json:"free_bytes"`
	Unified bool    `json:"unified"` // shares the machine's main memory
}

// Resident is a model that the server holds now.
type Resident struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`
	Bytes   int64  `json:"bytes"`   // size_vram
	Device  *int   `json:"device"`  // index of its card; nil when the server does not say
	Context int    `json:"context"` // tokens of one sequence
	Keep    bool   `json:"keep"`    // another program uses it: it will not be unloaded
}

// Server is what is known of the Ollama server.
type Server struct {
	Version  string `json:"version"`
	Flash    Flash  `json:"flash"`    // "" is unknown
	KV       KVType `json:"kv"`       // cache format it was started with; "" is unknown, planned as f16
	Parallel int    `json:"parallel"` // sequences it was started with; 0 is unknown, planned as 1
	Settable bool   `json:"settable"` // Assay starts it, so cache format, parallel sequences and flash attention can be chosen
}

// Machine is what a plan is made for.
type Machine struct {
	Devices    []Device   `json:"devices"`
	MemoryFree *int64     `json:"memory_free_bytes"` // main memory
	Server     Server     `json:"server"`
	Loaded     []Resident `json:"loaded"`
}

// Role is what a model is used for.
type Role string

// The roles of a research: answering is every role that writes; embedding turns text into vectors for search by meaning.
const (
	Answering Role = "answering"
	Embedding Role = "embedding"
)

// Need is what a role asks of its model.
type Need struct {
	Role         Role     `json:"role"`
	Optional     bool     `json:"optional"`     // without it the research is poorer but runs
	MinContext   int      `json:"min_context"`  // tokens; 0 is [MinContext], or 512 for embedding
	Context      int      `json:"context"`      // tokens that are of use; 0 is as many as fit
	Parallel     int      `json:"parallel"`     // sequences that are of use; 0 is 1
	Capabilities []string `json:"capabilities"` // that the model must have, such as "tools"
	Images       bool     `json:"images"`
}

// Candidate is a model that may be used. Candidates are given best first.
type Candidate struct {
	Model     Model  `json:"model"`
	Roles     []Role `json:"roles"`     // roles it may take; nil is every role its capabilities allow
	Installed bool   `json:"installed"` // false: it has to be pulled first
	Why       string `json:"why"`       // what is known of its quality, one sentence; may be empty
}

// Policy is what the person sets. Its zero value is the default.
type Policy struct {
	Reserve Share `json:"reserve"` // to leave free on each card; zero is [DefaultReserve]
	Budget  Share `json:"budget"`  // the most to use of each card; zero is all of it
	// PerDevice replaces both for one card, by its index.
	PerDevice map[int]Limits `json:"per_device,omitempty"`
	Override  Override       `json:"override"`
	// Calibration holds what earlier loads showed.
	Calibration Calibration `json:"calibration,omitempty"`
}

// Limits are the reserve and the budget of one card.
type Limits struct {
	Reserve Share `json:"reserve"`
	Budget  Share `json:"budget"`
}

// Share is an amount of memory, in MiB or in per cent of the card's total. Both zero is "not set"; None is no memory at all.
type Share struct {
	MiB     int64 `json:"mib,omitempty"`
	Percent int   `json:"percent,omitempty"` // 1 to 100
	None    bool  `json:"none,omitempty"`
}

// Override is what the person insists on. What is zero is chosen by the plan; the rest is used even if it spills, and labelled.
type Override struct {
	Model    string `json:"model,omitempty"` // a candidate's name
	Context  int    `json:"context,omitempty"`
	KV       KVType `json:"kv,omitempty"`
	Parallel int    `json:"parallel,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	Anyway   bool   `json:"anyway,omitempty"` // use the reserve
}

// Fit says whether a load has room.
type Fit string

// The ways a load can stand to the free memory.
const (
	Fits      Fit = "fits"
	InReserve Fit = "reserve" // only by using what is to be left free
	Spills    Fit = "spills"  // part of it would run from main memory
)

// Option is one way to serve the roles, with what it would take.
type Option struct {
	Model    string   `json:"model"`
	Context  int      `json:"context"`
	KV       KVType   `json:"kv"`
	Parallel int      `json:"parallel"`
	Batch    int      `json:"batch"`
	Roles    []Role   `json:"roles"`
	Devices  []int    `json:"devices"` // indices of the cards; empty for main memory
	Estimate Estimate `json:"estimate"`
	Needs    int64    `json:"needs_bytes"` // on the cards, what other models of the plan take included
	Left     int64    `json:"left_bytes"`  // on the cards it uses; negative when it does not fit
	Over     int64    `json:"over_bytes"`  // what is missing before it fits; 0 when it does
	Fit      Fit      `json:"fit"`
	Chosen   bool     `json:"chosen"`
	Why      string   `json:"why"` // one sentence
}

// Decision is what a plan decides.
type Decision struct {
	Options      []Option `json:"options"`      // one for each model that is to be loaded, answering first; empty when refused
	Refusal      string   `json:"refusal"`      // why nothing is planned and what to do; "" when something is
	Unserved     []Need   `json:"unserved"`     // optional roles that have no model
	Unload       []string `json:"unload"`       // models that have to go first
	Left         int64    `json:"left_bytes"`   // on the cards together, all options loaded
	Why          []string `json:"why"`          // one sentence each
	Next         string   `json:"next"`         // the next better choice and by how much it does not fit; "" when there is none
	Alternatives []Option `json:"alternatives"` // best first, the plan itself among them
	Overridden   []string `json:"overridden"`   // what the person insisted on, one sentence each
}
