package answer

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// maxLibrary bounds in bytes the text that is given to the repair library, which takes time by the square of its length: up to
// a second for 32 KiB of quotation marks. A longer text is only read loosely.
const maxLibrary = 8 << 10

// mend repairs the syntax of s and returns its value. The library is asked first; its reading is taken unless a string in it
// holds what was syntax in s, which is how it shows that it took a quote for the wrong one. Then s is read loosely.
func mend(s string) (any, bool) {
	if len(s) > maxRepair {
		return nil, false
	}
	if inner, ok := unescapedWhole(s); ok {
		if v, ok := decode(inner); ok {
			return v, true
		}
		s = inner
	}
	s = quotesFixed(s)
	theirs, ok := byLibrary(s)
	empty := strings.Contains(s, `""`) || strings.Contains(s, "''")
	if ok && plausible(theirs, empty) {
		if list, ok := theirs.([]any); ok && !strings.HasPrefix(strings.TrimSpace(s), "[") && !hollow(list) {
			theirs = several(list) // values that followed one another
		}
		return tidy(theirs, s), true
	}
	if v, _, ok := readLoosely(s); ok && !immense(v) {
		return v, true
	}
	return theirs, ok
}

// lacking is what the library does not know: words and numbers of Python and others (TRUE, Null, 1_000, .5), tuples, and a
// pair in a list; a number with a stray mark; a mark at the end of the text. Nor does it keep a comma at the end of an element.
var lacking = regexp.MustCompile(`[:,\[(]\s*(?:TRUE|FALSE|NULL|Null|NONE|NaN|[-+]?\d+_\d[\d_.]*|[-+]?\.\d+|\+\d[\d.]*|\()\s*[,}\])"'(\d]|^\s*\(|\[\s*"[^"]*"\s*:|[:,\[]\s*[-\d.]+"\s*[,}\]]|[{\[,]\s*["']\s*$|[^\s\[{:,],["'”’]\s*[,}\]]`)

// byLibrary is the value of s as the repair library reads it.
func byLibrary(s string) (v any, ok bool) {
	if len(s) > maxLibrary || lacking.MatchString(s) {
		return nil, false
	}
	defer func() {
		if recover() != nil { // the library is given hostile text
			v, ok = nil, false
		}
	}()
	// The library knows paths and most escapes; what it gives up on is often LaTeX.
	tries := []string{s, escapesFixed(s, 1)}
	if !strings.Contains(s, `:\`) { // the library reads paths by itself
		tries[0] = escapesFixed(s, 2)
	}
	for _, try := range tries {
		if out, err := jsonrepair.Repair(try); err == nil {
			if v, ok := decode(out); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// unescapedWhole is s without one level of escapes when every quotation mark in it has one: {\"a\": 1}.
func unescapedWhole(s string) (string, bool) {
	if t := strings.TrimSpace(s); t == "" || t[0] != '{' && t[0] != '[' {
		return "", false
	}
	n := strings.Count(s, `\"`)
	if n == 0 || n != strings.Count(s, `"`) {
		return "", false
	}
	var out string
	if json.Unmarshal([]byte(`"`+strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)+`"`), &out) != nil {
		return "", false
	}
	return out, true
}

// debris is what a string holds when a quotation mark was taken for the wrong one: a mark beside a bracket, colon or comma,
// nothing but those, one of them at the beginning, a blank at the end.
var debris = regexp.MustCompile(`["“”]\s*[:,\]}]|[{\[,:]\s*["“”]|^[\s:,{}\[\]()"']+$|^\s*[:,]|\S[ \t]+$`)

// plausible reports whether the names and strings of a value read like names and strings. empty says that some may be empty.
func plausible(v any, empty bool) bool {
	switch v := v.(type) {
	case string:
		return (v != "" || empty) && !debris.MatchString(v) && strings.Count(v, `"`)%2 == 0
	case []any:
		for _, e := range v {
			if !plausible(e, empty) {
				return false
			}
		}
	case map[string]any:
		for k, e := range v {
			if debris.MatchString(k) || strings.HasSuffix(k, ":") || !plausible(e, empty) {
				return false
			}
		}
	}
	return true
}

// tidy takes the white space after the last line break off the strings of v, which the text s laid out so; one that s writes
// as an escape stays.
func tidy(v any, s string) any {
	if strings.Contains(s, `\n`) || !strings.Contains(s, "\n") {
		return v
	}
	return tidied(v)
}

func tidied(v any) any {
	switch v := v.(type) {
	case string:
		if strings.HasSuffix(strings.TrimRight(v, " \t\r"), "\n") {
			return strings.TrimRight(v, " \t\r\n")
		}
	case []any:
		for i := range v {
			v[i] = tidied(v[i])
		}
	case map[string]any:
		for k := range v { // order does not matter: each value is changed in its place
			v[k] = tidied(v[k])
		}
	}
	return v
}

// escapesFixed doubles each backslash in a string that begins no JSON escape and that at least so many letters follow, so that
// LaTeX such as "\upcite" or a Windows path is text and not an error.
func escapesFixed(s string, letters int) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] != '\\' || i+1 >= len(s) {
			continue
		}
		n := 0
		for n < letters && i+1+n < len(s) && letter(s[i+1+n]) {
			n++
		}
		if next := s[i+1]; n == letters && (next == 'u' && !hex4(s[i+2:]) || strings.IndexByte("bfnrtu", next) < 0) {
			b.WriteByte('\\')
			continue
		}
		i++
		b.WriteByte(s[i])
	}
	return b.String()
}

// Quotes that a model wrote twice: [""one"", ""two""].
var (
	openedTwice = regexp.MustCompile(`([\[{,:]\s*)""([^\s,:\]}"])`)
	closedTwice = regexp.MustCompile(`([^\s,:\[{"\\])""(\s*[,:\]}])`)
)

// quotesFixed undoubles them; an empty string stays one.
func quotesFixed(s string) string {
	if !openedTwice.MatchString(s) {
		return s
	}
	if strings.Count(s, `"`) == 2*strings.Count(s, `""`) {
		return strings.ReplaceAll(s, `""`, `"`)
	}
	return closedTwice.ReplaceAllString(openedTwice.ReplaceAllString(s, `$1"$2`), `$1"$2`)
}
