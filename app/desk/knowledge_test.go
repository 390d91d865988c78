package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
)

// TestKnowledge: what a run found is shown by a later one with the confidence it had there and changes nothing else of it; it is found
// by words; it goes with its run; it can be turned off; a run of the same clock has nothing earlier; a replay shows the same.
func TestKnowledge(t *testing.T) {
	d := testDesk(t, realWiring(nil).run)
	dir := filepath.Join(t.TempDir(), "kiln")
	dirs := kilnVoices(t, dir, firstKiln())
	ask := func(now, question string) (*Job, research.Digest) {
		t.Helper()
		j := start(t, d, research.Request{Question: question, Libraries: dirs, Depth: research.Quick, Model: "extractive", Now: now, AllowPartial: true}, StartOptions{})
		res := wait(t, j)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		return j, *res.Digest
	}
	const question = "How hot is the Marrow kiln fired?"
	first, alone := ask("2026-03-01T06:00:00Z", question)
	if alone.Earlier != nil {
		t.Errorf("the first run has something earlier: %+v", alone.Earlier)
	}
	if _, twin := ask("2026-03-01T06:00:00Z", question); toJSON(t, twin) != toJSON(t, alone) {
		t.Error("two runs of one clock differ")
	}
	second, later := ask("2026-03-02T06:00:00Z", question)
	if later.Earlier == nil || len(later.Earlier.Claims) == 0 || !strings.Contains(later.Earlier.Claims[0].Text, "1,280") || later.Earlier.Claims[0].Confidence != alone.Sections[0].Findings[0].Confidence {
		t.Fatalf("Earlier = %+v", later.Earlier)
	}
	if toJSON(t, later.Sections) != toJSON(t, alone.Sections) || toJSON(t, later.Claims) != toJSON(t, alone.Claims) {
		t.Error("what was known changed what was found")
	}
	if notes := notesOf(t, d, second.ID()); !strings.Contains(notes, "Earlier research bears on this: The Marrow kiln is fired to 1,280") {
		t.Errorf("notes:\n%s", notes)
	}
	run := exported(t, second)
	if rep := audit.Check(run); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	if replayed, err := d.Replay(t.Context(), run, ReplayOptions{Strict: true}); err != nil || toJSON(t, replayed.Digest) != toJSON(t, later) {
		t.Errorf("the replay gives another digest: %v", err)
	}
	for _, name := range []string{FileHTML, FileMarkdown} {
		if b, err := os.ReadFile(filepath.Join(second.Dir(), name)); err != nil || !strings.Contains(string(b), "What earlier research says") {
			t.Errorf("%s does not show it: %v", name, err)
		}
	}
	if hits, _, err := d.SearchKnowledge(t.Context(), "kiln fired hot", 10); err != nil || len(hits) != 1 || hits[0].Run == first.ID() {
		t.Errorf("SearchKnowledge = %+v, %v; want the latest run that says it", hits, err)
	}
	if err := os.Remove(filepath.Join(second.Dir(), fileKnown)); err != nil { // as of a version before
		t.Fatal(err)
	}
	if hits, _, err := d.SearchKnowledge(t.Context(), "kiln fired hot", 10); err != nil || len(hits) != 1 || hits[0].Run != second.ID() {
		t.Errorf("without its file: %+v, %v", hits, err)
	}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if _, err := d.DeleteRun(r.ID); err != nil {
			t.Fatal(err)
		}
	}
	if hits, _, err := d.SearchKnowledge(t.Context(), "kiln fired hot", 10); err != nil || len(hits) != 0 {
		t.Errorf("deleted runs still know %+v, %v", hits, err)
	}
	ask("2026-03-03T06:00:00Z", question)
	if err := d.SetKnowledge(KnowledgeSettings{Off: true}); err != nil {
		t.Fatal(err)
	}
	if _, off := ask("2026-03-04T06:00:00Z", question); off.Earlier != nil {
		t.Errorf("turned off, it shows %+v", off.Earlier)
	}
	if err := d.SetKnowledge(KnowledgeSettings{Pages: "a year"}); err == nil {
		t.Error("an age that is none was taken")
	}
}

