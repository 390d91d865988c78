package search

import (
	"slices"

	"assay/engine/research"
	"assay/engine/text"
)

// What a provider searches: the answer of [GroupOf], and the kinds that a mix of sources is given in.
const (
	GroupWiki   = "reference" // encyclopedias
	GroupPapers = "papers"
	GroupNews   = "news"
	GroupFeeds  = "feeds"
	GroupWeb    = "web" // the whole web
	GroupOther  = "other"
)

// routes says what each provider searches, in which languages, and for which angles it is asked; the rest would only cost the
// service and the time between two requests. Empty lists: all.
var routes = map[string]struct {
	group  string
	langs  []string
	angles []research.Angle
}{
	"wikipedia-en":    {group: GroupWiki, langs: []string{"en"}},
	"wikipedia-zh":    {group: GroupWiki, langs: []string{"zh"}},
	"kiwix":           {group: GroupWiki},
	"crossref":        {group: GroupPapers, angles: scholarly},
	"arxiv":           {group: GroupPapers, langs: []string{"en"}, angles: scholarly},
	"europepmc":       {group: GroupPapers, langs: []string{"en"}, angles: scholarly},
	"pubmed":          {group: GroupPapers, langs: []string{"en"}, angles: scholarly},
	"openalex":        {group: GroupPapers, angles: scholarly},
	"semanticscholar": {group: GroupPapers, angles: scholarly},
	"gdelt":           {group: GroupNews, angles: []research.Angle{"", "current_state", "criticism", "opposition", "regulatory", "economics", "future"}},
	"feeds":           {group: GroupFeeds},
	"searxng":         {group: GroupWeb},
	"brave":           {group: GroupWeb},
	"tavily":          {group: GroupWeb},
	"mojeek":          {group: GroupWeb},
	"duckduckgo":      {group: GroupWeb},
	"wayback":         {group: GroupOther},
	"wikidata":        {group: GroupOther},
}

// scholarly are the angles under which papers speak.
var scholarly = []research.Angle{"", "primary_research", "mechanism", "criticism", "opposition", "current_state"}

// GroupOf says what a provider of this name searches.
func GroupOf(name string) string {
	if r, ok := routes[name]; ok {
		return r.group
	}
	return GroupWiki // a MediaWiki of the person's own
}

// Suits reports whether a provider is asked a query of a plan. The archive is searched by address only, and Wikidata holds
// entities, not texts: it is asked for names.
func Suits(name string, q research.Query) bool {
	r := routes[name]
	switch name {
	case "wayback":
		return len(text.URLs(q.Text)) > 0
	case "wikidata":
		return false
	}
	return (len(r.langs) == 0 || slices.Contains(r.langs, q.Lang)) && (len(r.angles) == 0 || slices.Contains(r.angles, q.Angle))
}

// General reports whether a provider of this name searches the whole web.
func General(name string) bool { return GroupOf(name) == GroupWeb }
