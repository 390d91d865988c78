package desk

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"assay/engine"
	"assay/engine/fetch"
	"assay/engine/research"
	"assay/engine/search"
)

// WebSettings say whom a run asks that may leave the machine, and how it gets there. Keys are not among them: see [Desk.SetKey].
type WebSettings struct {
	// Off are names of providers that are not asked, such as "gdelt"; On those that are off unless named: "duckduckgo", and
	// "tavily" without a key.
	Off []string `json:"off,omitempty"`
	On  []string `json:"on,omitempty"`
	// SearXNG and Kiwix are addresses of the person's own servers, "http://127.0.0.1:8888"; MediaWikis those of api.php.
	SearXNG    string   `json:"searxng,omitempty"`
	Kiwix      string   `json:"kiwix,omitempty"`
	MediaWikis []string `json:"mediawikis,omitempty"`
	Feeds      []string `json:"feeds,omitempty"` // addresses of RSS, Atom and JSON feeds
	// Pages are servers of the person's own whose pages may be read when a search names them; they vouch for what is there, as for
	// a file they added. Those of Kiwix and MediaWikis are read without being listed.
	Pages []string `json:"pages,omitempty"`
	// Proxy is "http://host:port" or "socks5://host:port"; names are then resolved there. If empty, none.
	Proxy string `json:"proxy,omitempty"`
	// Contact is a mail address for services that want one. If empty, none is told.
	Contact string `json:"contact,omitempty"`
	// Protected are words that no query may hold, such as the name of a project.
	Protected []string `json:"protected,omitempty"`
	// Mix is which share of the pages, in percent, is of each kind: web, news, feeds, papers, reference. If empty, quality decides.
	Mix map[string]int `json:"mix,omitempty"`
	// LookUp has the scholarly works that a report cites looked up at Crossref, OpenAlex and Semantic Scholar: their titles, authors and
	// identifiers leave the machine. If false, they are printed as not checked.
	LookUp bool `json:"look_up,omitempty"`
}

// Bounds of the settings of the web.
const (
	maxServers   = 32
	maxProtected = 500
)

// check says in one sentence what is wrong, or returns nil.
func (w WebSettings) check() error {
	for _, list := range []struct {
		what string
		of   []string
	}{{"searxng", one(w.SearXNG)}, {"kiwix", one(w.Kiwix)}, {"mediawiki", w.MediaWikis}, {"feed", w.Feeds}, {"pages", w.Pages}} {
		if len(list.of) > maxServers {
			return fmt.Errorf("web %s: %d addresses where %d are allowed", list.what, len(list.of), maxServers)
		}
		for _, a := range list.of {
			u, err := url.Parse(a)
			if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
				return fmt.Errorf("web %s: it is not an address such as http://127.0.0.1:8888, without a name or key in it", list.what)
			}
		}
	}
	if w.Proxy != "" {
		u, err := url.Parse(w.Proxy)
		if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" {
			return errors.New("web proxy: it is not an address such as http://127.0.0.1:3128 or socks5://127.0.0.1:9050")
		}
	}
	if len(w.Contact) > 200 || strings.ContainsAny(w.Contact, "\r\n") {
		return errors.New("web contact: it is not one short line")
	}
	if len(w.Protected) > maxProtected {
		return fmt.Errorf("web protected: %d words where %d are allowed", len(w.Protected), maxProtected)
	}
	sum := 0
	for kind, n := range w.Mix {
		if !slices.Contains([]string{search.GroupWeb, search.GroupNews, search.GroupFeeds, search.GroupPapers, search.GroupWiki}, kind) {
			return fmt.Errorf("web mix: %q is no kind of provider: use web, news, feeds, papers or reference", kind)
		}
		if n < 0 || n > 100 {
			return fmt.Errorf("web mix: %d is no share in percent", n)
		}
		sum += n
	}
	if sum > 100 {
		return fmt.Errorf("web mix: the shares add up to %d percent", sum)
	}
	return nil
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// ownServer is a server the person named.
type ownServer struct {
	base     string
	kinds    []fetch.Kind
	forwards bool // it asks others itself, so a closed run leaves it alone
}

// servers lists the person's own servers.
func (w WebSettings) servers() []ownServer {
	var out []ownServer
	add := func(base string, forwards bool, kinds ...fetch.Kind) {
		u, err := url.Parse(base)
		if err != nil || u.Host == "" {
			return
		}
		base = u.Scheme + "://" + u.Host
		for i := range out {
			if out[i].base == base {
				out[i].kinds, out[i].forwards = append(out[i].kinds, kinds...), out[i].forwards || forwards
				return
			}
		}
		out = append(out, ownServer{base, kinds, forwards})
	}
	if w.SearXNG != "" {
		add(w.SearXNG, true, fetch.Search)
	}
	if w.Kiwix != "" {
		add(w.Kiwix, false, fetch.Search, fetch.PageOf)
	}
	for _, m := range w.MediaWikis {
		add(m, false, fetch.Search, fetch.PageOf)
	}
	for _, p := range w.Pages {
		add(p, false, fetch.PageOf)
	}
	return out
}

// beyond is what a run looks at beyond the person's own files.
type beyond struct {
	providers []engine.Provider
	works     []search.Catalogue // empty unless cited works may be looked up
	reader    *webReader
	client    *fetch.Client
	refused   []string // sentences: what a closed run leaves alone
}

