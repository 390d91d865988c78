package evidence

import (
	"strings"
	"unicode"

	"assay/engine/text"
)

// leastHanName is how many signs of a Chinese name say that it is one.
const leastHanName = 3

// isHanName reports whether a name is written in Chinese signs alone, the points of a transcription apart, and long enough to
// be told from a word.
func isHanName(name string) bool {
	n := 0
	for _, r := range name {
		if r != '·' && r != '•' && r != '・' && !unicode.Is(unicode.Han, r) {
			return false
		}
		n++
	}
	return n >= leastHanName
}

// hasHan reports whether a source has a Chinese name that it does not have as it is: in traditional signs, a person by the
// surname and a title (顾先生), a transcribed name by its last part, an organisation in its short form (北大), or in two parts
// that the source has both (the name of a city, and that of an office of it).
func (idx nameIndex) hasHan(name string) bool {
	source := simplified(idx.folded)
	if strings.Contains(source, name) {
		return true
	}
	if i := strings.LastIndexAny(name, "·•・"); i >= 0 {
		last := []rune(strings.TrimLeft(name[i:], "·•・"))
		// What follows a transcribed name is not always told from it.
		return len(last) >= 2 && (strings.Contains(source, string(last[:min(3, len(last))])) || strings.Contains(source, "·"+string(last[:2])))
	}
	r := []rune(name)
	if len(r) <= longestHanPerson {
		for n := 1; n <= 2; n++ {
			for _, title := range hanTitles {
				if strings.Contains(source, string(r[:n])+title) {
					return true
				}
			}
		}
	}
	for cut := 2; len(r)-cut >= leastHanName; cut++ {
		head, rest := string(r[:cut]), string(r[cut:])
		if strings.Contains(source, rest) && (strings.Contains(source, head) || nationWide[head]) {
			return true
		}
	}
	for kind, short := range hanShort {
		if strings.HasSuffix(name, kind) && strings.Contains(source, string(r[0])+short) {
			return true
		}
	}
	return false
}

// longestHanPerson is the length of a Chinese person's name, a surname of two signs included.
const longestHanPerson = 4

var hanTitles = []string{"先生", "女士", "某", "教授", "博士", "老师", "医生", "律师", "院士"}

// nationWide are words before the name of an organisation that are often left out.
var nationWide = wordSet("中国 国家 全国 美国 英国 日本")

// hanShort is how an organisation is called by the first sign of its name and this.
var hanShort = map[string]string{"大学": "大", "学院": "院", "银行": "行", "医院": "院", "委员会": "委", "日报": "报"}

// simplified returns s in simplified signs.
func simplified(s string) string { return strings.Map(text.Simplify, s) }
