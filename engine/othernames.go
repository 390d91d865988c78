package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/text"
)

// What a name of the question is called elsewhere, in the other language or another transliteration, is asked of a register of names
// in a run of the web: a page that writes only that name is about the subject too (SOURCES 1.17). What leaves the machine is the name as
// the question writes it. Whatever keeps the register from looking is a gap; the run goes on with the name alone.

// Namer is an [Outsider] that knows other names. Names never fails: why it could not look stands in the answer.
type Namer interface {
	Outsider
	Names(ctx context.Context, name, lang string) research.NameLookup
}

const (
	// namerName is the provider that is asked; in a replay, where nobody is, it is told by its name.
	namerName = "wikidata"
	// mostNames is how many names of one question are asked for; each takes two requests.
	mostNames = 3
	// mostAliases is how many other names of one thing are taken.
	mostAliases = 8
)

// namer is who is asked for other names; nil where nobody is.
func (r *run) namer() Outsider {
	if r.Request.Egress != research.Web {
		return nil
	}
	for _, o := range r.outsiders() {
		if o.Name() == namerName {
			return o
		}
	}
	return nil
}

// namesAsked lists what the register is asked for: nothing where the plan asks nobody, and no name of which the guard holds back a part.
func (r *run) namesAsked(u research.Understanding, plan research.Plan) (out []research.Asked) {
	who := r.namer()
	if who == nil || !slices.ContainsFunc(plan.Tasks, func(t research.Task) bool {
		return slices.ContainsFunc(t.Queries, func(q research.Query) bool { return q.Outside })
	}) {
		return nil
	}
	g := r.guard(u)
	for _, e := range u.Entities {
		name := strings.Join(strings.Fields(e.Text), " ")
		if may, held := g.pass(name); held > 0 || may != name || name == "" || len(out) == mostNames {
			continue
		}
		out = append(out, research.Asked{Outsider: research.Outsider{Name: who.Name(), Host: who.Host()}, Query: name})
	}
	return out
}

// namesNote is said where names are asked for.
func namesNote(asked []research.Asked) []string {
	if len(asked) == 0 {
		return nil
	}
	return []string{"Of each name of the question, " + asked[0].Host + " is asked what else it is called; where the plan asks in two languages, one query more holds the name in the other."}
}

// otherNames asks once in a run what else the names of the question are called, and returns the understanding with what was taken.
func (r *run) otherNames(ctx context.Context, u research.Understanding, plan research.Plan) (research.Understanding, error) {
	asked := r.namesAsked(u, plan)
	if len(asked) == 0 {
		return u, nil
	}
	if key, err := research.EffectKey(research.EventNames, nameInput{asked[0].Query, u.Lang}); err != nil {
		return u, err
	} else if _, held := r.record.Get(key); !held {
		if err := r.news(research.EventPreview, research.Preview{Asks: asked, Notes: namesNote(asked)}); err != nil {
			return u, err
		}
	}
	for _, a := range asked {
		l, err := once(ctx, r, research.EventNames, nameInput{a.Query, u.Lang}, func(ctx context.Context, in nameInput) (research.NameLookup, error) {
			if n, can := r.namer().(Namer); can {
				return n.Names(ctx, in.Name, in.Lang), ctx.Err()
			}
			return research.NameLookup{Name: in.Name, Lang: in.Lang, Entries: []research.NameEntry{}}, nil // a record from before names were asked for
		})
		if err != nil {
			return u, err
		}
		said := ""
		u, said = withNames(u, l)
		switch {
		case l.Fault != "":
			r.nameFaults = append(r.nameFaults, l.Fault)
		case said != "":
			r.nameNotes = append(r.nameNotes, namerName+": "+said)
		}
	}
	return u, nil
}

// nameInput is the identity of one question for other names.
type nameInput struct {
	Name string `json:"name"`
	Lang string `json:"lang"`
}

// withNames is an understanding with what was taken of an answer for one of its names, and a sentence where nothing was.
func withNames(u research.Understanding, l research.NameLookup) (research.Understanding, string) {
	at := slices.IndexFunc(u.Entities, func(e research.Entity) bool { return strings.Join(strings.Fields(e.Text), " ") == l.Name })
	if at < 0 || len(l.Entries) == 0 {
		return u, ""
	}
	entry, said := meantEntry(u, l)
	if entry == nil {
		return u, said
	}
	u.Entities = slices.Clone(u.Entities)
	e := &u.Entities[at]
	e.Known, e.Other, e.Aliases = entry.ID, "", nil
	forms := []string{entry.Labels[u.Lang], entry.Labels[otherOf(u.Lang)]}
	if forms[1] != "" && foldedName(forms[1]) != foldedName(e.Text) {
		e.Other = forms[1]
	}
	for _, f := range append(forms, entry.Aliases...) {
		if len(e.Aliases) < mostAliases && subject.TellingForm(f) && foldedName(f) != foldedName(e.Text) && !slices.Contains(e.Aliases, f) {
			e.Aliases = append(e.Aliases, f)
		}
	}
	return u, ""
}

// otherOf is the other of the two languages.
func otherOf(lang string) string {
	if lang == "zh" {
		return "en"
	}
	return "zh"
}

func foldedName(s string) string { return subject.FoldForNames(s) }

