package library

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"assay/engine/document"
	"assay/engine/research"
)

const (
	// maxQueryTerms bounds a query; the first distinct stems count.
	maxQueryTerms = 64
	// maxHits bounds an answer.
	maxHits = 1000
	// overfetch is how many more hits are taken from the index than are given: some may be gone from their documents meanwhile.
	overfetch = 20
)

// Scope is a library narrowed to some of its folders. It is the provider and the reader of a run.
type Scope struct {
	lib   *Library
	bases []Folder
	mean  *meaning // nil: words only
}

// Within returns the library narrowed to folders, which are paths or bases; none means all. It is an error when one is not
// in the library.
func (l *Library) Within(folder ...string) (*Scope, error) {
	bases, err := l.bases(folder...)
	if err != nil {
		return nil, err
	}
	return &Scope{lib: l, bases: bases}, nil
}

// Name returns the provider name.
func (s *Scope) Name() string { return s.lib.Name() }

// Search returns the passages that match the words of q best, by BM25, best first; equal scores are in the order of
// location and offset. After [Scope.Meaning] the order is that of words and meaning, fused. Score is relative to the best hit, in thousandths. A question without content words finds nothing.
// An empty library finds nothing.
func (s *Scope) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	var hits []research.Hit
	err := s.lib.ix.read(ctx, func(x *index) error {
		var err error
		hits, err = s.search(ctx, x, q)
		return err
	})
	return hits, err
}

// Search asks all folders of the library. See [Scope.Search].
func (l *Library) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	s, err := l.Within()
	if err != nil {
		return nil, err
	}
	return s.Search(ctx, q)
}

// candidate is a hit before its document is looked up.
type candidate struct {
	location string
	span     research.Span
	score    int  // millionths of the best
	meant    bool // found by its vector, so that it may be no passage of the index any more
}

func (s *Scope) search(ctx context.Context, x *index, q research.Query) ([]research.Hit, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = 10
	}
	limit = min(limit, maxHits)
	want := limit + overfetch
	if q.Range != (research.DateRange{}) {
		want = limit*5 + overfetch // some will be out of range
	}
	docs := map[string]*opened{}
	ask := s.candidates
	if s.mean != nil {
		ask = s.fuse
	}
	found, err := ask(ctx, x, q.Text, want)
	if err != nil {
		return nil, err
	}
	var hits []research.Hit
	for _, c := range found {
		if len(hits) == limit {
			break
		}
		o, err := s.open(ctx, x, docs, c.location)
		if err != nil {
			return nil, err
		}
		if o == nil || !inRange(o.doc.Published, q.Range) || c.span.End > len(o.doc.Text) || c.span.Start > c.span.End || c.meant && !slices.Contains(o.spans, c.span) {
			continue
		}
		hits = append(hits, research.Hit{
			Provider: s.Name(), Location: c.location, Title: o.doc.Title, Snippet: o.doc.Text[c.span.Start:c.span.End],
			Published: o.doc.Published, Start: c.span.Start, End: c.span.End, Score: research.Thousandths(float64(c.score) / 1e6),
		})
	}
	return hits, nil
}

// candidates asks the index and puts the answer into its final order.
func (s *Scope) candidates(ctx context.Context, x *index, words string, want int) ([]candidate, error) {
	out, err := s.rank(ctx, x, words, want)
	if err != nil {
		return nil, err
	}
	order(out)
	return out[:min(len(out), want)], nil
}

// order sorts candidates: the best first, equals by location and offset.
func order(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.location, b.location), cmp.Compare(a.span.Start, b.span.Start))
	})
}

// inRange reports whether a publication date may lie in the range. An unknown date may.
func inRange(published string, r research.DateRange) bool {
	if published == "" {
		return true
	}
	if r.Start != "" && published < r.Start[:min(len(published), len(r.Start))] {
		return false
	}
	return r.End == "" || published[:min(len(published), len(r.End))] <= r.End
}

// opened is a document looked up during one search.
type opened struct {
	doc   research.Document
	spans []research.Span // of its passages in the index
}

// open returns the document of a location with its text, or nil when its entry is gone: the index is then behind, and the
// next ingestion brings it up to date.
func (s *Scope) open(ctx context.Context, x *index, docs map[string]*opened, location string) (*opened, error) {
	if o, ok := docs[location]; ok {
		return o, nil
	}
	docs[location] = nil
	r, err := x.record(location)
	if err != nil || r == nil {
		return nil, err
	}
	doc, err := r.document()
	if err != nil {
		return nil, err
	}
	doc.Text, err = s.lib.texts().get(r.Text)
	if errors.Is(err, errText) {
		doc.Text, err = s.mend(ctx, location, r.Text)
	}
	if err != nil {
		return nil, err
	}
	docs[location] = &opened{doc, r.Spans}
	return docs[location], nil
}

