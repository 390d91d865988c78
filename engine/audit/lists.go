package audit

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/engine/research"
)

// titles checks the headings: that of the report is the question, that of a section the part of the question it answers. What
// stands in a section is its findings; a body of its own would be a text without a source.
func (c *checker) titles() {
	same(c, "digest", "title", c.d.Title, c.run.Request.Question)
	part := map[string]string{}
	for _, f := range c.d.Understanding.Facets {
		part[f.ID] = f.Text
	}
	for _, s := range c.d.Sections {
		if len(s.Facets) == 1 {
			if text, ok := part[s.Facets[0]]; ok {
				same(c, "section "+s.ID, "title", s.Title, text)
			}
		}
		same(c, "section "+s.ID, "body", s.Body, "")
	}
}

// lists checks that nothing is missing from a list that code makes: the timeline has every dated claim that a finding rests on,
// and every source that was not used is told with the issues, and no other.
func (c *checker) lists() {
	listed, entries := map[string]int{}, 0
	for _, t := range c.d.Timeline {
		listed[t.Claim]++
		entries++
		for _, id := range t.Also {
			listed[id]++
			entries++
		}
	}
	dated := map[string]bool{}
	for _, s := range c.d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				if cl, ok := c.d.Claims[id]; ok && cl.Derivation == nil && len(cl.Dates) > 0 {
					dated[id] = true
				}
			}
		}
	}
	for _, id := range keysOf(dated) {
		c.want(listed[id] == 1, "timeline", "the dated claim %s stands in it %d times", id, listed[id])
	}
	same(c, "timeline", "entries", entries, len(dated))

	told := map[string]int{}
	for _, is := range c.d.Issues {
		if is.Kind == "source" {
			told[is.Source]++
		}
	}
	left := map[string]int{}
	for _, id := range keysOf(c.opened) {
		if s := c.opened[id]; s.Verdict != research.Verified {
			left[s.Location]++
		}
	}
	for _, at := range keysOf(left) {
		c.want(told[at] >= left[at], "issues", "the source %s was not used, and no issue says why", at)
	}
	for _, at := range keysOf(told) {
		c.want(left[at] > 0, "issues", "the source %s is told as not used, and the record used it or never met it", at)
	}
	words := 0
	for _, f := range c.findings {
		words += len(strings.Fields(f.Text))
	}
	same(c, "metrics", "words", c.d.Metrics.Words, words)
}

// answerer compares what the report says of the model with the setups of the record.
func (c *checker) answerer() {
	var names []string
	first := true
	for _, e := range c.run.Events {
		var s research.Setup
		if e.Kind != research.EventSetup || json.Unmarshal(e.Payload, &s) != nil {
			continue
		}
		names = append(names, s.Limits.Name)
		if first {
			same(c, "model", "why", c.d.Model.Why, s.Why)
			first = false
		}
	}
	if first {
		return // a record of the engine alone has no setup
	}
	name := strings.TrimSuffix(c.d.Model.Channel+":"+c.d.Model.Name, ":")
	found := false
	for _, n := range names {
		found = found || n == name
	}
	c.want(found, "model", "the channel %s is in no setup of the record: %s", name, fmt.Sprint(names))
}
