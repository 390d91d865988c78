package evidence

import (
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds of the near-duplicate search. The thresholds are those of CHECKS 4.2; the rest bounds its cost.
const (
	shingleTokens   = 5    // tokens a shingle
	minContainment  = 0.7  // of the shorter text
	minShingles     = 8    // a shorter text says nothing about copying
	maxSimHashDist  = 3    // of 64 bits
	minSimHashWords = 200  // SimHash of a shorter text is noise
	agencyTokens    = 12   // tokens a shingle of agency text
	agencyShared    = 3    // such shingles in common
	allShingles     = 2048 // a text with more is looked up by one shingle in sampleRate
	sampleRate      = 8
	widestPosting   = 16 // a shingle links each of its texts to so many of the first that have it
)

// copyText is one distinct text among the sources.
type copyText struct {
	source   string // the first source that has it
	sha      string
	shingles map[uint64]bool
	hash     uint64
	words    int
	agency   string // agency named in it, "*" for "originally published", else empty
	raw      string
}

// duplicates returns the edges of copied text among sources, which are sorted by identifier.
//
// Equal texts are joined at once. Of the others, two are compared exactly when they share a shingle or a quarter of their
// SimHash (with a distance of at most 3, one of four 16-bit bands is equal). A text of over 2048 shingles is looked up by
// every eighth hash: two texts with containment 0.7 and a shorter one of 64 shingles miss each other about once in 15000.
func (c *Copies) duplicates(sources []research.Source, texts func(sha string) string) []research.Edge {
	if texts == nil {
		return nil
	}
	var edges []research.Edge
	var list []copyText
	first := map[string]string{} // sha256 -> source
	for _, s := range sources {
		if s.SHA256 == "" {
			continue
		}
		if f, ok := first[s.SHA256]; ok {
			edges = append(edges, research.Edge{A: f, B: s.ID, Why: whyDuplicate, Score: "1"})
			continue
		}
		first[s.SHA256] = s.ID
		if t, ok := c.text(s.SHA256, texts); ok {
			t.source = s.ID
			list = append(list, t)
		}
	}
	for _, p := range candidates(list) {
		if e, ok := c.compared(list[p[0]], list[p[1]]); ok {
			edges = append(edges, e)
		}
	}
	return edges
}

// Copies remembers texts as they were prepared for comparison and how pairs of them compared, so that the sources of one run are
// compared again and again at little cost. The zero value is ready; it is safe for concurrent use.
type Copies struct {
	mu    sync.Mutex
	texts map[string]copyText        // by sha256
	pairs map[[2]string]comparedText // by two sha256
}

// comparedText is how two texts compared.
type comparedText struct {
	edge research.Edge
	ok   bool
}

// text returns the text of a checksum, prepared; false when there is none.
func (c *Copies) text(sha string, texts func(sha string) string) (copyText, bool) {
	c.mu.Lock()
	t, ok := c.texts[sha]
	c.mu.Unlock()
	if ok {
		return t, true
	}
	raw := texts(sha)
	if raw == "" {
		return t, false
	}
	t = read("", raw)
	t.sha = sha
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil {
		c.texts = map[string]copyText{}
	}
	c.texts[sha] = t
	return t, true
}

// compared is [compare], worked out once for two texts.
func (c *Copies) compared(a, b copyText) (research.Edge, bool) {
	key := [2]string{a.sha, b.sha}
	c.mu.Lock()
	r, ok := c.pairs[key]
	c.mu.Unlock()
	if !ok {
		r.edge, r.ok = compare(a, b)
		c.mu.Lock()
		if c.pairs == nil {
			c.pairs = map[[2]string]comparedText{}
		}
		c.pairs[key] = r
		c.mu.Unlock()
	}
	r.edge.A, r.edge.B = a.source, b.source
	return r.edge, r.ok
}

// maxCopyText bounds how much of a text is compared, in bytes: a book is compared by its beginning.
const maxCopyText = 4 << 20

// read prepares a text for comparison.
func read(source, raw string) copyText {
	raw = strings.ToValidUTF8(raw[:min(len(raw), maxCopyText)], "")
	return copyText{source: source, raw: raw, shingles: text.Shingles(raw, shingleTokens), hash: text.SimHash64(raw), words: len(text.Tokens(raw)), agency: agencyOf(raw)}
}

// candidates returns the pairs of texts worth an exact comparison, each once, lesser index first.
func candidates(list []copyText) [][2]int {
	posting := map[uint64][]int{}
	pairs := map[[2]int]bool{}
	link := func(key uint64, i int) {
		p := posting[key]
		for _, j := range p {
			pairs[[2]int{j, i}] = true
		}
		if len(p) < widestPosting {
			posting[key] = append(p, i)
		}
	}
	for i, t := range list {
		for h := range t.shingles {
			if len(t.shingles) <= allShingles || h%sampleRate == 0 {
				link(h, i)
			}
		}
	}
	clear(posting)
	for i, t := range list {
		if t.words < minSimHashWords {
			continue
		}
		for band := range uint64(4) {
			link(band<<16|(t.hash>>(16*band))&0xffff, i)
		}
	}
	out := make([][2]int, 0, len(pairs))
	for p := range pairs {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return out
}

// compare decides with the exact score; ok is false for independent texts.
func compare(a, b copyText) (research.Edge, bool) {
	e := research.Edge{A: a.source, B: b.source}
	shared, shorter := overlap(a.shingles, b.shingles)
	if shorter >= minShingles && float64(shared) >= minContainment*float64(shorter) {
		e.Why, e.Score = whyDuplicate, research.NewRatio(int64(shared), int64(shorter))
		return e, true
	}
	if dist := bits.OnesCount64(a.hash ^ b.hash); dist <= maxSimHashDist && a.words >= minSimHashWords && b.words >= minSimHashWords {
		e.Why, e.Score = whySimHash, research.NewRatio(int64(64-dist), 64)
		return e, true
	}
	if a.agency == "" && b.agency == "" || !sameAgency(a.agency, b.agency) {
		return e, false
	}
	shared, shorter = overlap(text.Shingles(a.raw, agencyTokens), text.Shingles(b.raw, agencyTokens))
	if shared < agencyShared {
		return e, false
	}
	e.Why, e.Score = whySyndication, research.NewRatio(int64(shared), int64(shorter))
	return e, true
}

// overlap counts common shingles and those of the smaller set.
func overlap(a, b map[uint64]bool) (shared, shorter int) {
	if len(b) < len(a) {
		a, b = b, a
	}
	for h := range a {
		if b[h] {
			shared++
		}
	}
	return shared, len(a)
}

// sameAgency reports whether two marks speak of one origin: one agency, or one text that says it appeared elsewhere.
func sameAgency(a, b string) bool { return a == b || a == "*" || b == "*" }

// agencies are the news agencies whose byline or dateline marks a syndicated text.
var agencies = regexp.MustCompile(`\((?i:reuters|ap|afp|upi|dpa|ansa|efe|pti|xinhua|kyodo|yonhap|tass|bloomberg|ians|aap)\)` +
	`|(?i:\b(?:by|source:)\s+(?:the\s+)?(?:reuters|associated press|agence france-presse|xinhua|bloomberg news|press trust of india))` +
	`|新华社|中新社|路透社|法新社|美联社`)

// elsewhere marks a text that says that it appeared somewhere else first.
var elsewhere = regexp.MustCompile(`(?i:\boriginally (?:published|appeared|posted)\b|\bfirst (?:published|appeared) (?:in|on|at|by)\b|\brepublished (?:from|with)\b)|本文转载|转载自|原载于`)

// agencyWindow is how much of the head and of the foot of a text is looked at for a mark, in bytes.
const agencyWindow = 1500

// agencyOf returns the agency a text names in its head or foot, "*" when it says that it appeared elsewhere first, or
// nothing.
func agencyOf(s string) string {
	head, foot := s, ""
	if len(s) > 2*agencyWindow {
		head, foot = s[:agencyWindow], s[len(s)-agencyWindow:]
	}
	for _, part := range []string{head, foot} {
		if m := agencies.FindString(part); m != "" {
			return canonicalAgency(m)
		}
	}
	if elsewhere.MatchString(head) || elsewhere.MatchString(foot) {
		return "*"
	}
	return ""
}

// canonicalAgency folds the spellings of one agency.
func canonicalAgency(m string) string {
	m = strings.ToLower(strings.Trim(m, "()"))
	for _, p := range [][2]string{
		{"reuters", "reuters"}, {"路透社", "reuters"}, {"associated press", "ap"}, {"美联社", "ap"}, {"agence france", "afp"},
		{"法新社", "afp"}, {"xinhua", "xinhua"}, {"新华社", "xinhua"}, {"bloomberg", "bloomberg"}, {"press trust", "pti"},
	} {
		if strings.Contains(m, p[0]) {
			return p[1]
		}
	}
	return m
}
