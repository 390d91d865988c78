package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/search"
)

// The scholarly works that a report cites are held against catalogues where the person asked for it (check G29). What leaves the machine is
// a title, the authors and an identifier of a work that stands on a page of the web. Whatever keeps a catalogue from looking makes the
// work "not checked"; nothing is excluded for that.

// mostWorks bounds the works of one report that are looked up.
const mostWorks = 24

// Works that are not looked up say why.
const (
	worksOff    = "looking them up is off"
	worksClosed = "this research is closed"
	worksOwn    = "it stands in a file of your own and is not told to others"
)

// lookUp looks up the cited works of the draft, so that the bank can judge them.
func (w *desk) lookUp(ctx context.Context) error {
	works, _ := w.citedWorks()
	for _, ref := range works {
		l := research.CitationLookup{Reference: ref, Answers: []research.CatalogueAnswer{}}
		switch {
		case !w.Request.LookUp:
			l.Note = worksOff
		case w.Request.Egress != research.Web:
			l.Note = worksClosed
		default:
			var err error
			l, err = once(ctx, w.run, research.EventLookUp, ref, func(ctx context.Context, ref research.CitedWork) (research.CitationLookup, error) {
				l := search.LookUp(ctx, w.Catalogues, ref)
				return l, ctx.Err()
			})
			if err != nil {
				return err
			}
		}
		w.lookups = append(w.lookups, l)
		if l.Checked() {
			w.view.Lookups = append(w.view.Lookups, l)
		}
	}
	return nil
}

// citedWorks lists the works that printed sentences cite, each once: the papers among their sources, and what a sentence names by an exact
// identifier. Of a run that reads the person's own files it counts those that stand only in them apart.
func (w *desk) citedWorks() (works []research.CitedWork, own int) {
	sources := map[string]research.Source{}
	for _, s := range w.view.Sources {
		sources[s.ID] = s
	}
	seen := map[string]bool{}
	add := func(ref research.CitedWork, onWeb bool) {
		key := workKey(ref)
		if key == "||" || seen[key] {
			return
		}
		seen[key] = true
		switch {
		case !onWeb:
			own++
		case len(works) < mostWorks:
			works = append(works, ref)
		}
	}
	for _, sec := range w.view.Draft.Sections {
		for _, b := range sec.Blocks {
			web := len(b.Refs) > 0
			for _, id := range b.Refs {
				s := sources[id]
				web = web && onWeb(s.Location)
				if ref := workOf(s); ref.DOI != "" || ref.ArXiv != "" || ref.PMID != "" {
					ref.Of = b.ID
					add(ref, onWeb(s.Location))
				}
			}
			for _, i := range intent.Identifiers(b.Text) {
				ref := research.CitedWork{Of: b.ID, Authors: []string{}}
				identify(&ref, i)
				add(ref, web)
			}
		}
	}
	return works, own
}

// workKey tells works apart by their identifiers; "||" is none.
func workKey(w research.CitedWork) string {
	return strings.ToLower(w.DOI + "|" + w.ArXiv + "|" + w.PMID)
}

// identify puts an identifier where it belongs; other kinds name no scholarly work.
func identify(ref *research.CitedWork, i research.Identifier) {
	switch i.Kind {
	case "doi":
		ref.DOI = i.Value
	case "arxiv":
		ref.ArXiv = i.Value
	case "pmid":
		ref.PMID = i.Value
	}
}

// workOf is a source as a cited work, by the identifier in its address. A title is asked for only together with one: a page's own title may
// be anything.
func workOf(s research.Source) research.CitedWork {
	ref := research.CitedWork{Title: s.Title, Authors: []string{}, URL: s.Location}
	if !onWeb(s.Location) {
		return ref
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s.Location, "https://"), "http://"), "/")
	if at, ok := strings.CutPrefix(path, "abs/"); ok && strings.Contains(s.Location, "arxiv.org/") {
		ref.ArXiv = at
	} else {
		for _, i := range intent.Identifiers(path) {
			identify(&ref, i)
		}
	}
	for _, name := range strings.FieldsFunc(s.Byline, func(r rune) bool { return r == ';' || r == ',' }) {
		if name = strings.TrimSpace(name); name != "" {
			ref.Authors = append(ref.Authors, name)
		}
	}
	if len(s.Published) >= 4 {
		if y, err := strconv.Atoi(s.Published[:4]); err == nil {
			ref.Year = y
		}
	}
	return ref
}

// references says in the digest how many cited works were looked up, and of those that were not, why.
func (p *printer) references() {
	works, own := p.citedWorks() // of what is still printed after the repairs
	lookups := slices.DeleteFunc(slices.Clone(p.lookups), func(l research.CitationLookup) bool {
		return !slices.ContainsFunc(works, func(w research.CitedWork) bool { return workKey(w) == workKey(l.Reference) })
	})
	if len(lookups)+own == 0 {
		return
	}
	zh := p.d.Lang == "zh"
	r := research.ReferenceCheck{Total: len(lookups) + own}
	var why []string
	add := func(s string) {
		if s = strings.TrimPrefix(s, "not checked: "); s != "" && !slices.Contains(why, s) {
			why = append(why, s)
		}
	}
	for _, l := range lookups {
		if l.Checked() {
			r.Checked++
			if v := evidence.JudgeCitation(l); v.Identity && (v.State == evidence.CitationMismatch || v.State == evidence.CitationNotFound) {
				r.Mismatch++
			}
			continue
		}
		add(worksZh(zh, l.Note))
		for _, a := range l.Answers {
			add(a.Fault)
		}
	}
	if own > 0 {
		add(worksZh(zh, worksOwn))
	}
	if len(why) > 0 {
		r.Note = fmt.Sprintf(pickWord(zh, "Not checked: %s.", "未核对：%s。"), strings.Join(why, pickWord(zh, "; ", "；")))
	}
	p.d.References = &r
}

// worksZh is one of the fixed reasons in the language of the report.
func worksZh(zh bool, s string) string {
	if !zh {
		return s
	}
	switch s {
	case worksOff:
		return "未开启核对"
	case worksClosed:
		return "本次研究为封闭模式"
	case worksOwn:
		return "仅见于您自己的文件，不向外部提供"
	}
	return s
}
