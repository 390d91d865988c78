package provenance

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// prose is enough text to read.
var prose = strings.Repeat("The tower stands on the reef and can be seen from the village. ", 6)

func TestJudge(t *testing.T) {
	web := "https://example.com/a"
	for _, tc := range []struct {
		name  string
		doc   research.Document
		added bool
		want  research.Verdict
		says  string
	}{
		{"fault", research.Document{Fault: "is locked with a password", Verdict: research.Paywalled}, true, research.Paywalled, "password"},
		{"fault without a verdict", research.Document{Fault: "is empty"}, true, research.Unread, "is empty"},
		{"too short", research.Document{Text: "Keys: ask."}, true, research.Unread, "9 characters"},
		{"chinese is counted in characters", research.Document{Text: strings.Repeat("灯塔", 39), Location: web}, false, research.Unread, "78 characters"},
		{"one added sentence", research.Document{Text: "The town of Arle has 312 people."}, true, research.Verified, "added"},
		{"error page", research.Document{Title: "404 Not Found", Text: prose, Location: web}, false, research.RejectDead, "404"},
		{"error page of few words", research.Document{Title: "Oops", Text: "Page not found", Location: web}, false, research.RejectDead, "message"},
		{"a paywall", research.Document{Title: "Kilns", Text: "The kiln was lit. Subscribe to continue reading.", Location: web}, false, research.Paywalled, "Subscribe"},
		{"a page for browsers", research.Document{Title: "Kilns", Text: "Please enable JavaScript to see it.", Location: web}, false, research.NeedsScript, "JavaScript"},
		{"bot wall", research.Document{Title: "Just a moment...", Text: prose, Location: web}, false, research.Blocked, "Just a moment"},
		{"a long page about errors", research.Document{Title: "404 and other errors", Text: strings.Repeat(prose, 20), Byline: "A. Calder"}, false, research.Verified, "signed A. Calder"},
		{"machine", research.Document{Text: prose + "As an AI language model, I cannot say."}, true, research.RejectAI, "As an AI language model, I"},
		{"signed", research.Document{Text: prose, Byline: "A. Calder", Location: web}, false, research.Verified, "signed A. Calder"},
		{"added and unsigned", research.Document{Text: prose, Location: "notes/a.txt"}, true, research.Verified, "without a byline"},
		{"unsigned page", research.Document{Text: prose, Location: web}, false, research.RejectUnauthored, "no author"},
		{"unsigned page of an institution", research.Document{Text: prose, Location: "https://www.nist.gov/a"}, false, research.Verified, "government"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, note := Judge(tc.doc, tc.added)
			if got != tc.want || !strings.Contains(note, tc.says) {
				t.Errorf("Judge = %s, %q; want %s with %q", got, note, tc.want, tc.says)
			}
		})
	}
}

// TestEnough holds short pages that are whole against short ones that are none.
func TestEnough(t *testing.T) {
	const short = "The lighthouse of Nordhaven was built in 1871 by the engineer Maria Lund. It cost 40,000 crowns and stands 31 metres tall. Its lamp was electric from 1903 on."
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"a notice of three sentences", short, true},
		{"with labels round it", "Nordhaven\n\n" + short + "\n\nPhotographs", true},
		{"in quotes", "“" + short + "”", true},
		{"a notice in Chinese", "北港灯塔建于一八七一年，由工程师林玛丽设计。建造费用为四万克朗，塔高三十一米。一九零三年起改用电灯，由港务局管理，至今仍在使用，每年接待游客三万人。", true},
		{"two sentences of few words", "The lamp is lit. The tower is tall.", false},
		{"a beginning", short + " In the winter of 1904 the tower …", false},
		{"a beginning with three dots", short + " In the winter of 1904 the tower...", false},
		{"a beginning with a link", short + "\n\nRead more", false},
		{"a banner", "We use cookies to make this site better for you. By going on you agree to our use of them. You can change this in the settings at any time that you like. Thank you.", false},
		{"a page that is not there yet", short + " Loading", false},
		{"a menu", "Home\n\nThe lighthouse\n\nOpening hours and prices\n\nHow to find us\n\nThe museum shop\n\nPress and pictures\n\nFriends of the lighthouse\n\nVolunteers\n\nImprint and data protection\n\nSitemap of this site", false},
		{"one long slogan", "The light that has shone over the harbour of the town for longer than anyone who lives in it can remember, and that will shine on when all of us are long gone, for you.", false},
		{"a long page", strings.Repeat("lighthouse ", 40), true},
		{"nothing", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, ok := Enough(tc.text); ok != tc.want {
				t.Errorf("Enough(%q) = %v, want %v", tc.text, ok, tc.want)
			}
		})
	}
}

