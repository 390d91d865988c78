package bench

import (
	"bytes"
	"fmt"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	hidden  = regexp.MustCompile(`(?is)<(script|style)\b.*?</(?:script|style)>|<!--.*?-->`)
	markup  = regexp.MustCompile(`(?s)<[!?/a-zA-Z][^>]*>`)
	charset = regexp.MustCompile(`(?i)charset=["']?([\w-]+)`)
)

// plainText is the text of a file as a simple reader sees it: tags stripped, entities decoded; a PDF through pdftotext.
func plainText(name string) (string, error) {
	if strings.EqualFold(filepath.Ext(name), ".pdf") {
		out, err := exec.Command("pdftotext", "-enc", "UTF-8", name, "-").Output()
		if err != nil {
			return "", fmt.Errorf("pdftotext %s: %w", filepath.Base(name), err)
		}
		return string(bytes.ToValidUTF8(out, nil)), nil
	}
	s, err := readFile(name)
	if err != nil {
		return "", err
	}
	if m := charset.FindStringSubmatch(s[:min(len(s), 2000)]); m != nil && strings.HasPrefix(strings.ToLower(m[1]), "iso-8859") {
		r := make([]rune, len(s))
		for i := range len(s) {
			r[i] = rune(s[i])
		}
		s = string(r)
	}
	s = strings.ToValidUTF8(s, "")
	if ext := strings.ToLower(filepath.Ext(name)); ext == ".html" || ext == ".htm" {
		s = html.UnescapeString(markup.ReplaceAllString(hidden.ReplaceAllString(s, " "), " "))
	}
	return s, nil
}