// lookOutside joins a run to the providers and the pages that its reach allows; nil when it looks at nothing but files. keep is given
// every page that was fetched, and may be nil.
func (d *Desk) lookOutside(req research.Request, out func(research.Outbound), keep func(fetch.Page)) (*beyond, error) {
	if req.Egress != research.Web && !req.Servers {
		return nil, nil
	}
	w := d.Settings().Web
	o := &beyond{}
	var services []fetch.Service
	owned := map[string]bool{}
	for _, s := range w.servers() {
		switch {
		case req.Egress == research.Closed && !loopback(s.base):
			o.refused = append(o.refused, s.base+" is on another machine and was not asked, because this research is closed.")
			continue
		case req.Egress == research.Closed && s.forwards:
			o.refused = append(o.refused, s.base+" passes queries on to engines elsewhere and was not asked, because this research is closed.")
			continue
		}
		services = append(services, fetch.Service{Base: s.base, For: s.kinds})
		owned[hostKey(s.base)] = true
	}
	if req.Egress == research.Own {
		for _, f := range w.Feeds {
			if u, err := url.Parse(f); err == nil && !owned[hostKey(f)] {
				services = append(services, fetch.Service{Base: u.Scheme + "://" + u.Host, For: []fetch.Kind{fetch.Search, fetch.PageOf}})
				owned[hostKey(f)] = true
			}
		}
	}
	client, err := fetch.New(fetch.Policy{
		Egress: req.Egress, Services: services, Proxy: w.Proxy, Contact: w.Contact, Outbox: out, Dialed: d.wire.dialed, Kept: d.fetchedBefore(),
	})
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	o.client = client
	keys, err := d.keys(req, w)
	if err != nil {
		client.Close()
		return nil, err
	}
	all, err := search.Default(client.HTTP(fetch.Search), keys)
	if err != nil { // the others are asked all the same
		o.refused = append(o.refused, strings.Join(strings.Split(err.Error(), "\n"), "; ")+".")
	}
	for _, p := range all {
		if slices.Contains(w.Off, p.Name()) || req.Egress != research.Web && !owned[hostKey("http://"+p.Host())] && p.Name() != "feeds" || req.Egress == research.Closed && p.Name() == "feeds" {
			continue
		}
		if reg, ok := search.NewRegister(p); ok {
			o.providers = append(o.providers, namer{asker{p}, reg})
			continue
		}
		o.providers = append(o.providers, asker{p})
	}
	if req.LookUp && req.Egress == research.Web && !d.Settings().Offline {
		if o.works, err = worksOf(client, keys, all); err != nil {
			o.refused = append(o.refused, "Cited works are not looked up everywhere: "+strings.Join(strings.Split(err.Error(), "\n"), "; ")+".")
		}
	}
	o.reader = &webReader{client: client, opt: d.documentOptions(), own: map[string]bool{}, keep: keep}
	if req.Egress == research.Web && !slices.Contains(w.Off, "openalex") {
		o.reader.copies = func(ctx context.Context, doi string) []string {
			return search.OpenCopies(fetch.Because(ctx, "open copy of "+doi), client.HTTP(fetch.Search), "", doi)
		}
	}
	if req.Egress == research.Web && !slices.Contains(w.Off, "europepmc") {
		o.reader.papers = func(ctx context.Context, id string) ([]byte, string) {
			return search.PaperText(fetch.Because(ctx, "text of "+id), client.HTTP(fetch.Search), "", id)
		}
	}
	for _, s := range services {
		if slices.Contains(s.For, fetch.PageOf) {
			o.reader.own[hostKey(s.Base)] = true
		}
	}
	return o, nil
}

// worksOf are the catalogues of scholarly works, at the pace of the providers that are already at work.
func worksOf(client *fetch.Client, keys search.Keys, have []search.Provider) ([]search.Catalogue, error) {
	all, err := search.Catalogues(client.HTTP(fetch.Search), keys, have)
	for i := range all {
		all[i] = toldCatalogue{all[i]}
	}
	return all, err
}

// toldCatalogue has the outbox say for which work a catalogue was asked.
type toldCatalogue struct{ search.Catalogue }

// Lookup implements [search.Catalogue].
func (t toldCatalogue) Lookup(ctx context.Context, ref research.CitedWork) research.CatalogueAnswer {
	return t.Catalogue.Lookup(fetch.Because(ctx, "cited work "+or(ref.DOI, ref.ArXiv, ref.PMID, ref.Title)), ref)
}

// hostKey is the host and port of an address as they are compared.
func hostKey(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// asker is a provider of the web as the engine knows it.
type asker struct{ search.Provider }

// namer is a provider of the web that knows other names.
type namer struct {
	asker
	register *search.Register
}

// Names implements the engine's Namer. The name stands in the outbox as the reason.
func (n namer) Names(ctx context.Context, name, lang string) research.NameLookup {
	return n.register.Names(fetch.Because(ctx, name), name, lang)
}

// Ask implements the engine's Outsider. What is asked stands in the outbox as the reason.
func (a asker) Ask(ctx context.Context, q research.Query) ([]research.Hit, []string, error) {
	got, err := a.Provider.Ask(fetch.Because(ctx, q.Text), q)
	return got.Hits, got.Notes, err
}
