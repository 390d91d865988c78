package text

import "testing"

// TestAcceptanceURLs holds the public bug reports of the acceptance list on addresses, by their number there. Numbers 6 and 7 stand in package
// engine.
func TestAcceptanceURLs(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"ACCEPTANCE 1: an address with brackets at the end of a sentence": {"see https://en.wikipedia.org/wiki/Mercury_(planet).", "https://en.wikipedia.org/wiki/Mercury_(planet)"},
		"ACCEPTANCE 1: an address in brackets":                            {"(https://a.org/)", "https://a.org/"},
		"ACCEPTANCE 9: thoughts inside a link":                            {"[dw.com/4? But we didn't cite dwell; we can skip]", ""},
		"ACCEPTANCE 9: thoughts after a scheme":                           {"[https:// But we didn't cite dwell]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, s := range URLs(tc.in) {
				got += tc.in[s.Start:s.End]
			}
			if got != tc.want {
				t.Errorf("URLs(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
	for name, same := range map[string][][]string{
		"ACCEPTANCE 2: one page encoded and not":   {{"https://en.wikipedia.org/wiki/Cretaceous–Paleogene", "https://en.wikipedia.org/wiki/Cretaceous%E2%80%93Paleogene"}},
		"ACCEPTANCE 4: parameters of campaigns":    {{"https://a.org/p?utm_source=a", "https://a.org/p?UTM_SOURCE=b"}, {"https://a.org/p?id=2&ref=x"}},
		"ACCEPTANCE 9: no address in its brackets": {{"dw.com/4? But we didn't cite dwell; we can skip"}},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]int{}
			for group, list := range same {
				for _, u := range list {
					got, err := CanonicalURL(u)
					if name[:12] == "ACCEPTANCE 9" {
						if err == nil {
							t.Errorf("%q is taken for an address: %q", u, got)
						}
						continue
					}
					if was, ok := seen[got]; err != nil || ok && was != group {
						t.Errorf("%q = %q, %v", u, got, err)
					}
					seen[got] = group
				}
			}
			if name[:12] != "ACCEPTANCE 9" && len(seen) != len(same) {
				t.Errorf("%d pages of %d", len(seen), len(same))
			}
		})
	}
	if got, err := CanonicalURL("https://a.org/p?id=2&ref=x"); err != nil || got != "https://a.org/p?id=2&ref=x" {
		t.Errorf("ACCEPTANCE 4: id and ref are kept: %q, %v", got, err)
	}
}
