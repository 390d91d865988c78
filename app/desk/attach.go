package desk

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"assay/engine/document"
	"assay/engine/research"
	"assay/engine/text"
)

// attachBase is the first part of the location of an attached file.
const attachBase = "attached"

// attached are the files handed in with one question: a provider and a reader over a handful of documents.
type attached struct {
	opt   document.Options
	paths map[string]string // location -> file
	order []string          // locations, as they were given
	docs  map[string]research.Document
}

// attach names the files. Two of one name are told apart by a number.
func attach(files []string, opt document.Options) *attached {
	a := &attached{opt: opt, paths: map[string]string{}, docs: map[string]research.Document{}}
	for _, file := range files {
		name := filepath.Base(file)
		loc := attachBase + "/" + name
		for n := 2; a.paths[loc] != ""; n++ {
			ext := filepath.Ext(name)
			loc = fmt.Sprintf("%s/%s-%d%s", attachBase, strings.TrimSuffix(name, ext), n, ext)
		}
		a.paths[loc] = file
		a.order = append(a.order, loc)
	}
	return a
}

// load reads all files, before anything is asked, so that the maps are only read from then on.
func (a *attached) load(ctx context.Context) error {
	for _, loc := range a.order {
		doc, err := document.Read(ctx, loc, a.paths[loc], a.opt)
		if err != nil {
			return fmt.Errorf("read %s: %w", a.paths[loc], err)
		}
		a.docs[loc] = doc
	}
	return nil
}

// Name returns the provider name.
func (a *attached) Name() string { return attachBase }

// Search returns the passages that hold the largest share of the query's words; equal ones in the order of the files.
func (a *attached) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	want := text.TermSet(q.Text, q.Lang)
	limit := q.Limit
	if limit <= 0 {
		limit = 10
	}
	var hits []research.Hit
	if len(want) == 0 {
		return hits, nil
	}
	for _, loc := range a.order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc := a.docs[loc]
		for _, p := range document.Passages(doc, loc) {
			if share := text.Containment(want, text.TermSet(p.Heading+" "+p.Text, doc.Lang)); share > 0 {
				hits = append(hits, research.Hit{Provider: a.Name(), Location: loc, Title: doc.Title, Snippet: p.Text,
					Published: doc.Published, Start: p.Start, End: p.End, Score: research.Thousandths(share)})
			}
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].Score.Cmp(hits[j].Score) > 0 })
	return slices.Clip(hits[:min(limit, len(hits))]), nil
}

// Read returns an attached file.
func (a *attached) Read(_ context.Context, location string) (research.Document, error) {
	doc, ok := a.docs[location]
	if !ok {
		return research.Document{Location: location, Verdict: research.Unread, Fault: location + " is not among the attached files"}, nil
	}
	return doc, nil
}
