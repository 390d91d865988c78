package engine

import (
	"regexp"
	"strings"
	"testing"

	"assay/engine/evidence"
	"assay/engine/provenance"
	"assay/engine/render"
	"assay/engine/research"
)

// TestPhrasesOfTheirMakers holds the packages that explain verdicts and votes to what a Chinese page can say.
func TestPhrasesOfTheirMakers(t *testing.T) {
	prose := strings.Repeat("The tower stands on the reef and can be seen from the village. ", 3)
	d := research.Digest{Lang: "zh", Title: "灯塔", Date: "2026-01-01", Model: research.ModelUse{Channel: extractiveName}}
	for _, doc := range []research.Document{
		{Text: "x", Location: "a/b"}, {Title: "404", Text: "404 not found. " + prose, Location: "https://example.com/a"}, {Text: prose + "As an AI language model, I cannot say."},
		{Text: prose, Byline: "Agnes Calder"}, {Text: prose, Location: "a/b"}, {Text: prose, Location: "https://www.nist.gov/a"}, {Text: prose, Location: "https://example.com/a"},
	} {
		v, note := provenance.Judge(doc, !strings.Contains(doc.Location, "://"))
		d.Issues = append(d.Issues, research.Issue{Kind: "source", Text: "灯塔", Reason: string(v) + ": " + note})
	}
	claim := research.Claim{Text: "The board did approve the merger of both Dutch banks yesterday.", Key: "board|merger|"}
	for _, w := range []string{"Bread is baked.", "The board did not approve the merger of both Dutch banks yesterday.", claim.Text} {
		_, why := evidence.Stance(claim, w)
		d.Issues = append(d.Issues, research.Issue{Kind: "check", Text: "灯塔", Reason: why})
	}
	md, err := render.Markdown(d)
	if err != nil {
		t.Fatal(err)
	}
	s := regexp.MustCompile("\"[^\"]*\"|“[^”]*”|Agnes Calder|government|Assay|`[^`]*`").ReplaceAllString(string(md), "")
	for _, line := range strings.Split(s, "\n") {
		if regexp.MustCompile(`[a-z]{3,}`).MatchString(line) {
			t.Errorf("a Chinese page says %q", line)
		}
	}
}
