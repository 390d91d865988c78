package desk

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
)

const kilnQuestion = "How hot is the Marrow kiln fired and what are its problems?"

func webRequest(question string) research.Request {
	return research.Request{Question: question, Depth: research.Quick, Egress: research.Web, Now: "2026-01-02T03:04:05Z", Model: "extractive", AllowPartial: true, MaxQueries: 14}
}

// exported reads the record of a run as it is exported.
func exported(t *testing.T, j *Job) research.Run {
	t.Helper()
	run, err := ReadRunFile(filepath.Join(j.Dir(), FileRun))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestWebOnline is a run online from end to end: SearXNG and MediaWiki on this machine, sites behind a proxy, discovery, gates,
// verification, independence, and a report whose stats bar is that of the record. ASSAY_TEST_WHOLE=1 has it open 60 real pages.
func TestWebOnline(t *testing.T) {
	n, req := 12, webRequest(kilnQuestion)
	req.Depth = research.Standard
	if os.Getenv("ASSAY_TEST_WHOLE") != "" {
		n = 60
		req.Depth, req.MaxQueries = research.Deep, 0
		req.Question = "What do people say about new work, food, games and the government this year, and how hot is the Marrow kiln fired?"
	}
	pages := real(t, n)
	w := newWeb(t, append(made(), pages...))
	if n > 12 {
		w.pad = pages
	}
	d := w.joined(t)
	j := start(t, d, req, StartOptions{})
	res := wait(t, j)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	run := exported(t, j)
	if rep := audit.Check(run); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	replayed, err := d.Replay(t.Context(), run, ReplayOptions{Strict: true})
	if err != nil || len(replayed.Misses) > 0 {
		t.Fatalf("replay: %v, misses %q", err, replayed.Misses)
	}
	if a, b := toJSON(t, *res.Digest), toJSON(t, replayed.Digest); a != b {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		t.Errorf("the replay gives another digest: ...%s and ...%s", a[max(0, i-200):min(len(a), i+200)], b[max(0, i-20):min(len(b), i+200)])
	}
	verdicts, opened := barMatches(t, run, *res.Digest)
	if n == 12 {
		for at, want := range map[string]research.Verdict{
			"http://www.nature.com/articles/kiln": research.Verified, "http://www.nist.gov/kiln": research.Verified, "http://unsigned-kilns.net/a": research.RejectUnauthored,
			"http://gone-kilns.com/kiln": research.RejectDead, "http://walled-kilns.com/kiln": research.Blocked, "http://private-kilns.com/kiln": research.Blocked,
			"http://inward-kilns.com/kiln": research.Blocked, "http://machine-kilns.com/kiln": research.RejectAI, "http://paper-kilns.com/kiln": research.Paywalled,
			"http://mirror-kilns.com/kiln": research.RejectDuplicate, "http://www.reuters.com/kiln": research.Verified,
			w.wiki.URL + "/index.php?title=Marrow_kiln": research.Verified,
		} {
			if verdicts[at] != want {
				t.Errorf("%s: %q, want %s", at, verdicts[at], want)
			}
		}
		if _, ok := verdicts["http://www.quora.com/kiln"]; ok {
			t.Error("a place of answers of anybody was opened")
		}
	}
	t.Logf("opened %d pages: %+v", opened, res.Digest.SourceStats)
	w.equalsOutbox(t, run)
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// barMatches counts the sources of a record by itself and compares the stats bar with them.
func barMatches(t *testing.T, run research.Run, d research.Digest) (map[string]research.Verdict, int) {
	t.Helper()
	verdicts, sources := map[string]research.Verdict{}, map[string]research.Source{}
	for _, ev := range run.Events {
		if ev.Kind != research.EventSource {
			continue
		}
		var s research.Source
		if err := json.Unmarshal(ev.Payload, &s); err != nil {
			t.Fatal(err)
		}
		verdicts[s.Location], sources[s.ID] = s.Verdict, s
	}
	voices, origins, verified := map[string]bool{}, map[research.Origin]bool{}, 0
	for _, s := range sources {
		if s.Verdict == research.Verified {
			verified++
			voices[s.Voice], origins[s.Origin] = true, true
		}
		if s.Verdict != research.Verified && s.Note == "" {
			t.Errorf("%s is %s without a note", s.Location, s.Verdict)
		}
	}
	if st := d.SourceStats; st.Verified != verified || st.Independent != len(voices) || st.OriginTypes != len(origins) || st.Opened != len(sources) {
		t.Errorf("the stats bar says %+v; the record has %d verified of %d, %d voices, %d origins", st, verified, len(sources), len(voices), len(origins))
	}
	return verdicts, len(sources)
}

// equalsOutbox compares what this web was asked with what the run said before and after.
func (w *web) equalsOutbox(t *testing.T, run research.Run) {
	t.Helper()
	var previewed, sent []string
	hosts := map[string]bool{}
	pages := 0
	for _, ev := range run.Events {
		switch ev.Kind {
		case research.EventPreview:
			var p research.Preview
			if err := json.Unmarshal(ev.Payload, &p); err != nil {
				t.Fatal(err)
			}
			for _, a := range p.Asks {
				previewed = append(previewed, a.Host+" "+a.Query)
			}
		case research.EventOutbox:
			var o research.Outbound
			if err := json.Unmarshal(ev.Payload, &o); err != nil {
				t.Fatal(err)
			}
			if o.Kind == "search" {
				sent = append(sent, strings.TrimSuffix(o.Host, ":443")+" "+o.Why)
				continue
			}
			if o.Fault == "" || !strings.Contains(o.Fault, "forbidden") {
				pages++
				hosts[o.Host] = true
			}
		}
	}
	var captured []string
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, q := range w.queries {
		name, words, _ := strings.Cut(q, ": ")
		captured = append(captured, map[string]string{"searxng": hostKey(w.searx.URL), "wiki": hostKey(w.wiki.URL), "wikidata": "www.wikidata.org"}[name]+" "+words)
	}
	for _, s := range w.seen {
		if host, ok := strings.CutPrefix(s, "CONNECT "); ok && w.secure == "" {
			host, _, _ = strings.Cut(host, ":443")
			i := slices.IndexFunc(sent, func(o string) bool { return strings.HasPrefix(o, host+" ") })
			if i < 0 {
				t.Errorf("%s was asked, and the outbox does not say so", host)
				continue
			}
			captured = append(captured, sent[i]) // its query is under TLS
		}
	}
	set := func(s []string) []string {
		s = slices.Clone(s)
		slices.Sort(s)
		return slices.Compact(s)
	}
	if !slices.Equal(set(previewed), set(sent)) {
		t.Errorf("the preview and the outbox differ:\n%q\n%q", set(previewed), set(sent))
	}
	connected := w.secure == "" && slices.ContainsFunc(w.seen, func(s string) bool { return strings.HasPrefix(s, "CONNECT ") })
	if !connected && !slices.Equal(set(captured), set(sent)) {
		t.Errorf("the capture and the outbox differ:\n%q\n%q", set(captured), set(sent))
	}
	for host := range w.passed {
		if strings.HasSuffix(host, ":80") && !hosts[host] {
			t.Errorf("%s was asked for a page, and the outbox does not say so", host)
		}
	}
	for host := range hosts {
		if strings.HasSuffix(host, ":80") && !w.passed[host] {
			t.Errorf("the outbox names %s, which was not asked", host)
		}
	}
	if pages == 0 || len(sent) == 0 {
		t.Errorf("%d pages and %d queries: nothing was tried", pages, len(sent))
	}
	for _, h := range w.headers {
		if ua := h.Get("User-Agent"); !strings.HasPrefix(ua, "Mozilla/5.0 (compatible; Assay/1") || h.Get("Cookie")+h.Get("Referer")+h.Get("From") != "" {
			t.Errorf("a request tells on who sent it: %v", h)
		}
	}
}

// TestOfflineDials: with the offline switch on, a search connects to the servers of this machine that ask nobody else, and to nothing more;
// without files and without them it is refused.
func TestOfflineDials(t *testing.T) {
	w := newWeb(t, made())
	d := w.joined(t, "wikipedia-en", "crossref")
	var mu sync.Mutex
	dialed := map[string]bool{}
	d.wire.dialed = func(_, address string) {
		mu.Lock()
		defer mu.Unlock()
		dialed[address] = true
	}
	s := d.Settings()
	s.Offline, s.Web.Feeds = true, []string{"https://feeds.example.com/a.xml"}
	if err := d.SetSettings(s); err != nil {
		t.Fatal(err)
	}
	var wrong *UsageError
	if _, err := d.Start(t.Context(), webRequest(kilnQuestion), StartOptions{}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "offline") {
		t.Errorf("a research of the web with the switch on: %v", err)
	}
	req := webRequest(kilnQuestion)
	req.Egress, req.Servers = research.Closed, true
	if res := wait(t, start(t, d, req, StartOptions{})); res.Err != nil {
		t.Error(res.Err)
	}
	if len(dialed) != 1 || !dialed[hostKey(w.wiki.URL)] {
		t.Errorf("connected to %v, want %s only", dialed, hostKey(w.wiki.URL))
	}
}
