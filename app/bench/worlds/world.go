// Package worlds makes whole research runs whose every error is known: a question, pages in several phrasings, passages,
// claims with their voices, findings and a correct report; and the operators that put one defect into such a run. It is what
// the mutation bench runs the bank of checks over.
//
// Start at [Make] for a clean run, [Operators] for the defects and [Rewrites] for changes that are none. All of it is
// deterministic; nothing outside the package is read.
package worlds

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/prompts"
	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// World is one made run.
type World struct {
	Topic   string
	Lang    string // "en" or "zh"
	Level   int    // 0 to 3: how far the report's words are from those of the pages
	Variant int    // the same topic with other names and numbers
	View    checks.View
	// Blocks names the fact that a block of the draft states.
	Blocks map[string]string

	set   setting
	where map[string][]placed // fact -> where pages tell it
}

// placed is a fact in a page: the passage that holds exactly its words.
type placed struct {
	source, passage string
	form            int
}

// ID names the world: "tidal/en/2/0".
func (w World) ID() string { return fmt.Sprintf("%s/%s/%d/%d", w.Topic, w.Lang, w.Level, w.Variant) }

// Levels is the number of levels of paraphrase.
const Levels = 4

// facetFacts are the parts of a report and the facts that answer each, in the order in which they are told.
var facetFacts = [][]string{
	{"output", "prior", "growth", "cost", "counted", "best", "opened", "table"},
	{"share", "points", "hedge", "linked", "paper", "neg"},
	{"quote1", "quote2", "upkeep", "deal", "head", "staff", "crews"},
}

// summaryFacts are repeated in the summary.
var summaryFacts = []string{"output", "share", "quote2"}

// Make returns the clean run of a topic (see [Topics]) in a language, at a level of paraphrase.
func Make(topic, lang string, level, variant int) World {
	w := World{Topic: topic, Lang: lang, Level: level, Variant: variant, Blocks: map[string]string{}, where: map[string][]placed{}}
	w.set = newSetting(topic, lang, variant)
	w.View = checks.View{Now: "2026-11-30T09:00:00Z", Lang: lang, Texts: map[string]string{}, Passages: map[string]research.Passage{}, Claims: map[string]research.Claim{}}
	w.ask()
	w.publish()
	w.read()
	w.report()
	w.lookUp()
	return w
}

// ask sets the question and its facets.
func (w *World) ask() {
	s := w.set
	var parts []string
	if w.Lang == "zh" {
		parts = []string{s.subject + "的" + s.Product + "产量和建设费用是多少", s.subject + "对" + s.Share + "有什么影响", "围绕" + s.subject + "有哪些争议和说法"}
		w.View.Question = strings.Join(parts, "，") + "？"
	} else {
		parts = []string{"how much " + s.Product + " " + s.subject + " gives and what it cost", "what part of " + s.Share + " it covers and with what effects", "what people say about its upkeep and its owner"}
		w.View.Question = capital(strings.Join(parts, ", ")) + "?"
	}
	w.View.Terms = text.Terms(w.View.Question, w.Lang)
	w.View.Entities = []research.Entity{{Text: strings.TrimPrefix(s.subject, "the "), Type: "organisation"}}
	w.View.Shape = research.ShapeDebate
	w.View.Budget = research.Budget{FloorVoices: 10, FloorOrigins: 4, FloorOpposing: 2}
	w.View.Queries = []research.Query{{Text: s.subject + " " + s.Product, Lang: w.Lang}, {Text: parts[1], Lang: w.Lang}}
	for i, p := range parts {
		w.View.Facets = append(w.View.Facets, research.Facet{ID: fmt.Sprintf("f%d", i+1), Text: p, Terms: text.Terms(p, w.Lang), Want: research.AnswerAny})
	}
}

// publish makes the sources and the passages in which they tell the facts.
func (w *World) publish() {
	for i, p := range w.set.pages() {
		r := seeded("page", w.Topic, w.Lang, w.Variant, i)
		if i == 11 { // the copy on the wire is word for word the courier's
			r = seeded("page", w.Topic, w.Lang, w.Variant, 2)
			p.title, p.voice = w.set.courier+": "+w.set.subject, w.set.wire()
		}
		body, where := w.set.write(p, r)
		if i == 11 {
			p.title = w.set.wire() + ": " + w.set.subject
		}
		src := research.Source{ID: fmt.Sprintf("s%d", 3*i+1), Location: p.location(), Title: p.title, Byline: p.byline, Publisher: p.voice,
			Published: p.published, Retrieved: w.View.Now, Lang: w.Lang, MediaType: "text/html", SHA256: research.SHA256(p.host + body), Voice: p.voice, Work: p.host + p.path,
			Origin: p.origin, Tier: p.tier, Adversarial: p.adversarial, Verdict: research.Verified, Passages: []research.Passage{}}
		if p.verdict != "" {
			src.Verdict = p.verdict
		}
		for _, at := range where {
			words := body[at.start:at.end]
			pass := research.Passage{ID: research.ID("p", src.SHA256, fmt.Sprint(at.start), fmt.Sprint(at.end)), Source: src.ID, Start: at.start, End: at.end, SHA256: research.SHA256(words), Text: words}
			src.Passages = append(src.Passages, pass)
			w.View.Passages[pass.ID] = pass
			w.where[at.fact] = append(w.where[at.fact], placed{src.ID, pass.ID, at.form})
		}
		w.View.Texts[src.SHA256] = body
		w.View.Sources = append(w.View.Sources, src)
	}
}

