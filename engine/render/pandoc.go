package render

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"assay/engine/research"
)

// citeRun is one or more links to references, as [Markdown] writes them.
var (
	citeRun  = regexp.MustCompile(`\[\[([0-9]+)\]\]\(#s-[0-9]+\)(?:\s+\[\[[0-9]+\]\]\(#s-[0-9]+\))*`)
	citeLink = regexp.MustCompile(`\[\[([0-9]+)\]\]`)
	cardLine = regexp.MustCompile(`(?m)^<a id="s-([0-9]+)"></a>\[[0-9]+\] `)
)

// Pandoc returns the digest as Markdown for pandoc: citations are [@key], and the metadata at the head holds the title, the language
// and the references themselves, so that `pandoc --citeproc` needs no second file.
func Pandoc(d research.Digest) ([]byte, error) {
	text, err := Markdown(d)
	if err != nil {
		return nil, err
	}
	items, err := cslItems(d)
	if err != nil {
		return nil, fmt.Errorf("render Markdown for pandoc: %w", err)
	}
	key := func(n string) string {
		i, err := strconv.Atoi(n)
		if err != nil || i < 1 || i > len(items) {
			return ""
		}
		return items[i-1].ID
	}
	out := citeRun.ReplaceAllStringFunc(string(text), func(run string) string {
		var keys []string
		for _, m := range citeLink.FindAllStringSubmatch(run, -1) {
			if k := key(m[1]); k != "" {
				keys = append(keys, "@"+k)
			}
		}
		if len(keys) == 0 {
			return run
		}
		return "[" + strings.Join(keys, "; ") + "]"
	})
	out = cardLine.ReplaceAllStringFunc(out, func(s string) string {
		m := cardLine.FindStringSubmatch(s)
		return "[]{#s-" + m[1] + "}@" + key(m[1]) + ": "
	})
	for i := range items { // what is in the metadata is read as Markdown
		it := &items[i]
		for _, s := range []*string{&it.Title, &it.Container, &it.Archive, &it.Note} {
			*s = mdLine(*s)
		}
		for j := range it.Author {
			a := &it.Author[j]
			a.Family, a.Given, a.Literal = mdLine(a.Family), mdLine(a.Given), mdLine(a.Literal)
		}
	}
	head, err := json.MarshalIndent(struct { // JSON is YAML
		Title      string    `json:"title"`
		Lang       string    `json:"lang"`
		Date       string    `json:"date,omitempty"`
		LinkCites  bool      `json:"link-citations"`
		References []cslItem `json:"references"`
	}{mdLine(line(d.Title, maxTitle)), pandocLang(d.Lang), line(d.Date, 40), true, items}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("render Markdown for pandoc: %w", err)
	}
	return []byte("---\n" + string(head) + "\n---\n\n" + out), nil
}

// pandocLang is the language as BCP 47 has it.
func pandocLang(lang string) string {
	if lang == "zh" {
		return "zh-CN"
	}
	return "en"
}
