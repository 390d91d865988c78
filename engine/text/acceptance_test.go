package text

import (
	"testing"
)

// TestAcceptance holds public reports on addresses, by their number in the list of acceptance cases.
func TestAcceptance(t *testing.T) {
	t.Run("ACCEPTANCE 1: the bracket of an address and the bracket around it", func(t *testing.T) {
		for said, want := range map[string]string{
			"see https://en.wikipedia.org/wiki/Mercury_(planet).": "https://en.wikipedia.org/wiki/Mercury_(planet)",
			"(https://a.org/)": "https://a.org/",
			"(see https://en.wikipedia.org/wiki/Mercury_(planet))": "https://en.wikipedia.org/wiki/Mercury_(planet)",
			"https://a.org/x, and more":                            "https://a.org/x",
		} {
			all := URLs(said)
			if len(all) != 1 || said[all[0].Start:all[0].End] != want {
				t.Errorf("%s: %v, want %s", said, all, want)
			}
		}
	})
	same := func(a, b string) bool {
		x, err := CanonicalURL(a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := CanonicalURL(b)
		if err != nil {
			t.Fatal(err)
		}
		return x == y
	}
	t.Run("ACCEPTANCE 2: an address written by its bytes is the same address", func(t *testing.T) {
		if !same("https://en.wikipedia.org/wiki/Cretaceous–Paleogene", "https://en.wikipedia.org/wiki/Cretaceous%E2%80%93Paleogene") {
			t.Error("two sources")
		}
	})
	t.Run("ACCEPTANCE 4: marks of a campaign make no other page, an id does", func(t *testing.T) {
		if !same("https://a.org/p?utm_source=a", "https://a.org/p?UTM_SOURCE=b") {
			t.Error("two pages for two campaigns")
		}
		if same("https://a.org/p?id=2&ref=x", "https://a.org/p?utm_source=a") || same("https://a.org/p?id=2&ref=x", "https://a.org/p?id=3&ref=x") {
			t.Error("the id is lost")
		}
		if c, _ := CanonicalURL("https://a.org/p?id=2&ref=x"); c != "https://a.org/p?id=2&ref=x" {
			t.Errorf("id and ref: %s", c)
		}
	})
}
