// Package provenance judges where a text comes from: whether a machine wrote it, who signs it, what kind of publisher it
// has and with what authority, how good it is for a question (Eq. 6), and whether a pool of sources is wide enough.
//
// Start at [Judge], then [QualityOf] and [Pool].
package provenance

import (
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

// minRunesAdded is the least text of a document that the person added, in characters: one sentence may be all there is. Of a page of
// the web see [Enough].
const (
	minRunesAdded = 15
	// aboutErrors is the most text of a page that is nothing but an error message; longer ones are about something.
	aboutErrors = 1500
	// leadBytes is how much of a text is looked at for such a message.
	leadBytes = 1200
)

var deadTitle = regexp.MustCompile(`(?i)^\s*(?:404\b|page not found|not found|access denied|403 forbidden|just a moment|verify you are human|error \d{3}|attention required|enable javascript)`)

// messages are what servers say with status 200 instead of a page, and what that makes of the source. The more telling come first.
var messages = []struct {
	verdict research.Verdict
	re      *regexp.Regexp
}{
	{research.Paywalled, regexp.MustCompile(`(?i)subscribe (?:now )?to (?:continue|read|keep reading|unlock)|(?:already a subscriber|subscribers only|for subscribers)\b|create (?:a free |an )?account to (?:continue|read)|(?:log|sign) ?in to (?:continue reading|read (?:this|the full))|this (?:article|content) is (?:only )?(?:for|available to) (?:our )?subscribers|登录后(?:查看|阅读)|订阅后(?:继续)?阅读|付费(?:后)?阅读|会员(?:专享|可读)`)},
	{research.NeedsScript, regexp.MustCompile(`(?i)(?:enable|requires?|turn on) java ?script|请(?:启用|开启) ?javascript`)},
	{research.Blocked, regexp.MustCompile(`(?i)access (?:is |was )?denied|verify (?:that )?you are (?:a )?human|are you a robot|访问被拒绝|just a moment\.\.\.|attention required|checking your browser|unusual traffic|请完成(?:安全)?验证`)},
	{research.RejectDead, regexp.MustCompile(`(?i)page (?:was |could )?not (?:be )?found|\b404\b.{0,20}not found|not found.{0,20}\b404\b|页面不存在|找不到页面`)},
}

// Judge gives a document's verdict and the note that explains it. added says that the person put the document into the
// library or attached it: then a missing byline is only noted.
func Judge(d research.Document, added bool) (research.Verdict, string) {
	if d.Fault != "" {
		v := d.Verdict
		if v == "" {
			v = research.Unread
		}
		return v, d.Fault
	}
	runes, enough := visible(d.Text), true
	if strings.Contains(d.Location, "://") {
		_, enough = Enough(d.Text)
	} else {
		enough = runes >= minRunesAdded
	}
	if strings.Contains(d.Location, "://") && runes < aboutErrors {
		for _, m := range messages {
			if said := m.re.FindString(d.Title + "\n" + d.Text[:min(len(d.Text), leadBytes)]); said != "" {
				return m.verdict, "is no article but a message of its server: " + strconv.Quote(said)
			}
		}
	}
	if deadTitle.MatchString(d.Title) && runes < aboutErrors {
		return research.RejectDead, "its title is an error message: " + strconv.Quote(d.Title)
	}
	if d.Listing && !added {
		return research.RejectListing, "is a list of links to other pages, not a text of its own"
	}
	if !enough {
		return research.Unread, "holds " + strconv.Itoa(runes) + " characters of text, too little to read"
	}
	if m := MachineMark(d.Text); m != "" {
		return research.RejectAI, "says of itself that a machine wrote it: " + strconv.Quote(m)
	}
	kind := KindOfByline(d.Byline)
	if kind == Person || kind == Group {
		return research.Verified, "opened and read; signed " + d.Byline
	}
	if added {
		return research.Verified, "opened and read; a document the person added, without a byline" + named(d.Byline)
	}
	// Established organisations answer for what they publish (Hermes); blogs and unknown places need a name.
	if o, tier := OriginOf(d); tier <= 2 {
		return research.Verified, "opened and read; unsigned, published by an established " + strings.ReplaceAll(string(o), "_", " ") + " body"
	}
	return research.RejectUnauthored, "names no author and no institution stands behind it" + named(d.Byline)
}

// named says what stands where a name should, when something does.
func named(byline string) string {
	if byline == "" {
		return ""
	}
	return "; signed only " + strconv.Quote(byline)
}

// Voice says who speaks: in a document of a library its publisher, or else its top folder; on the web the registered domain, or
// the study where the place only carries the works of others (CONTRACT section 3).
func Voice(d research.Document) string {
	if strings.Contains(d.Location, "://") {
		host := HostOf(d.Location)
		if Repository(host) {
			if v := study(d.Title); v != "" {
				return v
			}
		}
		return text.RegistrableDomain(host)
	}
	if d.Publisher != "" {
		return d.Publisher
	}
	top, _, _ := strings.Cut(d.Location, "/")
	return top
}

var langSuffix = regexp.MustCompile(`\.[a-z]{2}(?:[-_][A-Za-z]{2,4})?$`)

// Work names the document apart from its format and language ending: guide.en.html, guide.en.pdf and guide.en.txt.gz are one work.
// An address of the web is a work of its own, in its one spelling.
func Work(location string) string {
	if strings.Contains(location, "://") {
		if u, err := text.CanonicalURL(location); err == nil {
			return u
		}
		return location
	}
	location = strings.TrimSuffix(location, ".gz")
	base := strings.TrimSuffix(path.Base(location), path.Ext(location))
	return path.Dir(location) + "/" + langSuffix.ReplaceAllString(base, "")
}

// EditionLang is the language that the name of a document gives its edition, as in guide.it.html or guide.zh-cn.pdf: the
// ISO 639-1 code, or "" when the name says nothing. It is a hint; the text decides.
func EditionLang(location string) string {
	location = strings.TrimSuffix(location, ".gz")
	base := strings.TrimSuffix(path.Base(location), path.Ext(location))
	m := langSuffix.FindString(base)
	if len(m) < 3 || !editionLangs[m[1:3]] {
		return ""
	}
	return m[1:3]
}

// editionLangs are the languages that free documentation is commonly translated into.
var editionLangs = func() map[string]bool {
	m := map[string]bool{}
	for _, l := range strings.Fields("ar bg ca cs da de el en es eu fa fi fr gl he hi hr hu id it ja ko lt nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh") {
		m[l] = true
	}
	return m
}()

// OriginOf classifies the publisher of a document by its address and gives its trust tier, 1 to 3. A file is reference
// material when it has a title and headings (a manual), otherwise a personal document.
func OriginOf(d research.Document) (research.Origin, int) {
	if !strings.Contains(d.Location, "://") {
		if len(d.Headings) > 0 || d.Publisher != "" {
			return research.Reference, 2
		}
		return research.Personal, 3
	}
	if d.Host != nil {
		return d.Host.Origin, d.Host.Tier
	}
	if h, ok := LookUp(HostOf(d.Location)); ok {
		return h.Origin, h.Tier
	}
	if d.Own {
		return research.Reference, 2 // of a server the person named
	}
	return research.TradePress, 3
}

// authority by trust tier (Eq. 6; CONTRACT section 3).
var authority = map[int]research.Ratio{1: "1", 2: research.MustDecimal("0.85"), 3: research.MustDecimal("0.5")}

// Weights of Eq. 6.
var (
	weightRelevance    = research.MustDecimal("0.4")
	weightAuthority    = research.MustDecimal("0.3")
	weightFreshness    = research.MustDecimal("0.2")
	weightCompleteness = research.MustDecimal("0.1")
)

// QualityOf is Eq. 6. relevance and completeness are shares in [0, 1].
func QualityOf(tier int, relevance, completeness float64, published string, u research.Understanding, now time.Time) research.Quality {
	q := research.Quality{
		Relevance: research.Thousandths(clamp(relevance)), Authority: authority[tier],
		Freshness: research.Thousandths(Freshness(published, u, now)), Completeness: research.Thousandths(clamp(completeness)),
	}
	q.Value = weightRelevance.Mul(q.Relevance).Add(weightAuthority.Mul(q.Authority)).
		Add(weightFreshness.Mul(q.Freshness)).Add(weightCompleteness.Mul(q.Completeness))
	return q
}

func clamp(f float64) float64 { return math.Max(0, math.Min(1, f)) }

var historyCue = regexp.MustCompile(`(?i)\b(history|origin\w*|founded|first|was|were|did|had)\b|历史|起源`)

// Freshness is 2^(-age/half-life): half-life one year for a trend or a current matter, five years otherwise, and no decay
// for history; an unknown date is 0.5 (CONTRACT section 3).
func Freshness(published string, u research.Understanding, now time.Time) float64 {
	if u.Temporal.Category == "Past" || u.Temporal.Category == "Before" || (u.Temporal.Category == "" && historyCue.MatchString(u.Question)) {
		return 1
	}
	t, ok := date(published)
	if !ok {
		return 0.5
	}
	half := 5.0
	if u.Intent == research.TrendAnalysis || u.Temporal.Category == "Current" || u.Temporal.Category == "Recent" || u.Temporal.Category == "ThisYear" {
		half = 1
	}
	age := now.Sub(t).Hours() / (24 * 365.25)
	return math.Exp2(-math.Max(0, age) / half)
}

func date(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
