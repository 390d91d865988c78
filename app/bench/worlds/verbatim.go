package worlds

import (
	"fmt"
	"strings"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// The size of a report of real sentences.
const (
	verbatimBlocks = 6
	minSentence    = 40
	maxSentence    = 400
)

// Verbatim makes clean reports out of real pages: each section repeats sentences of one page word for word and cites the
// passage, which is what a run without a model prints. Whatever fires on one, the pages being somebody's real text, is a
// false alarm about words that stand in their source. pages are clean texts in lang; each report takes five.
func Verbatim(pages []string, lang string) []World {
	pages = joined(pages)
	var out []World
	for i := 0; i+5 <= len(pages); i += 5 {
		if w, ok := verbatim(pages[i:i+5], lang, i/5); ok {
			out = append(out, w)
		}
	}
	return out
}

func verbatim(pages []string, lang string, n int) (World, bool) {
	w := World{Topic: fmt.Sprintf("real-%03d", n), Lang: lang, Blocks: map[string]string{}}
	w.View = checks.View{Now: "2026-11-30T09:00:00Z", Lang: lang, Texts: map[string]string{}, Passages: map[string]research.Passage{}, Claims: map[string]research.Claim{}}
	origins := []research.Origin{research.Academic, research.Government, research.Industry, research.TradePress, research.Reference}
	var topics []string
	for i, body := range pages {
		sentences := whole(body)
		if len(sentences) < 2 {
			return w, false
		}
		host := fmt.Sprintf("real%d-%d.example.net", n, i)
		title := strings.Join(strings.Fields(sentences[0])[:min(4, len(strings.Fields(sentences[0])))], " ")
		src := research.Source{ID: fmt.Sprintf("s%d", i+1), Location: "https://" + host + "/page", Title: title, Byline: "A. Writer", Publisher: host, Retrieved: w.View.Now, Lang: lang, MediaType: "text/html",
			SHA256: research.SHA256(host + body), Voice: host, Work: host, Origin: origins[i%len(origins)], Tier: 2, Verdict: research.Verified}
		f := research.Facet{ID: fmt.Sprintf("f%d", i+1), Text: title, Terms: text.Terms(title, lang)}
		topics = append(topics, title)
		sec := research.DraftSection{ID: f.ID, Title: title, Facets: []string{f.ID}}
		for _, words := range sentences[:min(len(sentences), verbatimBlocks)] {
			at := strings.Index(body, words)
			p := research.Passage{ID: research.ID("p", src.SHA256, fmt.Sprint(at)), Source: src.ID, Start: at, End: at + len(words), SHA256: research.SHA256(words), Text: words}
			c := research.Claim{ID: "c-" + p.ID, Text: words, Facet: f.ID, Source: src.ID, Passage: p.ID, Start: p.Start, End: p.End, Relevance: "1", By: "extractive", Quantities: text.Quantities(words)}
			c.Evidence = []research.Evidence{{Passage: p.ID, Source: src.ID, Stance: research.Confirms}}
			support := evidence.Support(c, c.Evidence, map[string]research.Source{src.ID: src}, nil)
			c.Support = &support
			b := research.Block{ID: "b-" + p.ID, Kind: research.BlockFinding, Text: words, Refs: []string{src.ID}, Citations: []string{p.ID}, Claims: []string{c.ID}, By: "extractive"}
			if w.View.Claims[c.ID].ID != "" {
				continue
			}
			b.Confidence, _, b.Band, b.Label = evidence.FindingConfidence([]research.Claim{c})
			src.Passages = append(src.Passages, p)
			w.View.Passages[p.ID], w.View.Claims[c.ID] = p, c
			sec.Blocks = append(sec.Blocks, b)
		}
		w.View.Texts[src.SHA256] = body
		w.View.Sources = append(w.View.Sources, src)
		w.View.Facets = append(w.View.Facets, f)
		w.View.Draft.Sections = append(w.View.Draft.Sections, sec)
	}
	w.View.Question = strings.Join(topics, ", ") + "?"
	w.View.Terms = text.Terms(w.View.Question, lang)
	return w, true
}

// whole returns the sentences of a page that end with a stop and are of ordinary length.
func whole(body string) []string {
	var out []string
	for _, s := range sentencesOf(body) {
		if n := len(s); n >= minSentence && n <= maxSentence && !strings.Contains(s, "\n") && !strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "|") &&
			(strings.HasSuffix(s, ".") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "”") || strings.HasSuffix(s, "]")) {
			out = append(out, s)
		}
	}
	return out
}

// minRealPage is the least text of a real page, in bytes; shorter ones are printed on one page with the next.
const minRealPage = 1200

func joined(pages []string) []string {
	var out []string
	page := ""
	for _, p := range pages {
		if page += p + "\n\n"; len(page) >= minRealPage {
			out = append(out, page)
			page = ""
		}
	}
	return out
}
