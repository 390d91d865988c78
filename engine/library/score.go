package library

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"assay/engine/text"
)

// Parameters of BM25 (Robertson and Zaragoza 2009), and the length of a passage that is neither long nor short, in stems. It is a
// constant, so that the score of a passage depends on nothing but the passage, the question and the folders that are searched: the
// scores of the index itself move with what else it holds, with what was deleted from it and with how it is cut into segments.
const (
	bm25K1      = 1.2
	bm25B       = 0.75
	usualLength = 60.0
)

// gain is what a stem of a weight adds to the score of a passage of so many stems in which it stands times often.
func gain(weight, times, length float64) float64 {
	return weight * times * (bm25K1 + 1) / (times + bm25K1*(1-bm25B+bm25B*length/usualLength))
}

// most is the least number that no gain of a stem exceeds.
func most(weight float64) float64 { return weight * (bm25K1 + 1) }

// term is a stem of a question with its weight and where it stands in the scope.
type term struct {
	stem   string
	weight float64
	in     []string // terms of the index that count as it: itself, or each pair that holds a single character
	count  int      // of the passages of the scope that hold it
	list   *postings
	at     *cursor // at the first passage that holds in[0], when that is all of it and the scope is the library; else nil, and list is set
}

// postings are passages in the order of their numbers in the index, with a number for each: how often a stem stands there, or a score.
type postings struct {
	docs   []uint64
	times  []float64
	length []float64
}

// ranking scores the passages of a scope for one question, over one state of the index.
type ranking struct {
	ctx    context.Context
	reader bleveindex.IndexReader
	bases  []Folder
	whole  bool // the scope is all of the library, so that no passage is outside of it
	terms  []term
	kept   *postings // scores so far, and room for the next ones
	room   *postings
}

// lists are buffers of rankings: a common word stands in a tenth of all passages, and making room for that again for each question
// costs more than reading it.
var lists = sync.Pool{New: func() any { return new(postings) }}

// begin takes the buffers, end gives back all that is held.
func (r *ranking) begin() {
	r.kept, r.room = lists.Get().(*postings), lists.Get().(*postings)
	r.kept.clear()
}

func (r *ranking) end() {
	for _, t := range r.terms {
		if t.at != nil {
			t.at.close()
		}
	}
	lists.Put(r.kept)
	lists.Put(r.room)
}

// rank returns the passages of the scope that match the words best, with their scores by BM25: the want best, and those that score as
// the last of them. It is exact: passages are passed over only where they cannot be among the best.
func (s *Scope) rank(ctx context.Context, x *index, words string, want int) ([]candidate, error) {
	all, err := s.lib.bases()
	if err != nil || len(s.bases) == 0 {
		return nil, err
	}
	adv, err := x.Advanced()
	if err != nil {
		return nil, unreadable(err)
	}
	reader, err := adv.Reader()
	if err != nil {
		return nil, unreadable(err)
	}
	defer reader.Close()
	r := &ranking{ctx: ctx, reader: reader, bases: s.bases, whole: len(all) == len(s.bases)}
	r.begin()
	defer r.end()
	if err := r.weigh(words); err != nil || len(r.terms) == 0 {
		return nil, err
	}
	docs, scores, err := r.best(want)
	if err != nil {
		return nil, err
	}
	return r.named(docs, scores, want)
}

// weigh finds the stems of a question and their inverse document frequencies over the passages of the scope, the rarest first.
func (r *ranking) weigh(words string) error {
	passages := 0
	for _, b := range r.bases {
		n, err := r.frequency(fieldBase, b.Base)
		if err != nil {
			return err
		}
		passages += n
	}
	seen := map[string]bool{}
	for _, stem := range text.Terms(words, "") {
		if seen[stem] || len(r.terms) == maxQueryTerms {
			continue
		}
		seen[stem] = true
		t := term{stem: stem, in: []string{stem}}
		var err error
		if single(stem) {
			if t.in, err = r.holding(stem); err != nil {
				return err
			}
		}
		if r.whole && len(t.in) == 1 {
			if t.at, err = r.cursor(fieldText, t.in[0], true); err == nil {
				t.count = int(t.at.tf.Count())
			}
		} else {
			t.list, err = r.read(t.in)
			if t.list != nil {
				t.count = len(t.list.docs)
			}
		}
		if err != nil {
			return err
		}
		n := float64(t.count)
		t.weight = math.Log(1 + (float64(passages)-n+0.5)/(n+0.5))
		r.terms = append(r.terms, t)
	}
	r.terms = slices.DeleteFunc(r.terms, func(t term) bool {
		if t.count == 0 && t.at != nil {
			t.at.close()
		}
		return t.count == 0
	})
	slices.SortStableFunc(r.terms, func(a, b term) int { return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.stem, b.stem)) })
	return nil
}

