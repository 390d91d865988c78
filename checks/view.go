package checks

import (
	"slices"
	"strings"

	"assay/engine/research"
)

// View is everything a check may read: one attempt's draft, the calls that made it and the material behind it. It is a
// value that no check changes; an edit returns a new View that shares what it did not touch. Its JSON is what the fixtures
// under testdata hold.
//
// Dispatches are in the order in which they were made; of those with the same role and task a check sees the last. Texts
// holds the clean text of sources by their SHA256; a source whose text is not there counts as without text. Passages may
// be left empty for passages that hang on a source of Sources.
type View struct {
	Now        string                      `json:"now,omitempty"` // RFC 3339, the run's clock
	Question   string                      `json:"question,omitempty"`
	Lang       string                      `json:"lang,omitempty"` // of the report: "en" or "zh"
	Terms      []string                    `json:"terms,omitempty"`
	Facets     []research.Facet            `json:"facets,omitempty"`
	Gate       []Gate                      `json:"gate,omitempty"`
	Dispatches []research.Dispatch         `json:"dispatches,omitempty"`
	Sources    []research.Source           `json:"sources,omitempty"`
	Texts      map[string]string           `json:"texts,omitempty"`
	Passages   map[string]research.Passage `json:"passages,omitempty"`
	Claims     map[string]research.Claim   `json:"claims,omitempty"`
	Findings   []research.Finding          `json:"findings,omitempty"`
	Draft      research.Draft              `json:"draft"`
	// Entities are the names in the question.
	Entities []research.Entity `json:"entities,omitempty"`
	// Shape, Budget and Closed say what kind of report is asked for, what pool of sources its depth asks for, and whether
	// only a library was asked. Without a Budget no floor is held.
	Shape  research.Shape  `json:"shape,omitempty"`
	Budget research.Budget `json:"budget,omitzero"`
	Closed bool            `json:"closed,omitempty"`
	// Queries are those about to be sent to a search engine, or sent.
	Queries []research.Query `json:"queries,omitempty"`
	// Contradicts is what the report prints of its sources' disagreements beside the draft.
	Contradicts []research.Contradiction `json:"contradictions,omitempty"`
	// Lookups are references with what catalogues said of them; Of is the block a reference stands in. Without one nothing
	// is said of a reference.
	Lookups []research.CitationLookup `json:"lookups,omitempty"`
	// Hidden holds, by source id, the text that a page carried and did not show.
	Hidden map[string]string `json:"hidden,omitempty"`
	// Removed is what a guard took out of what a model wrote.
	Removed []Removal `json:"removed,omitempty"`
	// Issues is what the edits left out of the draft and why, in the order in which it happened.
	Issues []research.Issue `json:"issues,omitempty"`

	// at finds its parts by their ids within one evaluation; nil outside of one.
	at *places
}

// Removal is a part of a model's text that a guard took out before it could reach a page.
type Removal struct {
	Block string `json:"block"` // the block, or the task, it stood in
	Kind  string `json:"kind"`  // image, link, definition, markup, address
	Text  string `json:"text"`  // what was taken out, bounded
}

// Gate is a writer about to be called: the facet it will write and the evidence block as rendered for it. The engine sets
// it before a call and leaves it empty afterwards.
type Gate struct {
	Facet    string `json:"facet"`
	Evidence string `json:"evidence"`
}

// KeyKind is what a check looks at one at a time.
type KeyKind string

// The kinds of keys. A dispatch key is its role and task, not the identity of one call, so that caps hold over retries.
const (
	KeyDispatch KeyKind = "dispatch" // ID is "role/task"
	KeyFacet    KeyKind = "facet"
	KeySource   KeyKind = "source"
	KeyClaim    KeyKind = "claim"
	KeySection  KeyKind = "section" // ID [SummaryID] is the summary
	KeyBlock    KeyKind = "block"
	KeyQuery    KeyKind = "query"  // ID is its text
	KeyLookup   KeyKind = "lookup" // ID is its place among Lookups, "0" first
	KeyRun      KeyKind = "run"    // ID is [RunID]: the report as a whole
)