func TestMachineMark(t *testing.T) {
	for s, want := range map[string]bool{
		"As an AI language model, I cannot.":                                   true,
		"as an ai model I think so":                                            true,
		"My knowledge cutoff is 2023.":                                         true,
		"This article was written by ChatGPT.":                                 true,
		"This page is generated with artificial intelligence":                  true,
		"作为一个AI语言模型，我不能回答。":                                                    true,
		"本文由人工智能生成。":                                                           true,
		"Texts that open with \"As an AI language model, I\" are easy to see.": false,
		"“作为一个AI语言模型”是一句常见的话。":                                                 false,
		"The article is about an AI language model.":                           false,
		"This article was written by Agnes Calder.":                            false,
		"": false,
	} {
		if got := MachineMark(s) != ""; got != want {
			t.Errorf("MachineMark(%q) found %v, want %v", s, got, want)
		}
	}
}

func TestVoice(t *testing.T) {
	for _, tc := range []struct {
		doc  research.Document
		want string
	}{
		{research.Document{Location: "harbour/a/b.html"}, "harbour"},
		{research.Document{Location: "harbour/a/b.html", Publisher: "Harbour Office"}, "Harbour Office"},
		{research.Document{Location: "notes.txt"}, "notes.txt"},
		{research.Document{Location: "https://www.news.example.co.uk:8080/x?y#z"}, "example.co.uk"},
		{research.Document{Location: "http://example.org", Publisher: "Someone"}, "example.org"},
		{research.Document{Location: "https://a.blogspot.com/x"}, "a.blogspot.com"},
	} {
		if got := Voice(tc.doc); got != tc.want {
			t.Errorf("Voice(%q, %q) = %q, want %q", tc.doc.Location, tc.doc.Publisher, got, tc.want)
		}
	}
}

func TestWork(t *testing.T) {
	same := [][]string{
		{"guide/index.html", "guide/index.pdf", "guide/index.en.html", "guide/index.en.pdf", "guide/index.pt-BR.html"},
		{"guide/v2.html"}, {"other/index.html"}, {"guide/chapter1.html"}, {"guide/2.1.html"},
	}
	seen := map[string]int{}
	for i, group := range same {
		for _, l := range group {
			if j, ok := seen[Work(l)]; ok && j != i {
				t.Errorf("Work(%q) = %q is that of %v too", l, Work(l), same[j])
			}
			seen[Work(l)] = i
			if Work(l) != Work(group[0]) {
				t.Errorf("Work(%q) = %q, want %q as %q has", l, Work(l), Work(group[0]), group[0])
			}
		}
	}
}

func TestOriginOf(t *testing.T) {
	head := []research.Heading{{Level: 1, Text: "Manual"}}
	for _, tc := range []struct {
		doc    research.Document
		origin research.Origin
		tier   int
	}{
		{research.Document{Location: "a/b.txt"}, research.Personal, 3},
		{research.Document{Location: "a/b.html", Headings: head}, research.Reference, 2},
		{research.Document{Location: "a/b.html", Publisher: "Office"}, research.Reference, 2},
		{research.Document{Location: "https://www.nist.gov/x"}, research.Government, 1},
		{research.Document{Location: "https://www.service.gov.uk/x"}, research.Government, 1},
		{research.Document{Location: "https://www.who.int/x"}, research.Government, 1},
		{research.Document{Location: "https://ec.europa.eu/x"}, research.Government, 1},
		{research.Document{Location: "https://web.mit.edu/x"}, research.Academic, 1},
		{research.Document{Location: "https://www.ox.ac.uk/x"}, research.Academic, 1},
		{research.Document{Location: "https://arxiv.org/abs/1"}, research.Academic, 1},
		{research.Document{Location: "https://www.w3.org/TR/PNG"}, research.Reference, 1},
		{research.Document{Location: "https://zh.wikipedia.org/wiki/x"}, research.Reference, 2},
		{research.Document{Location: "https://savethereef.org/x"}, research.Advocacy, 3},
		{research.Document{Location: "https://news.example.com/x"}, research.TradePress, 3},
		{research.Document{Location: "https://fakegov.com/x"}, research.TradePress, 3},
		{research.Document{Location: "https://gov.example.com/x"}, research.TradePress, 3},
	} {
		if o, tier := OriginOf(tc.doc); o != tc.origin || tier != tc.tier {
			t.Errorf("OriginOf(%q) = %s %d, want %s %d", tc.doc.Location, o, tier, tc.origin, tc.tier)
		}
	}
}

