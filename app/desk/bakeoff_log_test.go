package desk

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/extractive"
	"assay/engine/research"
)

// TestSupersede links a corrected retest, and a changelog that was tampered with is told and not added to.
func TestSupersede(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	req := bakeoffOf(t, "one")
	for range 2 {
		if _, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: seatsOf(nil)}); err != nil {
			t.Fatal(err)
		}
	}
	log, err := d.Changelog(t.Context(), "one")
	if err != nil || len(log.Lines) != 2 {
		t.Fatalf("Changelog = %+v, %v", log, err)
	}
	old, re := log.Lines[0].Entry.ID, log.Lines[1].Entry.ID
	var wrong *UsageError
	for _, tc := range [][3]string{{"vx", re, "why"}, {old, "vx", "why"}, {re, old, "why"}, {old, re, " "}} {
		if _, err := d.Supersede(tc[0], tc[1], tc[2]); !errors.As(err, &wrong) {
			t.Errorf("Supersede(%q) = %v, want a usage fault", tc, err)
		}
	}
	e, err := d.Supersede(old[:8], re[:8], "the server had a bug")
	if err != nil {
		t.Fatal(err)
	}
	if log, err = d.Changelog(t.Context(), ""); err != nil || len(log.Lines) != 3 || log.Lines[0].Standing || log.Lines[0].SupersededBy != e.ID || log.Lines[0].Reason != "the server had a bug" {
		t.Errorf("Changelog = %+v, %v", log, err)
	}

	name := d.verdictFile()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(whole), `"outcome":"keep"`, `"outcome":"discard"`, 1))
	log, err = d.Changelog(t.Context(), "")
	if err != nil || !strings.Contains(log.Fault, "line 1") || len(log.Lines) != 0 {
		t.Errorf("a changed verdict: %+v, %v", log, err)
	}
	if b, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{open: seatsOf(nil)}); err == nil || !strings.Contains(err.Error(), "line 1") || b.State != "failed" {
		t.Errorf("a damaged changelog was added to: %v", err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	write(lines[0])
	if log, err = d.Changelog(t.Context(), ""); err != nil || log.Fault != "" || len(log.Lost) != 1 || !strings.Contains(log.Lost[0], re) {
		t.Errorf("a changelog whose end was cut off: %+v, %v", log, err)
	}
	write(string(whole))
	if log, err = d.Changelog(t.Context(), ""); err != nil || log.Fault != "" || len(log.Lost) != 0 {
		t.Errorf("put back: %+v, %v", log, err)
	}
}

// TestDeleteBakeoff: the data go, the verdicts stay and say so.
func TestDeleteBakeoff(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	var ids []string
	for range 2 {
		b, err := d.StartBakeoff(t.Context(), bakeoffOf(t, "one"), BakeoffOptions{open: seatsOf(nil)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, b.ID)
	}
	before, err := os.ReadFile(d.verdictFile())
	if err != nil {
		t.Fatal(err)
	}
	var wrong *UsageError
	if _, err := d.DeleteBakeoff("x", true); !errors.As(err, &wrong) {
		t.Errorf("DeleteBakeoff of none = %v", err)
	}
	if _, err := d.DeleteBakeoff(ids[0], false); !errors.Is(err, ErrUnconfirmed) || !strings.Contains(err.Error(), "its verdicts stay") {
		t.Errorf("DeleteBakeoff without a yes = %v", err)
	}
	release, err := d.store.Guard(bakeoffFolder(ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.DeleteBakeoff(ids[0], true); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("DeleteBakeoff of one that is worked on = %v", err)
	}
	release()
	if list, err := d.Bakeoffs(); err != nil || len(list) != 2 {
		t.Fatalf("what was refused took something away: %+v, %v", list, err)
	}

	// Also one whose file is damaged.
	if err := os.WriteFile(d.bakeoffFile(ids[0]), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if id, err := d.DeleteBakeoff(ids[0], true); err != nil || id != ids[0] {
		t.Fatalf("DeleteBakeoff = %q, %v", id, err)
	}
	for _, name := range []string{d.bakeoffFile(ids[0]), d.bakeoffPath(ids[0])} {
		if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	if list, err := d.Bakeoffs(); err != nil || len(list) != 1 || list[0].ID != ids[1] {
		t.Errorf("Bakeoffs = %+v, %v", list, err)
	}
	after, err := os.ReadFile(d.verdictFile())
	if err != nil || !strings.HasPrefix(string(after), string(before)) || len(after) == len(before) {
		t.Fatalf("the changelog was overwritten, or does not tell: %v", err)
	}
	for _, model := range []string{"", "one"} {
		log, err := d.Changelog(t.Context(), model)
		if err != nil || len(log.Lines) != 3 || len(log.Lost) != 0 {
			t.Fatalf("Changelog = %+v, %v", log, err)
		}
		first, second, third := log.Lines[0], log.Lines[1], log.Lines[2]
		if first.RemovedAt == "" || !first.Standing || first.Entry.Verdict == nil || second.RemovedAt != "" || !third.Entry.Removed || third.Entry.Bakeoff != ids[0] {
			t.Errorf("Changelog of %q = %+v", model, log.Lines)
		}
	}
	if log, err := d.Changelog(t.Context(), "other"); err != nil || len(log.Lines) != 0 {
		t.Errorf("Changelog of another model = %+v, %v", log, err)
	}
	if _, err := d.DeleteBakeoff(ids[0], true); !errors.As(err, &wrong) {
		t.Errorf("DeleteBakeoff again = %v", err)
	}
}

func TestBakeoffRefuses(t *testing.T) {
	d := bakeoffDesk(t, faulty(t, enginetest.Refuses).URL)
	for _, tc := range []struct {
		name string
		edit func(*BakeoffRequest)
		want string
	}{
		{"no model", func(r *BakeoffRequest) { r.Models = []string{" "} }, "no model to try"},
		{"extractive", func(r *BakeoffRequest) { r.Models = []string{"extractive"} }, "give it with --baseline"},
		{"twice", func(r *BakeoffRequest) { r.Models = []string{"a", "ollama:a"} }, "named twice"},
		{"itself", func(r *BakeoffRequest) { r.Baseline = "bad" }, "against itself"},
		{"many models", func(r *BakeoffRequest) {
			for i := range 20 {
				r.Models = append(r.Models, fmt.Sprint("m", i))
			}
		}, "may be 16"},
		{"role", func(r *BakeoffRequest) { r.Role = "judge" }, "use one of analyst, planner"},
		{"runs", func(r *BakeoffRequest) { r.Runs = 10 }, "from 1 to 9"},
		{"small window", func(r *BakeoffRequest) { r.NumCtx = 4096 }, "research needs 8192"},
		{"huge window", func(r *BakeoffRequest) { r.NumCtx = 1 << 21 }, "use up to"},
		{"cache type", func(r *BakeoffRequest) { r.KVType = "q5_0" }, "use f16"},
		{"no question", func(r *BakeoffRequest) { r.Questions = nil }, "there is no question"},
		{"many questions", func(r *BakeoffRequest) { r.Questions = make([]BakeoffQuestion, 201) }, "may be 200"},
		{"empty question", func(r *BakeoffRequest) { r.Questions[0].Question = " " }, "question q1: the question is empty"},
		{"two of one id", func(r *BakeoffRequest) {
			r.Questions = append(r.Questions, BakeoffQuestion{ID: "q1", Question: "why?"})
		}, "stands twice"},
		{"label", func(r *BakeoffRequest) { r.Questions[0].Label = "{" }, "not JSON"},
		{"no library", func(r *BakeoffRequest) { r.Libraries = nil }, "nothing to search"},
		{"missing folder", func(r *BakeoffRequest) { r.Libraries[0] += "x" }, "does not exist"},
		{"missing folder of a question", func(r *BakeoffRequest) { r.Questions[0].Libraries = []string{r.Libraries[0] + "x"} }, "does not exist"},
		{"clock", func(r *BakeoffRequest) { r.Now = "noon" }, "clock"},
		{"depth", func(r *BakeoffRequest) { r.Depth = "abyss" }, "quick, standard or deep"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := bakeoffOf(t, "bad")
			tc.edit(&req)
			var wrong *UsageError
			if _, err := d.StartBakeoff(t.Context(), req, BakeoffOptions{}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("StartBakeoff = %v, want %q", err, tc.want)
			}
		})
	}
	if list, err := d.Bakeoffs(); err != nil || len(list) != 0 {
		t.Errorf("refused requests were kept: %+v, %v", list, err)
	}
	for _, tc := range []struct{ model, want string }{{"none", "has no model none"}} {
		b, err := d.StartBakeoff(t.Context(), bakeoffOf(t, tc.model), BakeoffOptions{})
		if !errors.Is(err, research.ErrMissing) || !strings.Contains(err.Error(), tc.want) || b.State != "failed" || len(b.Trials) != 0 {
			t.Errorf("StartBakeoff = %s, %v", b.State, err)
		}
	}
	if _, err := d.Bakeoff("2"); err != nil {
		t.Errorf("Bakeoff by its beginning: %v", err)
	}
	if _, err := d.ResumeBakeoff(t.Context(), "nothing", 0, BakeoffOptions{}); err == nil || !strings.Contains(err.Error(), "no bake-off") {
		t.Errorf("ResumeBakeoff of nothing: %v", err)
	}
	elsewhere := bakeoffDesk(t, "192.0.2.1")
	if _, err := elsewhere.StartBakeoff(t.Context(), bakeoffOf(t, "bad"), BakeoffOptions{}); !errors.Is(err, research.ErrForbidden) {
		t.Errorf("a server elsewhere: %v", err)
	}
}

// TestBakeoffFiles: files that are damaged or in use are told.
func TestBakeoffFiles(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	b, err := d.StartBakeoff(t.Context(), bakeoffOf(t, "one"), BakeoffOptions{open: seatsOf(nil)})
	if err != nil {
		t.Fatal(err)
	}
	release, err := d.store.Guard(bakeoffFolder(b.ID))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.ResumeBakeoff(t.Context(), b.ID, 2, BakeoffOptions{open: seatsOf(nil)}); err == nil || !strings.Contains(err.Error(), "in use by another program") {
		t.Errorf("a bake-off in use was resumed: %v", err)
	}
	if list, err := d.Bakeoffs(); err != nil || list[0].Holder == "" {
		t.Errorf("Bakeoffs = %+v, %v", list, err)
	}
	release()
	name := d.bakeoffFile(b.ID)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ text, want string }{
		{"{", "its end is missing"},
		{strings.Replace(string(whole), `"schema": 1`, `"schema": 9`, 1), "of version 9"},
		{strings.Replace(string(whole), b.ID, "20200101-000000-000000", 1), "of bake-off"},
	} {
		if err := os.WriteFile(name, []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := d.Bakeoffs()
		if err != nil || len(list) != 1 || list[0].State != "failed" || !strings.Contains(list[0].Detail, tc.want) {
			t.Errorf("Bakeoffs = %+v, %v; want %q", list, err, tc.want)
		}
		if _, err := d.Bakeoff(b.ID); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("Bakeoff = %v, want %q", err, tc.want)
		}
	}
}

func TestRouter(t *testing.T) {
	small, large := good{name: "ollama:small", ctx: 4096}, good{name: "ollama:large", ctx: 8192}
	for _, tc := range []struct {
		name string
		r    router
		ctx  int
		who  string
	}{
		{"all roles", router{candidate: small, baseline: large}, 4096, "ollama:small"},
		{"one role", router{role: research.Reader, candidate: large, baseline: small}, 4096, "ollama:small"},
		{"one role, the smaller one", router{role: research.Reader, candidate: small, baseline: large}, 4096, "ollama:large"},
		{"the writer", router{role: research.FindingsWriter, candidate: small, baseline: large}, 4096, "ollama:small"},
		{"beside no window", router{role: research.Reader, candidate: small, baseline: extractive.Model{}}, 4096, "extractive"},
		{"no window", router{candidate: extractive.Model{}, baseline: extractive.Model{}}, 0, "extractive"},
	} {
		if l := tc.r.Limits(); l.NumCtx != tc.ctx || l.Name != tc.who {
			t.Errorf("%s: Limits = %+v, want %d of %s", tc.name, l, tc.ctx, tc.who)
		}
		if err := tc.r.Wait(t.Context()); err != nil {
			t.Errorf("%s: Wait = %v", tc.name, err)
		}
	}
}
