package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var subjectdrift = &Check{
	ID: "G16", Name: "subjectdrift", Title: "SubjectDrift", Tier: Grounding, Class: Advisory,
	Scope: draftedClaimKeys, Eval: evalSubjectDrift, Advise: Annotate,
}

// subjectLead is how much of a source, in runes, is its lead (CHECKS G16).
const subjectLead = 600

// draftedClaimKeys returns a key for each explicit claim that the draft rests on, in order of first use.
func draftedClaimKeys(v View) []Key {
	var keys []Key
	seen := map[string]bool{}
	for _, k := range blockKeys(v) {
		b, _ := v.block(k)
		for _, id := range b.Claims {
			if c, ok := v.Claims[id]; ok && c.Derivation == nil && !seen[id] {
				seen[id] = true
				keys = append(keys, Key{KeyClaim, id})
			}
		}
	}
	return keys
}

func evalSubjectDrift(v View, k Key) []Hit {
	c := v.Claims[k.ID]
	s, ok := v.source(c.Source)
	if !ok {
		return nil
	}
	body := v.Texts[s.SHA256]
	near := text.Fold(s.Title + "\n" + head(body, subjectLead) + "\n" + v.around(c))
	entities := v.Entities
	if len(entities) == 0 {
		for _, n := range text.Names(v.Question) {
			entities = append(entities, research.Entity{Text: n.Text})
		}
	}
	for _, e := range entities {
		name := text.Fold(e.Text)
		words := nameParts(name)
		if len(words) < 2 || e.Type == "term" || e.Type == "work" {
			continue // a single word is often another's too; terms and works are not mistaken for namesakes
		}
		if whole := text.Fold(body); strings.Contains(near, name) || strings.Contains(whole, name) || withInitial(words).MatchString(whole) || isCJK(name) && strings.Contains(whole, words[0]) && strings.Contains(whole, words[1]) {
			continue // a Chinese name is often told in a shorter or a longer form
		}
		if last := words[len(words)-1]; strings.Contains(near, last) {
			return []Hit{{Where: c.ID, Code: "namesake", What: fmt.Sprintf("source %s speaks of a %q and nowhere of %q: %q", s.ID, last, e.Text, head(c.Text, 100))}}
		}
		return []Hit{{Where: c.ID, Code: "absent", What: fmt.Sprintf("source %s does not name %q: %q", s.ID, e.Text, head(c.Text, 100))}}
	}
	return nil
}

// withInitial finds a name of two words or more with an initial or two between its first word and its last, as in "Ian A. Murdock".
func withInitial(words []string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\P{L})` + regexp.QuoteMeta(words[0]) + `(?:\s+\p{L}\.?){1,2}\s+` + regexp.QuoteMeta(words[len(words)-1]) + `(?:\P{L}|$)`)
}

// leastHanSubject is how many signs a Chinese name needs to be told from others by its beginning and its end.
const leastHanSubject = 4

// nameParts returns the words of a folded name. A Chinese name has two: its first two signs, which tell it from others of its
// kind, and its last two, which say the kind; a short one is a single word.
func nameParts(name string) []string {
	if !isCJK(name) {
		return strings.Fields(name)
	}
	r := []rune(name)
	if len(r) < leastHanSubject {
		return []string{name}
	}
	return []string{string(r[:2]), string(r[len(r)-2:])}
}

// around returns the passage of a claim and the heading it stands under.
func (v View) around(c research.Claim) string {
	p, _ := v.passage(c.Passage)
	return c.Text + "\n" + p.Heading + "\n" + p.Text
}
