package provenance

import (
	_ "embed" // the tables are files of their own, to be read and edited
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/engine/research"
	"assay/engine/text"
)

//go:embed data/hosts.tsv
var hostsTable string

//go:embed data/noise.tsv
var noiseTable string

//go:embed data/repositories.tsv
var repositoriesTable string

// Host is what a table says of a host: who stands behind it, in which field, for which country, and why it is said.
type Host struct {
	Name    string // as the table has it; a pattern such as *.gov.??
	Origin  research.Origin
	Tier    int    // 1 to 3
	Field   string // statistics, courts, journals, ...; "-": any
	Country string // "int": of several; "-": any
	Why     string
}

// tables are the three files taken apart. They are part of the program: a fault in them is one of the program.
type tables struct {
	exact        map[string]Host
	patterns     []Host // the longer ones first
	noise        map[string][2]string
	repositories map[string]bool
}

var loaded = sync.OnceValue(func() tables {
	t, err := readTables(hostsTable, noiseTable, repositoriesTable)
	if err != nil {
		panic(err) // the tests read the same files
	}
	return t
})

func readTables(hosts, noise, repositories string) (tables, error) {
	t := tables{exact: map[string]Host{}, noise: map[string][2]string{}, repositories: map[string]bool{}}
	origins := []research.Origin{research.Academic, research.Government, research.Industry, research.TradePress, research.Advocacy, research.Reference, research.Personal}
	err := rows("hosts.tsv", hosts, 6, func(c []string) error {
		h := Host{Name: c[0], Origin: research.Origin(c[1]), Field: c[3], Country: c[4], Why: c[5]}
		if !slices.Contains(origins, h.Origin) {
			return fmt.Errorf("origin %q is none", c[1])
		}
		if len(c[2]) != 1 || c[2] < "1" || c[2] > "3" {
			return fmt.Errorf("tier %q is not 1, 2 or 3", c[2])
		}
		h.Tier = int(c[2][0] - '0')
		if strings.ContainsAny(h.Name, "*?") {
			t.patterns = append(t.patterns, h)
			return nil
		}
		if _, twice := t.exact[h.Name]; twice {
			return fmt.Errorf("%s stands there twice", h.Name)
		}
		t.exact[h.Name] = h
		return nil
	})
	if err != nil {
		return t, err
	}
	slices.SortStableFunc(t.patterns, func(a, b Host) int { return len(b.Name) - len(a.Name) })
	if err := rows("noise.tsv", noise, 3, func(c []string) error { t.noise[c[0]] = [2]string{c[1], c[2]}; return nil }); err != nil {
		return t, err
	}
	return t, rows("repositories.tsv", repositories, 2, func(c []string) error { t.repositories[c[0]] = true; return nil })
}

// rows calls fn with the columns of each row of a table.
func rows(name, table string, columns int, fn func([]string) error) error {
	for i, line := range strings.Split(table, "\n") {
		line = strings.TrimRight(line, "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != columns {
			return fmt.Errorf("%s, line %d: %d columns where %d are due", name, i+1, len(c), columns)
		}
		if slices.Contains(c, "") || c[0] != strings.ToLower(c[0]) {
			return fmt.Errorf("%s, line %d: an empty column, or a host with capitals", name, i+1)
		}
		if err := fn(c); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
	}
	return nil
}

// LookUp returns what the table says of a host: the longest name that it is or lies under, or else the longest pattern; false
// when neither fits.
func LookUp(host string) (Host, bool) {
	host = bare(host)
	t := loaded()
	for h := host; h != ""; _, h, _ = strings.Cut(h, ".") {
		if row, ok := t.exact[h]; ok {
			return row, true
		}
	}
	for _, p := range t.patterns {
		if fits(p.Name, host) {
			return p, true
		}
	}
	return Host{}, false
}

// ReadHosts reads a table of the person's own, of the form of hosts.tsv: host, origin, tier, field, country, why, with tabs between. The
// error names the line.
func ReadHosts(name, table string) ([]research.HostRow, error) {
	t, err := readTables(table, "", "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []research.HostRow
	add := func(h Host) {
		out = append(out, research.HostRow{Name: h.Name, Origin: h.Origin, Tier: h.Tier, Why: h.Why})
	}
	for _, h := range t.exact {
		add(h)
	}
	slices.SortFunc(out, func(a, b research.HostRow) int { return strings.Compare(a.Name, b.Name) })
	for _, h := range t.patterns {
		add(h)
	}
	return out, nil
}

// RowOf is the row of the person's own table for an address: that of the longest name, else of the first pattern that fits; nil when none does.
func RowOf(rows []research.HostRow, location string) *research.HostRow {
	host := HostOf(location)
	if host == "" {
		return nil
	}
	best := -1
	for i, r := range rows {
		switch {
		case strings.ContainsAny(r.Name, "*?"):
			if best < 0 && fits(r.Name, host) {
				best = i
			}
		case host == r.Name || strings.HasSuffix(host, "."+r.Name):
			if best < 0 || strings.ContainsAny(rows[best].Name, "*?") || len(r.Name) > len(rows[best].Name) {
				best = i
			}
		}
	}
	if best < 0 {
		return nil
	}
	row := rows[best]
	return &row
}

// fits reports whether a host, or one it lies under, is of the form of a pattern.
func fits(pattern, host string) bool {
	pattern = strings.TrimPrefix(pattern, "*.")
	want, have := strings.Split(pattern, "."), strings.Split(host, ".")
	if len(have) < len(want) {
		return false
	}
	have = have[len(have)-len(want):]
	for i := range want {
		if want[i] != have[i] && (want[i] != "??" || len(have[i]) != 2) {
			return false
		}
	}
	return true
}

// Noise says what a host is when it never counts toward a pool, such as "search engine", and why; empty otherwise.
func Noise(host string) (kind, why string) {
	host = bare(host)
	t := loaded()
	if n, ok := t.noise["="+host]; ok {
		return n[0], n[1]
	}
	for h := host; h != ""; _, h, _ = strings.Cut(h, ".") {
		if n, ok := t.noise[h]; ok {
			return n[0], n[1]
		}
	}
	return "", ""
}

// Repository reports whether a host carries works of other people, so that each study there is a voice of its own.
func Repository(host string) bool {
	for h := bare(host); h != ""; _, h, _ = strings.Cut(h, ".") {
		if loaded().repositories[h] {
			return true
		}
	}
	return false
}

// HostOf is the host of an address, in lower case, without its port; empty for a file.
func HostOf(location string) string {
	_, rest, ok := strings.Cut(location, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return bare(rest)
}

// bare is a host without its port, a closing dot and "www.".
func bare(host string) string {
	host = strings.ToLower(host)
	if strings.HasPrefix(host, "[") {
		host, _, _ = strings.Cut(host[1:], "]")
	} else if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.Contains(host[:i], ":") {
		host = host[:i]
	}
	return strings.TrimPrefix(strings.TrimSuffix(host, "."), "www.")
}

// study is the voice of a work in a repository: its title, folded, so that a preprint and its journal version are one. A work
// without a title speaks for the place it was found in, because independence never grows by a guess.
func study(title string) string {
	t := strings.Join(text.Terms(title, "en"), " ")
	if len(t) < 12 {
		return ""
	}
	return "study: " + t
}
