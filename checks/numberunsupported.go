package checks

import (
	"fmt"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
)

var numberunsupported = &Check{
	ID: "G09", Name: "numberunsupported", Title: "NumberUnsupported", Tier: Grounding, Class: Firm,
	Scope: statementKeys, Eval: evalNumberUnsupported,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Issues,
}

// statementKeys returns the keys of blocks that state something and say on what they rest. A block that says nothing of
// that is uncitedclaim's.
func statementKeys(v View) []Key {
	var keys []Key
	for _, k := range blockKeys(v) {
		b, _ := v.block(k)
		if b.Kind != research.BlockTable && len(b.Refs)+len(b.Citations)+len(b.Claims) > 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

// emphasis is what Markdown puts around words; a number with it inside is the number all the same.
var emphasis = strings.NewReplacer("**", "", "__", "", "`", "")

// statementOf is the text of a block without its marks of citation and of emphasis.
func statementOf(b research.Block) string {
	clean, _ := ParseCitations(b.Text)
	return emphasis.Replace(clean)
}

func evalNumberUnsupported(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
	g := v.groundOf(b)
	m := evidence.MatchQuantities(clean, g.text)
	if m.OK {
		return nil
	}
	h := Hit{Where: b.ID, Weak: true, What: fmt.Sprintf("its sources do not hold %s: %s", strings.Join(m.Missing, ", "), m.Reason)}
	if text, other := inItsPlace(clean, g.text, m.Absent); other != "" {
		h.Weak, h.Code, h.What = false, "exchanged", fmt.Sprintf("its sources do not hold %s: a sentence of theirs has %s in its place", text, other)
	}
	return []Hit{h}
}

// maxStatement bounds the sentences of a block that are held one by one against its sources.
const maxStatement = 32

// inItsPlace returns the first of the values that stand nowhere in the sources for which a sentence of theirs is that of the block with
// another value, and that value. This form of the checks of values is certain enough to block; see promotions.json.
func inItsPlace(statement, ground string, missing []string) (value, other string) {
	parts := []string{statement}
	if s := sentencesOf(statement); len(s) > 1 { // one sentence of several is held against one of the source
		parts = append(parts, s[:min(len(s), maxStatement)]...)
	}
	for _, part := range parts {
		for _, f := range evidence.CompareNumbers(part, ground) {
			if f.Cause != evidence.NumberExchanged || f.Text == "" {
				continue
			}
			for _, m := range missing {
				if strings.Contains(m, f.Text) || strings.Contains(f.Text, m) {
					return m, f.Other
				}
			}
		}
	}
	return "", ""
}
