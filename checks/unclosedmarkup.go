package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
)

var unclosedmarkup = &Check{
	ID: "N01", Name: "unclosedmarkup", Title: "UnclosedMarkup", Tier: Normaliser, Class: Advisory,
	Scope: blockKeys, Eval: evalUnclosedMarkup, Edit: editUnclosedMarkup, Advise: Edit,
}

// rawTag is a tag of HTML that a page would draw. Names in angle brackets that are none ("<package>") are words.
var rawTag = regexp.MustCompile(`(?i)</?(?:a|abbr|b|big|blink|body|br|button|center|code|details|div|em|embed|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|mark|meta|object|ol|p|pre|s|script|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|th|thead|tr|u|ul|video|audio|source)(?:\s[^<>\n]{0,400})?/?>`)

func evalUnclosedMarkup(v View, k Key) []Hit {
	b, _ := v.block(k)
	if v.copied(b) {
		return nil // the words of a source are printed as they are, escaped
	}
	if b.Text != closeMarkup(b.Text) {
		return []Hit{{Where: b.ID, What: fmt.Sprintf("its markup is not closed: %q", tail(strings.TrimSpace(b.Text), 60))}}
	}
	return nil
}

func editUnclosedMarkup(v View, k Key) View {
	if evalUnclosedMarkup(v, k) == nil {
		return v
	}
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID == k.ID {
			b.Text = closeMarkup(b.Text)
		}
		return b, true
	})
}

// closeMarkup closes an odd fence, balances strong marks, pads the rows of a table and drops raw tags, outside code. Doing it
// twice changes nothing.
func closeMarkup(s string) string {
	var lines []string
	fence, width := "", 0
	for _, line := range strings.Split(s, "\n") {
		t := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")):
			fence = t[:3]
		case fence != "" && strings.HasPrefix(t, fence):
			fence = ""
		case fence == "":
			line = outsideCode(line)
			if strings.HasPrefix(t, "|") && strings.HasSuffix(t, "|") && len(t) > 1 {
				n := strings.Count(t, "|")
				if width == 0 {
					width = n
				}
				for ; n < width; n++ {
					line = strings.TrimRight(line, " ") + "  |"
				}
			} else {
				width = 0
			}
		}
		lines = append(lines, line)
	}
	out := strings.Join(lines, "\n")
	if fence != "" {
		out = strings.TrimRight(out, "\n") + "\n" + fence
	}
	return balanceStrong(out)
}

// outsideCode drops raw tags of a line where it is no code.
func outsideCode(line string) string {
	parts := strings.Split(line, "`")
	for i := range parts {
		if i%2 == 0 || len(parts)%2 == 0 { // an odd back quote opens nothing
			for range 8 { // <<b>script> leaves a tag behind
				next := rawTag.ReplaceAllString(parts[i], "")
				if next == parts[i] {
					break
				}
				parts[i] = next
			}
		}
	}
	return strings.Join(parts, "`")
}

// balanceStrong takes out the last ** of a paragraph that has an odd number of them outside code.
func balanceStrong(s string) string {
	paras := strings.Split(s, "\n\n")
	in := false
	for i, p := range paras {
		if strings.Count(p, "```")%2 == 1 {
			in = !in
			continue
		}
		if in || strings.Contains(p, "```") || strings.Contains(p, "`") && strings.Contains(p, "**") && strings.Count(strings.Join(everyOther(strings.Split(p, "`")), ""), "**")%2 == 0 {
			continue
		}
		n, last := 0, -1
		for at := 0; ; {
			j := strings.Index(p[at:], "**")
			if j < 0 {
				break
			}
			at += j
			// A power or a glob ("2 ** 3") has space on both sides and marks nothing.
			if !(spaceAt(p, at-1) && spaceAt(p, at+2)) {
				n, last = n+1, at
			}
			at += 2
		}
		if n%2 == 1 {
			paras[i] = p[:last] + p[last+2:]
		}
	}
	return strings.Join(paras, "\n\n")
}

func everyOther(parts []string) []string {
	var out []string
	for i := 0; i < len(parts); i += 2 {
		out = append(out, parts[i])
	}
	return out
}

func spaceAt(s string, i int) bool {
	return i < 0 || i >= len(s) || s[i] == ' ' || s[i] == '\n' || s[i] == '\t'
}
