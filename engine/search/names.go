package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Bounds of what is kept of the entities that go by one name.
const (
	maxEntities    = 7   // candidates of one name
	maxNames       = 24  // labels and aliases of one entity; what comes after is left out
	maxName        = 80  // bytes of a name; a longer one is none that a page writes
	maxDescription = 250 // characters, as the service bounds them
)

// namesIn are the languages in which names are asked for.
var namesIn = []string{"en", "zh"}

// Register knows what else a name is called. It is safe for concurrent use, and asks at the pace of the provider it is made of.
type Register struct{ p *provider }

// NewRegister makes a register of a provider; false when the provider is not Wikidata. The two keep one pace.
func NewRegister(p Provider) (*Register, bool) {
	known, ok := p.(*provider)
	if !ok {
		return nil, false
	}
	_, ok = known.api.(wikidata)
	return &Register{known}, ok
}

// Names asks which entities go by a name in a language, "en" or "zh", and for their labels, aliases and descriptions in both: two
// requests, of which the second holds numbers only. It never fails: why it could not look stands in the answer.
func (r *Register) Names(ctx context.Context, name, lang string) research.NameLookup {
	out := research.NameLookup{Name: name, Lang: lang, Entries: []research.NameEntry{}}
	entries, err := r.names(ctx, name, lang)
	if err == nil {
		out.Entries = append(out.Entries, entries...)
		return out
	}
	var known *Error
	if errors.As(err, &known) {
		err = known.finish(r.p.host, r.p.secrets)
	}
	out.Fault = r.p.name + ": " + err.Error()
	return out
}

func (r *Register) names(ctx context.Context, name, lang string) ([]research.NameEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, _, fault := r.p.check(research.Query{Text: name, Lang: lang, Limit: maxEntities})
	if fault != nil {
		return nil, fault
	}
	f, err := wikidata{}.search(ctx, r.p, a)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, it := range f.items[:min(len(f.items), maxEntities)] {
		if id := it.link[strings.LastIndexByte(it.link, '/')+1:]; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	body, err := r.p.get(ctx, r.p.path("", values(
		"action", "wbgetentities", "ids", strings.Join(ids, "|"), "props", "labels|aliases|descriptions",
		"languages", strings.Join(namesIn, "|"), "format", "json", "formatversion", "2",
	)), formJSON, mediawikiFault)
	if err != nil {
		return nil, err
	}
	return parseEntities(body, ids)
}

// told is a text in a language.
type told struct{ Value string }

// parseEntities reads the entities that were asked for, in the order in which they were. One that is not there is left out.
func parseEntities(body []byte, ids []string) ([]research.NameEntry, error) {
	var got struct {
		Entities *map[string]struct {
			ID                            string
			Missing                       *any
			Labels, Descriptions, Aliases json.RawMessage
		}
	}
	if err := readJSON(body, &got); err != nil {
		return nil, err
	}
	if got.Entities == nil {
		return nil, misread("there are no entities in it")
	}
	var out []research.NameEntry
	for _, id := range ids {
		e, ok := (*got.Entities)[id]
		if !ok || e.Missing != nil || e.ID != id {
			continue // one that was merged into another stands under that one's number
		}
		n := research.NameEntry{ID: id, Labels: map[string]string{}, Aliases: []string{}, Descriptions: map[string]string{}}
		labels, descriptions, aliases := map[string]told{}, map[string]told{}, map[string][]told{}
		for _, part := range []struct {
			raw  json.RawMessage
			into any
		}{{e.Labels, &labels}, {e.Descriptions, &descriptions}, {e.Aliases, &aliases}} {
			if raw := bytes.TrimSpace(part.raw); len(raw) == 0 || string(raw) == "[]" { // a map without entries is written so
				continue
			}
			if err := readJSON(part.raw, part.into); err != nil {
				return nil, err
			}
		}
		left := maxNames
		for _, lang := range namesIn {
			if s := nameForm(labels[lang].Value); s != "" {
				n.Labels[lang] = s
				left--
			}
			if s := oneLine(descriptions[lang].Value, maxDescription); s != "" {
				n.Descriptions[lang] = s
			}
		}
		for i, lang := range namesIn { // neither language takes the room of the other
			room := left / (len(namesIn) - i)
			for _, a := range aliases[lang] {
				if s := nameForm(a.Value); s != "" && room > 0 && !slices.Contains(n.Aliases, s) {
					n.Aliases = append(n.Aliases, s)
					room--
					left--
				}
			}
		}
		out = append(out, n)
	}
	return out, nil
}

// nameForm is a name as a page may write it; empty for what is none: too long, with signs that steer, with markup or an address in it.
func nameForm(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxName || !utf8.ValidString(s) || research.ShownName(s) != s || strings.ContainsAny(s, "<>[]{}|\\=#") || strings.Contains(s, "://") ||
		strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cf, r) }) || !strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil { // a number stands for too much else
		return ""
	}
	return strings.Join(strings.Fields(s), " ")
}
