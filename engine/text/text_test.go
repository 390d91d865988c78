package text

import (
	"slices"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "One is here. Two is there.", []string{"One is here.", "Two is there."}},
		{"version", "Debian 2.2 came out. It was Debian 2.2. The next was 3.0.", []string{"Debian 2.2 came out.", "It was Debian 2.2.", "The next was 3.0."}},
		{"eg", "Use a tool, e.g. Dselect, i.e. the old one. Done.", []string{"Use a tool, e.g. Dselect, i.e. the old one.", "Done."}},
		{"tool", "It calls dpkg-deb. Then it stops.", []string{"It calls dpkg-deb.", "Then it stops."}},
		{"lower tool", "Packages are unpacked first. dpkg-deb does this.", []string{"Packages are unpacked first.", "dpkg-deb does this."}},
		{"title", "Dr. Orla Venn spoke. Ian A. Murdock replied.", []string{"Dr. Orla Venn spoke.", "Ian A. Murdock replied."}},
		{"path", "Edit /etc/foo.conf. Then restart.", []string{"Edit /etc/foo.conf.", "Then restart."}},
		{"list", "Steps:\n- one item\n- two items\n1. first\n2. second", []string{"Steps:", "- one item", "- two items", "1. first", "2. second"}},
		{"heading", "2.1 Getting Debian\nDebian can be had from mirrors.", []string{"2.1 Getting Debian", "Debian can be had from mirrors."}},
		{"wrapped", "The Debian Project is an association of individuals who have made\ncommon cause to create a free system. It is\nlarge.",
			[]string{"The Debian Project is an association of individuals who have made\ncommon cause to create a free system.", "It is\nlarge."}},
		{"blank", "no stop here\n\nnext one", []string{"no stop here", "next one"}},
		{"chinese", "你好。“再见！”他说。见《你好！》一书。", []string{"你好。", "“再见！”", "他说。", "见《你好！》一书。"}},
		{"citation", "It rose.[1] It fell. [2]", []string{"It rose.[1]", "It fell.", "[2]"}},
		{"url", "See https://a.org/x.html?q=1. Then go.", []string{"See https://a.org/x.html?q=1.", "Then go."}},
		{"question", "What is it? It is Debian!", []string{"What is it?", "It is Debian!"}},
		{"inc", "Pixar Animation Studios, Inc. hired him. Acme Inc. The end.", []string{"Pixar Animation Studios, Inc. hired him.", "Acme Inc.", "The end."}},
		{"number abbreviation", "See fig. 3 and No. 5 on p. 7. He said no. Then he left.", []string{"See fig. 3 and No. 5 on p. 7.", "He said no.", "Then he left."}},
		{"etc", "Use apt, dpkg, etc. and so on. Use apt etc. Others exist.", []string{"Use apt, dpkg, etc. and so on.", "Use apt etc.", "Others exist."}},
		{"us", "The U.S. Navy and the U.S. The end.", []string{"The U.S. Navy and the U.S.", "The end."}},
		{"quoted", "He said \"stop.\" She left.", []string{"He said \"stop.\"", "She left."}},
		{"ellipsis", "Well... maybe. Yes... No.", []string{"Well... maybe.", "Yes...", "No."}},
		{"table", "a | b | c\nd | e | f", []string{"a | b | c", "d | e | f"}},
		{"empty", " \n \n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, sp := range Sentences(tc.in) {
				got = append(got, tc.in[sp.Start:sp.End])
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Sentences(%q) =\n%q, want\n%q", tc.in, got, tc.want)
			}
		})
	}
}
