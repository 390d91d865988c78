package audit

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// sources checks the cards against the events, and Eq. 6.
func (c *checker) sources() {
	seen := map[string]bool{}
	for i, s := range c.d.Sources {
		where := fmt.Sprintf("source %s [%d]", s.ID, i+1)
		c.want(!seen[s.ID], where, "is listed twice")
		seen[s.ID] = true
		same(c, where, "verdict", s.Verdict, research.Verified)
		blob, ok := c.run.Blobs[s.SHA256]
		c.want(ok, where, "its text (sha256 %s) is not among the blobs", s.SHA256)
		if snippet := collapse(strings.TrimSuffix(s.Snippet, "…")); ok && snippet != "" {
			c.want(strings.Contains(collapse(blob), snippet), where, "the snippet does not stand in its text")
		}
		c.quality(where, s)
		o, ok := c.opened[s.ID]
		if !c.want(ok, where, "the record has no event that it was opened") {
			continue
		}
		same(c, where, "sha256", s.SHA256, o.SHA256)
		same(c, where, "address", s.URL, o.Location)
		same(c, where, "title", s.Title, o.Title)
		same(c, where, "author", s.Author, o.Byline)
		same(c, where, "published", s.Published, o.Published)
		same(c, where, "retrieved", s.Retrieved, o.Retrieved)
		same(c, where, "voice", s.Voice, o.Voice)
		same(c, where, "tier", s.Tier, o.Tier)
		same(c, where, "origin", s.OriginType, o.Origin)
		same(c, where, "angle", s.Angle, o.Angle)
		same(c, where, "adversarial", s.Adversarial, o.Adversarial)
		same(c, where, "recorded verdict", o.Verdict, s.Verdict)
		same(c, where, "quality", s.Quality, o.Quality)
		same(c, where, "media type", s.MediaType, o.MediaType)
	}
}

// quality recomputes Eq. 6. Trust tiers 1, 2, 3 have authority 1, 0.85, 0.5.
func (c *checker) quality(where string, s research.DigestSource) {
	q := s.Quality
	parts := []struct {
		name   string
		value  research.Ratio
		weight *big.Rat
	}{
		{"relevance", q.Relevance, big.NewRat(4, 10)}, {"authority", q.Authority, big.NewRat(3, 10)},
		{"freshness", q.Freshness, big.NewRat(2, 10)}, {"completeness", q.Completeness, big.NewRat(1, 10)},
	}
	sum := new(big.Rat)
	for _, p := range parts {
		v := rat(p.value)
		c.want(known(p.value) && v.Sign() >= 0 && v.Cmp(big.NewRat(1, 1)) <= 0, where, "%s of its quality is %q, not within 0 and 1", p.name, p.value)
		sum.Add(sum, v.Mul(v, p.weight))
	}
	same(c, where, "quality", q.Value, ratio(sum))
	byTier := map[int]research.Ratio{1: "1", 2: "17/20", 3: "1/2"}
	if c.want(byTier[s.Tier] != "", where, "tier %d is not 1, 2 or 3", s.Tier) {
		same(c, where, fmt.Sprintf("authority of tier %d", s.Tier), q.Authority, byTier[s.Tier])
	}
}

func ratio(r *big.Rat) research.Ratio { return research.Ratio(r.RatString()) }

// collapse makes every run of white space one space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// sourceSHA returns the sha256 of a source's text from the digest or the events.
func (c *checker) sourceSHA(id string) (string, bool) {
	if i, ok := c.index[id]; ok {
		return c.d.Sources[i].SHA256, true
	}
	s, ok := c.opened[id]
	return s.SHA256, ok
}

