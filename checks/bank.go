package checks

import (
	_ "embed"
	"fmt"
	"strings"
)

// Tier is the half of the bank a check belongs to.
type Tier int

// The tiers, in order: edits made before anything is judged, which never block; whether there is an artefact at all and in
// shape; whether what it says is supported.
const (
	Normaliser Tier = iota - 1
	Completion
	Grounding
)

// String returns "normaliser", "completion" or "grounding".
func (t Tier) String() string {
	switch t {
	case Normaliser:
		return "normaliser"
	case Completion:
		return "completion"
	}
	return "grounding"
}

// Class is what a check has earned the right to do.
type Class int

// The classes, weakest first. Advisory never consumes an attempt. Firm has an entry in promotions.json: precision at least
// 0.80 with a lower 95 % bound of at least 0.70, and an upper bound of at most 3 % on clean material. Hard is wrong only
// when our own parsing is wrong.
const (
	Advisory Class = iota
	Firm
	Hard
)

// String returns the name of the class in lower case.
func (c Class) String() string { return [...]string{"advisory", "firm", "hard"}[c] }

// Action is a repair, or what stands in its place.
type Action string

// Actions that the bank carries out itself, on the view that [Step] returns. They are idempotent and call nothing.
const (
	Edit         Action = "edit"          // the check's own edit: strip, drop, relabel
	RejectSource Action = "reject_source" // mark the source reject_dead; flaggedsourcecited then drops its citations
	Issues       Action = "issues"        // take the block out of the body and list it under Issues with the reason
	Remove       Action = "remove"        // take the empty section out
	Hedge        Action = "hedge"         // label the block unconfirmed
	Annotate     Action = "annotate"      // list the remark under Issues, leave the body
)

// Actions that the engine carries out. None sends the same prompt again unless it says so.
const (
	Retry      Action = "retry"       // the same prompt once more in a fresh context
	Rethink    Action = "rethink"     // the same prompt, thinking off or a larger answer budget
	Split      Action = "split"       // the same task with the evidence split by facet, then by source; least relevant dropped first
	Continue   Action = "continue"    // keep the complete elements of the answer, send only the unread passages
	Rewrite    Action = "rewrite"     // the writer again, fresh, for what the key names; Rung says how much
	Reread     Action = "reread"      // take the block out, give the reader its passage again, write the block anew
	Gather     Action = "gather"      // gather for the facet with its unused angles
	Rebuild    Action = "rebuild"     // all facets once more from the ledger
	Salvage    Action = "salvage"     // assemble the task from the ledger, no model
	NoEvidence Action = "no_evidence" // the fixed block "no usable evidence was found", and an Issues entry
)

// Rung is how far a repair by a writer reaches (the repair order of the engine).
type Rung string

// The rungs, in the order in which they are climbed; after them comes the terminal action.
const (
	RungNone     Rung = ""
	RungSentence Rung = "sentence" // only the block the key names
	RungFacet    Rung = "facet"    // the facet's section again, in a fresh context
	RungRun      Rung = "run"      // every facet, once a run
)

// Hit is one thing that a check found wrong.
type Hit struct {
	// Where is the id of the block, source, dispatch or section it is in.
	Where string `json:"where"`
	// What says what is wrong, in one sentence that quotes the offending words.
	What string `json:"what"`
	// Code tells the forms of one check apart; empty when there is only one.
	Code string `json:"code,omitempty"`
	// Action, when set, stands in for the first repair of the check.
	Action Action `json:"action,omitempty"`
	// Weak hits are advisory though the check blocks: a form of it that has not earned more.
	Weak bool `json:"weak,omitempty"`
}

// Check inspects one property of a view.
type Check struct {
	ID    string // "G09"
	Name  string // lower-case identifier; also its file, its testdata folder and its section of doc.go
	Title string // "NumberUnsupported"
	Tier  Tier
	Class Class
	// Scope returns the keys to look at, in a stable order.
	Scope func(View) []Key
	// Eval returns what is wrong with one key, in a stable order. It is pure.
	Eval func(View, Key) []Hit
	// Cap and LifeCap bound how often a key may be selected in a row and in a run; both are 0 for an advisory check.
	Cap, LifeCap int
	// Repair holds the action for the first, second, ... selection in a row; the last one repeats.
	Repair []Action
	// Terminal is done when every pair that fires is capped.
	Terminal Action
	// Advise is done for weak hits, and for all hits of an advisory check, when the draft is accepted.
	Advise Action
	// Edit, for checks whose actions include Edit, Remove or RejectSource, returns the view with the key put right. It is
	// pure and idempotent, and afterwards Eval is clean on the key.
	Edit func(View, Key) View
}

// String returns "G09 NumberUnsupported".
func (c *Check) String() string { return c.ID + " " + c.Title }

// Named reports whether a name is the check's id, name or title, in letters of any case.
func (c *Check) Named(name string) bool {
	return strings.EqualFold(name, c.ID) || strings.EqualFold(name, c.Name) // the title is the name in other letters
}

