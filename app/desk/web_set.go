package desk

import (
	"slices"
	"strconv"
	"strings"

	"assay/engine"
	"assay/engine/fetch"
	"assay/engine/research"
	"assay/engine/search"
)

// WebNames are the names that [Desk.SetWeb] knows.
var WebNames = []string{"searxng", "kiwix", "mediawiki", "feed", "pages", "proxy", "contact", "protected", "mix", "lookup"}

// SetWeb sets one of the settings of the web to values; none clears it.
func (d *Desk) SetWeb(name string, values []string) error {
	s := d.Settings()
	first := ""
	if len(values) > 0 {
		first = strings.TrimRight(values[0], "/")
	}
	single := map[string]*string{"searxng": &s.Web.SearXNG, "kiwix": &s.Web.Kiwix, "proxy": &s.Web.Proxy, "contact": &s.Web.Contact}
	list := map[string]*[]string{"mediawiki": &s.Web.MediaWikis, "feed": &s.Web.Feeds, "pages": &s.Web.Pages, "protected": &s.Web.Protected}
	switch {
	case single[name] != nil && len(values) > 1:
		return usage("web %s: it is one value, and %d were given", name, len(values))
	case single[name] != nil:
		*single[name] = first
	case list[name] != nil:
		*list[name] = slices.Clone(values)
	case name == "mix":
		s.Web.Mix = map[string]int{}
		for _, v := range values {
			kind, share, ok := strings.Cut(v, "=")
			n, err := strconv.Atoi(share)
			if !ok || err != nil {
				return usage("web mix: write each share as news=40")
			}
			s.Web.Mix[kind] = n
		}
	case name == "lookup":
		if first != "" && first != "on" && first != "off" || len(values) > 1 {
			return usage("web lookup: use on or off")
		}
		s.Web.LookUp = first == "on"
	default:
		return usage("web %q: the names are %s", name, strings.Join(WebNames, ", "))
	}
	if err := s.check(); err != nil {
		return &UsageError{Err: err}
	}
	return d.SetSettings(s)
}

// SwitchWeb says whether a provider is asked.
func (d *Desk) SwitchWeb(name string, on bool) error {
	known := slices.ContainsFunc(d.WebProviders(), func(p WebProvider) bool { return p.Name == name })
	if !known {
		return usage("web provider %q: it is not known: see assay web", name)
	}
	s := d.Settings()
	has := func(n string) bool { return n == name }
	s.Web.Off, s.Web.On = slices.DeleteFunc(s.Web.Off, has), slices.DeleteFunc(s.Web.On, has)
	switch {
	case on && slices.Contains(unlessNamed, name):
		s.Web.On = append(s.Web.On, name)
	case !on && !slices.Contains(unlessNamed, name):
		s.Web.Off = append(s.Web.Off, name)
	}
	return d.SetSettings(s)
}

// unlessNamed are providers that are off unless the person turns them on: they have no interface for programs, or no key.
var unlessNamed = []string{"duckduckgo", "tavily"}

// WebProvider is a line of the list of providers.
type WebProvider struct {
	Name string `json:"name"`
	Host string `json:"host,omitempty"`
	On   bool   `json:"on"`
	Note string `json:"note,omitempty"` // what is missing, or why it is off
}

// WebProviders lists who is asked when the web is searched, and who could be.
func (d *Desk) WebProviders() []WebProvider {
	w := d.Settings().Web
	keys, err := d.keys(research.Request{Egress: research.Web}, w)
	if err != nil {
		return nil
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed})
	if err != nil {
		return nil
	}
	defer client.Close()
	all, _ := search.Default(client.HTTP(fetch.Search), keys) // nothing is asked; what is wrong with an address is said when it is set
	var out []WebProvider
	for _, p := range all {
		l := WebProvider{Name: p.Name(), Host: p.Host(), On: true}
		if slices.Contains(w.Off, p.Name()) {
			l.On, l.Note = false, "turned off"
		}
		out = append(out, l)
	}
	for _, name := range append(slices.Clone(KeyNames), "duckduckgo") {
		if slices.ContainsFunc(out, func(l WebProvider) bool { return l.Name == name }) {
			continue
		}
		note := "has no key: assay web key " + name
		if name == "duckduckgo" {
			note = "offers no interface for programs: assay web on duckduckgo"
		}
		out = append(out, WebProvider{Name: name, Note: note})
	}
	for _, l := range []struct{ name, value string }{{"searxng", w.SearXNG}, {"kiwix", w.Kiwix}} {
		if l.value == "" {
			out = append(out, WebProvider{Name: l.name, Note: "not set: assay web set " + l.name + " http://127.0.0.1:8080"})
		}
	}
	return out
}

// WebNote says what the settings leave without an answer; "" when nothing.
func (d *Desk) WebNote() string {
	for _, p := range d.WebProviders() {
		if p.On && search.General(p.Name) {
			return ""
		}
	}
	return engine.NoGeneralEngine
}
