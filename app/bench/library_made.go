package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"assay/engine/document"
	"assay/engine/library"
	"assay/engine/research"
	"assay/engine/text"
)

// Words are drawn as those of a language are: the k-th most common one with a probability that falls as 1/(k+offset)^exponent, out of
// as many as a large text has. A file keeps to a subject: a part of its words comes from a few hundred of its own.
const (
	zipfExponent = 1.07
	zipfOffset   = 100 // the hundred most common words of a language carry no content and are in no index
	vocabulary   = 200_000
	subjectWords = 300
	subjectShare = 0.25
)

// makeLibrary writes plain text files of about so many passages, of made words or of the sentences of a pool. What is there already
// is left.
func makeLibrary(ctx context.Context, dir string, passages int, pool []string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	files := (passages + libraryFilePages - 1) / libraryFilePages
	for i := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		sub := filepath.Join(dir, fmt.Sprintf("%03d", i/1000))
		if i%1000 == 0 {
			if err := os.MkdirAll(sub, 0o700); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("note-%06d.txt", i)), []byte(madeText(uint64(i), pool)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// madeText is the text of one file.
func madeText(seed uint64, pool []string) string {
	r := rand.New(rand.NewPCG(seed, 20261130))
	z := rand.NewZipf(r, zipfExponent, zipfOffset, vocabulary-1)
	subject := r.Uint64() % vocabulary
	var b strings.Builder
	fmt.Fprintf(&b, "Note %d\n\n", seed)
	for range libraryFilePages {
		for n := 0; n < libraryWords; {
			if len(pool) > 0 {
				s := pool[r.IntN(len(pool))]
				b.WriteString(s)
				n += len(strings.Fields(s))
			} else {
				n += madeSentence(&b, r, z, subject)
			}
			b.WriteByte(' ')
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

// madeSentence writes a sentence of made words and returns how many it has.
func madeSentence(b *strings.Builder, r *rand.Rand, z *rand.Zipf, subject uint64) int {
	length := 8 + r.IntN(13)
	for k := range length {
		word := z.Uint64()
		if r.Float64() < subjectShare {
			word = (subject + word*31%subjectWords) % vocabulary
		}
		w := madeWord(word)
		if k == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	b.WriteByte('.')
	return length
}

// Sentences of a pool: what is shorter is a label, what is longer a table.
const (
	poolLeast, poolMost = 6, 60 // words
	poolSentences       = 200_000
)

// sentencesOf lists the sentences of the documents of a folder, in the order of their names; none for no folder.
func sentencesOf(ctx context.Context, dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	var out []string
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || document.TypeByName(path) == "" || document.TypeByName(path) == document.PDF || len(out) >= poolSentences {
			return err
		}
		doc, err := document.Read(ctx, path, path, document.Options{})
		if err != nil {
			return err
		}
		for _, sp := range text.Sentences(doc.Text) {
			s := strings.Join(strings.Fields(doc.Text[sp.Start:sp.End]), " ")
			if n := len(strings.Fields(s)); n >= poolLeast && n <= poolMost && !seen[s] && len(out) < poolSentences {
				seen[s] = true
				out = append(out, s)
			}
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%w: library: --corpus %s holds no sentences", errUsage, dir)
	}
	return out, err
}

// madeWord is the word of a rank: two or more syllables, so that no two ranks share one.
func madeWord(rank uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b []byte
	for n := rank + 70; n > 0; n /= 70 {
		b = append(b, consonants[n%70/5], vowels[n%5])
	}
	return string(b) + "k" // no ending that a stemmer cuts
}

// exactIndex counts every passage for some questions.
type exactIndex struct {
	questions []string
	best      [][]float64             // of the first questions, the scores of the ten best passages
	score     []map[passageAt]float64 // of the same, the score of each passage that has a word
}

type passageAt struct {
	location string
	start    int
}

// Parameters of the library's own order (see engine/library/score.go).
const (
	exactK1, exactB, exactUsual = 1.2, 0.75, 60.0
)

// posting is how often a word stands in a passage.
type posting struct {
	at    passageAt
	times int
	stems int // of the passage
}

// countExactly picks the questions and scores all passages for the first of them. dump writes the passages and the questions beside the
// library, for other indexes.
func countExactly(ctx context.Context, scope *library.Scope, lib *library.Library, questions, exact int, dump bool, dir string) (*exactIndex, error) {
	entries, err := lib.List(ctx, "")
	if err != nil {
		return nil, err
	}
	x := &exactIndex{}
	r := rand.New(rand.NewPCG(7, 7))
	words := map[string][]posting{}
	for i := range questions {
		at := entries[(i*len(entries)/questions)%len(entries)].Location
		ps, err := scope.PassagesOf(ctx, at, "")
		if err != nil || len(ps) == 0 {
			return nil, fmt.Errorf("passages of %s: %w", at, err)
		}
		stems := text.Terms(ps[r.IntN(len(ps))].Text, "")
		q := []string{}
		for len(q) < 3 {
			q = append(q, stems[r.IntN(len(stems))])
		}
		x.questions = append(x.questions, strings.Join(q, " "))
		if i < exact {
			for _, w := range text.Terms(x.questions[i], "") { // a stem of a stem may be another
				words[w] = nil
			}
		}
	}
	var out *bufio.Writer
	if dump {
		f, err := os.Create(filepath.Join(dir, "passages.jsonl"))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		out = bufio.NewWriter(f)
	}
	all := 0
	for _, e := range entries {
		doc, err := scope.Read(ctx, e.Location)
		if err != nil {
			return nil, err
		}
		for _, p := range document.Passages(doc, "") {
			all++
			body := p.Text + "\n" + p.Heading
			if !strings.Contains(p.Heading, doc.Title) {
				body += "\n" + doc.Title
			}
			if out != nil {
				if err := json.NewEncoder(out).Encode(map[string]string{"text": body}); err != nil {
					return nil, err
				}
			}
			stems := text.Terms(body, "")
			times := map[string]int{}
			for _, s := range stems {
				if _, ok := words[s]; ok {
					times[s]++
				}
				for _, c := range s { // a single character of such a script is found in every pair that holds it
					if _, ok := words[string(c)]; ok && c >= 0x2E80 && string(c) != s {
						times[string(c)]++
					}
				}
			}
			for s, n := range times {
				words[s] = append(words[s], posting{passageAt{e.Location, p.Start}, n, len(stems)})
			}
		}
	}
	if out != nil {
		if err := out.Flush(); err != nil {
			return nil, err
		}
		b, err := json.Marshal(x.questions)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "questions.json"), b, 0o600); err != nil {
			return nil, err
		}
	}
	for _, q := range x.questions[:min(exact, len(x.questions))] {
		x.count(q, words, all)
	}
	return x, nil
}

// count scores every passage for one question.
func (x *exactIndex) count(q string, words map[string][]posting, all int) {
	score := map[passageAt]float64{}
	seen := map[string]bool{}
	for _, w := range text.Terms(q, "") {
		if seen[w] {
			continue
		}
		seen[w] = true
		n := float64(len(words[w]))
		weight := math.Log(1 + (float64(all)-n+0.5)/(n+0.5))
		for _, p := range words[w] {
			f := float64(p.times)
			norm := exactK1 * (1 - exactB + exactB*float64(p.stems)/exactUsual)
			score[p.at] += weight * f * (exactK1 + 1) / (f + norm)
		}
	}
	best := make([]float64, 0, len(score))
	for _, s := range score {
		best = append(best, s)
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(best)))
	x.best = append(x.best, slices.Clone(best[:min(libraryTop, len(best))]))
	x.score = append(x.score, score)
}

// compare returns how many of the hits of question k score as the ten best do, and how many best there are. Passages of one score are
// as good as each other.
func (x *exactIndex) compare(k int, hits []research.Hit) (right, of int) {
	best := x.best[k]
	if len(best) == 0 {
		return 0, 0
	}
	least := best[len(best)-1] - 1e-9
	for _, h := range hits {
		if x.score[k][passageAt{h.Location, h.Start}] >= least {
			right++
		}
	}
	return min(right, len(best)), len(best)
}

// besideIndex is another index over the same passages and questions.
type besideIndex struct {
	Name         string  `json:"name"`
	BuildSeconds float64 `json:"build_seconds"`
	MiB          float64 `json:"mib"`
	P50          float64 `json:"p50_ms"`
	P95          float64 `json:"p95_ms"`
	// The same, in times of ours.
	BuildRatio float64 `json:"build_ratio"`
	SizeRatio  float64 `json:"size_ratio"`
	P50Ratio   float64 `json:"p50_ratio"`
	P95Ratio   float64 `json:"p95_ratio"`
}

// besides runs the program that measures other indexes.
func besides(ctx context.Context, program, dir string) ([]besideIndex, error) {
	cmd := exec.CommandContext(ctx, program, filepath.Join(dir, "passages.jsonl"), filepath.Join(dir, "questions.json"))
	b, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	var out []besideIndex
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	return out, nil
}
