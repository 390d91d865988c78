package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"assay/engine/research"
)

const (
	// rankSmooth is k of reciprocal rank fusion; 60 is the value of Cormack, Clarke and Buettcher (SIGIR 2009).
	rankSmooth = 60
	// fuseDepth is how far the two lists are looked at, at least.
	fuseDepth = 100
	// flatPassages and flatBytes bound what is compared with every question: 200,000 vectors of 1,024 numbers are 195 MiB, at a byte
	// a number. Above them the vectors of the best passages by words are read and compared alone.
	flatPassages = 200_000
	flatBytes    = 256 << 20
	// rerankDepth is how many of the best passages by words are compared above those bounds.
	rerankDepth = 400
)

// Meaning joins vectors of e to the scope's searches. The two orders, by words and by nearness of vectors, are fused by reciprocal
// rank. told, which may be nil, hears once why a search rests on words alone. The vectors are those that [Library.Embed] made; they
// are held in memory by the scope, at most 256 MiB of them and 16 bytes a passage.
func (s *Scope) Meaning(e Embedder, told func(string)) {
	s.mean = &meaning{lib: s.lib, e: e, told: told, flatMost: flatPassages}
}

// meaning is what a scope searches by beside words.
type meaning struct {
	lib      *Library
	e        Embedder
	told     func(string)
	flatMost int // passages

	mu    sync.Mutex
	said  bool
	stamp string // of the file that was read
	held  *shelved
	texts []textHash // of the vectors that are compared, in the order of their parts
	first []int      // of each of texts, the number of its first vector
	spans []research.Span
	scale []float32
	data  []byte // all vectors, one after another; nil when there are too many
}

// say tells once why words alone count.
func (m *meaning) say(format string, args ...any) {
	if m.said || m.told == nil {
		return
	}
	m.said = true
	m.told(fmt.Sprintf(format, args...))
}

