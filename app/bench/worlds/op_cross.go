package worlds

import (
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// crossOperators are defects between sources, between parts of a report, and of its pool.
var crossOperators = []Operator{
	{ID: "41a", Name: "a second value for one thing in the report", Targets: []string{"selfcontradiction"}, apply: func(w World, r *random) (Mutant, bool) {
		fact := w.anyOf(r, "counted", "output", "cost")
		ground := w.everything()
		words := changeFigure(w.set.say(fact, min(w.Level, 2)), r, ground)
		if words == w.set.say(fact, min(w.Level, 2)) {
			return Mutant{}, false
		}
		b := *w.block(fact)
		c := w.other(fact, words)
		b.ID, b.Text, b.Claims = "second", words, []string{c.ID}
		b.Confidence, _, b.Band, b.Label = evidence.FindingConfidence([]research.Claim{c})
		sec := &w.View.Draft.Sections[2]
		sec.Blocks = append(sec.Blocks, b)
		return Mutant{View: w.View, At: []string{"second", fact, "sum-" + fact, c.ID, "c-" + fact, sec.ID, c.Key}, Change: "and elsewhere: " + words}, true
	}},
	{ID: "41b", Name: "sources that disagree, and the report shows one side", Targets: []string{"sourceconflicthidden"}, apply: func(w World, r *random) (Mutant, bool) {
		fact := w.anyOf(r, "counted", "output", "cost")
		words := changeFigure(w.set.say(fact, 0), r, w.everything())
		if words == w.set.say(fact, 0) {
			return Mutant{}, false
		}
		c := w.other(fact, words)
		return Mutant{View: w.View, At: []string{fact, "sum-" + fact, c.ID, "c-" + fact, c.Key}, Change: "another source says: " + words}, true
	}},
	{ID: "42", Name: "a copy counted as a second source", Targets: []string{"syndicatedcorroboration"}, apply: func(w World, r *random) (Mutant, bool) {
		b := w.block("quote1")
		courier, copy := w.View.Sources[2], w.View.Sources[11]
		b.Refs, b.Citations = []string{courier.ID, copy.ID}, nil
		for _, at := range w.where["quote1"] {
			if at.source == courier.ID || at.source == copy.ID {
				b.Citations = append(b.Citations, at.passage)
			}
		}
		// The claim counts the two as two voices.
		c := w.View.Claims["c-quote1"]
		c.Evidence = slices.DeleteFunc(slices.Clone(c.Evidence), func(e research.Evidence) bool { return !slices.Contains(b.Refs, e.Source) })
		c.Source, c.Passage = courier.ID, b.Citations[0]
		support := evidence.Support(c, c.Evidence, map[string]research.Source{courier.ID: courier, copy.ID: copy}, nil)
		c.Support = &support
		w.View.Claims[c.ID] = c
		w.restate("quote1")
		claim := pick(r, w.half(map[string][]string{"en": {"Multiple sources report it: ", "Several independent outlets confirm it: ", "It is widely reported: ", "According to numerous reports, "},
			"zh": {"多家媒体报道：", "多个独立来源证实：", "据广泛报道，", "多方消息称，"}}[w.Lang]))
		return w.retext("quote1", func(s string) string { return claim + s })
	}},
	{ID: "43", Name: "a paragraph of a source pasted", Targets: []string{"verbatimcopy"}, apply: func(w World, r *random) (Mutant, bool) {
		id := w.anyOf(r, "cost", "share", "upkeep", "neg")
		b := w.block(id)
		body := w.View.Texts[w.source(b.Refs[0]).SHA256]
		_, body, _ = strings.Cut(body, "\n\n")
		chunk := strings.Join(strings.Fields(body), " ")
		if w.Lang == "zh" {
			chunk = string([]rune(chunk)[:min(len([]rune(chunk)), 260)])
		} else if f := strings.Fields(chunk); len(f) > 110 {
			chunk = strings.Join(f[:110], " ")
		}
		return w.retext(id, func(string) string { return chunk + "." })
	}},
	{ID: "44a", Name: "a paper with another author, year or title", Targets: []string{"academicidentitymismatch"}, apply: func(w World, r *random) (Mutant, bool) {
		l := w.View.Lookups[0]
		switch r.below(3) {
		case 0:
			l.Reference.Authors = []string{pick(r, w.strangers()[:4])}
		case 1:
			l.Reference.Title = map[string]string{"en": "A history of lighthouses in the northern sea", "zh": "北方海域灯塔简史"}[w.Lang]
		default:
			l.Reference.Year -= r.between(3, 9)
			l.Reference.Authors = []string{w.set.critic}
		}
		w.View.Lookups = []research.CitationLookup{l}
		return Mutant{View: w.View, At: []string{"paper", "0"}, Change: fmt.Sprintf("%v (%d) %s", l.Reference.Authors, l.Reference.Year, l.Reference.Title)}, true
	}},
	{ID: "44b", Name: "a DOI cut at its bracket", Targets: []string{"identifierintegrity"}, apply: func(w World, _ *random) (Mutant, bool) {
		doi := w.set.doi()
		return w.retext("paper", func(s string) string { return strings.Replace(s, doi, doi[:strings.Index(doi, "(")], 1) })
	}},
	{ID: "44c", Name: "a PMC number told as a PMID", Targets: []string{"identifierintegrity"}, apply: func(w World, _ *random) (Mutant, bool) {
		return w.retext("paper", func(s string) string { return strings.Replace(s, "PMC"+w.set.pmc(), "PMID "+w.set.pmc(), 1) })
	}},
	{ID: "44e", Name: "critical sources dropped from a debate", Targets: []string{"coveragefloors"}, apply: func(w World, r *random) (Mutant, bool) {
		for i := range w.View.Sources {
			w.View.Sources[i].Adversarial = false
		}
		return Mutant{View: w.View, At: []string{checks.RunID}, Change: "no source is critical"}, true
	}},
	{ID: "44f", Name: "a pool of one kind and few voices", Targets: []string{"coveragefloors"}, apply: func(w World, r *random) (Mutant, bool) {
		kind := pick(r, []research.Origin{research.Industry, research.TradePress})
		for i := range w.View.Sources {
			w.View.Sources[i].Origin = kind
		}
		return Mutant{View: w.View, At: []string{checks.RunID}, Change: "every source is " + string(kind)}, true
	}},
	{ID: "44d", Name: "a confidence or a band that is not the claims'", Targets: []string{"confidenceband"}, apply: func(w World, r *random) (Mutant, bool) {
		b := w.block(w.anyOf(r, "output", "prior", "cost", "best", "linked"))
		switch r.below(3) {
		case 0:
			b.Confidence = "99/100"
		case 1:
			b.Band = map[research.Band]research.Band{research.Accept: research.Verify, research.Verify: research.Accept}[b.Band]
		default:
			if b.Label == research.LabelNone {
				b.Confidence = "1"
			}
			b.Label = research.LabelNone
			if b.Band == research.Accept {
				b.Confidence = "1"
			}
		}
		return Mutant{View: w.View, At: []string{b.ID}, Change: fmt.Sprintf("%s says %s, %s, %q", b.ID, b.Confidence, b.Band, b.Label)}, true
	}},
}

// other adds a page in a voice of its own that says something else, the claim read from it, and what it does to the support
// of the claim it is against.
func (w *World) other(fact, words string) research.Claim {
	was := w.View.Claims["c-"+fact]
	lead := strings.Join(map[string][]string{"en": fillEN, "zh": fillZH}[w.Lang][:6], " ")
	body := w.set.subject + "\n\n" + lead + "\n\n" + words
	host := "https://" + slug(w.set, "gazette") + ".example.net/report"
	src := research.Source{ID: "s61", Location: host, Title: w.set.region + " Gazette: " + w.set.subject, Byline: w.set.reviewer, Publisher: w.set.region + " Gazette", Published: "2026-08-14", Retrieved: w.View.Now,
		Lang: w.Lang, MediaType: "text/html", SHA256: research.SHA256(host + body), Voice: w.set.region + " Gazette", Work: host, Origin: research.TradePress, Tier: 2, Verdict: research.Verified}
	at := strings.LastIndex(body, words)
	p := research.Passage{ID: research.ID("p", src.SHA256, fmt.Sprint(at)), Source: src.ID, Start: at, End: at + len(words), SHA256: research.SHA256(words), Text: words}
	src.Passages = []research.Passage{p}
	w.View.Passages[p.ID] = p
	w.View.Texts[src.SHA256] = body
	c := research.Claim{ID: "c-other", Text: words, Facet: was.Facet, Source: src.ID, Passage: p.ID, Start: p.Start, End: p.End, Grade: research.Primary, Published: src.Published, Subject: was.Subject,
		Key: was.Key, Relevance: "1", By: "made", Quantities: text.Quantities(words)}
	sources := map[string]research.Source{src.ID: src}
	for _, s := range w.View.Sources {
		sources[s.ID] = s
	}
	c.Evidence = []research.Evidence{{Passage: p.ID, Source: src.ID, Stance: research.Confirms, Reason: "its own words"}}
	support := evidence.Support(c, c.Evidence, sources, nil)
	c.Support = &support
	against := slices.Clone(was.Evidence)
	against = append(against, research.Evidence{Passage: p.ID, Source: src.ID, Stance: research.Contradicts, Reason: "another figure"})
	edges, err := evidence.Clusters(w.View.Sources, func(sha string) string { return w.View.Texts[sha] })
	if err != nil {
		panic(err) // the sources are our own and have identifiers
	}
	more := evidence.Support(was, against, sources, edges)
	was.Evidence, was.Support = against, &more
	w.View.Claims[was.ID] = was
	w.View.Claims[c.ID] = c
	w.View.Sources = append(w.View.Sources, src)
	for _, id := range []string{fact, "sum-" + fact} {
		w.restate(id)
	}
	return c
}

// restate sets confidence, band and label of a block from its claims.
func (w *World) restate(id string) {
	set := func(blocks []research.Block) {
		for i := range blocks {
			if b := &blocks[i]; b.ID == id {
				var claims []research.Claim
				for _, c := range b.Claims {
					claims = append(claims, w.View.Claims[c])
				}
				b.Confidence, _, b.Band, b.Label = evidence.FindingConfidence(claims)
			}
		}
	}
	set(w.View.Draft.Summary)
	for i := range w.View.Draft.Sections {
		set(w.View.Draft.Sections[i].Blocks)
	}
}
