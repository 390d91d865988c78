package text

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"person", "It was founded by Ian A. Murdock in August 1993.", []string{"Ian A. Murdock"}},
		{"title", "Dr. Orla Venn said so.", []string{"Orla Venn"}},
		{"particles", "He studied at the University of Oxford with Ludwig van Beethoven.", []string{"University of Oxford", "Ludwig van Beethoven"}},
		{"initials", "J. R. R. Tolkien wrote it.", []string{"J. R. R. Tolkien"}},
		{"acronyms", "The WHO and the GPL matter.", []string{"WHO", "GPL"}},
		{"camel", "OpenSSL and DebConf began.", []string{"OpenSSL", "DebConf"}},
		{"technical", "Use debian-installer, dpkg-deb, libc6 and sources.list, not open-source or well-known tools.", []string{"debian-installer", "dpkg-deb", "libc6", "sources.list"}},
		{"initial name", "Debian is an operating system.", []string{"Debian"}},
		{"initial word", "Packages are installed. Installing takes time. However, it works.", nil},
		{"verb before name", "Installing Debian takes time.", []string{"Debian"}},
		{"slash", "Debian GNU/Linux is free.", []string{"Debian GNU/Linux"}},
		{"possessive", "Bruce Perens' and Debian's rules, and Bill Gates's money.", []string{"Bruce Perens", "Debian", "Bill Gates"}},
		{"months", "In March and on Monday we met.", nil},
		{"article", "The Debian Project was the Free Software Foundation's child.", []string{"Debian Project", "Free Software Foundation"}},
		{"comma", "Bo, Hamm, Slink and Potato.", []string{"Bo", "Hamm", "Slink", "Potato"}},
		{"url and path", "See https://Debian.org/News and /etc/Foo.conf now.", nil},
		{"shouting", "THIS IS ALL IN CAPITALS HERE", nil},
		{"chinese", "Ian Murdock 写了《Debian 宣言》，使用 dpkg 和“稳定版”。", []string{"Ian Murdock", "Debian 宣言", "dpkg", "稳定版"}},
		{"chinese speech", "他说：“我们不会改变，永远不会。”", nil},
		{"compound", "English-language sources in São Paulo.", []string{"English-language", "São Paulo"}},
		{"list item", "- Debian Edu uses LTSP", []string{"Debian Edu", "LTSP"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, n := range Names(tc.in) {
				got = append(got, n.Text)
				if tc.in[n.Start:n.End] != n.Text {
					t.Errorf("Names(%q): text %q is not at %d..%d", tc.in, n.Text, n.Start, n.End)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Names(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}
