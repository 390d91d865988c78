package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/engine/library"
	"assay/engine/research"
)

// Sizes of the library bench, in passages, unless --limit says how many.
const (
	libraryPassages  = 20_000
	librarySmaller   = 10 // the smaller library, by which the growth is measured, has so many times fewer
	libraryQuestions = 300
	libraryWarm      = 20  // questions that are asked before the clock runs
	libraryExact     = 60  // questions whose answer is worked out from every passage
	libraryTop       = 10  // hits of an answer
	libraryFilePages = 40  // passages of one file, about
	libraryWords     = 100 // of a passage, about
)

// librarySize are the figures of a library of one size.
type librarySize struct {
	Passages      int     `json:"passages"`
	Files         int     `json:"files"`
	IngestSeconds float64 `json:"ingest_seconds"`
	PerSecond     float64 `json:"passages_per_second"`
	IndexMiB      float64 `json:"index_mib"`
	Questions     int     `json:"questions"`
	P50           float64 `json:"p50_ms"`
	P95           float64 `json:"p95_ms"`
	Worst         float64 `json:"worst_ms"`
	// The same in processor time, which says little about waiting and does not move with what else the machine does.
	IngestProcessor float64 `json:"ingest_processor_seconds"`
	P95Processor    float64 `json:"p95_processor_ms"`
	Recall          float64 `json:"recall"` // of the ten best passages by exact count, in the ten that were found
	ExactOf         int     `json:"exact_questions"`
}

// libraryScore is the result. Beside are other indexes over the same passages and questions, when a program that has them is named.
type libraryScore struct {
	N      int     `json:"n"` // passages of the larger library
	P95    float64 `json:"p95_ms"`
	Recall float64 `json:"recall"`
	Growth float64 `json:"growth"` // exponent of p95 over the number of passages
	// GrowthProcessor is the same of the processor time.
	GrowthProcessor float64       `json:"growth_processor"`
	Sizes           []librarySize `json:"sizes"`
	Beside          []besideIndex `json:"beside,omitempty"`
	BesideFault     string        `json:"beside_fault,omitempty"`
}

// ratios says how many times as much as ours the others take.
func (s *libraryScore) ratios() {
	ours := s.Sizes[len(s.Sizes)-1]
	for i := range s.Beside {
		b := &s.Beside[i]
		b.P50Ratio, b.P95Ratio, b.BuildRatio, b.SizeRatio = b.P50/ours.P50, b.P95/ours.P95, b.BuildSeconds/ours.IngestSeconds, b.MiB/ours.IndexMiB
	}
}

