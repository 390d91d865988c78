package desk

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay/engine"
	"assay/engine/document"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
	"assay/engine/text"
)

// maxSentences bounds the sentences of a draft that are verified; the rest of a longer one is counted and named.
const maxSentences = 2000

// leastLetters is how many letters a sentence of a draft has that claims something; shorter ones are labels.
const leastLetters = 12

// longestSentence is how many bytes a sentence of a draft has at most; what is longer is a table or no prose, and is not verified.
const longestSentence = 4000

// VerifyRequest is what is held against documents: one claim, or the sentences of a text.
type VerifyRequest struct {
	Claim string
	Draft string // file; empty when Claim is given
	// Libraries, Attach, Lang, Now and Egress are as in a request for research.
	Libraries, Attach []string
	Lang, Now         string
	Egress            research.Egress
	// Tell hears how the folders are read; Each the sentences as they are done. Both may be nil.
	Tell func(IngestTick)
	Each func(n, of int, v research.Verification)
}

// Verified is what the documents say of each sentence.
type Verified struct {
	Sentences []research.Verification `json:"sentences"`
	// Skipped counts the sentences of a draft that claim nothing: headings, questions, labels.
	Skipped int `json:"skipped"`
	// Cut counts the sentences beyond the bound, which were not verified.
	Cut   int      `json:"cut"`
	Notes []string `json:"notes"` // what could not be read, a sentence each
}

// Verify holds a claim, or every sentence of a draft, against the documents. It asks no model and keeps no run.
func (d *Desk) Verify(ctx context.Context, in VerifyRequest) (Verified, error) {
	out := Verified{Sentences: []research.Verification{}, Notes: []string{}}
	var claims []string
	if in.Draft != "" {
		var err error
		if claims, out.Skipped, out.Cut, err = d.draft(ctx, in.Draft); err != nil {
			return out, err
		}
	} else {
		claims = []string{in.Claim}
	}
	first := in.Claim
	if first == "" {
		first = claims[0]
	}
	if r := []rune(first); len(r) > maxQuestion && in.Draft != "" { // only the rest of the request is checked by it
		first = string(r[:maxQuestion])
	}
	req, err := d.complete(research.Request{Question: first, Libraries: in.Libraries, Attach: in.Attach, Lang: in.Lang, Now: in.Now, Egress: in.Egress, Model: "extractive"})
	if err != nil {
		return out, err
	}
	note := func(s string) error { out.Notes = append(out.Notes, s); return nil }
	look, err := d.lookIn(ctx, req, in.Tell, note, func(string) {})
	if err != nil {
		return out, err
	}
	defer func() { _ = look.end() }() // connections to this machine's server
	if _, err := d.meaning(ctx, &look, false, "", note); err != nil {
		return out, err
	}
	cfg := engine.Config{Request: req, Model: extractive.Model{}, Fallback: extractive.Model{}, Providers: look.providers, Reader: look.reader, Code: d.version}
	v, err := engine.NewVerifier(cfg, store.NewMemory(req, d.version))
	if err != nil {
		return out, err
	}
	for i, c := range claims {
		got, err := v.Verify(ctx, c)
		if err != nil {
			return out, err
		}
		out.Sentences = append(out.Sentences, got)
		if in.Each != nil {
			in.Each(i+1, len(claims), got)
		}
	}
	return out, nil
}

// draft reads the sentences of a text that claim something, without the marks by which they cite.
func (d *Desk) draft(ctx context.Context, file string) (claims []string, skipped, cut int, err error) {
	abs, err := checkFile(file)
	if err != nil {
		return nil, 0, 0, err
	}
	doc, err := document.Read(ctx, "draft", abs, d.documentOptions())
	if err != nil {
		return nil, 0, 0, err
	}
	if doc.Fault != "" {
		return nil, 0, 0, usage("draft %s: %s", file, doc.Fault)
	}
	headings := map[string]bool{}
	for _, h := range doc.Headings {
		headings[strings.TrimSpace(h.Text)] = true
	}
	for _, sp := range text.Sentences(doc.Text) {
		s := strings.Join(strings.Fields(citeMarks.ReplaceAllString(doc.Text[sp.Start:sp.End], "")), " ")
		switch {
		case s == "":
		case headings[s] || !claimsSomething(s):
			skipped++
		case len(claims) == maxSentences || len(s) > longestSentence:
			cut++
		default:
			claims = append(claims, s)
		}
	}
	if len(claims) == 0 {
		return nil, 0, 0, usage("draft %s: it holds no sentence that claims something", file)
	}
	return claims, skipped, cut, nil
}

// citeMarks are the marks by which a text cites: [1], [2, 3], [4-6], 【7】, superscript digits after a word.
var citeMarks = regexp.MustCompile(`\s*(?:\[\d+(?:\s*[,;–-]\s*\d+)*\]|【\d+[^】]{0,20}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)`)

// claimsSomething reports whether a sentence claims something: it asks nothing and has letters enough.
func claimsSomething(s string) bool {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return false
	}
	for _, sp := range slices.Backward(text.URLs(s)) { // "[1]: https://..." names a source
		s = s[:sp.Start] + s[sp.End:]
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Han, r) {
				letters++
			}
		}
	}
	return letters >= leastLetters
}

// Tally counts the conclusions, in words for one line.
func (v Verified) Tally() string {
	n := map[research.Conclusion]int{}
	for _, s := range v.Sentences {
		n[s.Conclusion]++
	}
	return fmt.Sprintf("%d supported, %d contradicted, %d contested, %d not found", n[research.Supported], n[research.Contradicted], n[research.Contested], n[research.NotFound])
}
