package bench

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/dlclark/regexp2"

	"assay/engine/text"
)

// The rules of scoring are those of the data's own README and score.py, worked out again here so that the bench needs no
// other program: a facet is hit when a finding states an accepted variant and cites a gold file or quotes the answer;
// strict, when the quotation besides stands verbatim in a gold file; concise, when the finding is at most sixty words.

// qaResult is one question's score.
type qaResult struct {
	q                                question
	hit, strict, concise             int
	allHit, allConcise               bool
	cited, citedOK, findings, useful int
	honest                           bool
	points, pointsConcise            float64
	missed                           []string
}

// maxStated bounds a concise finding in signs: a word counts two and a half, a sign of a script without spaces one.
const maxStated = 150

var negation = regexp.MustCompile(`(?i)not found|no (?:information|mention|data|evidence|figure|answer|statement|document|source|passage|record)|not (?:mentioned|stated|given|reported|provided|contain|specified|available|cover|answer|disclose|include)|does(?:n't| not)|do(?:n't| not)|did(?:n't| not)|cannot|can't|could not|unable|insufficient|未找到|没有|无法|未提及|未提供|未说明|不包含`)

func scoreQA(qs []question, runs map[string]answered, corpus string) map[string]any {
	files := &corpusFiles{root: corpus, text: map[string]string{}}
	var rs []qaResult
	for _, q := range qs {
		rs = append(rs, scoreOne(q, runs[q.ID], files))
	}
	out := aggregate(rs)
	byKind := map[string]any{}
	for _, r := range rs {
		if byKind[r.q.Kind] == nil {
			var of []qaResult
			for _, x := range rs {
				if x.q.Kind == r.q.Kind {
					of = append(of, x)
				}
			}
			byKind[r.q.Kind] = aggregate(of)
		}
	}
	out["by_kind"] = byKind
	missed := []string{}
	for _, r := range rs {
		for _, f := range r.missed {
			missed = append(missed, r.q.ID+" "+f)
		}
	}
	out["missed"] = missed
	if files.unread > 0 {
		out["not_checked"] = fmt.Sprintf("%d cited files could not be read here (a PDF needs pdftotext)", files.unread)
	}
	return out
}