// libraryBench makes libraries of two sizes out of words with the frequencies of language, or, with --corpus, of the sentences of a
// folder of documents, ingests them and asks them questions of three words that stand in one of their passages. --limit is how many passages the larger one has; --also names the program of
// build/tools/indexes, which asks the same of bleve and of SQLite; --home keeps the folders.
func libraryBench(ctx context.Context, o options) (any, error) {
	n := o.limit
	if n == 0 {
		n = libraryPassages
	}
	home := o.home
	if home == "" {
		var err error
		if home, err = os.MkdirTemp("", "assay-library-*"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(home)
	}
	s := libraryScore{}
	pool, err := sentencesOf(ctx, o.corpus)
	if err != nil {
		return nil, err
	}
	for _, size := range []int{n / librarySmaller, n} {
		if size < libraryFilePages {
			return nil, fmt.Errorf("%w: library: --limit is at least %d", errUsage, libraryFilePages*librarySmaller)
		}
		r, err := libraryOf(ctx, o, filepath.Join(home, fmt.Sprint(size)), size, pool)
		if err != nil {
			return nil, err
		}
		s.Sizes = append(s.Sizes, r)
	}
	small, big := s.Sizes[0], s.Sizes[1]
	s.N, s.P95, s.Recall = big.Passages, big.P95, big.Recall
	s.Growth = math.Log(big.P95/small.P95) / math.Log(float64(big.Passages)/float64(small.Passages))
	s.GrowthProcessor = math.Log(max(big.P95Processor, 0.01)/max(small.P95Processor, 0.01)) / math.Log(float64(big.Passages)/float64(small.Passages))
	if o.also != "" {
		// What was measured of ours stands, whatever becomes of the others.
		if s.Beside, err = besides(ctx, o.also, filepath.Join(home, fmt.Sprint(n))); err != nil {
			s.BesideFault = err.Error()
		}
		s.ratios()
	}
	if !o.json {
		for _, r := range s.Sizes {
			fmt.Fprintf(o.stdout, "%8d passages in %d files: %.1f s (%.1f s of processors), %.0f a second, index %.1f MiB; %d questions, p50 %.2f ms, p95 %.2f ms (%.2f ms of processors), worst %.2f ms; recall %.4f of %d\n",
				r.Passages, r.Files, r.IngestSeconds, r.IngestProcessor, r.PerSecond, r.IndexMiB, r.Questions, r.P50, r.P95, r.P95Processor, r.Worst, r.Recall, r.ExactOf)
		}
		fmt.Fprintf(o.stdout, "p95 grows with the number of passages to the power of %.2f (processor time: %.2f)\n", s.Growth, s.GrowthProcessor)
		if s.BesideFault != "" {
			fmt.Fprintf(o.stdout, "the others were not measured: %s\n", s.BesideFault)
		}
		for _, b := range s.Beside {
			fmt.Fprintf(o.stdout, "%s: %.1f s, %.1f MiB, p50 %.2f ms, p95 %.2f ms; of ours: build %.2f, size %.2f, p50 %.2f, p95 %.2f times\n",
				b.Name, b.BuildSeconds, b.MiB, b.P50, b.P95, b.BuildRatio, b.SizeRatio, b.P50Ratio, b.P95Ratio)
		}
	}
	return s, nil
}

// libraryOf makes, ingests and asks a library of about so many passages.
func libraryOf(ctx context.Context, o options, dir string, passages int, pool []string) (librarySize, error) {
	r := librarySize{}
	docs := filepath.Join(dir, "documents")
	if err := makeLibrary(ctx, docs, passages, pool); err != nil {
		return r, err
	}
	lib, err := library.Open(filepath.Join(dir, "library"), library.Options{})
	if err != nil {
		return r, err
	}
	began, work := time.Now(), processorTime()
	g, err := lib.Add(ctx, docs)
	if err != nil {
		return r, err
	}
	r.IngestSeconds, r.IngestProcessor = time.Since(began).Seconds(), (processorTime() - work).Seconds()
	st, err := lib.Stats(ctx)
	if err != nil {
		return r, err
	}
	r.Passages, r.Files = st.Passages, st.Files
	r.PerSecond = float64(g.Passages) / r.IngestSeconds
	r.IndexMiB = mebibytes(filepath.Join(dir, "library", "index"))
	scope, err := lib.Within()
	if err != nil {
		return r, err
	}
	var exact *exactIndex
	exact, err = countExactly(ctx, scope, lib, libraryQuestions, libraryExact, o.also != "", dir)
	if err != nil {
		return r, err
	}
	var took, worked []float64
	right, of := 0, 0
	for i, q := range append(slices.Clone(exact.questions[:min(libraryWarm, len(exact.questions))]), exact.questions...) {
		began, work := time.Now(), processorTime()
		hits, err := scope.Search(ctx, research.Query{Text: q, Limit: libraryTop})
		if err != nil {
			return r, err
		}
		ms := float64(time.Since(began).Microseconds()) / 1000
		if i < libraryWarm {
			continue
		}
		took, worked = append(took, ms), append(worked, float64((processorTime()-work).Microseconds())/1000)
		if k := i - libraryWarm; k < libraryExact && k < len(exact.questions) {
			got, want := exact.compare(k, hits)
			right, of = right+got, of+want
		}
	}
	slices.Sort(took)
	slices.Sort(worked)
	r.Questions, r.ExactOf = len(took), min(libraryExact, len(exact.questions))
	r.P50, r.P95, r.Worst = took[len(took)/2], took[len(took)*95/100], took[len(took)-1]
	r.P95Processor = worked[len(worked)*95/100]
	r.Recall = share(right, of)
	return r, nil
}

// mebibytes is the size of the files of a folder.
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
