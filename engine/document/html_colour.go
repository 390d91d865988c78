package document

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Text in the colour of its ground is hidden as well as text that is not displayed. What a style sheet says is not known here: of an element
// with a class the ground is unknown, and a light colour of its own may be seen.

// colour is red, green and blue, 0 to 255; known false is none that could be read.
type colour struct {
	r, g, b int
	known   bool
	clear   bool // wholly transparent
}

// sameColour is the largest difference of a channel by which a reader cannot tell letters from their ground.
const sameColour = 12

var namedColours = map[string]colour{
	"white": {255, 255, 255, true, false}, "snow": {255, 250, 250, true, false}, "ivory": {255, 255, 240, true, false}, "ghostwhite": {248, 248, 255, true, false}, "whitesmoke": {245, 245, 245, true, false},
	"black": {0, 0, 0, true, false}, "red": {255, 0, 0, true, false}, "blue": {0, 0, 255, true, false}, "green": {0, 128, 0, true, false}, "yellow": {255, 255, 0, true, false}, "gray": {128, 128, 128, true, false}, "grey": {128, 128, 128, true, false},
	"transparent": {0, 0, 0, true, true},
}

var white = namedColours["white"]

// colourOf reads a colour of CSS: a name, #rgb, #rrggbb, with or without its transparency, rgb() and rgba().
func colourOf(s string) colour {
	s = strings.TrimSpace(strings.ToLower(s))
	if c, ok := namedColours[s]; ok {
		return c
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		if len(hex) == 3 || len(hex) == 4 {
			var wide strings.Builder
			for _, r := range hex {
				wide.WriteRune(r)
				wide.WriteRune(r)
			}
			hex = wide.String()
		}
		if len(hex) != 6 && len(hex) != 8 {
			return colour{}
		}
		n, err := strconv.ParseUint(hex[:6], 16, 32)
		if err != nil {
			return colour{}
		}
		return colour{int(n >> 16), int(n >> 8 & 255), int(n & 255), true, len(hex) == 8 && hex[6:] == "00"}
	}
	in, ok := strings.CutPrefix(strings.Replace(s, "rgba(", "rgb(", 1), "rgb(")
	if !ok {
		return colour{}
	}
	in, _, _ = strings.Cut(in, ")")
	parts := strings.FieldsFunc(in, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) < 3 {
		return colour{}
	}
	var v [3]int
	for i := range v {
		f, err := strconv.ParseFloat(strings.TrimSuffix(parts[i], "%"), 64)
		if err != nil || f != f {
			return colour{}
		}
		if strings.HasSuffix(parts[i], "%") {
			f *= 2.55
		}
		v[i] = int(min(max(f, 0), 255))
	}
	out := colour{v[0], v[1], v[2], true, false}
	if len(parts) > 3 {
		f, err := strconv.ParseFloat(strings.TrimSuffix(parts[3], "%"), 64)
		out.clear = err == nil && f <= 0.02
	}
	return out
}

// like reports whether two colours cannot be told apart.
func (c colour) like(o colour) bool {
	near := func(a, b int) bool { return a-b <= sameColour && b-a <= sameColour }
	return c.known && o.known && near(c.r, o.r) && near(c.g, o.g) && near(c.b, o.b)
}

// declared returns the last value of a property in an inline style; empty when there is none.
func declared(style string, keys ...string) string {
	out := ""
	for _, decl := range strings.Split(style, ";") {
		key, val, _ := strings.Cut(decl, ":")
		for _, k := range keys {
			if strings.EqualFold(strings.TrimSpace(key), k) {
				out = strings.TrimSpace(strings.ReplaceAll(strings.ToLower(val), "!important", ""))
			}
		}
	}
	return out
}

// maxAbove bounds the ancestors that are asked for a ground.
const maxAbove = 64

// unreadable reports whether an element sets a colour of its own that cannot be seen on its ground.
func unreadable(n *html.Node) bool {
	fore := colourOf(declared(attr(n, "style"), "color"))
	if !fore.known && n.DataAtom == atom.Font {
		fore = colourOf(attr(n, "color"))
	}
	if !fore.known {
		return false
	}
	if fore.clear {
		return declared(attr(n, "style"), "-webkit-background-clip", "background-clip", "text-shadow", "-webkit-text-stroke") == ""
	}
	for up, i := n, 0; up != nil && i < maxAbove; up, i = up.Parent, i+1 {
		if up.Type != html.ElementNode {
			continue
		}
		ground := declared(attr(up, "style"), "background-color", "background")
		if ground == "" {
			ground = attr(up, "bgcolor")
		}
		if ground == "" {
			if i == 0 && hasAttr(n, "class") {
				return false // a style sheet may give it a ground
			}
			continue
		}
		if strings.Contains(ground, "url(") || strings.Contains(ground, "gradient(") {
			return false
		}
		first := ground
		if !strings.HasPrefix(first, "rgb") {
			first, _, _ = strings.Cut(first, " ")
		}
		c := colourOf(first)
		if c.clear || !c.known && (ground == "none" || ground == "inherit" || ground == "initial") {
			continue
		}
		return fore.like(c)
	}
	return fore.like(white)
}
