package checks

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Options are the switches of one run; the zero value is production.
type Options struct {
	// Disabled holds the ids or names of checks that are left out.
	Disabled []string `json:"disabled,omitempty"`
	Policy   Policy   `json:"policy"`
	// NoRebuild leaves out the one whole rebuild of the repair order.
	NoRebuild bool `json:"no_rebuild,omitempty"`
	// NoSentence, NoFacet and NoTerminal leave out the other steps of that order. Without the facet's step what a sentence's did not
	// put right goes to the rebuild; without the terminal actions what still blocks stands in the report.
	NoSentence bool `json:"no_sentence,omitempty"`
	NoFacet    bool `json:"no_facet,omitempty"`
	NoTerminal bool `json:"no_terminal,omitempty"`
	// NoNormalisers leaves out the edits that are made before anything is judged.
	NoNormalisers bool `json:"no_normalisers,omitempty"`
	// Attempts is the most attempts of a run; the last one ends it with the terminal actions. If zero, 64.
	Attempts int `json:"attempts,omitempty"`
	// selects stands in for the selection of the policy in the tests that plant a bug in it.
	selects func([]Counter, []Candidate) (Choice, []Counter)
}

// defaultAttempts is far above what the lifetime caps of a report of ordinary size allow; it only bounds a run whose keys
// keep changing.
const defaultAttempts = 64

func (o Options) off(c *Check) bool {
	for _, d := range o.Disabled {
		if c.Named(d) {
			return true
		}
	}
	return false
}

// Fire is one check firing on one key.
type Fire struct {
	Check  string `json:"check"` // name
	Key    Key    `json:"key"`
	Class  Class  `json:"class"` // of its strongest hit
	Hits   []Hit  `json:"hits"`
	Digest string `json:"digest"` // of what the check read and found; equal digests mean that nothing changed
	// Action is what is due: the first repair when the class blocks, the advice otherwise.
	Action Action `json:"action"`
}

// Blocks reports whether the fire stands in the way of acceptance.
func (f Fire) Blocks() bool { return f.Class > Advisory }

// pair is the fire's identity in a [State].
func (f Fire) pair() string { return pairName(f.Check, f.Key) }

func pairName(check string, k Key) string { return check + "@" + k.String() }

// Evaluate runs every enabled check on every key, not only up to the first hit, and returns what fires: normalisers,
// completion, grounding, then by place in the bank, then by place in the view. It is pure.
func Evaluate(v View, o Options) []Fire {
	v = indexed(v)
	var fires []Fire
	for _, tier := range []Tier{Normaliser, Completion, Grounding} {
		for _, c := range Bank {
			if c.Tier != tier || o.off(c) {
				continue
			}
			for _, k := range c.Scope(v) {
				if hits := c.Eval(v, k); len(hits) > 0 {
					fires = append(fires, newFire(c, v, k, hits))
				}
			}
		}
	}
	return fires
}

func newFire(c *Check, v View, k Key, hits []Hit) Fire {
	for i := range hits {
		hits[i].What = told(hits[i].What)
	}
	f := Fire{Check: c.Name, Key: k, Hits: hits, Digest: digest(v, k, hits)}
	for _, h := range hits {
		if !h.Weak {
			f.Class = c.Class
		}
	}
	if f.Blocks() {
		f.Action = c.repair(hits, 0)
	} else {
		f.Action = c.Advise
	}
	return f
}

// What a hit tells is bounded whatever it quotes: it goes into a report, a log and a terminal.
const (
	maxTold     = 600 // runes of one sentence
	maxToldWord = 120 // runes of one word, an address included
)

// told shortens what a hit tells: words in their middle, then the whole at its end.
func told(s string) string {
	if len(s) <= maxToldWord {
		return s
	}
	var out strings.Builder
	for rest := s; rest != ""; {
		n := strings.IndexFunc(rest, unicode.IsSpace)
		switch n {
		case -1:
			n = len(rest)
		case 0:
			_, n = utf8.DecodeRuneInString(rest)
		}
		word := rest[:n]
		if m := utf8.RuneCountInString(word); m > maxToldWord {
			word = head(word, maxToldWord-40) + "..." + tail(word, 30)
		}
		out.WriteString(word)
		rest = rest[n:]
	}
	if s = out.String(); utf8.RuneCountInString(s) > maxTold {
		s = head(s, maxTold-3) + "..."
	}
	return s
}

// repair returns the action for the selection after n earlier ones in a row.
func (c *Check) repair(hits []Hit, n int) Action {
	if n == 0 {
		for _, h := range hits {
			if !h.Weak && h.Action != "" {
				return h.Action
			}
		}
	}
	return c.Repair[min(n, len(c.Repair)-1)]
}

// digest hashes what a key denotes, what that rests on, and what was found there. Of a call that is its answer: how it was asked
// differs between two attempts of which the second changed nothing.
func digest(v View, k Key, hits []Hit) string {
	b, err := json.Marshal([]any{k, v.denoted(k), hits})
	if err != nil { // only a type that JSON cannot hold; there is none among them
		return ""
	}
	return research.SHA256(string(b))[:16]
}

