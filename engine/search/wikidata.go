package search

import (
	"context"
	"regexp"
	"strconv"
)

// wikidata finds entities by their names: for telling apart what shares a name, and for names in other languages.
type wikidata struct{}

// NewWikidata is Wikidata's search for entities.
func NewWikidata(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "wikidata", base: "https://www.wikidata.org/w/api.php", filters: Filters{Site: Native, Dates: Unapplied},
		pace: wikimediaPace, only: []string{"www.wikidata.org"}, most: 250, undated: "entities have no date of publication",
	}, wikidata{}))
}

func (wikidata) search(ctx context.Context, p *provider, a ask) (found, error) {
	lang := a.lang
	if lang == "" {
		lang = "en"
	}
	body, err := p.get(ctx, p.path("", values(
		"action", "wbsearchentities", "search", a.text, "language", lang, "uselang", lang, "type", "item",
		"limit", strconv.Itoa(min(a.limit, 50)), "format", "json", "formatversion", "2",
	)), formJSON, mediawikiFault)
	if err != nil {
		return found{}, err
	}
	return parseWikidata(body)
}

var entityID = regexp.MustCompile(`^Q[1-9][0-9]{0,11}$`)

func parseWikidata(body []byte) (found, error) {
	var got struct {
		Search *[]struct {
			ID, Label, Description string
			Aliases                []string
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Search == nil {
		return found{}, misread("there is no list of entities in it")
	}
	var f found
	for _, e := range *got.Search {
		if !entityID.MatchString(e.ID) {
			return found{}, misread("%q is not the number of an entity", e.ID)
		}
		it := item{link: "https://www.wikidata.org/wiki/" + e.ID, title: escaped(e.Label), snippet: escaped(e.Description)}
		if it.title == "" {
			it.title = e.ID
		}
		f.items = append(f.items, it)
	}
	return f, nil
}
