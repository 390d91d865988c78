package checks

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var offtaskquery = &Check{
	ID: "S04", Name: "offtaskquery", Title: "OffTaskQuery", Tier: Grounding, Class: Hard,
	Scope: queryKeys, Eval: evalOffTaskQuery, Edit: editOffTaskQuery,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit,
}

// privateWords is how many words in a row of a document of the person's own may not leave with a query (CHECKS 5.2); a
// private run of CJK has twice as many characters.
const privateWords = 6

// queryKeys returns a key for each query.
func queryKeys(v View) []Key {
	var keys []Key
	for _, q := range v.Queries {
		if k := (Key{KeyQuery, q.Text}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func evalOffTaskQuery(v View, k Key) []Hit {
	if !slices.ContainsFunc(v.Queries, func(q research.Query) bool { return q.Text == k.ID }) {
		return nil
	}
	if words := v.private(k.ID); words != "" {
		return []Hit{{Where: k.ID, Code: "private", What: fmt.Sprintf("the query holds words of a document of the person's own: %q", words)}}
	}
	if known := v.taskStems(); len(known) > 0 {
		for _, lang := range []string{v.Lang, "en", "zh"} {
			for t := range text.TermSet(k.ID, lang) {
				if known[t] {
					return nil
				}
			}
		}
		return []Hit{{Where: k.ID, Code: "off_task", What: fmt.Sprintf("the query %q shares no word with the question", head(k.ID, 120))}}
	}
	return nil
}

// taskStems are the stems of the question, its facets and its names.
func (v View) taskStems() map[string]bool {
	out := map[string]bool{}
	add := func(s string) {
		for _, lang := range []string{v.Lang, "en"} {
			for t := range text.TermSet(s, lang) {
				out[t] = true
			}
		}
	}
	add(v.Question)
	for _, t := range v.Terms {
		out[t] = true
	}
	for _, f := range v.Facets {
		add(f.Text)
		for _, t := range f.Terms {
			out[t] = true
		}
	}
	for _, e := range v.Entities {
		add(e.Text)
		add(e.Other)
		for _, a := range e.Aliases {
			add(a)
		}
	}
	return out
}

// private returns a run of words that a query takes from a document of the person's own and not from the question.
func (v View) private(query string) string {
	tokens := norms(query)
	if len(tokens) < privateWords {
		return ""
	}
	asked := strings.Join(norms(v.Question), " ")
	var own []string
	for _, s := range v.Sources {
		if !isWeb(s.Location) && v.Texts[s.SHA256] != "" {
			own = append(own, " "+strings.Join(norms(v.Texts[s.SHA256]), " ")+" ")
		}
	}
	for i := 0; i+privateWords <= len(tokens); i++ {
		run := strings.Join(tokens[i:i+privateWords], " ")
		if strings.Contains(asked, run) {
			continue
		}
		for _, body := range own {
			if strings.Contains(body, " "+run+" ") {
				return run
			}
		}
	}
	return ""
}

// editOffTaskQuery takes the query out: it is not sent.
func editOffTaskQuery(v View, k Key) View {
	hits := evalOffTaskQuery(v, k)
	if len(hits) == 0 {
		return v
	}
	v.Queries = slices.DeleteFunc(slices.Clone(v.Queries), func(q research.Query) bool { return q.Text == k.ID })
	return issue(v, "check", k.ID, hits[0].What, "")
}