// location is the address of a page, or the path of a file.
func (p page) location() string {
	if p.host == "" {
		return p.path
	}
	return "https://" + p.host + "/" + p.path
}

// read makes the claims, cross-validated over the pages that tell them, and a finding for each.
func (w *World) read() {
	sources := map[string]research.Source{}
	for _, s := range w.View.Sources {
		sources[s.ID] = s
	}
	edges, err := evidence.Clusters(w.View.Sources, func(sha string) string { return w.View.Texts[sha] })
	if err != nil {
		panic(err) // the sources are our own and have identifiers
	}
	for i, facts := range facetFacts {
		facet := w.View.Facets[i].ID
		for _, fact := range facts {
			if fact == "growth" {
				w.derive(facet)
				continue
			}
			first := w.where[fact][0]
			p := w.View.Passages[first.passage]
			c := research.Claim{ID: "c-" + fact, Text: p.Text, Facet: facet, Source: first.source, Passage: p.ID, Start: p.Start, End: p.End, Grade: research.Primary,
				Published: sources[first.source].Published, Subject: w.set.subject, Relevance: "1", By: "made", Quantities: text.Quantities(p.Text)}
			for _, d := range temporal.Dates(p.Text) {
				c.Dates = append(c.Dates, d.ISO)
			}
			for _, n := range text.Names(p.Text) {
				c.Names = append(c.Names, n.Text)
			}
			if attr, period := w.keyed(fact); attr != "" {
				c.Key = text.Fold(w.set.subject) + "|" + attr + "|" + period
			}
			for _, at := range w.where[fact] {
				c.Evidence = append(c.Evidence, research.Evidence{Passage: at.passage, Source: at.source, Stance: research.Confirms, Reason: "the same words or figures"})
			}
			support := evidence.Support(c, c.Evidence, sources, edges)
			c.Support = &support
			w.View.Claims[c.ID] = c
			w.find(c)
		}
	}
}

// lookUp holds the one paper that the report names against the catalogues, which know it.
func (w *World) lookUp() {
	s := w.set
	work := research.Work{Catalogue: "crossref", Location: "https://doi.org/" + s.doi(), Title: s.paperTitle(), Authors: []string{s.scientist, s.reviewer}, Year: s.now - 1, DOI: s.doi()}
	w.View.Lookups = []research.CitationLookup{{
		Reference: research.CitedWork{Of: "paper", Title: work.Title, Authors: []string{s.scientist}, Year: work.Year, DOI: work.DOI, Partial: true},
		Answers:   []research.CatalogueAnswer{{Catalogue: "crossref", Works: []research.Work{work}, ByID: &work}, {Catalogue: "openalex", Works: []research.Work{}}},
	}}
	// What pages carry and do not show, in any run: menus and notices.
	w.View.Hidden = map[string]string{w.View.Sources[2].ID: "Menu\nHome\nNews\nContact\nWe use cookies.", w.View.Sources[8].ID: "Print\nShare"}
}

// keyed is the attribute and the period of a fact that is one figure.
func (w *World) keyed(fact string) (attribute, period string) {
	switch fact {
	case "output":
		return text.Fold(w.set.Unit), fmt.Sprint(w.set.y2)
	case "prior":
		return text.Fold(w.set.Unit), fmt.Sprint(w.set.y1)
	case "cost":
		return "usd", ""
	case "counted":
		return text.Fold(w.set.Counted), ""
	case "head":
		return "chief executive", ""
	}
	return "", ""
}

// derive adds the one derived claim: how much more in the later year.
func (w *World) derive(facet string) {
	basis := []research.Claim{w.View.Claims["c-prior"], w.View.Claims["c-output"]}
	d, err := evidence.Propagate("difference", basis, amountOf(basis[1]).Sub(amountOf(basis[0])), "")
	if err != nil {
		panic(err) // the basis is our own and cross-validated
	}
	c := research.Claim{ID: "c-growth", Text: w.set.say("growth", 0), Facet: facet, Subject: w.set.subject, Predicate: "difference", Relevance: "1", By: "derive", Derivation: &d}
	w.View.Claims[c.ID] = c
	w.find(c)
}

