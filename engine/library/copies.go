package library

import (
	"context"
	"errors"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"assay/engine/document"
	"assay/engine/research"
)

// A manual often stands in a folder as HTML and as PDF. Both are one voice and the HTML is cited (CONTRACT section 3), so
// the passages of the PDF that the HTML has are not indexed: they would fill half of every answer with the same words.
// Measured on the question set: with the copies in the index, the first ten passages answer 62 of 92 facets, without 69.

const (
	// copyShare is the share of a passage's runs of words that stand in the better format. Running heads and notes that
	// one format puts elsewhere break some of them, and so do the titles that HTML adds to a reference.
	copyShare = 0.75
	// runWords is the length of a run. Five words are rarely the same by chance.
	runWords = 5
	// maxRuns bounds the runs that are remembered, 8 bytes each; above it every second one is left out, and so on.
	maxRuns = 16 << 20
)

// formatRank orders formats: where two hold the same words, the lower rank is cited.
func formatRank(mediaType string) int {
	switch mediaType {
	case document.HTML, document.Markdown:
		return 0
	case document.Plain:
		return 1
	}
	return 2
}

// runSet is a set of hashes of runs of words.
type runSet struct {
	hashes []uint64 // sorted once seal was called
	mask   uint64   // only hashes h with h&mask == 0 are in the set
}

func (r *runSet) add(s string) {
	keep := func(h uint64) {
		if h&r.mask == 0 {
			r.hashes = append(r.hashes, h)
		}
	}
	ws := hashWords(s)
	for i, w := range ws {
		if i+runWords <= len(ws) {
			keep(hashRun(ws[i : i+runWords]))
		}
		if i+1 < len(ws) && (w.figure || ws[i+1].figure) {
			keep(hashRun(ws[i : i+2]))
		}
	}
	for len(r.hashes) > maxRuns {
		r.mask = r.mask<<1 | 1
		r.hashes = slices.DeleteFunc(r.hashes, func(h uint64) bool { return h&r.mask != 0 })
	}
}

func (r *runSet) seal() {
	slices.Sort(r.hashes)
	r.hashes = slices.Compact(r.hashes)
}

// has reports whether the set holds the run; one that the mask leaves out counts as held.
func (r *runSet) has(ws []hashedWord) bool {
	h := hashRun(ws)
	if h&r.mask != 0 {
		return true
	}
	_, ok := slices.BinarySearch(r.hashes, h)
	return ok
}

// holds reports whether the set has nearly all runs of s, and every figure with one of its neighbours: another edition of a
// manual differs in little but its figures.
func (r *runSet) holds(s string) bool {
	ws := hashWords(s)
	all, in := 0, 0
	for i, w := range ws {
		if i+runWords <= len(ws) {
			all++
			if r.has(ws[i : i+runWords]) {
				in++
			}
		}
		if w.figure && !(i > 0 && r.has(ws[i-1:i+1])) && !(i+1 < len(ws) && r.has(ws[i:i+2])) {
			return false
		}
	}
	return all > 0 && float64(in) >= copyShare*float64(all)
}

// hashedWord is a word reduced to its hash; figure says that it holds a digit.
type hashedWord struct {
	hash   uint64
	figure bool
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hashRun(ws []hashedWord) uint64 {
	h := uint64(fnvOffset) + uint64(len(ws))
	for _, w := range ws {
		h = (h ^ w.hash) * fnvPrime
		h ^= h >> 29
	}
	return h
}

// hashWords parts s into runs of letters and digits, case folded; a CJK character is a word.
func hashWords(s string) []hashedWord {
	out := make([]hashedWord, 0, len(s)/6)
	w, in := hashedWord{hash: fnvOffset}, false
	end := func() {
		if in {
			out = append(out, w)
		}
		w, in = hashedWord{hash: fnvOffset}, false
	}
	for _, r := range s {
		if r < utf8.RuneSelf && r >= 'A' && r <= 'Z' {
			r |= 0x20
		}
		digit := r >= '0' && r <= '9'
		if !digit && !(r >= 'a' && r <= 'z') && (r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			end()
			continue
		}
		cjk := r >= 0x2E80
		if cjk {
			end()
		}
		w.hash, w.figure, in = (w.hash^uint64(unicode.ToLower(r)))*fnvPrime, w.figure || digit, true
		if cjk {
			end()
		}
	}
	end()
	return out
}

func dirtyKey(base string) []byte { return []byte("assay-copies|" + base) }

// settleCopies takes out of the index the passages that a better format of the folder has, and puts back those that no
// longer are copies. It runs when the folder has changed since it last finished; a mark in the index says so, which is set
// by every batch and deleted by the last one here.
func (l *Library) settleCopies(ctx context.Context, x *index, base string) error {
	mark, err := x.GetInternal(dirtyKey(base))
	if err != nil || mark == nil {
		return err
	}
	recs, err := x.records(ctx, base, true)
	if err != nil {
		return err
	}
	ranks := [3][]*record{}
	for _, r := range recs {
		doc, err := r.document()
		if err != nil {
			return err
		}
		if doc.Fault == "" {
			ranks[formatRank(doc.MediaType)] = append(ranks[formatRank(doc.MediaType)], r)
		}
	}
	w := &writer{x: x, batch: x.NewBatch(), base: base, settled: true}
	set := &runSet{}
	for rank, list := range ranks {
		if rank > 0 {
			set.seal()
			for _, r := range list {
				if err := l.settleFile(ctx, w, set, r); err != nil {
					return err
				}
			}
		}
		if rank == len(ranks)-1 || len(ranks[rank+1]) == 0 && rank == len(ranks)-2 {
			break
		}
		if len(ranks[1])+len(ranks[2]) == 0 {
			break // nothing to compare
		}
		for _, r := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s, err := l.texts().get(r.Text); err == nil {
				set.add(s)
			} else if !errors.Is(err, errText) {
				return err
			}
		}
	}
	w.batch.DeleteInternal(dirtyKey(base))
	w.files++ // so that the mark goes even when nothing else changes
	return w.commit(true)
}

// settleFile decides for each passage of a file whether it is a copy, and writes what changed.
func (l *Library) settleFile(ctx context.Context, w *writer, set *runSet, r *record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	doc, err := r.document()
	if err != nil {
		return err
	}
	if doc.Text, err = l.texts().get(r.Text); err != nil {
		if errors.Is(err, errText) {
			return nil // read again at the next ingestion
		}
		return err
	}
	old := map[research.Span]bool{} // indexed
	for _, s := range r.Spans {
		old[s] = true
	}
	var spans, copies []research.Span
	changed := false
	for _, p := range document.Passages(doc, "") {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := research.Span{Start: p.Start, End: p.End}
		if set.holds(p.Text) {
			copies = append(copies, s)
			if old[s] {
				w.batch.Delete(passageID(r.Location, s))
				w.passages++
				changed = true
			}
			continue
		}
		spans = append(spans, s)
		if !old[s] {
			if err := w.batch.IndexAdvanced(passageDoc(w.base, r.Location, doc.Title, p)); err != nil {
				return err
			}
			w.passages++
			changed = true
		}
	}
	if !changed {
		return nil
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	r.Spans, r.Copies = spans, copies
	d, err := fileDoc(w.base, r)
	if err != nil {
		return err
	}
	if err := w.batch.IndexAdvanced(d); err != nil {
		return err
	}
	w.files++
	return w.commit(false)
}