// Read gives the document of a location as it was ingested. A location that the scope does not hold, and a document whose
// kept text is lost and whose file is gone, is a document with a Fault.
func (s *Scope) Read(ctx context.Context, location string) (research.Document, error) {
	doc := research.Document{Location: location, Fault: location + " is not in the library; add its folder again", Verdict: research.Unread}
	folder, ok := folderOf(s.bases, location)
	if !ok {
		return doc, ctx.Err()
	}
	lost := false
	err := s.lib.ix.read(ctx, func(x *index) error {
		r, err := x.record(location)
		if err != nil || r == nil {
			return err
		}
		if doc, err = r.document(); err != nil || doc.Fault != "" {
			return err
		}
		doc.Text, err = s.lib.texts().get(r.Text)
		if errors.Is(err, errText) {
			lost, err = true, nil
		}
		return err
	})
	if err != nil {
		return research.Document{}, err
	}
	if lost {
		return document.Read(ctx, location, pathOf(folder.Path, location), s.lib.opt.Document)
	}
	return doc, nil
}

// mend reads a document again whose kept text is missing or damaged, and keeps it. It is an error when the document no longer
// has that text: a search that passed over it would look like one that found nothing.
func (s *Scope) mend(ctx context.Context, location, sha string) (string, error) {
	if folder, ok := folderOf(s.bases, location); ok {
		doc, err := document.Read(ctx, location, pathOf(folder.Path, location), s.lib.opt.Document)
		if err != nil {
			return "", err
		}
		if doc.SHA256 == sha {
			_ = s.lib.texts().put(sha, doc.Text) // on a full disk it is read once more the next time
			return doc.Text, nil
		}
	}
	return "", &fault{"read the kept text of " + location, "it is missing or damaged, and the file has changed or is gone; add its folder again", errText}
}

// Unread returns up to limit of the files that could not be read, by location, each with its Fault and no text, and how many
// more there are.
func (s *Scope) Unread(ctx context.Context, limit int) (docs []research.Document, more int, err error) {
	err = s.lib.ix.read(ctx, func(x *index) error {
		for _, f := range s.bases {
			recs, err := x.records(ctx, f.Base, true)
			if err != nil {
				return err
			}
			for _, r := range recs {
				if r.Text != "" {
					continue
				}
				doc, err := r.document()
				if err != nil {
					return err
				}
				if doc.Fault != "" {
					docs = append(docs, doc)
				}
			}
		}
		return nil
	})
	sort.Slice(docs, func(i, j int) bool { return docs[i].Location < docs[j].Location })
	keep := min(len(docs), limit)
	return docs[:keep], len(docs) - keep, err
}

// Read gives the document of a location. See [Scope.Read].
func (l *Library) Read(ctx context.Context, location string) (research.Document, error) {
	s, err := l.Within()
	if err != nil {
		return research.Document{}, err
	}
	return s.Read(ctx, location)
}

// PassagesOf returns all passages of a document, in order, with source as their source identifier.
func (s *Scope) PassagesOf(ctx context.Context, location, source string) ([]research.Passage, error) {
	doc, err := s.Read(ctx, location)
	if err != nil || doc.Fault != "" {
		return nil, err
	}
	return document.Passages(doc, source), nil
}

// Neighbours returns, of passages in order, the one that holds offset and up to n on each side of it.
func Neighbours(passages []research.Passage, offset, n int) []research.Passage {
	at := sort.Search(len(passages), func(i int) bool { return passages[i].End > offset })
	if at == len(passages) {
		return nil
	}
	return passages[max(0, at-n):min(len(passages), at+n+1)]
}

// Corpus is the statistics of a library at one moment, for weighting terms.
type Corpus struct {
	passages int
	freq     map[string]int
}

// Corpus counts the passages of the library and in how many of them each of the stems stands (see [text.Terms]). The counts
// are of the whole library, not of the scope: they only say how common a word is.
func (s *Scope) Corpus(ctx context.Context, stems []string) (*Corpus, error) {
	c := &Corpus{freq: map[string]int{}}
	err := s.lib.ix.read(ctx, func(x *index) error {
		all, err := s.lib.bases()
		if err != nil {
			return err
		}
		for _, f := range all {
			n, err := x.docFreq(ctx, fieldBase, f.Base)
			if err != nil {
				return err
			}
			c.passages += n
		}
		for _, t := range stems {
			if _, ok := c.freq[t]; ok {
				continue
			}
			n, err := x.docFreq(ctx, fieldText, t)
			if err != nil {
				return err
			}
			c.freq[t] = n
		}
		return nil
	})
	return c, err
}

// DocFreq returns the number of passages that hold the stem, 0 for one that was not asked for.
func (c *Corpus) DocFreq(term string) int { return c.freq[term] }

// Passages returns the number of passages of the library.
func (c *Corpus) Passages() int { return c.passages }
