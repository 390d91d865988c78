package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"assay/engine/research"
)

// argumentKeys are the keys behind one line of a printed side.
var argumentKeys = regexp.MustCompile(`(?:\[\d+\])+`)

// argument checks that each point and answer of a contested proposition rests on findings that the report prints, and that every key of
// the two sides is one of theirs. Records from before there was an argument have none.
func (c *checker) argument() {
	a := c.d.Argument
	if a == nil {
		return
	}
	same(c, "argument", "proposition", a.Proposition, c.run.Request.Question)
	allowed := map[int]bool{}
	rests := func(where string, ids []string) {
		c.want(len(ids) > 0, where, "rests on no finding")
		for _, id := range ids {
			f, ok := c.findings[id]
			if c.want(ok, where, "its finding %s is not in the report", id) {
				for _, r := range f.Refs {
					allowed[r+1] = true
				}
			}
		}
	}
	points := func(name string, list []research.ArgumentPoint) {
		for i, p := range list {
			where := fmt.Sprintf("%s %d", name, i+1)
			rests(where, p.Findings)
			for j, x := range p.Answers {
				at := fmt.Sprintf("%s, answer %d", where, j+1)
				rests(at, x.Findings)
				c.want(!slices.ContainsFunc(x.Findings, func(id string) bool { return slices.Contains(p.Findings, id) }), at, "answers with the finding of its own point")
			}
		}
	}
	points("point", a.Points)
	points("point beside", a.Beside)
	for i, side := range []string{c.d.Steelman, c.d.Counter} {
		name := []string{"steelman", "counter"}[i]
		for _, run := range argumentKeys.FindAllString(side, -1) {
			for _, k := range keyed.FindAllStringSubmatch(run, -1) {
				n, err := strconv.Atoi(k[1])
				c.want(err == nil && allowed[n], name, "the key [%s] is of no finding that it rests on", k[1])
			}
		}
	}
}