// Bank lists every check in priority order: the first that can act, acts.
var Bank = []*Check{
	// Normalisers: edits, before anything is judged.
	unclosedmarkup,   // a fence that swallows the rest is closed before the rest is compared
	duplicatesection, // before an echo is looked for twice
	promptecho,
	fillerpadding, // marks, and edits nothing

	contextoverflow,      // first: what a cut prompt gave back says nothing about the model
	emptyoutput,          // nothing to read
	malformedoutput,      // something, in no shape
	controltokenleak,     // its edit may leave less than emptyoutput's floor
	toolcallnarration,    // a better name for what malformedoutput repairs
	emptyevidence,        // a gate: before a writer is called at all
	degeneraterepetition, // a loop is cut by its length too, and is no cut text
	truncatedoutput,
	refusaltext, // in shape, and about nothing
	wronglanguage,
	placeholdertext,
	processnarration, // its edit may empty a section
	missingfacet,     // parts of the whole, once the parts are in shape
	emptysection,

	offtaskquery,    // guards: what may not leave
	injectionmarker, // what speaks to an assistant is flagged before what is flagged is dropped
	hiddentextdelta,
	instructionecho,
	sinkviolation, // what a page would load is out before addresses are compared

	citationindexrange, // identity first: later checks trust that a reference resolves
	unfetchedurl,
	flaggedsourcecited, // exclusion: later checks trust that what is cited was accepted
	unusablesource,
	sourceauthenticity,
	uncitedclaim,
	citationmisplaced, // the right words at the wrong source are not unsupported
	unsupportedclaim,
	scalemismatch, // values: the exact diagnosis before the general one
	percentpointconfusion,
	numberunsupported,
	dateunsupported,
	dateanachronism,
	staleascurrent,
	entityunsupported,
	subjectdrift,
	quotefabricated, // wording
	quotemisattributed,
	negationflip,
	directionflip,
	roleswap,
	hedgedropped,
	causalupgrade,
	arithmeticinconsistent,
	selfcontradiction, // across blocks and sources
	sourceconflicthidden,
	syndicatedcorroboration, // recounts voices before confidence is read
	verbatimcopy,
	academicidentitymismatch,
	identifierintegrity,
	confidenceband, // it reads what all others left
	coveragefloors, // last: its repair costs the most
}

// before holds the pairs whose order carries meaning, and why.
var before = []struct{ first, then, why string }{
	{"contextoverflow", "emptyoutput", "an empty answer to a cut prompt is the prompt's fault, and a plain retry would send it again"},
	{"contextoverflow", "truncatedoutput", "an answer of a token or two is a full window, not a cut text"},
	{"emptyoutput", "malformedoutput", "an empty answer is not broken JSON"},
	{"malformedoutput", "truncatedoutput", "complete elements of a cut object are kept before the call is repeated"},
	{"unclosedmarkup", "duplicatesection", "a block whose fence is open is not the block it repeats"},
	{"malformedoutput", "toolcallnarration", "an answer that can be mended is mended before it is named"},
	{"degeneraterepetition", "truncatedoutput", "a loop runs into its limit; the limit is not what is wrong with it"},
	{"missingfacet", "emptysection", "a facet that has an empty section is answered by writing it, not by dropping its heading"},
	{"processnarration", "emptysection", "a section that held nothing but narration is empty"},
	{"injectionmarker", "flaggedsourcecited", "what it flags is dropped there"},
	{"sinkviolation", "unfetchedurl", "an image is taken out whole, not left without its address"},
	{"citationmisplaced", "unsupportedclaim", "a claim that stands in another source is not invented"},
	{"scalemismatch", "numberunsupported", "what is known of a wrong figure is told with it"},
	{"percentpointconfusion", "numberunsupported", "the same"},
	{"syndicatedcorroboration", "confidenceband", "the confidence of a claim whose voices are counted anew is another"},
	{"confidenceband", "coveragefloors", "gathering again is the dearest repair there is"},
	{"emptyevidence", "truncatedoutput", "no writer is repaired that should not be called"},
	{"citationindexrange", "unfetchedurl", "a stripped URL leaves a reference only where it resolves"},
	{"citationindexrange", "flaggedsourcecited", "the verdict of a source that does not exist cannot be read"},
	{"flaggedsourcecited", "uncitedclaim", "a reference to a rejected source is not a reference"},
	{"flaggedsourcecited", "numberunsupported", "a value that stands in a rejected source is not supported"},
	{"numberunsupported", "confidenceband", "the band of a block that goes is of no interest"},
	{"arithmeticinconsistent", "confidenceband", "the confidence of a wrong sum is of no interest"},
}

// Lookup returns the check of that name, or nil.
func Lookup(name string) *Check {
	for _, c := range Bank {
		if c.Name == name {
			return c
		}
	}
	return nil
}

//go:embed doc.go
var docCompletion string

//go:embed doc_grounding.go
var docGrounding string

//go:embed doc_claims.go
var docClaims string

// docSource is the package comment, which is in three files.
var docSource = docCompletion + docGrounding + docClaims

// Doc returns the section of the package comment that describes a check, without its heading and comment marks. The error
// says that there is none.
func Doc(name string) (string, error) {
	_, rest, ok := strings.Cut(docSource, "\n# Check "+name+"\n")
	if !ok {
		return "", fmt.Errorf("doc %s: no section in the package comment", name)
	}
	if i := strings.Index(rest, "\n# Check "); i >= 0 {
		rest = rest[:i]
	}
	rest, _, _ = strings.Cut(rest, "\n*/")
	return strings.TrimSpace(rest), nil
}
