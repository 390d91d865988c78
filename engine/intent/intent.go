// Package intent works out by rules what a question asks: the kind of question, its parts, what kind of expression would
// answer each, exact identifiers, how much work it deserves, and the queries of the ten angles.
//
// Start at [Understand]. A model may fill what the rules leave open; what it says is decided on by the engine.
package intent

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// Understand reads a question. now is the run's clock; depth sets the budget together with the complexity.
func Understand(question, lang string, shape research.Shape, depth research.Depth, now time.Time) research.Understanding {
	question = strings.Join(strings.Fields(question), " ")
	if lang == "" || lang == "auto" {
		if lang = text.Lang(question); lang != "zh" {
			lang = "en"
		}
	}
	u := research.Understanding{Question: question, Lang: lang}
	u.Intent, u.IntentConfidence = Classify(question, lang)
	u.Temporal = temporal.Parse(question, now, lang)
	u.Identifiers = Identifiers(question)
	var rest string // of the question, without what it leaves out: that is not looked for
	u.Scope, rest = limits(question, lang)
	u.Entities = entities(rest, u.Scope)
	u.Terms = unique(text.Terms(rest, lang))
	u.Facets = Facets(rest, lang)
	u.Shape = ShapeOf(u, shape)
	u.Domain = Domain(question)
	u.Complexity = Complexity(u, question)
	u.Strategy = strategy(u.Intent)
	u.Budget = BudgetFor(depth, u.Complexity)
	return u
}

func strategy(i research.Intent) string {
	switch i {
	case research.TrendAnalysis:
		return "TemporalAnalysis"
	case research.Comparison:
		return "ComparativeAnalysis"
	case research.CausalAnalysis:
		return "CausalChain"
	case research.Comprehensive, research.Prediction:
		return "MultiStepResearch"
	}
	return "DirectVerification"
}

// turning are verbs of doing more or less of something, as a question has them; whether that is so is what people contest.
const turning = `cause|harm|help|improve|reduce|increase|work|cut|lower|raise|boost|shorten|lengthen|worsen|damage|hurt|prevent|protect|benefit|weaken|strengthen|endanger|decrease|lead to|result in`

var contestedEN = regexp.MustCompile(`(?i)^\s*(?:should|ought)\b|\bshould (?:we|the|governments?|countries|schools?|companies|people|there)\b|^(?:does|do|can|could|did|will|would)(?:n['’]t)? .+ (?:` + turning + `)\b|\bis .+ (?:better|worse|safer|more \w+|overrated|harmful|worth(?:while)?|good|bad)\b.*\?|^is it (?:right|wrong|ethical|fair)\b`)
var contestedZH = regexp.MustCompile(`应该|应不应该|该不该|是否应|利大于弊|更好吗|有害吗|值得吗|(?:是否|能否|会不会|能不能|会|能|可以).{0,20}(?:导致|引起|造成|减少|降低|缩短|增加|提高|提升|延长|改善|损害|伤害|防止|预防|促进|加剧).*(?:吗)?[？?]|(?:导致|引起|造成|减少|降低|缩短|增加|提高|提升|延长|改善|损害|伤害|防止|预防|促进|加剧).*吗[？?]?`)

// openZH is a question for something else than yes or no.
var openZH = regexp.MustCompile(`什么|为何|谁|哪|多少|如何|怎|几`)

// openEN begins a question for something else than yes or no; "what should we do" is contested all the same.
var openEN = regexp.MustCompile(`(?i)^\s*(?:who|whom|whose|when|where|how (?:many|much|old|long|large|big|often|far|tall|high|deep)|what (?:year|date|day|number))\b`)

// ShapeOf is the form of a report: what the person said, else a debate for a proposition that people contest, a fact for a question that
// one word, number or statement answers, a survey for all else.
func ShapeOf(u research.Understanding, said research.Shape) research.Shape {
	if said == research.ShapeDebate || said == research.ShapeSurvey {
		return said
	}
	q := u.Question
	switch {
	case u.Lang == "zh" && contestedZH.MatchString(q) && !openZH.MatchString(q), u.Lang != "zh" && contestedEN.MatchString(q) && !openEN.MatchString(q):
		return research.ShapeDebate
	case u.Intent == research.FactQuery && (u.IntentConfidence.Cmp(sureIntent) >= 0 || oneWord(u.Facets)):
		return research.ShapeFact
	}
	return research.ShapeSurvey
}

// sureIntent is the confidence from which the rules spoke plainly, see [Classify].
const sureIntent = research.Ratio("0.6")

// oneWord reports whether every part of a question asks for a name, a date, a place or a figure.
func oneWord(fs []research.Facet) bool {
	for _, f := range fs {
		if f.Want == research.AnswerAny || f.Want == research.AnswerReason {
			return false
		}
	}
	return len(fs) > 0
}

