package engine

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func TestNoStatement(t *testing.T) {
	for _, s := range []string{
		"3. The system initialization 3.1. An overview of the boot strap process 3.1.1. Stage 1: the UEFI 3.1.2. Stage 2: the boot loader",
		"软件包依赖关系 2.1.7. 包管理的事件流 2.1.8. 对包管理问题的第一个回应 2.2. 基础软件包管理操作",
		"Table 2.1. List of Debian package management tools", "表 2.1. Debian 软件包管理工具列表", "Figure 3: The tower from the sea",
		"By Ada Lind, 2020-05-01", "By Ada Lind and Boris Karg", "by Ada Lind",
		"The main documents on package management:", "软件包管理的主要文档：",
	} {
		if noStatement(s) == "" {
			t.Errorf("%q passes for a statement", s)
		}
	}
	for _, s := range []string{
		"Debian 1.1 was followed by 1.2 and 1.3.", "By 2005 the project had nine hundred developers.", "By Monday all was over.",
		"Table 2 shows that the price of the lamp fell by 20 % between 1990 and 2000, while that of oil rose in the same ten years by half.",
		"The lamp was lit in 1874.", "表决于1998年进行。", "The tower has three parts: the base, the shaft and the lantern.",
		"", "a", "By",
	} {
		if why := noStatement(s); why != "" {
			t.Errorf("%q: %s", s, why)
		}
	}
}

// TestTitleOf: what a document is called is no finding; a sentence is one, also where it is the title, and so is all that a page holds.
func TestTitleOf(t *testing.T) {
	for _, c := range []struct {
		s, title, text string
		want           bool
	}{
		{"Harbour Board, statement on ferries Published 2021-05-19", "Harbour Board, statement on ferries Published 2021-05-19", "", true},
		{"Harbour  Board, statement on ferries", "Harbour Board, statement on ferries Published 2021-05-19", "", true},
		{"港务局关于渡轮的报告 2021年9月3日", "港务局关于渡轮的报告 2021年9月3日", "", true},
		{"The ferry sails in winter.", "The ferry sails in winter.", "", false},
		{"渡轮冬天开行。", "渡轮冬天开行。", "", false},
		{"The ferry sails", "Harbour Board", "", false},
		{"Harbour Board", "Harbour Board", "Harbour Board", false},
		{"", "", "", false},
	} {
		d := research.Document{Title: c.title, Text: c.text}
		if c.text == "" {
			d.Text = c.title + "\n\n" + strings.Repeat("The ferry sails every day of the year. ", 8)
		}
		if got := titleOf(c.s, d); got != c.want {
			t.Errorf("titleOf(%q, %q) = %t", c.s, c.title, got)
		}
	}
}

func TestCaptioned(t *testing.T) {
	for before, want := range map[string]bool{
		"some text.\n\nTable 2.1. ": true, "文字。\n表 2.1. ": true, "Figure 3: ": true,
		"": false, "see Table 2.1. ": false, "It was so in 1874. ": false, "\n表决于 ": false,
	} {
		if got := captioned(before); got != want {
			t.Errorf("captioned(%q) = %t", before, got)
		}
	}
}

func FuzzNoStatement(f *testing.F) {
	f.Add("By Ada Lind, 2020-05-01")
	f.Add("表 2.1. 工具列表")
	f.Fuzz(func(t *testing.T, s string) { noStatement(s) })
}