// meantEntry is the entry that the question means: one that bears its name, and of several the one whose description shares most words
// with the question. Where it is not plain which, nil and why.
func meantEntry(u research.Understanding, l research.NameLookup) (*research.NameEntry, string) {
	var bear []int
	for i, e := range l.Entries {
		names := append([]string{e.Labels["en"], e.Labels["zh"]}, e.Aliases...)
		if slices.ContainsFunc(names, func(s string) bool { return s != "" && foldedName(s) == foldedName(l.Name) }) && !onlyWord(e) && !speaksAgainst(u, l.Name, e) {
			bear = append(bear, i)
		}
	}
	switch len(bear) {
	case 0:
		return nil, fmt.Sprintf("nothing that it holds is called %q and fits the question, so no other name was taken for it", l.Name)
	case 1:
		return &l.Entries[bear[0]], ""
	}
	best, most, equal := -1, 0, false
	for _, i := range bear {
		n := sharedWords(u, l.Name, l.Entries[i])
		if n > most {
			best, most, equal = i, n, false
		} else if n == most {
			equal = true
		}
	}
	if best < 0 || equal {
		return nil, fmt.Sprintf("%d things are called %q, and their descriptions do not say which is meant, so no other name was taken for it", len(bear), l.Name)
	}
	return &l.Entries[best], ""
}

// onlyWord reports whether an entry is a page about a word, such as a list of what is called so or a family name, and no thing.
func onlyWord(e research.NameEntry) bool {
	said := text.Fold(e.Descriptions["en"] + " " + e.Descriptions["zh"])
	return slices.ContainsFunc(wordPages, func(w string) bool { return strings.Contains(said, w) })
}

var wordPages = []string{"disambiguation page", "family name", "given name", "surname", "wikimedia list", "wikimedia category", "消歧义", "消歧義", "姓氏", "人名", "维基媒体"}

// speaksAgainst reports whether a description says that an entry is another thing than the question plainly means by the name.
func speaksAgainst(u research.Understanding, name string, e research.NameEntry) bool {
	said := e.Descriptions["en"]
	if said == "" {
		return false
	}
	n := subject.NewName(name)
	return subject.Another(n.Senses(u.Question), n.Senses(name+", "+said+".")) != ""
}

// sharedWords is how many words of the question, those of the name apart, the descriptions of an entry hold.
func sharedWords(u research.Understanding, name string, e research.NameEntry) int {
	own, have := text.TermSet(name, u.Lang), text.TermSet(e.Descriptions[u.Lang], u.Lang)
	n := 0
	for _, t := range u.Terms {
		if have[t] && !own[t] {
			n++
		}
	}
	return n
}

// otherQuery is the query in the other language that other names make possible, where the plan asks in both and has room.
func (r *run) otherQuery(u research.Understanding, queries []research.Query) (research.Query, bool) {
	other := otherOf(u.Lang)
	var words []string
	for _, e := range u.Entities {
		if e.Other != "" && !slices.Contains(words, e.Other) {
			words = append(words, e.Other)
		}
	}
	both := slices.ContainsFunc(queries, func(q research.Query) bool { return q.Angle != "" && q.Lang == other })
	if len(words) == 0 || !both || r.Request.MaxQueries > 0 && len(queries) >= r.Request.MaxQueries {
		return research.Query{}, false
	}
	return research.Query{Text: strings.Join(words, " "), Lang: other, Facet: u.Facets[0].ID, Limit: intent.OutsideHits, Outside: true}, true
}

// byOtherName returns the terms of the question that a text holds by another name of the subject only, and whether that name stands in
// it more than in passing: in its title, or twice.
func byOtherName(u research.Understanding, title, body string, have map[string]bool) (terms []string, plain bool) {
	for _, e := range u.Entities {
		if len(e.Aliases) == 0 {
			continue
		}
		n := subject.NewName(e.Text)
		n.LearnForms(e.Aliases)
		inTitle := n.Count(subject.FoldForNames(title), 1) > 0
		times := n.Count(subject.FoldForNames(body), 2)
		if !inTitle && times == 0 {
			continue
		}
		plain = plain || inTitle || times > 1
		for _, t := range text.Terms(e.Text, u.Lang) {
			if !have[t] && slices.Contains(u.Terms, t) && !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return terms, plain
}

// aliasesOf adds to what pages say of each term what the register says: another name counts where the words of the name do.
func aliasesOf(u research.Understanding, learnt map[string]subject.Alias) map[string]subject.Alias {
	for _, e := range u.Entities {
		for _, stem := range text.Terms(e.Text, u.Lang) {
			for _, form := range e.Aliases {
				lang := "en"
				if strings.ContainsFunc(form, wide) {
					lang = "zh"
				}
				stems := text.Terms(form, lang)
				a := learnt[stem]
				switch {
				case len(stems) == 0 || slices.Contains(stems, stem):
					continue
				case len(stems) == 1:
					a.Stems = append(a.Stems, stems[0])
				default:
					a.Phrases = append(a.Phrases, stems)
				}
				learnt[stem] = a
			}
		}
	}
	return learnt
}

// otherwise reports whether a page writes a name of the question by another name of it.
func (l *lens) otherwise(name string) bool {
	for _, e := range l.meaning.Entities {
		if len(e.Aliases) == 0 || foldedName(e.Text) != foldedName(name) {
			continue
		}
		n := subject.NewName(e.Text)
		n.LearnForms(e.Aliases)
		for _, p := range l.pages {
			if n.In(subject.FoldForNames(p.Doc.Text)) {
				return true
			}
		}
	}
	return false
}

// forms are the writings of a name of the question: its own and those that a register gave.
func forms(e research.Entity) []string { return append([]string{e.Text}, e.Aliases...) }