// source returns a source by id as it was opened; of one that the events lack, what its card says.
func (c *checker) source(id string) research.Source {
	if s, ok := c.opened[id]; ok {
		return s
	}
	if i, ok := c.index[id]; ok {
		s := c.d.Sources[i]
		return research.Source{ID: s.ID, Location: s.URL, Voice: s.Voice, Tier: s.Tier, Origin: s.OriginType, Verdict: s.Verdict, SHA256: s.SHA256, Published: s.Published, Title: s.Title}
	}
	return research.Source{}
}

// passages checks every passage against the text it was cut from.
func (c *checker) passages() {
	for _, key := range keysOf(c.d.Passages) {
		p, where := c.d.Passages[key], "passage "+key
		same(c, where, "id", p.ID, key)
		sha, ok := c.sourceSHA(p.Source)
		if !c.want(ok, where, "its source %s is not in the record", p.Source) {
			continue
		}
		same(c, where, "id", key, research.ID("p", sha, strconv.Itoa(p.Start), strconv.Itoa(p.End)))
		same(c, where, "sha256", p.SHA256, research.SHA256(p.Text))
		blob, ok := c.run.Blobs[sha]
		if !c.want(ok, where, "the text of %s (sha256 %s) is not among the blobs", p.Source, sha) ||
			!c.want(0 <= p.Start && p.Start < p.End && p.End <= len(blob), where, "offsets %d to %d are outside the %d bytes of %s", p.Start, p.End, len(blob), p.Source) {
			continue
		}
		c.want(p.Text == blob[p.Start:p.End], where, "its text is not what stands in %s between bytes %d and %d", p.Source, p.Start, p.End)
		c.want(utf8.ValidString(p.Text), where, "its offsets cut a character")
		if pages := c.documents[sha].Pages; len(pages) > 0 {
			same(c, where, "page", p.Page, sort.SearchInts(pages, p.Start+1))
		} else if _, read := c.documents[sha]; read {
			same(c, where, "page", p.Page, 0)
		}
		if docs := c.documents[sha].Headings; p.Heading != "" && len(docs) > 0 {
			c.want(slices.ContainsFunc(docs, func(h research.Heading) bool { return strings.Contains(p.Heading, h.Text) }), where, "%q is no heading of %s", p.Heading, p.Source)
		}
	}
}

// stats recomputes the stats bar from the events.
func (c *checker) stats() {
	s, where := c.d.SourceStats, "source_stats"
	voices, origins := map[string]bool{}, map[research.Origin]bool{}
	verified, adversarial := 0, 0
	against := map[string]int{}
	for _, id := range keysOf(c.opened) {
		o := c.opened[id]
		if o.Verdict != research.Verified {
			continue
		}
		verified++
		voices[o.Voice], origins[o.Origin] = true, true
		if o.Adversarial { // of one voice of the web three count
			if against[o.Voice]++; against[o.Voice] <= 3 || !strings.Contains(o.Location, "://") {
				adversarial++
			}
		}
	}
	same(c, where, "opened", s.Opened, len(c.opened))
	same(c, where, "verified", s.Verified, verified)
	same(c, where, "rejected", s.Rejected, len(c.opened)-verified)
	same(c, where, "independent", s.Independent, len(voices))
	same(c, where, "origin types", s.OriginTypes, len(origins))
	same(c, where, "adversarial", s.Adversarial, adversarial)
	b := c.d.Understanding.Budget
	same(c, where, "floor of voices", s.Floor.Voices, b.FloorVoices)
	same(c, where, "floor of origin types", s.Floor.OriginTypes, b.FloorOrigins)
	same(c, where, "floor of adversarial sources", s.Floor.Adversarial, b.FloorOpposing)
	missed := 0
	academic := len(origins) == 1 && origins[research.Academic]
	same(c, where, "academic only", s.AcademicOnly, academic)
	for _, short := range []bool{len(voices) < b.FloorVoices, len(origins) < b.FloorOrigins && !academic, adversarial < b.FloorOpposing} {
		if short {
			missed++
		}
	}
	same(c, where, "number of floors missed", len(s.Shortfall), missed)
}
