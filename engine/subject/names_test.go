package subject

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for _, tc := range []struct {
		name, said, page string
		in               bool
	}{
		{"as it is", "John Smith", "A letter by John Smith of Kelso.", true},
		{"inverted", "John Smith", "Smith, John (1931). On weights.", true},
		{"initials", "John Ronald Smith", "A letter by J. R. Smith.", true},
		{"initials without spaces", "John Ronald Smith", "A letter by J.R. Smith.", true},
		{"another first name", "John Smith", "A letter by Jane Smith.", false},
		{"a surname alone", "John Smith", "Smith was praised.", false},
		{"inside a word", "Kel", "The town of Kelso.", false},
		{"hyphens and case", "Boutros Boutros-Ghali", "BOUTROS BOUTROS GHALI spoke.", true},
		{"marks", "Carlos Secretário", "Carlos Secretario played.", true},
		{"abbreviation in brackets", "General Public License", "The GPL binds. The General Public License (GPL) came first.", true},
		{"traditional script", "台湾大学", "他在臺灣大學任教", true},
		{"within Chinese", "北京大学", "他在北京大学任教", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := NewName(tc.said)
			if got := n.In(FoldForNames(tc.page)); got != tc.in {
				t.Errorf("%q in %q = %v, want %v; forms %q", tc.said, tc.page, got, tc.in, n.forms)
			}
		})
	}
}

func TestLearn(t *testing.T) {
	for _, tc := range []struct {
		name, said, teaches, page string
		in                        bool
	}{
		{"abbreviation", "General Public License", "The General Public License (GPL) came first.", "Under the GPL one may copy.", true},
		{"from the abbreviation", "GPL", "The General Public License (GPL) came first.", "The General Public License binds.", true},
		{"transliteration", "Zhong Nanshan", "Zhong Nanshan (钟南山) is a physician.", "钟南山院士表示", true},
		{"from Chinese", "钟南山", "Zhong Nanshan (钟南山) is a physician.", "The physician Zhong Nanshan said so.", true},
		{"full-width brackets", "北京大学", "北京大学（Peking University）位于北京", "Peking University was founded in 1898.", true},
		{"a year is no name", "General Public License", "The General Public License (1989) came first.", "In 1989 it rained.", false},
		{"a place is no name", "John Smith", "John Smith (Ohio) spoke.", "Ohio voted.", false},
		{"a remark is no name", "John Smith", "John Smith (he was ill) spoke.", "he was ill", false},
		{"another's brackets", "General Public License", "The Lesser Public License (LGPL) came later.", "LGPL", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := NewName(tc.said)
			n.Learn(tc.teaches)
			if got := n.In(FoldForNames(tc.page)); got != tc.in {
				t.Errorf("%q in %q = %v, want %v; forms %q", tc.said, tc.page, got, tc.in, n.forms)
			}
		})
	}
}

// A text full of brackets costs time that grows with its length.
func TestLearnIsBounded(t *testing.T) {
	n := NewName("General Public License")
	n.Learn(strings.Repeat("General Public License (A", 20_000))
	n.Learn(strings.Repeat("(((((((", 20_000) + strings.Repeat("（", 1000))
	if len(n.forms) > maxForms {
		t.Errorf("%d forms", len(n.forms))
	}
}

func FuzzNames(f *testing.F) {
	f.Add("John Smith", "Smith, John (JS) 北京大学（PKU）")
	f.Add("北京大学", "Peking University (北京大学)")
	f.Fuzz(func(t *testing.T, name, s string) {
		n := NewName(name)
		n.Learn(s)
		n.In(FoldForNames(s))
		for _, x := range n.Senses(s) {
			if p, _ := Likeness(x, x); p < 0 || p > 1 {
				t.Fatal(p)
			}
		}
	})
}
