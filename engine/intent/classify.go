package intent

import (
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// maxClassified bounds in bytes how much of a question is looked at for its kind.
const maxClassified = 2000

// Classify returns the intent of a question and how sure the rules are, below 0.6 when none spoke plainly.
func Classify(question, lang string) (research.Intent, research.Ratio) {
	question = strings.ToValidUTF8(question[:min(len(question), maxClassified)], "")
	rules := english
	if lang == "zh" {
		rules = chinese
	}
	q := understood(question, lang)
	for _, r := range rules {
		if r.speaks(q) {
			return r.intent, research.MustDecimal(r.conf)
		}
	}
	if len(text.Terms(question, lang)) <= 3 {
		return research.Comprehensive, research.MustDecimal("0.5") // a bare topic
	}
	return research.FactQuery, research.MustDecimal("0.5")
}

// asking is a question as the rules look at it, in lower case and without what it quotes.
type asking struct {
	all   string // all of it
	main  string // the sentence that asks, without a clause before it: "if it rains, why ..." is "why ..."
	asks  int    // how many question words begin a part of it
	parts int    // how many parts are to be answered
}

// rule speaks for an intent when its pattern matches and its exception does not; the first rule that speaks wins, with the
// confidence it has earned.
type rule struct {
	name   string
	intent research.Intent
	conf   string
	all    bool              // the patterns look at the whole question, else at its main sentence
	yes    *regexp.Regexp    // nil for any
	no     *regexp.Regexp    // nil for none
	also   func(asking) bool // nil for always
}

func (r rule) speaks(q asking) bool {
	s := q.main
	if r.all {
		s = q.all
	}
	return (r.yes == nil || r.yes.MatchString(s)) && (r.no == nil || !r.no.MatchString(q.main)) && (r.also == nil || r.also(q))
}

// anyOf matches any of the patterns.
func anyOf(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?:` + strings.Join(patterns, `|`) + `)`)
}

var (
	quoted   = regexp.MustCompile("\"[^\"]*\"|“[^”]*”|``.*?''|《[^》]*》")
	tokens   = strings.NewReplacer("’", "'", " 's", "'s", " n't", "n't", " ?", "?", " ,", ",", " :", ":")
	sentence = regexp.MustCompile(`\x00|\.\.+`)
	stop     = regexp.MustCompile(`([\pL\d]{3,}[)"']?)[.!]+\s+`) // not "U.S. president"
	asker    = regexp.MustCompile(`^(?:(?:please|so|ok|hi|hello)[, ]+)*(?:(?:do|does|can|could|would) (?:you|anyone|anybody|any (?:one|body)|someone)(?: please)? (?:know|tell me|explain)|any(?:one| ?body) (?:know|now)s?|i (?:want|would like|need) to know|i wonder|tell me) (?:about )?`)
	lead     = regexp.MustCompile(`^(?:[^?]*?[,:;] |(?:if|when|while|since|because|although) [^?]*? )(?:then |so |and |but |i wonder, )*((?:(?:by|in|at|from|to|of|with|on|for) (?:what|which|whom)|why|how|what|which|who|whom|whose|where|when|should|` + aux + `)\b.*)`)
	part     = regexp.MustCompile(`(?:^|[,;:?] (?:and |or )?|\band )(?:(?:to|at|in|on|for|by|from|of|with) )?(?:how|what|which|who|whom|whose|where|when|why)\b`)
	partZH   = regexp.MustCompile(`谁|何时|什么时候|哪|多少|多大|多长|多高|几[年个位]|为什么|为何|什么|如何|怎`)
)

// understood prepares a question for the rules.
func understood(question, lang string) asking {
	s := strings.ToLower(tokens.Replace(question))
	s = strings.Join(strings.Fields(quoted.ReplaceAllString(s, " ")), " ")
	q := asking{all: s, main: s, parts: len(Facets(question, lang))}
	if lang == "zh" {
		// What stands before a colon is a lead-in, when questions follow.
		if _, rest, ok := strings.Cut(s, "："); ok && partZH.MatchString(rest) {
			q.main = rest
		}
		q.asks = len(partZH.FindAllString(q.main, -1))
		return q
	}
	q.asks = len(part.FindAllString(s, -1))
	for _, p := range sentence.Split(stop.ReplaceAllString(strings.ReplaceAll(s, "?", "?\x00"), "$1\x00"), -1) {
		if p = strings.TrimSpace(p); strings.HasSuffix(p, "?") {
			q.main = p
			break
		}
	}
	q.main = strings.TrimLeft(q.main, " '`([-,")
	q.main = strings.TrimPrefix(q.main, asker.FindString(q.main))
	if m := lead.FindStringSubmatch(q.main); m != nil && !opens.MatchString(q.main) {
		q.main = m[1]
	}
	return q
}

// opens is a question that begins with the words that ask.
var opens = regexp.MustCompile(`^(?:why|how|what|which|who|whom|whose|where|when (?:is|are|was|were|do|does|did|will|can|should)|name|list|should|` + aux + `)\b`)

// Parts of the patterns.
const (
	be   = `(?: is| are| was| were|'s|s|'re)`
	aux  = `(?:is|are|was|were|am|do|does|did|can|could|will|would|has|have|had|may|might|must|isn't|aren't|don't|doesn't|can't)`
	much = `how (?:many|much|old|long|large|big|often|far|tall|high|wide|deep|heavy|fast|hot|cold|loud|close|late|early|rich|small|short|thick|accurate|strong|soon)`
	more = `(?:better|worse|larger|bigger|smaller|faster|slower|cheaper|stronger|safer|more \w+|less \w+)`
	best = `(?:best|worst|coolest|sexiest|nicest|greatest|favou?rite|most (?:disappointing|overrated|underrated|beautiful|interesting|hyped|effective))`
	what = `^(?:the )?what\w*(?: exactly| really)?` + be + ` (?:the |some |a |an )?`
)

// english are the rules for English, in order: first what a question says outright, then what ought to be, causes, what one
// word or number answers, and the rest. The words are general; their order and exceptions were measured on questions with
// labels.
var english = []rule{
	{name: "survey", intent: research.Comprehensive, conf: "0.7", all: true, yes: anyOf(
		`\boverview\b`, `\bsurvey of\b`, `\b(?:do we know|is known) about\b`, `\bstate of the art\b`, `\beverything (?:about|there is)\b`,
		`\bcomprehensive`, `\bin detail\b`, `\blandscape of\b`, `^(?:please )?tell me about\b`)},
	{name: "forecast", intent: research.Prediction, conf: "0.8", all: true, yes: anyOf(
		`\bforecasts?\b`, `\boutlook (?:for|on)\b`, `\bpredictions? (?:for|about|of|on)\b`, `\bby 20[3-9]\d\b`, `\bthe future of\b`, `^how soon\b`,
		`\bin the (?:coming|next) (?:\w+ )?(?:years|decades?)\b`)},
	{name: "difference", intent: research.Comparison, conf: "0.8", all: true,
		yes: anyOf(
			`\bdiff?er[ae]n\w* (?:\w+ ){0,4}between\b`, `\bdifferences? (?:of|in \w+(?: \w+){0,2} (?:between|among))\b`, `\bdi+f+er[ea]nt (?:from|to|than)\b`, `^how different\b`,
			`^how (?:do(?:es)?|did|would) .*\b(?:differs?|compare)\b`, `\bcompar(?:e[sd]? (?:to|with|the|favou?rably|against)|isons? (?:of|between|with))\b`, `^compare\b`, `(?: |^)(?:versus|vs\.?)(?: |$)`,
			`\bpros and cons\b`, `\badvantages? (?:of .* )?over\b`, `\bby what factor\b`, `\bimproves? on\b`, `\b`+more+` than\b`, `\bwith(?:out)? .*\band with(?:out)?\b`, `\bbefore and after\b`),
		no: anyOf(
			`^(?:why|how come|who|whom|where|when|should|compared|any)\b`, `^`+aux+` .*\b`+more+` than\b`, `\bshould\b`, `\bwhom\b`,
			`\b(?:more|less|larger|bigger) than (?:\d|a|one|two|twice|three|half|life)`, `\bmore so than\b`, `\bvs?\.? \w+ (?:decision|case|ruling|trial)\b`)},
	{name: "the same measure twice", intent: research.Comparison, conf: "0.8", also: measuredTwice},
	{name: "trend", intent: research.TrendAnalysis, conf: "0.7", all: true, yes: anyOf(
		`\btrends?\b`, `\bdevelop(?:ed|ment)? over\b`, `\bevol(?:ve[sd]?|ving|ution of the)\b`, `\bover (?:the )?(?:years|time|decades|last|past|its first)\b`,
		`^how (?:has|have|did)\b.* (?:changed?|develop(?:ed)?|gr[eo]wn?)\b`, `^(?:did|has|have) .* (?:grow|grown|shrink|shrunk|rise|risen|fall|fallen) (?:between|since|from)\b`,
		`\bsince .* again\b`, `^how (?:has|have)\b.*\bsince\b`, `^(?:the )?history of\b`, `^in the history of\b`)},
	{name: "ought", intent: research.Comprehensive, conf: "0.8",
		yes: anyOf(`^(?:who |what |which |how )?(?:should|shoud|ought)\b`, `\bshould (?:we|i|you|one|people|governments?|society|companies|schools|countries|parents|children|the|all|there|an?)\b`),
		no:  anyOf(`\b`+much+`\b`, `^why\b`)},
	{name: "three questions", intent: research.Comprehensive, conf: "0.7", also: func(q asking) bool { return q.asks > 2 }},

	{name: "why", intent: research.CausalAnalysis, conf: "0.8",
		yes: anyOf(`^(?:\w+ ){0,6}?(?:why|how come)\b`, `\bwhy\?*$`), no: anyOf(`^(?:who|what|where|when|which|do you)\b`)},
	{name: "what makes", intent: research.CausalAnalysis, conf: "0.8",
		yes: anyOf(
			`^(?:for )?(?:what|which)(?:ever)? (?:exactly |really |else |event \w.*|advantage |problem .*|factors? |things? |actually )?`+
				`(?:causes?|caused|made|makes|triggers?|triggered|prompted|motivated|led to|leads to|contributed? to|contributes to|drives|drove|stops|prevents)\b`, `\bwhat problems? contributed\b`),
		no: anyOf(`\bwhat (?:is|was) made\b`, `\bmakes? up\b`, `\bmade (?:up|of|from|by|in)\b`)},
	{name: "cause or purpose", intent: research.CausalAnalysis, conf: "0.8",
		yes: anyOf(
			what+`(?:[\w']+ ){0,3}(?:causes?|reasons?|purposes?|functions?|rationale|motives?|explanation|factors? (?:\w+ ){0,2}(?:leading|contributing|behind))(?: and effects)? (?:of|for|to|behind|why|that|leading|contributing)\b`,
			`^what (?:function|purpose|role|reason)s? (?:do|does|did)\b`, `^(?:the )?(?:causes?|reasons?|purpose|influences?|effects?)(?: and effects)? (?:of|for)\b`, what+`.*\b(?:causes?|caused by|reason|known for|famous for|for)\?*$`,
			`\b(?:famous|known|noted) for what\b`, what+`claim to fame\b`, what+`(?:\w+ )?(?:effects?|impacts?|affects?|consequences?) of\b`, `^what is wrong with\b`, `\bwhat effects? (?:do|does|did|has|have)\b`,
			`\b(?:for|from) (?:what|which) (?:reason|cause|purpose)\b`, `^give (?:a|the) reasons?\b`, `^what \w+ caused\b`),
		no: anyOf(`^how\b`, `\bside effects?\b`, `\b(?:used|looking|look|stand|stands|standing|word|name|called|term|symbol|abbreviation|formula) for\?*$`)},

	{name: "best", intent: research.Comprehensive, conf: "0.7",
		yes: anyOf(
			`^(?:what|which|who)(?:'s| is| are| was| were) (?:\w+ ){0,2}?`+best+`\b`, `\byour (?:favou?rite|review|opinion|view|thoughts|experience|advice)\b`,
			`\b(?:recommend(?:ed|s)?|advise|suggestions?)\b`, `\bworth (?:it|living|buying|doing|watching)\b`, `^(?:which|what|who) (?:[\w'-]+ ){0,6}is (?:the )?(?:better|best)\b`, `\bhas the best (?:chance|shot)\b`),
		no: anyOf(`\bbest[- ](?:selling|known|seller|actor|actress|picture|director|supporting|player|friend|western|buy)\b`)},
	{name: "one word or number", intent: research.FactQuery, conf: "0.8", yes: anyOf(
		`^(?:(?:about|approximately|roughly|exactly|at|in|on|by|for|from|to|of|with|under|after|during|within|since|until|than) )*` +
			`(?:` + much + `|what (?:year|date|day|time|month|century|decade|age|percent\w*|number|share)|when|where|who|whom|whose)\b`)},
	{name: "several parts", intent: research.Comprehensive, conf: "0.7", yes: anyOf(`^(?:how|describe)\b`, `^what (?:are|were) the (?:main |new |major )?\w+s (?:of|in|for)\b`), also: func(q asking) bool { return q.parts > 2 }},
	{name: "how it works", intent: research.Comprehensive, conf: "0.7",
		yes: anyOf(`^how (?:does|do (?:the|these|those|our|your|some|people|\w+s)|is it that|can the|could) \w+`, `^how (?:a|an|the|\w+s) .*\b(?:works?|forms?|functions?|happens?)\?*$`, `^(?:briefly )?(?:explain|describe|discuss|write|define|understand)\b`, `^what (?:will )?happens? (?:if|when|to)\b`),
		no:  anyOf(`^how (?:does|do) (?:one|a person|someone|this)\b.*\b(?:get|find|make|contact|apply|write)\b`, `\bget (?:its|their|his|her) name\b`, `^how do(?:es)? .* (?:say|spell|spelled|pronounce)\b`)},
	{name: "how it is", intent: research.Comprehensive, conf: "0.7",
		yes: anyOf(`^how (?:good|well|interesting|reliable|comfortable|easy|useful)\b`, `^how (?:do|would|could|can|did) you (?:rate|feel|like|describe|find|think)\b`,
			`^how (?:is|are|was|were) (?:it )?(?:the |a |an |your )?\w+(?: \w+)?\?*$`, `^how about\b`, `^what (?:do|would) you (?:do|think|recommend|suggest|prefer)\b`),
		no: anyOf(`^how (?:are|is|was|were) .*(?:made|done|formed|called|created|used|\w+ed)\?*$`)},
	{name: "good and bad", intent: research.Comprehensive, conf: "0.7", yes: anyOf(
		what+`(?:\w+ )?(?:benefits?|advantages?|disadvantages?|drawbacks?|risks?|implications?|principles|challenges|ethics|arguments|evidence|symptoms|facts (?:about|against|for))\b`, `\bwhat evidence\b`)},
	{name: "term", intent: research.Comprehensive, conf: "0.7",
		yes: anyOf(`^(?:the )?(?:definitions?|meanings?|symptoms|benefits|advantages|disadvantages) (?:of|for|in|by)?\b`, `\b(?:benefits|symptoms)(?: (?:in|of|for|by) [^?]{1,40})?$`, `^(?:\S+ ){0,6}(?:definitions?|meanings?)\b(?: \S+){0,6}$`, `^(?:the )?importance of\b`),
		no:  anyOf(`\b(?:what|who|which|where|when|how)\b`, `^`+aux+`\b`)},
	{name: "will", intent: research.Prediction, conf: "0.8", yes: anyOf(`^will\b`, `^what will\b`), no: anyOf(`^will (?:there be|i|you|my)\b`)},

	{name: "yes or no, by judgement", intent: research.Comprehensive, conf: "0.7", yes: anyOf(`^` + aux + `\b`), also: func(q asking) bool { return judged(q.main) }},
	{name: "yes or no", intent: research.FactQuery, conf: "0.7", yes: anyOf(`^` + aux + `\b`)},
	{name: "which or what", intent: research.FactQuery, conf: "0.8", yes: anyOf(`\b(?:which|what|who|whom|whose|when|where|how)\b`, `^(?:name|list)\b`)},
}

// measures finds the questions for a quantity.
var measures = regexp.MustCompile(`\b` + much + `\b`)

// measuredTwice reports whether a question asks for the same measure twice, and for nothing else: how many of this, and how
// many of that.
func measuredTwice(q asking) bool {
	m := measures.FindAllString(q.all, -1)
	return len(m) == 2 && m[0] == m[1] && q.asks == 2
}

// chinese are the rules for Chinese.
var chinese = []rule{
	{name: "survey", intent: research.Comprehensive, conf: "0.7", all: true, yes: anyOf(`综述|概述|概况|全面|详细|现状|介绍一下`)},
	{name: "forecast", intent: research.Prediction, conf: "0.8", yes: anyOf(`预测|未来|将会|展望|前景`)},
	{name: "difference", intent: research.Comparison, conf: "0.8", yes: anyOf(`相比|比较|对比|区别|差异|差别|优于|有何不同|有什么不同|哪个更|孰`)},
	{name: "trend", intent: research.TrendAnalysis, conf: "0.7", yes: anyOf(`趋势|发展|演变|变化|历年|逐年|增长|旧版.*新版`)},
	{name: "ought", intent: research.Comprehensive, conf: "0.8", yes: anyOf(`应该|应不应|该不该|是否应|是否值得|值得吗|利弊|利大于弊|好不好`)},
	{name: "three questions", intent: research.Comprehensive, conf: "0.7", also: func(q asking) bool { return q.asks > 2 }},
	{name: "why", intent: research.CausalAnalysis, conf: "0.8", yes: anyOf(`为什么|为何|为啥|原因|导致|造成|影响|作用是什么|难在`)},
	{name: "one word or number", intent: research.FactQuery, conf: "0.8", yes: anyOf(`谁|何时|什么时候|哪|多少|多大|多长|多高|多久|几`)},
	{name: "how it works", intent: research.Comprehensive, conf: "0.7", yes: anyOf(`原理|机制|(?:如何|怎么|怎样)(?:工作|运作|运行|形成|产生)|优点|缺点|好处|坏处`)},
	{name: "what", intent: research.FactQuery, conf: "0.7", yes: anyOf(`什么|吗|是否|何`)},
}
