package provenance

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func TestTables(t *testing.T) {
	got, err := readTables(hostsTable, noiseTable, repositoriesTable)
	if err != nil {
		t.Fatal(err)
	}
	fields, countries := map[string]bool{}, map[string]bool{}
	for _, h := range got.exact {
		fields[h.Field], countries[h.Country] = true, true
	}
	if len(got.exact) < 300 || len(got.patterns) < 15 || len(fields) < 10 || len(countries) < 20 || len(got.noise) < 60 || len(got.repositories) < 30 {
		t.Errorf("%d hosts, %d patterns, %d fields, %d countries, %d noise, %d repositories", len(got.exact), len(got.patterns), len(fields), len(countries), len(got.noise), len(got.repositories))
	}
	for _, bad := range []string{"a.org\tacademic\t1\tx\ty", "a.org\tnobody\t1\tx\ty\tz", "a.org\tacademic\t4\tx\ty\tz", "A.org\tacademic\t1\tx\ty\tz", "a.org\tacademic\t1\tx\ty\tz\na.org\tacademic\t1\tx\ty\tz"} {
		if _, err := readTables(bad, "", ""); err == nil {
			t.Errorf("%q is taken for a table", bad)
		}
	}
}

func TestOriginOfHosts(t *testing.T) {
	for location, want := range map[string]struct {
		origin research.Origin
		tier   int
	}{
		"https://www.census.gov/x":               {research.Government, 1},
		"https://data.gov.uk/x":                  {research.Government, 1},
		"https://www.gov.au/x":                   {research.Government, 1},
		"https://notgov.com/x":                   {research.TradePress, 3},
		"https://cs.stanford.edu/x":              {research.Academic, 1},
		"https://www.pku.edu.cn/x":               {research.Academic, 1},
		"https://www.ox.ac.uk/x":                 {research.Academic, 1},
		"https://plato.stanford.edu/entries/x":   {research.Reference, 2},
		"https://arxiv.org/abs/1":                {research.Academic, 1},
		"https://pubmed.ncbi.nlm.nih.gov/1":      {research.Academic, 1},
		"https://nih.gov/x":                      {research.Government, 1},
		"https://www.rfc-editor.org/rfc/rfc9309": {research.Reference, 1},
		"https://zh.wikipedia.org/wiki/x":        {research.Reference, 2},
		"https://www.reuters.com/x":              {research.TradePress, 2},
		"https://amnesty.org/x":                  {research.Advocacy, 2},
		"https://somebody.org/x":                 {research.Advocacy, 3},
		"https://somebody.medium.com/x":          {research.Personal, 3},
		"https://example.com:8443/x":             {research.TradePress, 3},
		"http://user@nist.gov/":                  {research.Government, 1},
	} {
		if o, tier := OriginOf(research.Document{Location: location}); o != want.origin || tier != want.tier {
			t.Errorf("OriginOf(%s) = %s %d, want %s %d", location, o, tier, want.origin, want.tier)
		}
	}
}

func TestNoise(t *testing.T) {
	for host, want := range map[string]bool{
		"www.google.com": true, "cloud.google.com": false, "quora.com": true, "de.quora.com": true, "notquora.com": false, "x.com": true, "netflix.com": false,
		"baike.baidu.com": false, "baidu.com": true, "chatgpt.com": true, "nature.com": false, "": false,
	} {
		if kind, why := Noise(host); (kind != "") != want || (why != "") != want {
			t.Errorf("Noise(%q) = %q, %q", host, kind, why)
		}
	}
}

// TestVoicesOfTheWeb: a domain is one voice; where works of others are carried, a study is, and a preprint and its journal version are one.
func TestVoicesOfTheWeb(t *testing.T) {
	v := func(location, title string) string { return Voice(research.Document{Location: location, Title: title}) }
	if a, b := v("https://news.bbc.co.uk/1", "One"), v("https://www.bbc.co.uk/2", "Two"); a != b || a != "bbc.co.uk" {
		t.Errorf("one domain: %q, %q", a, b)
	}
	a := v("https://arxiv.org/abs/2401.1", "Firing Kilns at High Temperature: A Study")
	if b := v("https://www.nature.com/articles/x", "Firing kilns at high temperature — a study"); a != b || !strings.HasPrefix(a, "study: ") {
		t.Errorf("preprint and article: %q, %q", a, b)
	}
	if b := v("https://arxiv.org/abs/2401.2", "The cooling of glazes over many hours"); a == b {
		t.Errorf("two studies are one voice: %q", a)
	}
	if b := v("https://arxiv.org/abs/2401.3", ""); b != "arxiv.org" {
		t.Errorf("a study without a title: %q", b)
	}
}
