package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/library"
	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/store"
)

// question is one line of the data file.
type question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Lang     string   `json:"lang"`
	Kind     string   `json:"kind"`
	Intent   string   `json:"intent"`
	Packages []string `json:"packages"`
	Gold     []gold   `json:"gold"`
	Claims   []string `json:"claims"`
}

type gold struct {
	Facet    string   `json:"facet"`
	Variants []string `json:"variants"`
	Path     string   `json:"path"`
	Also     []string `json:"also"`
	Span     string   `json:"span"`
	AsOf     []string `json:"asof"`
}

// answered is what a question is scored on, in the form of the data's README.
type answered struct {
	ID       string        `json:"id"`
	Findings []saidFinding `json:"findings"`
	Gaps     []string      `json:"gaps"`
	Status   string        `json:"status"` // ok, not_found, failed
}

type saidFinding struct {
	Text      string         `json:"text"`
	Citations []saidCitation `json:"citations"`
}

type saidCitation struct {
	Path  string `json:"path"`
	Quote string `json:"quote"`
}

// qaClock is the fixed clock of the bench: the documents are of 2023.
const qaClock = "2026-01-01T00:00:00Z"

// qa answers each question over its folders and writes one small JSON a question, and the full run beside it. It scores
// the answers when the data has the right ones.
func qa(ctx context.Context, o options) (any, error) {
	if o.data == "" || o.corpus == "" || o.out == "" {
		return nil, fmt.Errorf("%w: qa needs --data FILE.jsonl --corpus DIR --out DIR", errUsage)
	}
	if o.model != "" && o.model != "extractive" {
		return nil, fmt.Errorf("%w: --model %s: qa answers with the extractive channel; run `assay research` for a model", errUsage, o.model)
	}
	qs, err := questions(o)
	if err != nil {
		return nil, err
	}
	home := o.home
	if home == "" {
		if home, err = os.MkdirTemp("", "assay-bench-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(home)
	}
	began := time.Now()
	lib, pages, err := ingest(ctx, home, o, qs)
	if err != nil {
		return nil, err
	}
	ingested := time.Since(began)
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return nil, err
	}
	var took []float64
	runs := map[string]answered{}
	for i, q := range qs {
		at := time.Now()
		a, err := answer(ctx, o, lib, q)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		runs[q.ID] = a
		took = append(took, time.Since(at).Seconds())
		if err := writeJSON(filepath.Join(o.out, q.ID+".json"), a); err != nil {
			return nil, err
		}
		if !o.json {
			fmt.Fprintf(o.stdout, "%s %d findings, %d gaps, %s, %.1f s (%d of %d)\n", q.ID, len(a.Findings), len(a.Gaps), a.Status, took[len(took)-1], i+1, len(qs))
		}
	}
	score := scoreQA(qs, runs, o.corpus)
	score["seconds_median"] = median(took)
	score["ingest_seconds"] = ingested.Seconds()
	score["ingest_pages"] = pages
	score["peak_mib"] = peakMiB()
	if !o.json {
		printQA(o.stdout, score)
	}
	return score, nil
}

func questions(o options) ([]question, error) {
	f, err := os.Open(o.data)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	only := map[string]bool{}
	for _, id := range strings.Split(o.only, ",") {
		if id != "" {
			only[id] = true
		}
	}
	var out []question
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var q question
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", o.data, len(out)+1, err)
		}
		if len(only) == 0 || only[q.ID] {
			out = append(out, q)
		}
		if o.limit > 0 && len(out) == o.limit {
			break
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no question", o.data)
	}
	return out, sc.Err()
}

// ingest reads every folder that a question names into one library.
func ingest(ctx context.Context, home string, o options, qs []question) (*library.Library, int, error) {
	lib, err := library.Open(filepath.Join(home, "library"), library.Options{})
	if err != nil {
		return nil, 0, err
	}
	seen := map[string]bool{}
	pages := 0
	for _, q := range qs {
		for _, p := range q.Packages {
			if seen[p] {
				continue
			}
			seen[p] = true
			in, err := lib.Add(ctx, filepath.Join(o.corpus, p))
			if err != nil {
				return nil, 0, err
			}
			pages += in.Pages
			if !o.json {
				fmt.Fprintf(o.stdout, "read %s: %d files, %d passages, %d without text\n", p, in.Files, in.Passages, in.Unread)
			}
		}
	}
	return lib, pages, nil
}

// answer runs one question and writes the full run.
func answer(ctx context.Context, o options, lib *library.Library, q question) (answered, error) {
	var folders []string
	for _, p := range q.Packages {
		folders = append(folders, filepath.Join(o.corpus, p))
	}
	scope, err := lib.Within(folders...)
	if err != nil {
		return answered{}, err
	}
	req := research.Request{
		Question: q.Question, Libraries: folders, Shape: research.ShapeAuto, Depth: research.Depth(o.depth), Lang: q.Lang, Model: "extractive",
		Egress: research.Closed, Now: qaClock, Seed: 1,
	}
	rec := store.NewMemory(req, "bench")
	e := engine.Engine{Config: engine.Config{
		Request: req, Model: extractive.Model{}, ModelWhy: "The bench asked for it.", Providers: []engine.Provider{scope}, Reader: scope,
		Fallback: extractive.Model{}, Code: "bench",
	}}
	d, err := e.Run(ctx, rec)
	status := "ok"
	switch {
	case errors.Is(err, engine.ErrNoFinding):
		status = "not_found"
	case err != nil:
		return answered{}, err
	}
	a := printed(q.ID, d)
	a.Status = status
	if err := rec.SetDigest(d); err != nil {
		return a, err
	}
	return a, writeFull(filepath.Join(o.out, "full", q.ID), rec, d)
}

// writeFull lays the four files of a research.
func writeFull(dir string, rec *store.Memory, d research.Digest) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	page, err := render.HTML(d)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "report.html"), page, 0o644); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, "digest.json"), d); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "run.json"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := rec.Export(f); err != nil {
		return err
	}
	return f.Close()
}

func writeJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := append([]float64{}, v...)
	sort.Float64s(s)
	return s[len(s)/2]
}

// peakMiB is the most memory the process has held, by the kernel's count where there is one.
func peakMiB() float64 {
	if b, err := os.ReadFile("/proc/self/status"); err == nil {
		for _, line := range strings.Split(string(b), "\n") {
			var kb float64
			if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
				return kb / 1024
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / (1 << 20)
}
