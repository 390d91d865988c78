package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var roleswap = &Check{
	ID: "G21", Name: "roleswap", Title: "RoleSwap", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalRoleSwap, Advise: Annotate,
}

// acts are verbs whose two sides are not the same when exchanged; "by" before one side turns them round.
var acts = regexp.MustCompile(`(?i)\b(?:bought|acquired|purchased|defeated|beat|sued|hired|invaded|attacked|founded|owns?|owned|sold|replaced|succeeded|married|killed|overtook|outsold|outperforms?|outperformed|leads?|led|supplies|supplied|funded|lent|exports? to|exported to|accused|criticised|criticized)\b|收购了?|击败了?|起诉了?|入侵了?|取代了?|超过了?|批评了?|资助了?`)

func evalRoleSwap(v View, k Key) []Hit {
	b, _ := v.block(k)
	if v.copied(b) {
		return nil
	}
	clean, _ := ParseCitations(b.Text)
	ground := v.groundOf(b).text
	var hits []Hit
	for _, sentence := range sentencesOf(clean) {
		if why := exchangedSides(sentence, ground); why != "" {
			hits = append(hits, Hit{Where: b.ID, Code: "sides", What: why})
			continue
		}
		if why := exchangedRows(sentence, ground); why != "" {
			hits = append(hits, Hit{Where: b.ID, Code: "value", What: why})
		}
	}
	return hits
}

// side is a sentence read as one name, a verb, another name.
type side struct{ a, verb, b string }

// sidesOf reads "A bought B" and "B was bought by A" of a sentence with exactly one listed verb.
func sidesOf(sentence string) (side, bool) {
	m := acts.FindAllStringIndex(sentence, 3)
	if len(m) != 1 {
		return side{}, false
	}
	before, after := text.Names(sentence[:m[0][0]]), text.Names(sentence[m[0][1]:])
	if len(before) == 0 || len(after) == 0 {
		return side{}, false
	}
	s := side{before[len(before)-1].Norm, text.Stem(text.Fold(strings.Fields(sentence[m[0][0]:m[0][1]])[0]), "en"), after[0].Norm}
	rest := strings.TrimSpace(sentence[m[0][1]:])
	if strings.HasPrefix(rest, "by ") {
		s.a, s.b = s.b, s.a
	}
	return s, true
}

func exchangedSides(sentence, ground string) string {
	c, ok := sidesOf(sentence)
	if !ok || c.a == c.b {
		return ""
	}
	swapped := ""
	for _, s := range sentencesOf(ground) {
		g, ok := sidesOf(s)
		if !ok || g.verb != c.verb {
			continue
		}
		if g.a == c.a && g.b == c.b {
			return ""
		}
		if g.a == c.b && g.b == c.a {
			swapped = fmt.Sprintf("its sides are exchanged: the source has %q", head(strings.TrimSpace(s), 120))
		}
	}
	return swapped
}

// exchangedRows looks for a value that a row or clause of the source gives to another of the names of the sentence.
func exchangedRows(sentence, ground string) string {
	names := text.Names(sentence)
	if len(names) == 0 {
		return ""
	}
	var mine []string
	for _, n := range names {
		mine = append(mine, n.Norm)
	}
	for _, q := range text.Quantities(sentence) {
		if q.Kind == research.Year || q.Kind == research.Ordinal || ownCount(q) {
			continue
		}
		whose := nearestName(names, q)
		other, right := "", false
		for _, part := range parts(ground) {
			in := text.Names(part)
			held := slices.ContainsFunc(text.Quantities(part), func(s research.Quantity) bool { return s.Kind == q.Kind && s.Value.Cmp(q.Value) == 0 })
			if !held || len(in) != 1 {
				right = right || held && slices.ContainsFunc(in, func(n text.Name) bool { return n.Norm == whose })
				continue
			}
			if in[0].Norm == whose {
				right = true
			} else if slices.Contains(mine, in[0].Norm) || strings.Contains(text.Fold(ground), whose) {
				other = in[0].Text
			}
		}
		if other != "" && !right && strings.Contains(text.Fold(ground), whose) {
			return fmt.Sprintf("its source gives %s to %s", q.Text, other)
		}
	}
	return ""
}

// nearestName returns the name that stands closest before a quantity, else the first after it.
func nearestName(names []text.Name, q research.Quantity) string {
	out := names[0].Norm
	for _, n := range names {
		if n.End <= q.Start {
			out = n.Norm
		}
	}
	return out
}

// clauseEnd cuts a text into rows and clauses.
var clauseEnd = regexp.MustCompile(`[\n;,，；。]| and | while | whereas |(?:\. )`)

func parts(s string) []string {
	return clauseEnd.Split(head(s, 20000), 800)
}
