package fetch

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestAcceptance holds the public bug reports of the acceptance list on what is fetched, by their number there; TestPublic,
// TestPageRefusesHostileURLs and TestNameOfAPrivateAddress hold many more of the kind of 94.
func TestAcceptance(t *testing.T) {
	c := newClient(t, Policy{Egress: research.Web, Gap: -1})
	for name, list := range map[string][]string{
		"ACCEPTANCE 92: an address that a page's text names": {"http://169.254.169.254/", "http://169.254.169.254/latest/meta-data/"},
		"ACCEPTANCE 94: odd forms of private addresses":      {"http://2130706433/", "http://0x7f.1/", "http://[64:ff9b::a9fe:a9fe]/", "http://[fd00:ec2::254]/"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, u := range list {
				if _, err := c.Page(t.Context(), u); !errors.Is(err, ErrAddress) {
					t.Errorf("Page(%s) = %v", u, err)
				}
			}
		})
	}
	t.Run("ACCEPTANCE 101: secrets of an address in an error", func(t *testing.T) {
		err := Redacted(&url.Error{Op: "Get", URL: "postgres://u:PASSWORD@db.example/x?api_key=SECRET&token=SECRET", Err: context.DeadlineExceeded})
		if s := err.Error(); strings.Contains(s, "SECRET") || strings.Contains(s, "PASSWORD") {
			t.Errorf("the error says %s", s)
		}
	})
}
