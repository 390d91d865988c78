package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// said checks the sentences that code writes into a report beside the findings: the counts of the standfirst, the quotations
// of the summary with their keys, the figures of the verdict, the timeline's words, and that a part of the question without a
// finding is told as a gap.
func (c *checker) said() {
	s := c.d.SourceStats
	counts := numbersIn(c.d.Subtitle)
	want := []int{c.d.Metrics.Findings, s.Verified, s.Independent}
	slices.Sort(want)
	slices.Sort(counts)
	c.want(slices.Equal(counts, want), "subtitle", "its counts are %v, the report has %v", counts, want)
	c.summary()
	c.verdict()
	c.titles()
	c.lists()
	c.answerer()
	for i, t := range c.d.Timeline {
		if cl, ok := c.d.Claims[t.Claim]; ok {
			c.want(collapse(t.Text) == collapse(cl.Text), fmt.Sprintf("timeline %d", i+1), "its words are not those of claim %s", t.Claim)
		}
	}
	for _, f := range c.d.Understanding.Facets {
		if c.hasFinding(f.ID) {
			continue
		}
		told := false
		for _, g := range c.d.Gaps {
			told = told || g.Facet == f.ID
		}
		c.want(told, "gaps", "the part %s of the question has no finding and no gap tells of it", f.ID)
	}
}

// hasFinding reports whether a section of the facet has a finding.
func (c *checker) hasFinding(facet string) bool {
	for _, s := range c.d.Sections {
		if slices.Contains(s.Facets, facet) && len(s.Findings) > 0 {
			return true
		}
	}
	return false
}

var (
	quoted = regexp.MustCompile(`“(.+?)”\s*((?:\[\d+\])+)[.。]`)
	keyed  = regexp.MustCompile(`\[(\d+)\]`)
)

// summary checks that every key in the summary stands behind a quotation of a finding that has this key.
func (c *checker) summary() {
	rest := c.d.Summary
	// The words of findings are taken out longest first, as they may hold quotation marks and brackets of their own.
	for _, id := range c.order {
		f := c.findings[id]
		keys := ""
		for _, r := range f.Refs {
			keys += "[" + strconv.Itoa(r+1) + "]"
		}
		words := strings.TrimRight(strings.TrimSpace(f.Text), ".。")
		for _, gap := range []string{" ", ""} {
			rest = strings.ReplaceAll(rest, "“"+words+"”"+gap+keys, "")
		}
	}
	for _, m := range quoted.FindAllString(rest, -1) {
		c.want(false, "summary", "%s is no finding of the report with these keys", m)
	}
	c.want(!keyed.MatchString(rest), "summary", "a key stands behind words that no finding has: %s", collapse(rest))
	c.want(!strings.Contains(rest, "“"), "summary", "quotes what no finding says: %s", collapse(rest))
}

// verdict checks the figures that the verdict names against the bands of the findings: it names how many of them are confirmed
// when any is, and no figure otherwise.
func (c *checker) verdict() {
	accepted := 0
	for _, f := range c.findings {
		if f.Band == "accept" {
			accepted++
		}
	}
	want := []int{}
	if accepted > 0 {
		want = []int{accepted, len(c.findings)}
		slices.Sort(want)
	}
	names := numbersIn(c.d.Verdict)
	slices.Sort(names)
	c.want(slices.Equal(names, want), "verdict", "names %v; %d of %d findings are confirmed", names, accepted, len(c.findings))
	c.want(c.d.Verdict != "", "verdict", "is empty")
}

var wholeNumber = regexp.MustCompile(`\d+`)

func numbersIn(s string) []int {
	out := []int{}
	for _, d := range wholeNumber.FindAllString(s, -1) {
		if n, err := strconv.Atoi(d); err == nil {
			out = append(out, n)
		}
	}
	return out
}