// RunID is the id of the one key of kind run.
const RunID = "report"

// runKeys returns the one key of the report as a whole, when there is a report or a pool to speak of.
func runKeys(v View) []Key {
	if len(v.Sources)+len(v.sections()) == 0 {
		return nil
	}
	return []Key{{KeyRun, RunID}}
}

// SummaryID is the section id of a draft's summary.
const SummaryID = "summary"

// Key names one thing of a view.
type Key struct {
	Kind KeyKind `json:"kind"`
	ID   string  `json:"id"`
}

// String returns "kind:id".
func (k Key) String() string { return string(k.Kind) + ":" + k.ID }

// dispatchKey is the key of every call of one role for one task.
func dispatchKey(d research.Dispatch) Key {
	return Key{KeyDispatch, string(d.Role) + "/" + d.Task}
}

// dispatchKeys returns a key for each role and task, in the order of their first call.
func dispatchKeys(v View) []Key {
	var keys []Key
	seen := map[Key]bool{}
	for _, d := range v.Dispatches {
		if k := dispatchKey(d); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	return keys
}

// dispatch returns the last call under a dispatch key.
func (v View) dispatch(k Key) (research.Dispatch, bool) {
	if v.at != nil {
		d, ok := v.at.dispatch[k]
		return d, ok
	}
	for i := len(v.Dispatches) - 1; i >= 0; i-- {
		if dispatchKey(v.Dispatches[i]) == k {
			return v.Dispatches[i], true
		}
	}
	return research.Dispatch{}, false
}

// sections returns the summary, when there is one, and the sections in order.
func (v View) sections() []research.DraftSection {
	if v.at != nil {
		return slices.Clip(v.at.sections)
	}
	return v.allSections()
}

func (v View) allSections() []research.DraftSection {
	var out []research.DraftSection
	if len(v.Draft.Summary) > 0 {
		out = append(out, research.DraftSection{ID: SummaryID, Title: SummaryID, Blocks: v.Draft.Summary})
	}
	return append(out, v.Draft.Sections...)
}

// sectionKeys returns a key for the summary and for each section.
func sectionKeys(v View) []Key {
	var keys []Key
	for _, s := range v.sections() {
		keys = append(keys, Key{KeySection, s.ID})
	}
	return keys
}

// section returns the section under a section key.
func (v View) section(k Key) (research.DraftSection, bool) {
	if v.at != nil {
		i, ok := v.at.section[k.ID]
		if !ok || k.Kind != KeySection {
			return research.DraftSection{}, false
		}
		return v.at.sections[i], true
	}
	for _, s := range v.sections() {
		if k.Kind == KeySection && s.ID == k.ID {
			return s, true
		}
	}
	return research.DraftSection{}, false
}

// blockKeys returns a key for each block, the summary's first.
func blockKeys(v View) []Key {
	if v.at != nil {
		return slices.Clip(v.at.blocks)
	}
	var keys []Key
	for _, s := range v.sections() {
		for _, b := range s.Blocks {
			keys = append(keys, Key{KeyBlock, b.ID})
		}
	}
	return keys
}

// block returns the block under a block key.
func (v View) block(k Key) (research.Block, bool) {
	if v.at != nil {
		b, ok := v.at.block[k.ID]
		if k.Kind != KeyBlock {
			return research.Block{}, false
		}
		return b, ok
	}
	for _, s := range v.sections() {
		for _, b := range s.Blocks {
			if k.Kind == KeyBlock && b.ID == k.ID {
				return b, true
			}
		}
	}
	return research.Block{}, false
}

// source returns the source of that id.
func (v View) source(id string) (research.Source, bool) {
	if v.at != nil {
		s, ok := v.at.source[id]
		return s, ok
	}
	i := slices.IndexFunc(v.Sources, func(s research.Source) bool { return s.ID == id })
	if i < 0 {
		return research.Source{}, false
	}
	return v.Sources[i], true
}

// passage returns the passage of that id, from Passages or from its source.
func (v View) passage(id string) (research.Passage, bool) {
	if p, ok := v.Passages[id]; ok {
		return p, true
	}
	if v.at != nil {
		p, ok := v.at.passage[id]
		return p, ok
	}
	for _, s := range v.Sources {
		for _, p := range s.Passages {
			if p.ID == id {
				return p, true
			}
		}
	}
	return research.Passage{}, false
}

// facetsOf returns the facets a key belongs to; none when that cannot be told.
func (v View) facetsOf(k Key) []string {
	switch k.Kind {
	case KeyFacet:
		return []string{k.ID}
	case KeyClaim:
		return []string{v.Claims[k.ID].Facet}
	case KeyDispatch:
		_, task, _ := strings.Cut(k.ID, "/")
		if s, ok := v.section(Key{KeySection, task}); ok {
			return s.Facets
		}
		return []string{task}
	case KeySection, KeyBlock:
		if v.at != nil && k.Kind == KeyBlock {
			if i, ok := v.at.inSection[k.ID]; ok {
				return v.at.sections[i].Facets
			}
			return nil
		}
		for _, s := range v.sections() {
			if k.Kind == KeySection && s.ID == k.ID || k.Kind == KeyBlock && hasBlock(s, k.ID) {
				return s.Facets
			}
		}
	}
	return nil
}

func hasBlock(s research.DraftSection, id string) bool {
	return slices.ContainsFunc(s.Blocks, func(b research.Block) bool { return b.ID == id })
}

// maxBasis bounds how deep a derived claim is followed to its basis (CHECKS 4.1 limits derivations to 3 steps).
const maxBasis = 3

// ground is what a block rests on.
type ground struct {
	text    string // what may support it
	sources []research.Source
}

// groundOf collects what a block rests on: its cited passages and those of its claims, each after its source's title and
// heading, because a passage leaves out what they say. A derived claim adds its own sentence, which code wrote and
// arithmeticinconsistent recomputes. Without a single passage it is the whole text of the cited sources.
func (v View) groundOf(b research.Block) ground {
	if v.at == nil {
		return v.readGround(b)
	}
	// By what it rests on, not by its id: two blocks may have one.
	name := strings.Join(b.Citations, "\x00") + "\x01" + strings.Join(b.Claims, "\x00") + "\x01" + strings.Join(b.Refs, "\x00")
	g, ok := v.at.grounds[name]
	if !ok {
		g = v.readGround(b)
		v.at.grounds[name] = g
	}
	return g
}

// readGround is groundOf without an index.
func (v View) readGround(b research.Block) ground {
	var g ground
	var parts []string
	cite := func(id string) {
		s, ok := v.source(id)
		if ok && !slices.ContainsFunc(g.sources, func(have research.Source) bool { return have.ID == id }) {
			g.sources = append(g.sources, s)
			parts = append(parts, s.Title)
		}
	}
	seen := map[string]bool{}
	take := func(id string) {
		if p, ok := v.passage(id); ok && !seen[id] {
			seen[id] = true
			cite(p.Source)
			parts = append(parts, p.Heading, p.Text)
		}
	}
	var follow func(id string, depth int)
	follow = func(id string, depth int) {
		c, ok := v.Claims[id]
		if !ok || depth > maxBasis {
			return
		}
		take(c.Passage)
		if c.Derivation != nil {
			parts = append(parts, c.Text)
			for _, basis := range c.Derivation.Basis {
				follow(basis, depth+1)
			}
		}
	}
	for _, id := range b.Citations {
		take(id)
	}
	for _, id := range b.Claims {
		follow(id, 1)
	}
	whole := len(seen) == 0
	for _, id := range b.Refs {
		cite(id)
	}
	if whole {
		for _, s := range g.sources {
			parts = append(parts, v.Texts[s.SHA256])
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	g.text = strings.Join(parts, "\n\n")
	return g
}

// isCJK reports whether most letters of s are Chinese, Japanese or Korean; thresholds counted in runes are halved then,
// because one such rune says about as much as a short word.
func isCJK(s string) bool {
	cjk, other := 0, 0
	for _, r := range s {
		switch {
		case r >= 0x2E80 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x2FA1F:
			cjk++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= 0xC0 && r < 0x2E80:
			other++
		}
	}
	return cjk > other/3
}
