package provenance

import (
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestBias(t *testing.T) {
	for _, tc := range []struct {
		name   string
		doc    research.Document
		origin research.Origin
		asked  []string
		want   string
	}{
		{"sponsored", research.Document{Location: "https://a.example/x", Text: "Sponsored content | Kilns\n\n" + prose}, research.TradePress, nil, "sponsor"},
		{"earns by links", research.Document{Location: "https://a.example/x", Text: prose + "We may earn a commission when you buy a kiln."}, research.TradePress, nil, "sponsor"},
		{"in Chinese", research.Document{Location: "https://a.example/x", Text: "本文由某某公司赞助。" + prose}, research.TradePress, nil, "sponsor"},
		{"a text about sponsors", research.Document{Location: "https://a.example/x", Text: prose + "The club lost its sponsor, and sponsored content was banned from its magazine last year."}, research.TradePress, nil, ""},
		{"a cause", research.Document{Location: "https://a.example/x", Text: prose}, research.Advocacy, nil, "advocacy"},
		{"its own product", research.Document{Location: "https://www.marrowkiln.com/why", Text: prose}, research.TradePress, []string{"Marrow Kiln"}, "own product"},
		{"its own name", research.Document{Location: "https://shop.example/why", Publisher: "Marrow Kiln", Text: prose}, research.Industry, []string{"the fire", "Marrow Kiln"}, "own product"},
		{"another's product", research.Document{Location: "https://www.kilntimes.com/why", Text: prose}, research.TradePress, []string{"Marrow Kiln"}, ""},
		{"an authority on itself", research.Document{Location: "https://www.nist.gov/why", Publisher: "NIST", Text: prose}, research.Government, []string{"NIST"}, ""},
		{"an opinion by its title", research.Document{Location: "https://a.example/x", Title: "Opinion: kilns must go", Text: prose}, research.TradePress, nil, "single perspective"},
		{"an opinion by its place", research.Document{Location: "https://a.example/opinion/kilns", Title: "Kilns must go", Text: prose}, research.TradePress, nil, "single perspective"},
		{"an opinion by its words", research.Document{Location: "https://a.example/x", Text: prose + "The views expressed in this article are those of the author."}, research.TradePress, nil, "single perspective"},
		{"news of opinions", research.Document{Location: "https://a.example/x", Title: "Public opinion shifts on kilns", Text: prose}, research.TradePress, nil, ""},
		{"two at once", research.Document{Location: "https://a.example/x", Title: "Opinion | Kilns", Text: "Paid partnership. " + prose}, research.Advocacy, nil, "sponsor, advocacy, single perspective"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Bias(tc.doc, tc.origin, tc.asked)
			if strings.Join(got, ", ") != tc.want {
				t.Errorf("Bias = %q, want %q", got, tc.want)
			}
			if said := BiasWords(got); (said == "") != (tc.want == "") {
				t.Errorf("in words: %q", said)
			}
		})
	}
}

func TestFiller(t *testing.T) {
	empty := "In today's fast-paced world, kilns matter. It is important to note that fire is hot. When it comes to clay, look no further. The kiln holds twelve shelves. "
	chinese := "众所周知，陶瓷很重要。随着科技的不断发展，窑炉也在变化。值得注意的是，火很热。窑有十二层。"
	for _, tc := range []struct {
		name, s string
		less    bool
	}{
		{"filler", strings.Repeat(empty, 3), true},
		{"filler in Chinese", strings.Repeat(chinese, 3), true},
		{"three turns in a long text", empty + strings.Repeat(prose, 30), false},
		{"plain text", prose, false},
		{"two turns", "In today's fast-paced world, kilns matter. When it comes to clay, they burn it.", false},
		{"nothing", "", false},
	} {
		said, full := Filler(tc.s)
		if (full < 1) != tc.less || (said != "") != tc.less || full < 1-mostFiller || full > 1 {
			t.Errorf("%s: Filler = %q, %v", tc.name, said, full)
		}
	}
}

// TestVerdicts holds that every verdict of a source is given for what it is meant for; duplicates and what is off the subject are told
// by the run, which sees more than one page (TestUnsignedAndReprint, TestJudgedInRun).
func TestVerdicts(t *testing.T) {
	at := "https://example.com/a"
	signed := research.Document{Location: at, Byline: "A. Calder", Text: prose}
	with := func(change func(*research.Document)) research.Document {
		d := signed
		change(&d)
		return d
	}
	given := []research.Verdict{}
	for want, d := range map[research.Verdict]research.Document{
		research.Verified:         signed,
		research.RejectAI:         with(func(d *research.Document) { d.Text += " This article was written with the help of ChatGPT." }),
		research.RejectUnauthored: with(func(d *research.Document) { d.Byline = "Admin" }),
		research.RejectDead:       with(func(d *research.Document) { d.Text = "Page not found. Sorry." }),
		research.RejectListing:    with(func(d *research.Document) { d.Listing = true }),
		research.Paywalled:        with(func(d *research.Document) { d.Text = "The kiln was lit. Subscribe to continue reading." }),
		research.Blocked:          with(func(d *research.Document) { d.Text = "Checking your browser before you go on." }),
		research.NeedsScript:      with(func(d *research.Document) { d.Text = "Please enable JavaScript." }),
		research.Unread:           with(func(d *research.Document) { d.Text = "Kiln." }),
	} {
		got, note := Judge(d, false)
		if got != want || note == "" {
			t.Errorf("Judge = %s (%s), want %s", got, note, want)
		}
		given = append(given, got)
	}
	if own, _ := Judge(with(func(d *research.Document) { d.Listing = true }), true); own != research.Verified {
		t.Errorf("an index that the person added is %s", own)
	}
	if slices.Contains(given, "") {
		t.Error("an empty verdict")
	}
}
