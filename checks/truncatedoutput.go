package checks

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

var truncatedoutput = &Check{
	ID: "C08", Name: "truncatedoutput", Title: "TruncatedOutput", Tier: Completion, Class: Hard,
	Scope: func(v View) []Key { return append(dispatchKeys(v), sectionKeys(v)...) },
	Eval:  evalTruncatedOutput,
	Cap:   2, LifeCap: 3, Repair: []Action{Rewrite}, Terminal: Salvage, Advise: Annotate,
}

func evalTruncatedOutput(v View, k Key) []Hit {
	if k.Kind == KeySection {
		return evalCutShape(v, k)
	}
	d, ok := v.dispatch(k)
	if !ok || d.DoneReason != "length" || evalContextOverflow(v, k) != nil {
		return nil
	}
	if d.Schema != "" && json.Valid([]byte(unfence(d.Visible))) {
		return nil // closed before the limit: nothing is missing
	}
	return []Hit{{Where: k.ID, Code: "length", What: fmt.Sprintf("the answer was cut after %d tokens", d.AnswerTokens)}}
}

// evalCutShape looks at the end of a section. By itself the shape is advisory: on real reports it raised no false alarm in
// 100 but missed one cut in five (CHECKS 1A), and no measurement of ours stands behind it yet.
func evalCutShape(v View, k Key) []Hit {
	s, _ := v.section(k)
	if len(s.Blocks) == 0 {
		return nil
	}
	b := s.Blocks[len(s.Blocks)-1]
	if b.Kind != research.BlockParagraph && b.Kind != research.BlockFinding || v.copied(b) {
		return nil
	}
	prose, _ := ParseCitations(b.Text)
	prose = strings.TrimSpace(prose)
	last := prose[strings.LastIndexByte(prose, '\n')+1:]
	if last == "" || complete(last) {
		return nil
	}
	return []Hit{{Where: b.ID, Code: "shape", Weak: true, What: fmt.Sprintf("the section ends in the middle of a sentence: %q", tail(last, 60))}}
}

// copied reports whether a block is the words of one of its claims or of what it cites: then no writer was cut off.
func (v View) copied(b research.Block) bool {
	words := strings.Join(strings.Fields(b.Text), " ")
	return slices.ContainsFunc(b.Claims, func(id string) bool { return strings.Join(strings.Fields(v.Claims[id].Text), " ") == words }) ||
		strings.Contains(strings.Join(strings.Fields(v.groundOf(b).text), " "), words)
}

// wholeLine is a last line that needs no stop: an item of a list, a row of a table, or one that ends in a link.
var wholeLine = regexp.MustCompile(`^\s*(?:[-*+•|]|\d{1,3}[.)]\s)|https?://\S+$|\|\s*$`)

func complete(line string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_ `"))
	return strings.ContainsRune(".!?:;)\"'”’»…]。！？：；）」』】", r) || wholeLine.MatchString(line)
}

// tail returns the last n runes of s at most.
func tail(s string, n int) string {
	r := []rune(s)
	return string(r[max(0, len(r)-n):])
}
