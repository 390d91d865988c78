package provenance

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// The flags of a source that its claims keep: who has a reason to say it so.
const (
	BiasSponsor  = "sponsor"            // it says that somebody paid for it, or earns from what it recommends
	BiasAdvocacy = "advocacy"           // its publisher works for a cause
	BiasOwn      = "own product"        // its publisher is what the question asks about
	BiasSingle   = "single perspective" // it calls itself somebody's opinion
)

var (
	// paid are the words by which a page says so of itself; each names the page or its links, so that a text about advertising is not caught.
	paid = regexp.MustCompile(`(?i)\b(?:(?:this|the following) (?:article|post|page|content|story|video|review) (?:is|was|has been) (?:sponsored|paid for|presented|brought to you|produced in partnership)\b|(?:sponsored|paid|branded|partner) (?:content|post|article|partnership)(?:\s*$|\s*[|:.·–—-]| by\b)|advertorial\b|paid partnership\b|` +
		`(?:we|i|the author|(?:this|our) (?:site|page|article|post|website)) (?:may |might )?(?:earn|receive|get|contains?|includes?|uses?)s? (?:an? |small |any )*(?:affiliate|commission|compensation)|(?:contains?|includes?) (?:\w+ )?affiliate links?\b|as an amazon associate\b|in paid partnership with\b)|` +
		`本文(?:由|为|系|是)[^。，]{0,12}(?:赞助|推广|广告|软文)|(?:赞助内容|推广内容|商业推广|广告合作)(?:$|[\s：:。|])`)
	// own are words by which a page calls itself somebody's opinion, in its title or at its head.
	ownView    = regexp.MustCompile(`(?i)^\s*(?:opinion|op-ed|editorial|commentary|column|letter to the editor|guest (?:essay|column)|my view|viewpoint|perspective|观点|社论|评论|时评|短评|来论)\s*(?:[|:：–—-]|$)|[|–—:]\s*(?:opinion|op-ed|editorial|commentary|viewpoint)\s*$`)
	ownViewURL = regexp.MustCompile(`(?i)/(?:opinions?|op-ed|editorials?|commentisfree|comment|columnists?|letters|viewpoints?|guest-essays?|pinglun|guandian)/`)
	ownWords   = regexp.MustCompile(`(?i)\b(?:in my (?:humble |own )?opinion|the (?:views|opinions) expressed (?:in this (?:article|post|column|piece)|here(?:in)?|are)|opinions (?:expressed|are) (?:are )?(?:solely |strictly )?(?:those of|my own)|views are my own)\b|(?:本文|文章)(?:仅|只)?代表作者(?:本人|个人)?(?:的)?(?:观点|意见)|仅代表个人观点`)
)

// biasEnds is how much of the head and of the foot of a text is looked at for such words, in bytes.
const biasEnds = 2500

// Bias tells which of the flags a document has, in their order. names are what the question asks about.
func Bias(d research.Document, origin research.Origin, names []string) []string {
	var out []string
	ends := d.Title + "\n" + endsOf(d.Text)
	if paid.MatchString(ends) {
		out = append(out, BiasSponsor)
	}
	if origin == research.Advocacy {
		out = append(out, BiasAdvocacy)
	}
	if ofItself(d, names) {
		out = append(out, BiasOwn)
	}
	if ownView.MatchString(d.Title) || strings.Contains(d.Location, "://") && ownViewURL.MatchString(d.Location) || ownWords.MatchString(ends) {
		out = append(out, BiasSingle)
	}
	return out
}

// endsOf is the head and the foot of a text.
func endsOf(s string) string {
	if len(s) <= 2*biasEnds {
		return s
	}
	from, to := biasEnds, len(s)-biasEnds
	for !utf8.RuneStart(s[from]) {
		from--
	}
	for !utf8.RuneStart(s[to]) {
		to++
	}
	return s[:from] + "\n" + s[to:]
}

// ofItself reports whether the publisher of a page of the web is called like what the question asks about. Public bodies, universities,
// and works of reference speak of themselves too, but do not sell it.
func ofItself(d research.Document, names []string) bool {
	if origin, _ := OriginOf(d); !strings.Contains(d.Location, "://") || origin == research.Government || origin == research.Academic || origin == research.Reference && !d.Own {
		return false
	}
	label, _, _ := strings.Cut(text.RegistrableDomain(HostOf(d.Location)), ".")
	for _, n := range names {
		if n = plainName(n); utf8.RuneCountInString(n) >= 3 && (n == plainName(label) || n == plainName(d.Publisher)) {
			return true
		}
	}
	return false
}

// plainName is a name without its spaces, signs and case.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// BiasWords says flags in words for a note.
func BiasWords(flags []string) string {
	said := map[string]string{
		BiasSponsor: "it is paid for or earns by what it recommends", BiasAdvocacy: "its publisher works for a cause",
		BiasOwn: "its publisher writes of itself", BiasSingle: "it is one person's opinion",
	}
	var out []string
	for _, f := range flags {
		out = append(out, said[f])
	}
	return strings.Join(out, ", ")
}