var domains = []struct {
	name string
	re   *regexp.Regexp
}{
	{"policy", regexp.MustCompile(`(?i)\b(law|legal|regulat\w*|polic(?:y|ies)|government|court|tax|treaty|legislation)\b|法律|政策|监管|政府|法院`)},
	{"literature", regexp.MustCompile(`(?i)\b(stud(?:y|ies)|trial|meta-analysis|papers?|literature review|systematic review)\b|文献|论文|研究综述`)},
	{"industry", regexp.MustCompile(`(?i)\b(market|industry|supply chain|manufactur\w*|sector)\b|市场|行业|产业|供应链`)},
	{"enterprise", regexp.MustCompile(`(?i)\b(company|corporation|inc\.?|startup|firm's|shareholders?|revenue)\b|公司|企业|集团`)},
	{"technology", regexp.MustCompile(`(?i)\b(software|kernel|protocol|algorithm|format|linux|debian|package|server|network|hardware|image|model|gpu|cpu|file)\b|软件|硬件|网络|算法|协议|格式`)},
	{"person", regexp.MustCompile(`(?i)^who (?:is|was)\b|\bbiograph\w*\b|是谁|生平`)},
}

// Domain names the field of a question for the choice of templates and authorities; "general" when none is plain.
func Domain(question string) string {
	for _, d := range domains {
		if d.re.MatchString(question) {
			return d.name
		}
	}
	return "general"
}

var deepCue = regexp.MustCompile(`(?i)\b(in detail|detailed|comprehensive\w*|thorough\w*|explain|analy[sz]e|why|how does|mechanism)\b|详细|深入|全面|机制|为什么`)
var yearSpan = regexp.MustCompile(`\b(1[5-9]\d\d|20\d\d)\b`)

// Complexity is 0.4 min(1, facets/6) + 0.3 depth cue + 0.3 min(1, years/20) (CONTRACT section 3).
func Complexity(u research.Understanding, question string) research.Ratio {
	c := research.NewRatio(4, 10).Mul(research.NewRatio(int64(min(len(u.Facets), 6)), 6))
	if deepCue.MatchString(question) || u.Intent == research.Comprehensive {
		c = c.Add(research.NewRatio(3, 10))
	}
	lo, hi := 0, 0
	for _, y := range yearSpan.FindAllString(question, -1) {
		n := int(y[0]-'0')*1000 + int(y[1]-'0')*100 + int(y[2]-'0')*10 + int(y[3]-'0')
		if lo == 0 || n < lo {
			lo = n
		}
		hi = max(hi, n)
	}
	if hi > lo {
		c = c.Add(research.NewRatio(3, 10).Mul(research.NewRatio(int64(min(hi-lo, 20)), 20)))
	}
	return c
}

// BudgetFor is the table of CONTRACT section 3. A trivial question (complexity below 0.15) asks fewer angles and tasks than
// its depth would allow, and never a second gap round.
func BudgetFor(d research.Depth, complexity research.Ratio) research.Budget {
	var b research.Budget
	switch d {
	case research.Quick:
		b = research.Budget{SearchDepth: 1, Tasks: 4, GapRounds: 1, Sources: 12, FloorVoices: 5, FloorOrigins: 3, FloorOpposing: 1}
	case research.Deep:
		b = research.Budget{SearchDepth: 3, Tasks: 12, GapRounds: 2, Sources: 60, FloorVoices: 20, FloorOrigins: 4, FloorOpposing: 3}
	default:
		b = research.Budget{SearchDepth: 2, Tasks: 8, GapRounds: 2, Sources: 30, FloorVoices: 15, FloorOrigins: 4, FloorOpposing: 2}
	}
	b.QueriesPerGap = 4
	b.PassagesPerHit = 8
	if complexity.Cmp(research.NewRatio(15, 100)) < 0 {
		b.GapRounds = 1
	}
	return b
}

func entities(question string, scope *research.Scope) []research.Entity {
	out := []research.Entity{}
	seen := map[string]bool{}
	for _, n := range text.Names(question) {
		name := n.Text
		if first, rest, _ := strings.Cut(name, " "); leadVerbs[strings.ToLower(first)] { // "Compare Germany with ..."
			name = rest
		}
		if norm := text.Fold(name); name != "" && !seen[norm] {
			seen[norm] = true
			out = append(out, research.Entity{Text: name, Type: entityType(name, question)})
		}
	}
	if text.Lang(question) == "zh" && scope != nil { // no capitals mark a name there
		for _, c := range countries {
			if slices.Contains(scope.Countries, c.name) && strings.Contains(question, c.zh) {
				out = append(out, research.Entity{Text: c.zh, Type: "place"})
			}
		}
	}
	return out
}

func unique(in []string) []string {
	out, seen := []string{}, map[string]bool{}
	for _, s := range in {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