// TestQualityOf is Eq. 6 by hand: 0.4 relevance + 0.3 authority + 0.2 freshness + 0.1 completeness, exact.
func TestQualityOf(t *testing.T) {
	for _, tc := range []struct {
		name                    string
		tier                    int
		relevance, completeness float64
		published               string
		want                    research.Quality
	}{
		// 0.4*0.5 + 0.3*1 + 0.2*0.5 + 0.1*0.25 = 0.625
		{"tier 1, date unknown", 1, 0.5, 0.25, "", research.Quality{Relevance: "1/2", Authority: "1", Freshness: "1/2", Completeness: "1/4", Value: "5/8"}},
		// 0.4*1 + 0.3*0.85 + 0.2*1 + 0.1*1 = 0.955
		{"tier 2, of today", 2, 1, 1, "2026-01-01", research.Quality{Relevance: "1", Authority: "17/20", Freshness: "1", Completeness: "1", Value: "191/200"}},
		// 0.4*0.333 + 0.3*0.5 + 0.2*0.5 + 0 = 0.3832: a measured share is rounded to thousandths before it counts
		{"tier 3, a third", 3, 1.0 / 3, 0, "", research.Quality{Relevance: "333/1000", Authority: "1/2", Freshness: "1/2", Completeness: "0", Value: "479/1250"}},
		{"shares out of range", 3, 7, -1, "", research.Quality{Relevance: "1", Authority: "1/2", Freshness: "1/2", Completeness: "0", Value: "13/20"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := QualityOf(tc.tier, tc.relevance, tc.completeness, tc.published, research.Understanding{Question: "How high is the tower?"}, now); got != tc.want {
				t.Errorf("QualityOf = %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestFreshness(t *testing.T) {
	plain := research.Understanding{Question: "How high is the tower?"}
	trend := research.Understanding{Question: "Tower visitors", Intent: research.TrendAnalysis}
	past := research.Understanding{Question: "Tower visitors", Temporal: research.Temporal{Category: "Past"}}
	history := research.Understanding{Question: "When was the tower founded?"}
	current := research.Understanding{Question: "Tower visitors", Temporal: research.Temporal{Category: "Current"}}
	fiveYears := now.Add(-time.Duration(5 * 365.25 * 24 * float64(time.Hour))).Format("2006-01-02")
	for _, tc := range []struct {
		name      string
		published string
		u         research.Understanding
		want      float64
	}{
		{"one half-life", fiveYears, plain, 0.5}, {"five half-lives of a trend", fiveYears, trend, 1.0 / 32}, {"five of a current matter", fiveYears, current, 1.0 / 32},
		{"no decay for the past", fiveYears, past, 1}, {"no decay for history", "1874", history, 1}, {"unknown", "", plain, 0.5}, {"not a date", "spring", plain, 0.5},
		{"unknown, of the past", "", past, 1}, {"of today", "2026-01-01", plain, 1}, {"of the future", "2030", plain, 1}, {"month", "2026-01", plain, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Freshness(tc.published, tc.u, now); math.Abs(got-tc.want) > 0.001 {
				t.Errorf("Freshness = %g, want %g", got, tc.want)
			}
		})
	}
}

func TestPool(t *testing.T) {
	source := func(voice string, o research.Origin, adversarial bool, v research.Verdict) research.Source {
		return research.Source{Voice: voice, Origin: o, Adversarial: adversarial, Verdict: v}
	}
	sources := []research.Source{
		source("a", research.Reference, false, research.Verified), source("a", research.Reference, true, research.Verified),
		source("b", research.Academic, false, research.Verified), source("c", research.Government, true, research.RejectDead),
	}
	b := research.Budget{FloorVoices: 2, FloorOrigins: 3, FloorOpposing: 2}
	st := Pool(sources, b, true, "en")
	if st.Opened != 4 || st.Verified != 3 || st.Rejected != 1 || st.Independent != 2 || st.OriginTypes != 2 || st.Adversarial != 1 || !st.ClosedLibrary {
		t.Errorf("Pool = %+v", st)
	}
	want := []string{"2 of 3 kinds of origin", "1 of 2 sources found by asking for criticism or opposition"}
	if !slices.Equal(st.Shortfall, want) {
		t.Errorf("shortfall %q, want %q", st.Shortfall, want)
	}
	if st := Pool(nil, research.Budget{}, false, "en"); st.Shortfall == nil || len(st.Shortfall) != 0 || st.ClosedLibrary {
		t.Errorf("without floors: %+v", st)
	}
}