// TestKnowledgeFeedsNoQuery: words of the person's own files that an earlier run found are in no query, header or report of a run of the
// web, which says how many it keeps back.
func TestKnowledgeFeedsNoQuery(t *testing.T) {
	w := newWeb(t, made())
	d := w.joined(t)
	dir := filepath.Join(t.TempDir(), "own")
	writeKiln(t, dir, map[string]string{"secret.txt": "# Kiln\n\nThe Marrow kiln is fired to 1,234 degrees Celsius by Zyxwort Quillfeather in project Bluefinch.\n"})
	j := start(t, d, research.Request{Question: "How hot is the Marrow kiln fired?", Libraries: []string{dir}, Depth: research.Quick, Model: "extractive", Now: "2026-01-01T00:00:00Z", AllowPartial: true}, StartOptions{})
	if res := wait(t, j); res.Err != nil || res.Digest.Metrics.Findings == 0 {
		t.Fatalf("%+v", res)
	}
	if hits, _, err := d.SearchKnowledge(t.Context(), "Zyxwort Quillfeather kiln", 5); err != nil || len(hits) != 1 {
		t.Fatalf("the claim is not known: %+v, %v", hits, err)
	}
	asked := len(w.queries)
	j = start(t, d, webRequest("How hot is the Marrow kiln fired?"), StartOptions{})
	res := wait(t, j)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	if len(w.queries) == asked {
		t.Fatal("nothing was asked")
	}
	all := strings.Join(w.queries, "\n") + strings.Join(w.seen, "\n") + toJSON(t, w.headers) + toJSON(t, *res.Digest) + toJSON(t, exported(t, j))
	for _, word := range []string{"Zyxwort", "Quillfeather", "Bluefinch", "1,234"} {
		if strings.Contains(all, word) {
			t.Errorf("%q of a file reached a run of the web", word)
		}
	}
	if res.Digest.Earlier == nil || res.Digest.Earlier.Withheld == 0 || len(res.Digest.Earlier.Claims) != 0 {
		t.Errorf("Earlier = %+v, want what is kept back counted", res.Digest.Earlier)
	}
}

// TestKeptPages: a page that an earlier run kept is taken when it is young enough, and the report and the record say so; an older one, and
// every one of a run that asks for fresh pages, is fetched.
func TestKeptPages(t *testing.T) {
	w := newWeb(t, made())
	d := w.joined(t)
	clock := playClock(t, d, "2026-01-02T03:04:05Z")
	const page = "http://www.nist.gov/kiln"
	fetched := func(now string, opt StartOptions) (*Job, research.Digest, bool) {
		t.Helper()
		before := len(w.seen)
		req := webRequest(kilnQuestion)
		req.Now = now
		j := start(t, d, req, opt)
		res := wait(t, j)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		for _, s := range w.seen[before:] {
			if s == "GET www.nist.gov /kiln" {
				return j, *res.Digest, true
			}
		}
		return j, *res.Digest, false
	}
	first, _, got := fetched("2026-01-02T03:04:05Z", StartOptions{})
	if !got {
		t.Fatalf("the first run did not fetch %s: %q", page, w.seen)
	}
	if err := d.SetKnowledge(KnowledgeSettings{Pages: "24h"}); err != nil {
		t.Fatal(err)
	}
	j, digest, got := fetched("2026-01-02T23:00:00Z", StartOptions{})
	if got {
		t.Error("a page of the same day was fetched again")
	}
	note := ""
	for _, s := range digest.Sources {
		if s.URL == page {
			note = s.Note + " " + s.Retrieved
		}
	}
	if !strings.Contains(note, "kept by run "+first.ID()+" on 2026-01-02") || !strings.Contains(note, "2026-01-02T03:04:05Z") {
		t.Errorf("the report says of the page: %q", note)
	}
	if run := exported(t, j); !strings.Contains(toJSON(t, run.Events), `"reused":{"run":"`+first.ID()) {
		t.Error("the record does not say it")
	} else if rep := audit.Check(run); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	if _, _, got := fetched("2026-01-02T23:30:00Z", StartOptions{Fresh: true}); !got {
		t.Error("a run that asks for fresh pages took a kept one")
	}
	_ = clock
	if _, _, got := fetched("2026-01-09T00:00:00Z", StartOptions{}); !got {
		t.Error("a page of a week ago was taken")
	}
}
