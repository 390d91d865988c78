package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWeb: who is asked is said and set; what is no address, no share and no provider is refused with what would be one.
func TestWeb(t *testing.T) {
	x := newTerminal(t)
	out := x.want(0, "No engine that searches the whole web is set", "web")
	for _, want := range []string{"crossref             asked      api.crossref.org", "searxng              not asked  not set: assay web set searxng", "brave                not asked  has no key: assay web key brave", "duckduckgo           not asked"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	x.want(0, "", "web", "off", "gdelt")
	x.want(0, "", "web", "set", "searxng", "http://127.0.0.1:8888/")
	x.want(0, "", "web", "set", "mix", "news=40", "feeds=40")
	x.want(0, "", "web", "set", "protected", "Project Zeus", "Hyperion")
	x.want(0, "", "web", "set", "mediawiki", "http://127.0.0.1:8080/api.php")
	out = x.want(0, "", "web")
	if !strings.Contains(out, "searxng              asked      127.0.0.1:8888") || !strings.Contains(out, "turned off") || strings.Contains(out, "No engine that searches") {
		t.Errorf("after setting:\n%s", out)
	}
	x.want(0, "", "web", "on", "gdelt")
	x.want(0, "", "web", "set", "searxng")
	if out = x.want(0, "No engine that searches", "web"); strings.Contains(out, "turned off") {
		t.Errorf("gdelt is still off:\n%s", out)
	}
	for _, bad := range [][]string{
		{"set", "searxng", "not an address"}, {"set", "searxng", "http://user:secret@127.0.0.1/"}, {"set", "searxng", "ftp://127.0.0.1/"}, {"set", "searxng", "http://a/", "http://b/"},
		{"set", "proxy", "socks4://127.0.0.1:1"}, {"set", "mix", "news"}, {"set", "mix", "news=70", "feeds=70"}, {"set", "mix", "gossip=10"}, {"set", "nothing", "x"}, {"on", "altavista"}, {"off", "altavista"}, {"set"},
	} {
		out, errOut, code := x.run(append([]string{"web"}, bad...)...)
		if code != 2 || strings.Contains(out+errOut, "secret") {
			t.Errorf("web %q: code %d, %s%s", bad, code, out, errOut)
		}
	}
}

// TestWebAuthority: a table of the person's own goes before the program's, and what is wrong with it is said by its line.
func TestWebAuthority(t *testing.T) {
	x := newTerminal(t)
	path, _, _ := strings.Cut(x.want(0, "authority.tsv: 0 rows", "web", "authority"), ": 0 rows")
	if !strings.HasPrefix(path, x.home) || filepath.Base(path) != "authority.tsv" {
		t.Fatalf("the table would lie at %s", path)
	}
	x.want(0, "kiln.example: in no table, so trade_press, tier 3", "web", "authority", "kiln.example")
	x.want(0, "government, tier 1, by the program's table", "web", "authority", "www.nist.gov")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(table string) {
		if err := os.WriteFile(path, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# mine\nkiln.example\tindustry\t1\tkilns\t-\tthey built it\nnist.gov\tpersonal\t3\t-\t-\ta test\n")
	x.want(0, "2 rows", "web", "authority")
	x.want(0, "industry, tier 1, by "+path+" (kiln.example): they built it", "web", "authority", "https://www.kiln.example/a")
	x.want(0, "personal, tier 3", "web", "authority", "www.nist.gov")
	write("kiln.example\tindustry\t9\tkilns\t-\tx\n")
	x.want(2, "line 1", "web", "authority")
	x.want(2, "line 1", "research", "What is a kiln?", "--web", "--model", "extractive")
}