// single reports whether a stem is one character of a script without spaces. It is in no pair of the index, so it matches every pair that
// holds it.
func single(stem string) bool {
	r, n := utf8.DecodeRuneInString(stem)
	return n == len(stem) && r >= 0x2E80
}

// holding lists the terms of the index that hold a single character.
func (r *ranking) holding(stem string) ([]string, error) {
	byRegexp, ok := r.reader.(bleveindex.IndexReaderRegexp)
	if !ok {
		return []string{stem}, nil
	}
	dict, err := byRegexp.FieldDictRegexp(fieldText, ".?"+regexp.QuoteMeta(stem)+".?")
	if err != nil {
		return nil, unreadable(err)
	}
	defer dict.Close()
	var out []string
	for {
		e, err := dict.Next()
		if err != nil {
			return nil, unreadable(err)
		}
		if e == nil {
			return out, nil
		}
		out = append(out, e.Term)
	}
}

// frequency is how many passages of the library hold a term.
func (r *ranking) frequency(field, term string) (int, error) {
	tf, err := r.reader.TermFieldReader(r.ctx, []byte(term), field, false, false, false)
	if err != nil {
		return 0, unreadable(err)
	}
	defer tf.Close()
	return int(tf.Count()), nil
}

// read lists the passages of the scope that hold any of the terms.
func (r *ranking) read(terms []string) (*postings, error) {
	out := &postings{}
	for _, t := range terms {
		list, err := r.readOne(t)
		if err != nil {
			return nil, err
		}
		out = out.with(list)
	}
	return out, nil
}

// readOne lists the passages of the scope that hold a term.
func (r *ranking) readOne(term string) (*postings, error) {
	in, err := r.cursor(fieldText, term, true)
	if err != nil {
		return nil, err
	}
	defer in.close()
	var within []*cursor
	if !r.whole {
		for _, b := range r.bases {
			c, err := r.cursor(fieldBase, b.Base, false)
			if err != nil {
				return nil, err
			}
			defer c.close()
			within = append(within, c)
		}
	}
	docs := make([]uint64, 0, in.tf.Count())
	times, length := make([]float64, 0, cap(docs)), make([]float64, 0, cap(docs))
	for n := 0; ; n++ {
		if n%4096 == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		ok, err := in.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return &postings{docs, times, length}, nil
		}
		inside := r.whole
		for _, c := range within {
			if inside {
				break
			}
			if inside, err = c.to(in.doc); err != nil {
				return nil, err
			}
		}
		if inside {
			docs, times, length = append(docs, in.doc), append(times, in.times), append(length, in.length)
		}
	}
}

// best scores the passages. The rarest stems are read first; once what a further stem can add does not lift a passage without the
// others among the want best, it is only looked up in those that are left. Passages that can no longer come among them are dropped.
func (r *ranking) best(want int) ([]uint64, []float64, error) {
	rest := 0.0
	for _, t := range r.terms {
		rest += most(t.weight)
	}
	for _, t := range r.terms {
		least := threshold(r.kept.times, want)
		var err error
		if rest < least {
			r.kept.keep(least - rest)
			err = r.lookUp(t, r.kept)
		} else {
			err = r.join(t, least-(rest-most(t.weight)))
		}
		if err != nil {
			return nil, nil, err
		}
		rest -= most(t.weight)
	}
	r.kept.keep(threshold(r.kept.times, want))
	return r.kept.docs, r.kept.times, nil
}

// join adds the passages that hold a stem to those that are kept, without what scores less than least.
func (r *ranking) join(t term, least float64) error {
	next := t.feed()
	r.room.clear()
	docs, times := r.room.docs, r.room.times
	have, i := r.kept, 0
	for n := 0; ; n++ {
		if n%4096 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		doc, score, ok, err := next()
		if err != nil {
			return err
		}
		for ; i < len(have.docs) && (!ok || have.docs[i] < doc); i++ {
			if have.times[i] >= least {
				docs, times = append(docs, have.docs[i]), append(times, have.times[i])
			}
		}
		if !ok {
			break
		}
		if i < len(have.docs) && have.docs[i] == doc {
			score += have.times[i]
			i++
		}
		if score >= least {
			docs, times = append(docs, doc), append(times, score)
		}
	}
	r.room.docs, r.room.times = docs, times
	r.kept, r.room = r.room, r.kept
	return nil
}