// load reads the vectors unless they are those that were read before.
func (m *meaning) load() error {
	path := m.lib.vectorsFile(m.e.Name())
	stamp := ""
	if info, err := os.Stat(path); err == nil {
		stamp = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	if m.held != nil && stamp == m.stamp {
		return nil
	}
	m.texts, m.first, m.spans, m.scale, m.data = nil, nil, nil, nil, nil
	s, f, err := m.lib.openVectors(m.e.Name(), nil)
	if err != nil {
		return err
	}
	m.held, m.stamp = s, stamp
	if f == nil {
		return nil
	}
	defer func() { _ = f.Close() }() // read only
	live := s.locate()
	if live > m.flatMost || int64(live)*int64(s.dim) > flatBytes {
		return nil
	}
	m.spans, m.scale, m.data = make([]research.Span, 0, live), make([]float32, 0, live), make([]byte, 0, live*s.dim)
	byHash := make([]textHash, 0, len(s.where))
	for sha := range s.where {
		byHash = append(byHash, sha)
	}
	slices.SortFunc(byHash, func(a, b textHash) int { return cmp.Compare(s.parts[a][0].offset, s.parts[b][0].offset) })
	for _, sha := range byHash {
		m.texts, m.first = append(m.texts, sha), append(m.first, len(m.spans))
		err := readParts(f, s.parts[sha], func(v vector) {
			m.spans, m.scale, m.data = append(m.spans, v.span), append(m.scale, v.scale), append(m.data, v.at...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func readParts(f *os.File, parts []part, fn func(vector)) error {
	for _, p := range parts {
		b := make([]byte, p.length)
		if _, err := f.ReadAt(b, p.offset); err != nil {
			return diskFault("read the vectors", err)
		}
		eachVector(b, fn)
	}
	return nil
}

// near is a passage with how near it is to the question.
type near struct {
	location string
	span     research.Span
	at       float32
}

func byNearness(a, b near) int {
	return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.location, b.location), cmp.Compare(a.span.Start, b.span.Start))
}

// fuse joins the order by meaning to that by words.
func (s *Scope) fuse(ctx context.Context, x *index, question string, want int) ([]candidate, error) {
	m := s.mean
	depth := max(want, fuseDepth)
	byWords, err := s.candidates(ctx, x, question, max(depth, rerankDepth))
	if err != nil {
		return nil, err
	}
	byMeaning, err := s.nearest(ctx, m, question, byWords, depth)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		m.say("The library was searched by words alone, because the embedding model gave no vector: %v.", err)
	}
	if len(byMeaning) == 0 {
		return byWords[:min(len(byWords), want)], nil
	}
	return fused(byWords[:min(len(byWords), depth)], byMeaning), nil
}

// fused adds up one over rankSmooth and the place in each of two lists.
func fused(byWords []candidate, byMeaning []near) []candidate {
	type key struct {
		location string
		start    int
	}
	at := map[key]int{}
	var out []candidate
	gain := map[key]float64{}
	for i, c := range byWords {
		k := key{c.location, c.span.Start}
		at[k], gain[k] = len(out), 1/float64(rankSmooth+i+1)
		out = append(out, c)
	}
	for i, n := range byMeaning {
		k := key{n.location, n.span.Start}
		if _, ok := at[k]; !ok {
			at[k] = len(out)
			out = append(out, candidate{location: n.location, span: n.span, meant: true})
		}
		gain[k] += 1 / float64(rankSmooth+i+1)
	}
	best := 0.0
	for _, g := range gain {
		best = max(best, g)
	}
	for i := range out {
		out[i].score = int(gain[key{out[i].location, out[i].span.Start}]/best*1e6 + 0.5)
	}
	order(out)
	return out
}

// nearest returns the passages of the scope whose vectors are nearest to the question's.
func (s *Scope) nearest(ctx context.Context, m *meaning, question string, byWords []candidate, depth int) ([]near, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.load(); err != nil {
		return nil, err
	}
	if m.held.dim == 0 {
		m.say("The library was searched by words alone, because its passages have no vectors of %s yet; assay library add makes them.", m.e.Name())
		return nil, nil
	}
	of, err := embedFitting(ctx, m.e, []string{question})
	if err != nil {
		return nil, err
	}
	if len(of) != 1 || len(of[0]) != m.held.dim {
		return nil, errors.New("it has not the length of those that are kept; assay library set meaning off, and then auto, has them made anew")
	}
	scale, q := quantise(of[0])
	if scale == 0 {
		return nil, fmt.Errorf("it has no direction")
	}
	var out []near
	if m.data == nil {
		out, err = m.rerank(byWords, q)
		if err != nil {
			return nil, err
		}
	} else {
		out = m.scan(q, depth, func(location string) bool { _, ok := folderOf(s.bases, location); return ok })
	}
	slices.SortFunc(out, byNearness)
	return out[:min(len(out), depth)], nil
}

// scan compares the question with every vector, on all processors, and returns the depth nearest of each one's share.
func (m *meaning) scan(q []byte, depth int, within func(location string) bool) []near {
	workers := runtime.GOMAXPROCS(0)
	found := make([][]near, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			var best []near // sorted, the nearest first
			for t := w * len(m.texts) / workers; t < (w+1)*len(m.texts)/workers; t++ {
				var here []string
				for _, location := range m.held.where[m.texts[t]] {
					if within(location) {
						here = append(here, location)
					}
				}
				if len(here) == 0 {
					continue
				}
				end := len(m.spans)
				if t+1 < len(m.first) {
					end = m.first[t+1]
				}
				for i := m.first[t]; i < end; i++ {
					at := m.scale[i] * float32(dot(q, m.data[i*len(q):(i+1)*len(q)]))
					if len(best) >= depth && at < best[len(best)-1].at {
						continue
					}
					for _, location := range here {
						best = kept(best, near{location, m.spans[i], at}, depth)
					}
				}
			}
			found[w] = best
		})
	}
	all.Wait()
	return slices.Concat(found...)
}

// kept puts n into its place of a sorted list of at most depth.
func kept(best []near, n near, depth int) []near {
	i, _ := slices.BinarySearchFunc(best, n, byNearness)
	best = slices.Insert(best, i, n)
	return best[:min(len(best), depth)]
}

// rerank compares the question with the vectors of the best passages by words.
func (m *meaning) rerank(byWords []candidate, q []byte) ([]near, error) {
	f, err := os.Open(m.lib.vectorsFile(m.e.Name()))
	if err != nil {
		return nil, diskFault("read the vectors", err)
	}
	defer func() { _ = f.Close() }() // read only
	wanted := map[textHash][]candidate{}
	var order []textHash
	for _, c := range byWords[:min(len(byWords), rerankDepth)] {
		sha, ok := m.held.place[c.location]
		if !ok {
			continue
		}
		if wanted[sha] == nil {
			order = append(order, sha)
		}
		wanted[sha] = append(wanted[sha], c)
	}
	var out []near
	for _, sha := range order {
		err := readParts(f, m.held.parts[sha], func(v vector) {
			for _, c := range wanted[sha] {
				if c.span == v.span {
					out = append(out, near{c.location, v.span, v.scale * float32(dot(q, v.at))})
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