// amountOf is the one value of a claim beside its years, scaled as printed ("12 thousand doses" is 12000).
func amountOf(c research.Claim) research.Ratio {
	for _, q := range c.Quantities {
		if q.Kind != research.Year {
			return q.Value
		}
	}
	return "0"
}

func (w *World) find(c research.Claim) {
	f := research.Finding{ID: "n-" + strings.TrimPrefix(c.ID, "c-"), Facet: c.Facet, Text: c.Text, Claims: []string{c.ID}, By: "made"}
	f.Confidence, f.Lower, f.Band, f.Label = evidence.FindingConfidence([]research.Claim{c})
	w.View.Findings = append(w.View.Findings, f)
}

// report writes the draft and the calls that made it.
func (w *World) report() {
	for _, fact := range summaryFacts {
		w.View.Draft.Summary = append(w.View.Draft.Summary, w.compose("sum-"+fact, fact))
	}
	for i, facts := range facetFacts {
		f := w.View.Facets[i]
		sec := research.DraftSection{ID: f.ID, Title: w.title(i), Facets: []string{f.ID}}
		for _, fact := range facts {
			sec.Blocks = append(sec.Blocks, w.compose(fact, fact))
		}
		w.View.Draft.Sections = append(w.View.Draft.Sections, sec)
		w.View.Dispatches = append(w.View.Dispatches, w.dispatch(f, sec))
	}
}

func (w *World) title(i int) string {
	if w.Lang == "zh" {
		return []string{"产量与费用", "影响", "说法与争议"}[i]
	}
	return []string{"Output and cost", "Effects", "What people say"}[i]
}

// maxCited is the most passages a block of a made report cites.
const maxCited = 3

// compose states a fact at the level of the report, citing pages in different voices.
func (w *World) compose(id, fact string) research.Block {
	b := research.Block{ID: id, Kind: research.BlockFinding, Text: w.set.say(fact, w.Level), Refs: []string{}, Citations: []string{}, Claims: []string{"c-" + fact}, By: "made"}
	w.Blocks[id] = fact
	c := w.View.Claims["c-"+fact]
	cite := func(at placed) {
		if slices.Contains(b.Citations, at.passage) || len(b.Citations) >= maxCited || slices.Contains(b.Refs, at.source) && at.form == 0 {
			return
		}
		b.Citations = append(b.Citations, at.passage)
		if !slices.Contains(b.Refs, at.source) {
			b.Refs = append(b.Refs, at.source)
		}
	}
	switch {
	case fact == "growth":
		for _, basis := range []string{"prior", "output"} {
			cite(w.where[basis][0])
		}
	case fact == "table":
		b.Kind = research.BlockTable
		cite(w.where[fact][0])
	default:
		cite(w.where[fact][0])
		for _, at := range w.where[fact] { // the page that words it as the report does
			if at.form == w.Level || at.form == 1 {
				cite(at)
			}
		}
		for _, at := range w.where[fact] {
			cite(at)
		}
	}
	b.Confidence, _, b.Band, b.Label = evidence.FindingConfidence([]research.Claim{c})
	return b
}

// dispatch is the call that wrote a section.
func (w *World) dispatch(f research.Facet, sec research.DraftSection) research.Dispatch {
	in := research.WriterInput{Lang: w.Lang, Question: w.View.Question, Facet: f}
	var out research.WriterAnswer
	var evidenceText strings.Builder
	for _, b := range sec.Blocks {
		if b.Kind == research.BlockTable {
			continue
		}
		c := w.View.Claims[b.Claims[0]]
		n := len(in.Findings) + 1
		in.Findings = append(in.Findings, research.WriterFinding{Index: n, Text: c.Text, Passage: w.View.Passages[c.Passage].Text, Label: b.Label})
		out.Sentences = append(out.Sentences, research.WrittenSentence{Text: b.Text, Refs: []int{n}})
		fmt.Fprintf(&evidenceText, "[%d] %s\n", n, c.Text)
	}
	prompt, schema, err := prompts.Render(research.FindingsWriter, in)
	if err != nil {
		panic(err) // our own prompt over our own input
	}
	return research.Dispatch{ID: f.ID + ".0", Task: f.ID, Role: research.FindingsWriter, Scope: f.ID, Prompt: prompt, Visible: answerJSON(out), Schema: string(schema),
		DoneReason: "stop", PromptTokens: len(prompt) / 4, AnswerTokens: 400, NumCtx: 8192, Evidence: evidenceText.String()}
}

// answerJSON writes an answer as a model does: without escaping angle brackets.
func answerJSON(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // strings and numbers only
	}
	return strings.TrimSpace(b.String())
}