// feed gives the passages that hold a stem, in order, each with what that adds to its score; false after the last.
func (t term) feed() func() (uint64, float64, bool, error) {
	if c := t.at; c != nil {
		return func() (uint64, float64, bool, error) {
			ok, err := c.next()
			return c.doc, gain(t.weight, c.times, c.length), ok, err
		}
	}
	i := -1
	return func() (uint64, float64, bool, error) {
		if i++; i == len(t.list.docs) {
			return 0, 0, false, nil
		}
		return t.list.docs[i], gain(t.weight, t.list.times[i], t.list.length[i]), true, nil
	}
}

// lookUp adds what a stem gives to the passages that are left.
func (r *ranking) lookUp(t term, have *postings) error {
	if t.at == nil {
		for i, d := range have.docs {
			if k, ok := slices.BinarySearch(t.list.docs, d); ok {
				have.times[i] += gain(t.weight, t.list.times[k], t.list.length[k])
			}
		}
		return nil
	}
	for i, d := range have.docs {
		if i%256 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		ok, err := t.at.to(d)
		if err != nil {
			return err
		}
		if ok {
			have.times[i] += gain(t.weight, t.at.times, t.at.length)
		}
	}
	return nil
}

// rounding is what the order of a sum may change in a score.
const rounding = 1e-9

// threshold is the score of the want-th best, 0 when there are fewer; a little less, for what rounding may do.
func threshold(scores []float64, want int) float64 {
	if len(scores) < want {
		return 0
	}
	heap := make([]float64, 0, want) // the least first
	down := func(i int) {
		for {
			k := 2*i + 1
			if k >= len(heap) {
				return
			}
			if k+1 < len(heap) && heap[k+1] < heap[k] {
				k++
			}
			if heap[i] <= heap[k] {
				return
			}
			heap[i], heap[k] = heap[k], heap[i]
			i = k
		}
	}
	for _, s := range scores {
		if len(heap) < want {
			if heap = append(heap, s); len(heap) == want {
				for i := want/2 - 1; i >= 0; i-- {
					down(i)
				}
			}
		} else if s > heap[0] {
			heap[0] = s
			down(0)
		}
	}
	return max(0, heap[0]-rounding)
}

// keep drops the passages that score less.
func (p *postings) keep(least float64) {
	n := 0
	for i, s := range p.times {
		if s >= least {
			p.docs[n], p.times[n] = p.docs[i], s
			n++
		}
	}
	p.docs, p.times, p.length = p.docs[:n], p.times[:n], nil
}

// clear empties the list and keeps its room.
func (p *postings) clear() { p.docs, p.times, p.length = p.docs[:0], p.times[:0], nil }

// with merges two lists; a passage in both has the sum of its times.
func (p *postings) with(o *postings) *postings {
	if len(p.docs) == 0 {
		return o
	}
	n := len(p.docs) + len(o.docs)
	out := &postings{docs: make([]uint64, 0, n), times: make([]float64, 0, n), length: make([]float64, 0, n)}
	take := func(from *postings, i int) {
		out.docs, out.times, out.length = append(out.docs, from.docs[i]), append(out.times, from.times[i]), append(out.length, from.length[i])
	}
	i, j := 0, 0
	for i < len(p.docs) || j < len(o.docs) {
		switch {
		case j == len(o.docs) || i < len(p.docs) && p.docs[i] < o.docs[j]:
			take(p, i)
			i++
		case i == len(p.docs) || o.docs[j] < p.docs[i]:
			take(o, j)
			j++
		default:
			take(p, i)
			out.times[len(out.times)-1] += o.times[j]
			i, j = i+1, j+1
		}
	}
	return out
}

// mostTied bounds the passages that score as the last of the best; more are as good as each other.
const mostTied = 5000

// named looks up the identifiers of passages and gives their scores in millionths of the best.
func (r *ranking) named(docs []uint64, scores []float64, want int) ([]candidate, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	top := slices.Max(scores)
	var out []candidate
	for i, d := range docs[:min(len(docs), want+mostTied)] {
		id, err := r.reader.ExternalID(bleveindex.NewIndexInternalID(nil, d))
		if err != nil {
			return nil, unreadable(err)
		}
		if location, span, ok := parsePassageID(id); ok && top > 0 {
			out = append(out, candidate{location: location, span: span, score: int(math.Round(scores[i] / top * 1e6))})
		}
	}
	return out, nil
}