// filler are turns that say nothing and that texts made for search engines are full of. One is no fault; their share of the sentences is.
var filler = regexp.MustCompile(`(?i)\bin today(?:'s|’s) (?:\w+[- ]){0,3}(?:world|age|era|landscape|society|environment|market)\b|\b(?:it is|it's|it’s) (?:important|worth|essential|crucial|vital) (?:to (?:note|remember|understand|mention|keep in mind)|noting|mentioning|remembering)\b|\bwhen it comes to\b|\blook no further\b|\bunlock(?:ing)? the (?:\w+ )?(?:power|potential|secrets?)\b|\bgame[- ]changer\b|` +
	`\bwhether you(?:'re|’re| are) (?:a |an )?\w+(?: \w+)? or\b|\bin this (?:article|post|guide|blog|blog post|comprehensive guide),? (?:we|i)(?:'ll|’ll| will| are going to)\b|\blet(?:'s|’s) (?:dive|delve|take a (?:closer |deeper )?look|explore|get started)\b|\bin conclusion\b|\bat the end of the day\b|\bneedless to say\b|\bplays? an? (?:crucial|vital|pivotal|important|key|significant) role\b|\bever[- ](?:evolving|changing|growing)\b|\ba (?:rich )?tapestry of\b|\bdelve (?:in)?to\b|\btake (?:your|it) \w*(?: \w+)? ?to the next level\b|\bone of the most (?:important|popular|common)\b|\bthe world of\b|\bhas become increasingly (?:important|popular)\b|\bread on to (?:learn|find out|discover)\b|` +
	`众所周知|随着(?:科技|社会|时代|互联网|人工智能|经济)[^，。]{0,10}(?:发展|进步)|在当今(?:社会|世界|时代)|总而言之|综上所述|值得注意的是|不容忽视|起着?(?:至关重要|重要|关键)的?作用|本文将(?:为您|带您|详细|深入)|让我们(?:一起)?(?:来)?(?:看看|了解|探讨)|接下来(?:小编|我们)`)

// fillerStems are parts of the turns, in small letters, of which each turn holds one. The search for the turns is slow, and few texts
// have as many stems as it takes.
var fillerStems = fillerParts()

func fillerParts() []string {
	out := []string{"in today's", "in today’s", "when it comes to", "look no further", "unlock the", "unlocking the", "game-changer", "game changer", "in conclusion", "at the end of the day",
		"needless to say", "tapestry of", "delve to", "delve into", "next level", "one of the most", "the world of", "increasingly", "read on to", "whether you're", "whether you’re", "whether you are",
		"in this article", "in this post", "in this guide", "in this blog", "in this comprehensive",
		"众所周知", "随着", "在当今", "总而言之", "综上所述", "值得注意的是", "不容忽视", "作用", "本文将", "让我们", "接下来"}
	for _, more := range []struct{ before, after []string }{
		{[]string{"it is ", "it's ", "it’s "}, []string{"important ", "worth ", "essential ", "crucial ", "vital "}},
		{[]string{"let's ", "let’s "}, []string{"dive", "delve", "take a", "explore", "get started"}},
		{[]string{"crucial", "vital", "pivotal", "important", "key", "significant"}, []string{" role"}},
		{[]string{"ever-", "ever "}, []string{"evolving", "changing", "growing"}},
	} {
		for _, a := range more.before {
			for _, b := range more.after {
				out = append(out, a+b)
			}
		}
	}
	return out
}

// mayBeFiller reports whether a text holds as many stems as it takes turns to be called filler.
func mayBeFiller(s string) bool {
	s = strings.ToLower(s)
	n := 0
	for _, stem := range fillerStems {
		if n += strings.Count(s, stem); n >= leastFiller {
			return true
		}
	}
	return false
}

// A text is called filler from three such turns on, when at least this share of its sentences has one.
const (
	leastFiller = 3
	fillerShare = 0.08
	// fillerCost is what the completeness loses for each share of filler, mostFiller the most it loses.
	fillerCost = 3
	mostFiller = 0.6
	// fillerBytes is how much of a text is looked at.
	fillerBytes = 200_000
)

// Filler tells how full a text is: 1, or less the more of its sentences hold turns that say nothing; then with the words for a note.
func Filler(s string) (said string, full float64) {
	s = strings.ToValidUTF8(s[:min(len(s), fillerBytes)], "")
	if !mayBeFiller(s) || len(filler.FindAllStringIndex(s, leastFiller)) < leastFiller {
		return "", 1
	}
	sentences := text.Sentences(s)
	with := 0
	first := ""
	for _, sp := range sentences {
		if m := filler.FindString(s[sp.Start:sp.End]); m != "" {
			if with++; first == "" {
				first = m
			}
		}
	}
	share := float64(with) / float64(max(1, len(sentences)))
	if with < leastFiller || share < fillerShare {
		return "", 1
	}
	return strconv.Itoa(with) + " of its " + strconv.Itoa(len(sentences)) + " sentences are filler such as " + strconv.Quote(first), 1 - min(mostFiller, fillerCost*share)
}