// denoted returns the content behind a key.
func (v View) denoted(k Key) any {
	switch k.Kind {
	case KeyDispatch:
		d, _ := v.dispatch(k)
		return []any{d.Visible, d.Thinking, d.DoneReason, d.Schema}
	case KeyFacet:
		var citable []string
		for _, f := range v.Findings {
			if f.Facet == k.ID && Citable(f, v) {
				citable = append(citable, f.ID)
			}
		}
		return []any{citable, v.citableClaims(k.ID), v.Gate}
	case KeySource:
		s, _ := v.source(k.ID)
		return []any{s.Verdict, s.SHA256, s.Title}
	case KeyClaim:
		return v.Claims[k.ID]
	case KeySection:
		s, _ := v.section(k)
		return s
	case KeyQuery, KeyLookup:
		return []any{v.Queries, v.Lookups}
	case KeyRun:
		return []any{v.Draft, v.Sources, v.Removed}
	case KeyBlock:
		b, _ := v.block(k)
		return []any{b, research.SHA256(v.groundOf(b).text)}
	}
	return nil
}

// State is what the bank remembers between the attempts of a run. Its zero value is the start of one; [Step] never changes
// the one it is given.
type State struct {
	Attempt  int                 `json:"attempt"`
	Counters map[string]Counter  `json:"counters,omitempty"` // by check@kind:id
	Tried    map[string][]string `json:"tried,omitempty"`    // "digest action", of a sentence alone "digest action sentence", already done, by check@kind:id
	Stalls   map[string]Stall    `json:"stalls,omitempty"`   // by facet
	Rebuilt  bool                `json:"rebuilt,omitempty"`
}

// Stall counts the repairs of one facet that did not help.
type Stall struct {
	Open  int `json:"open"`  // what blocked the facet when it was last repaired
	Count int `json:"count"` // repairs in a row after which no less was open
}

// Applied is one action with what asked for it.
type Applied struct {
	Check  string   `json:"check"`
	Key    Key      `json:"key"`
	Facets []string `json:"facets,omitempty"` // that the key belongs to
	Hits   []Hit    `json:"hits,omitempty"`
	Action Action   `json:"action"`
	// Done says that the bank carried it out on the view; otherwise it is the engine's.
	Done bool `json:"done"`
}

// Verdict is the one result of an attempt.
type Verdict struct {
	Attempt int     `json:"attempt"` // 1, 2, ...
	Outcome Outcome `json:"outcome"`
	// Of a repair: what was selected and what is to be done.
	Check   string   `json:"check,omitempty"`
	Key     Key      `json:"key"`
	Facets  []string `json:"facets,omitempty"` // that the key belongs to
	Digest  string   `json:"digest,omitempty"`
	Hits    []Hit    `json:"hits,omitempty"`
	Action  Action   `json:"action,omitempty"`
	Done    bool     `json:"done,omitempty"` // the bank carried it out on the view
	Rung    Rung     `json:"rung,omitempty"`
	Overdue bool     `json:"overdue,omitempty"` // selected because it had waited
	Yielded []string `json:"yielded,omitempty"` // capped pairs that stood before it, check@kind:id
	// Edited are the edits of this attempt that used nothing up, made before the selection: the normalisers', then those of
	// checks that resolve themselves.
	Edited []Applied `json:"edited,omitempty"`
	// Final are the terminal actions, then the advice, in the order of the bank, of an attempt that ends the loop.
	Final []Applied `json:"final,omitempty"`
	// Defects are pairs whose edit did not put the key right: a fault of the program, and a failure in its tests.
	Defects []string `json:"defects,omitempty"`
}

// Over reports whether the attempt ends the loop: the draft in the view is then what goes into the report, once the engine
// has done what Final still asks of it.
func (v Verdict) Over() bool { return v.Outcome != Repaired }

// Result is what one attempt gives back.
type Result struct {
	Verdict Verdict
	State   State
	View    View   // with the edits made; Draft, Sources, Dispatches, Claims and Issues may differ from what was given
	Fires   []Fire // the fire set after the self-resolving edits
}

// Step is one attempt. It makes the edits of the normalisers, evaluates the whole bank, applies the self-resolving edits and evaluates once more, selects at
// most one pair, and carries out what the bank can do itself. The engine does the rest and calls Step again, until the
// verdict is Over. It is pure: the same state, view and options give the same result.
func Step(s State, v View, o Options) Result {
	a := attempt{opt: o, state: s.clone(), view: v}
	a.state.Attempt++
	a.verdict.Attempt = a.state.Attempt
	a.normalise()
	a.fires = Evaluate(a.view, o)
	a.resolve()
	a.decide()
	return Result{Verdict: a.verdict, State: a.state, View: a.view, Fires: a.fires}
}

// String says in one line what an attempt came to.
func (v Verdict) String() string {
	if v.Outcome != Repaired {
		return fmt.Sprintf("attempt %d: %s", v.Attempt, v.Outcome)
	}
	return fmt.Sprintf("attempt %d: %s at %s: %s", v.Attempt, v.Check, v.Key, v.Action)
}