func scoreOne(q question, a answered, files *corpusFiles) qaResult {
	r := qaResult{q: q, findings: len(a.Findings)}
	type cite struct {
		path, quote string
		ok          bool
	}
	cites := make([][]cite, len(a.Findings))
	for i, f := range a.Findings {
		for _, c := range f.Citations {
			ok := files.holds(c.Path, c.Quote)
			r.cited++
			if ok {
				r.citedOK++
			}
			cites[i] = append(cites[i], cite{c.Path, c.Quote, ok})
		}
	}
	useful := map[int]bool{}
	r.allHit, r.allConcise = true, true
	for _, g := range q.Gold {
		in := map[string]bool{g.Path: true}
		for _, p := range g.Also {
			in[p] = true
		}
		hit, strict, concise := false, false, false
		for i, f := range a.Findings {
			if !states(g.Variants, f.Text) {
				continue
			}
			for _, c := range cites[i] {
				answers := states(g.Variants, c.quote)
				if in[c.path] || answers {
					hit, useful[i] = true, true
					concise = concise || signs(f.Text) <= maxStated
				}
				if in[c.path] && c.ok && (answers || wordsIn(g.Span, c.quote) >= 0.5) {
					strict = true
				}
			}
		}
		r.hit += count(hit)
		r.strict += count(strict)
		r.concise += count(concise)
		r.allHit = r.allHit && hit
		r.allConcise = r.allConcise && concise
		if !concise {
			r.missed = append(r.missed, g.Facet)
		}
	}
	r.useful = len(useful)
	r.points, r.pointsConcise = share(r.hit, len(q.Gold)), share(r.concise, len(q.Gold))
	switch q.Kind {
	case "unanswerable":
		claims := 0
		for _, f := range a.Findings {
			if statesAny(q.Claims, f.Text) && !negation.MatchString(f.Text) {
				claims++
			}
		}
		r.honest = len(a.Gaps) > 0 && claims == 0
		r.points, r.pointsConcise = float64(count(r.honest)), float64(count(r.honest))
	case "conflict":
		r.points, r.pointsConcise = float64(count(r.allHit)), float64(count(r.allConcise))
	}
	return r
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func aggregate(rs []qaResult) map[string]any {
	var points, concisePoints float64
	var facets, hit, strict, concise, cited, ok, findings, useful, honest, un, conflicts, surfaced, silent, answerable int
	for _, r := range rs {
		points += r.points
		concisePoints += r.pointsConcise
		facets += len(r.q.Gold)
		hit += r.hit
		strict += r.strict
		concise += r.concise
		cited += r.cited
		ok += r.citedOK
		switch r.q.Kind {
		case "unanswerable":
			un++
			honest += count(r.honest)
			continue
		case "conflict":
			conflicts++
			surfaced += count(r.allHit)
		}
		answerable++
		findings += r.findings
		useful += r.useful
		silent += count(r.findings == 0)
	}
	round := func(f float64) float64 { return math.Round(f*1e4) / 1e4 }
	return map[string]any{
		"n": len(rs), "points": round(points / float64(max(1, len(rs)))), "points_concise": round(concisePoints / float64(max(1, len(rs)))),
		"facet_recall": round(share(hit, facets)), "facet_recall_strict": round(share(strict, facets)), "facet_recall_concise": round(share(concise, facets)),
		"on_point": round(share(useful, findings)), "citation_precision": round(share(ok, cited)), "citations": cited,
		"unanswerable_honest": honest, "unanswerable": un, "conflict_surfaced": surfaced, "conflict": conflicts, "false_not_found": silent, "answerable": answerable,
	}
}

func printQA(w io.Writer, s map[string]any) {
	fmt.Fprintf(w, "questions %v  points %v  concise %v  recall %v (strict %v, concise %v)  on point %v\n", s["n"], s["points"], s["points_concise"], s["facet_recall"], s["facet_recall_strict"], s["facet_recall_concise"], s["on_point"])
	fmt.Fprintf(w, "citation precision %v of %v  honest %v of %v  conflicts surfaced %v of %v  without findings %v of %v\n", s["citation_precision"], s["citations"], s["unanswerable_honest"], s["unanswerable"], s["conflict_surfaced"], s["conflict"], s["false_not_found"], s["answerable"])
	fmt.Fprintf(w, "median %.2f s a question, peak %.0f MiB, ingestion %v pages in %.1f s\n", s["seconds_median"], s["peak_mib"], s["ingest_pages"], s["ingest_seconds"])
	if n, ok := s["not_checked"]; ok {
		fmt.Fprintf(w, "not checked: %v\n", n)
	}
	fmt.Fprintf(w, "missed: %v\n", s["missed"])
}

var thousands = regexp.MustCompile(`(\d),(\d{3})`)

// flat is how texts are compared: folded, and without the separators of thousands.
func flat(s string) string {
	s = text.Fold(s)
	for range 3 { // 1,234,567 needs a pass for each separator
		s = thousands.ReplaceAllString(s, "$1$2")
	}
	return s
}

func states(variants []string, s string) bool { return statesFlat(variants, flat(s)) }

func statesAny(patterns []string, s string) bool {
	for _, p := range patterns {
		if matches(p, text.Fold(s)) {
			return true
		}
	}
	return false
}

func matches(pattern, s string) bool {
	re, err := regexp2.Compile(pattern, regexp2.IgnoreCase)
	if err != nil {
		return false
	}
	ok, err := re.MatchString(s)
	return err == nil && ok
}

func statesFlat(variants []string, t string) bool {
	for _, v := range variants {
		if p, ok := strings.CutPrefix(v, "re:"); ok {
			if matches(p, t) {
				return true
			}
			continue
		}
		f := flat(v)
		if f == "" {
			continue
		}
		if cjk(f) {
			if strings.Contains(noSpace(t), noSpace(f)) {
				return true
			}
			continue
		}
		if matches(bounded(f), t) {
			return true
		}
	}
	return false
}

// bounded is the pattern of a variant: no digit or letter of a longer number or word beside it; a plural or possessive
// ending is allowed.
func bounded(v string) string {
	r := []rune(v)
	first, last := r[0], r[len(r)-1]
	left, right := "", ""
	switch {
	case unicode.IsDigit(first):
		left = `(?<!\d)(?<!\d[.,])`
	case unicode.IsLetter(first):
		left = `(?<![a-z0-9])`
	}
	switch {
	case unicode.IsLetter(last):
		right = `(?:s|es|'s)?(?![a-z])`
	case unicode.IsDigit(last):
		right = `(?!\d)(?![.,]\d)`
	}
	space := `\s+`
	if unicode.IsDigit(first) && len(r) < 8 {
		space = `\s*`
	}
	parts := strings.Fields(v)
	for i := range parts {
		parts[i] = regexp2.Escape(parts[i])
	}
	return left + strings.Join(parts, space) + right
}

func cjk(s string) bool {
	for _, r := range s {
		if r >= 0x3400 && r <= 0x9fff {
			return true
		}
	}
	return false
}

func noSpace(s string) string { return strings.Join(strings.Fields(s), "") }

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

func signs(s string) float64 {
	n := 0.0
	for _, r := range s {
		if r >= 0x3400 && r <= 0x9fff {
			n++
		}
	}
	return n + 2.5*float64(len(word.FindAllString(s, -1)))
}

var sign = regexp.MustCompile(`[a-z0-9]+|[\x{3400}-\x{9fff}]`)

func wordsIn(span, quote string) float64 {
	have := map[string]bool{}
	for _, w := range sign.FindAllString(text.Fold(quote), -1) {
		have[w] = true
	}
	all := sign.FindAllString(text.Fold(span), -1)
	n := 0
	for _, w := range all {
		n += count(have[w])
	}
	return share(n, len(all))
}

// corpusFiles reads the cited files by means of their own, apart from the program's readers.
type corpusFiles struct {
	root   string
	text   map[string]string
	unread int
}

// holds reports whether a quotation stands in a file, apart from white space and case.
func (c *corpusFiles) holds(path, quote string) bool {
	t, ok := c.text[path]
	if !ok {
		var err error
		if t, err = plainText(filepath.Join(c.root, filepath.FromSlash(path))); err != nil {
			c.unread++
		}
		t = noSpace(text.Fold(t))
		c.text[path] = t
	}
	q := noSpace(text.Fold(quote))
	return q != "" && strings.Contains(t, q)
}

func readFile(name string) (string, error) {
	b, err := os.ReadFile(name)
	return string(b), err
}
