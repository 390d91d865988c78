// Command indexes measures other full-text indexes over the passages and questions that `assay bench library --also` writes:
// bleve alone, as its documentation has one set it up, and SQLite's FTS5. It prints a JSON list, an index each.
//
//	indexes passages.jsonl questions.json
package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // the analyser that is named below
	bleveindex "github.com/blevesearch/bleve_index_api"
	_ "modernc.org/sqlite" // the driver
)

const (
	hits  = 10
	warm  = 20   // questions that are asked before the clock runs
	batch = 4000 // passages
)

// measured is one index. Times are of the wall.
type measured struct {
	Name         string  `json:"name"`
	BuildSeconds float64 `json:"build_seconds"`
	MiB          float64 `json:"mib"`
	P50          float64 `json:"p50_ms"`
	P95          float64 `json:"p95_ms"`
}

// index is what is measured: it takes passages, then questions.
type index interface {
	put(n int, text string) error
	done() error
	ask(words []string, join string) error
	Close() error
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "indexes:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: indexes passages.jsonl questions.json")
	}
	b, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var questions []string
	if err := json.Unmarshal(b, &questions); err != nil {
		return err
	}
	var out []measured
	for _, kind := range []struct {
		name  string
		make  func(dir string) (index, error)
		joins []string // how the words of a question are joined
	}{{"bleve, BM25, en", newBleve, []string{"OR"}}, {"SQLite FTS5, porter", newFTS, []string{"AND", "OR"}}} {
		m, err := measure(kind.name, kind.make, kind.joins, args[0], questions)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		out = append(out, m...)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// measure builds one index and asks it, once for each way to join the words.
func measure(name string, open func(string) (index, error), joins []string, passages string, questions []string) (out []measured, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(passages), "index-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	x, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = first(err, x.Close()) }()
	f, err := os.Open(passages)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	began := time.Now()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 0; lines.Scan(); n++ {
		var p struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, err
		}
		if err := x.put(n, p.Text); err != nil {
			return nil, err
		}
	}
	if err := first(lines.Err(), x.done()); err != nil {
		return nil, err
	}
	built := time.Since(began).Seconds()
	for _, join := range joins {
		m := measured{Name: name + ", " + join, BuildSeconds: built, MiB: mebibytes(dir)}
		if m.P50, m.P95, err = times(x, questions, join); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// times asks the questions and returns the median and the 95th hundredth in milliseconds.
func times(x index, questions []string, join string) (p50, p95 float64, err error) {
	var took []float64
	for i, q := range append(slices.Clone(questions[:min(warm, len(questions))]), questions...) {
		began := time.Now()
		if err := x.ask(strings.Fields(q), join); err != nil {
			return 0, 0, err
		}
		if i >= warm {
			took = append(took, float64(time.Since(began).Microseconds())/1000)
		}
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*95/100], nil
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func mebibytes(dir string) float64 {
	total := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return float64(total) / (1 << 20)
}

// bleveIndex is bleve with its own ranking.
type bleveIndex struct {
	bleve.Index
	batch *bleve.Batch
}

func newBleve(dir string) (index, error) {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.IncludeInAll, text.DocValues = "en", false, false, false
	m := bleve.NewIndexMapping()
	m.ScoringModel = bleveindex.BM25Scoring
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	m.DefaultMapping.AddFieldMappingsAt("text", text)
	x, err := bleve.New(filepath.Join(dir, "bleve"), m)
	if err != nil {
		return nil, err
	}
	return &bleveIndex{x, x.NewBatch()}, nil
}

func (x *bleveIndex) put(n int, text string) error {
	if err := x.batch.Index(fmt.Sprintf("p%08d", n), map[string]string{"text": text}); err != nil {
		return err
	}
	if x.batch.Size() < batch {
		return nil
	}
	return x.done()
}

func (x *bleveIndex) done() error {
	err := x.Batch(x.batch)
	x.batch = x.NewBatch()
	return err
}

func (x *bleveIndex) ask(words []string, _ string) error {
	q := bleve.NewMatchQuery(strings.Join(words, " "))
	q.SetField("text")
	_, err := x.Search(bleve.NewSearchRequestOptions(q, hits, 0, false))
	return err
}

// ftsIndex is a table of FTS5 that keeps the text, as one would to show what was found.
type ftsIndex struct {
	db *sql.DB
	tx *sql.Tx
	n  int
}

func newFTS(dir string) (index, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "fts.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-65536)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE VIRTUAL TABLE p USING fts5(text, tokenize='porter unicode61')`); err != nil {
		return nil, err
	}
	return &ftsIndex{db: db}, nil
}

func (x *ftsIndex) put(n int, text string) (err error) {
	if x.tx == nil {
		if x.tx, err = x.db.Begin(); err != nil {
			return err
		}
	}
	if _, err := x.tx.Exec(`INSERT INTO p(rowid, text) VALUES (?, ?)`, n+1, text); err != nil {
		return err
	}
	if x.n++; x.n%batch != 0 {
		return nil
	}
	return x.done()
}

func (x *ftsIndex) done() error {
	if x.tx == nil {
		return nil
	}
	err := x.tx.Commit()
	x.tx = nil
	return err
}

func (x *ftsIndex) ask(words []string, join string) error {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
	}
	rows, err := x.db.Query(`SELECT rowid, bm25(p) FROM p WHERE p MATCH ? ORDER BY bm25(p) LIMIT ?`, strings.Join(quoted, " "+join+" "), hits)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (x *ftsIndex) Close() error { return x.db.Close() }
