package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

var processnarration = &Check{
	ID: "C12", Name: "processnarration", Title: "ProcessNarration", Tier: Completion, Class: Firm,
	Scope: sectionKeys, Eval: evalProcessNarration, Edit: editProcessNarration,
	Cap: 1, LifeCap: 3, Repair: []Action{Edit}, Terminal: Edit,
}

const (
	// narrationHead is how much of a sentence is looked at, in bytes: a plan is told at its beginning.
	narrationHead = 480
	// maxNarrated is the share of a section, in percent, above which cutting leaves too little and it is written again.
	maxNarrated = 40
	// maxAnnounced is the longest line, in characters, that only announces what comes.
	maxAnnounced = 120
)

// The forms of process narration. plan: the writer says what it will do or did to find things out, or announces the report;
// the sentence goes. lead: a sentence of substance opens with where the writer had it from; only the opening goes.
const (
	narratedPlan = "plan"
	narratedLead = "lead"
)

// narrated is one sentence of a text that tells of the work and not of the subject.
type narrated struct {
	span research.Span // what the edit takes out, white space after it included
	code string
	said string
}

func evalProcessNarration(v View, k Key) []Hit {
	s, _ := v.section(k)
	var hits []Hit
	all, cut := 0, 0
	for _, b := range s.Blocks {
		all += visibleRunes(b.Text)
		for _, n := range v.narration(b) {
			cut += visibleRunes(b.Text[n.span.Start:n.span.End])
			hits = append(hits, Hit{Where: b.ID, Code: n.code, What: fmt.Sprintf("it tells how the report was made: %q", head(n.said, 160))})
		}
	}
	if cut*100 > all*maxNarrated && v.hasCitable(s.Facets) {
		hits[0].Action = Rewrite
	}
	return hits
}

// editProcessNarration cuts the narration out; a block of which nothing is left goes.
func editProcessNarration(v View, k Key) View {
	return mapSection(v, k, func(b research.Block) (research.Block, bool) {
		for range 8 { // cutting an opening may bring another to the beginning
			list := v.narration(b)
			if len(list) == 0 {
				return b, true
			}
			for _, n := range slices.Backward(list) {
				rest := b.Text[n.span.End:]
				if n.code == narratedLead {
					rest = capitalised(rest)
				}
				b.Text = b.Text[:n.span.Start] + rest
			}
			if b.Text = strings.TrimSpace(b.Text); b.Text == "" {
				return b, false
			}
		}
		return b, len(v.narration(b)) == 0
	})
}

func capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// narration finds the sentences of a block that narrate. Quotations, tables, lists, and words that a source says are left
// alone, and so is a report whose question is about searching.
func (v View) narration(b research.Block) []narrated {
	if b.Kind == research.BlockTable || b.Kind == research.BlockQuote || !mayNarrate.MatchString(b.Text) {
		return nil
	}
	if (len(b.Claims) > 0 || len(b.Citations) > 0) && v.copied(b) {
		return nil
	}
	quotes := text.Quotes(b.Text)
	var out []narrated
	for _, span := range text.Sentences(b.Text) {
		sentence := b.Text[span.Start:span.End]
		if slices.ContainsFunc(quotes, func(q text.Quote) bool { return q.Start <= span.Start && span.Start < q.End }) ||
			wholeLine.MatchString(sentence) && !strings.Contains(sentence, "http") || strings.HasPrefix(sentence, "#") || strings.HasPrefix(sentence, ">") {
			continue
		}
		code, n := narrates(sentence)
		if code == "" || code == narratedLead && searchTopic.MatchString(v.Question) {
			continue
		}
		cut := research.Span{Start: span.Start, End: span.Start + n}
		for cut.End < len(b.Text) && strings.ContainsRune(" \t\n\r", rune(b.Text[cut.End])) {
			cut.End++
		}
		out = append(out, narrated{cut, code, sentence})
	}
	return out
}

// narrates classes one sentence and returns how many bytes of it the edit takes: all of a plan, the opening of a lead.
func narrates(sentence string) (code string, n int) {
	body := strings.TrimLeft(sentence, "*_ ")
	start := headBytes(body, narrationHead)
	short := utf8.RuneCountInString(start) <= maxAnnounced
	closes := strings.HasSuffix(strings.TrimRight(sentence, "*_ "), ":") || strings.HasSuffix(sentence, "：")
	switch {
	case planEN.MatchString(start), planZH.MatchString(start), enoughEN.MatchString(start), asideEN.MatchString(start), asideZH.MatchString(start):
		return narratedPlan, len(sentence)
	case short && announceZH.MatchString(start):
		return narratedPlan, len(sentence)
	case announceEN.MatchString(start):
		i := strings.IndexAny(start, ":：")
		if i < 0 && short || i >= 0 && strings.TrimSpace(start[i+1:]) == "" {
			return narratedPlan, len(sentence)
		}
		if i >= 0 && utf8.RuneCountInString(start[:i]) <= maxAnnounced {
			return narratedLead, len(sentence) - len(body) + i + 1
		}
	case short && closes && bareZH.MatchString(start):
		return narratedPlan, len(sentence)
	case bareSearchZH.MatchString(start):
		return narratedPlan, len(sentence)
	}
	for _, lead := range []*regexp.Regexp{leadEN, leadZH, limitZH} {
		if m := lead.FindStringIndex(start); m != nil {
			if strings.TrimSpace(body[m[1]:]) == "" {
				return narratedPlan, len(sentence)
			}
			return narratedLead, len(sentence) - len(body) + m[1]
		}
	}
	return "", 0
}

// headBytes returns the first n bytes of s at most, without half a character.
func headBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// mayNarrate holds the words without one of which no pattern below matches.
var mayNarrate = regexp.MustCompile(`(?i)\b(?:me|i|us|my|let['’]s|here(?:'s|’s| is| are)|user|gathered|collected|found|search\w*|next step|look\w*|time to|you|your|requested|would help|free to|hesitate|thought|action|observation|query|tool)\b|我|您|思考|下一步|如需|正在|搜|检索|查|收集|获取|找到|用户|[以下这]是|需要`)

// searchTopic is a question that is itself about searching: there a search result is the subject.
var searchTopic = regexp.MustCompile(`(?i)\bsearch(?:es|ing)?\b|搜索|检索|搜寻`)

// English. A plan is, after connectives and at most two introductory clauses, the first person with a word of intent and a
// verb of the trade of finding and writing. The plural counts only in the imperative and with verbs of searching: "let us
// consider two cases" is how a text speaks to its reader.
var (
	planEN = regexp.MustCompile(`(?i)^` + openEN + `(?:` +
		`(?:let me|allow me to|i(?:['’]ll| will| shall|['’]m going to| am going to|['’]m| am|['’]d like to| would like to|['’]ve| have)` + intentEN + `*|i` + intentEN + `+)` + adverbEN + workEN +
		`|(?:let['’]s|let us|we(?:['’]ll| will| need to| should)(?: now| first| next)?)` + adverbEN + searchEN + `)\b`)
	openEN = `(?:(?:ok(?:ay)?|great|good|perfect|excellent|alright|sure|certainly|of course|absolutely|yes|thanks|thank you|now|next|first(?:ly)?|second(?:ly)?|then|finally|also|so|lastly|meanwhile|additionally|and|but|however|hmm|wait)\b[,!.:;…–—-]*\s+){0,3}` +
		`(?:(?:to|for|in order to|before|after|since|given|as|based on|with|from|using|now that|in this (?:report|section))\b[^.!?\n:;]{1,160}[,–—]\s*){0,2}` +
		`(?:(?:now|next|first|then|finally|also|so)[,]?\s+)?`
	intentEN = `(?: (?:will|shall|need to|still need to|also need to|now need to|should|must|have to|want to|plan to|intend to|can now|can|could|going to|now|start by|begin by|try to|tried to))`
	adverbEN = `(?: (?:now|also|next|first|then|just|quickly|further|again|instead|briefly|carefully|start by|begin by|proceed to|try to|try|continue to|go ahead and|see if i can|do some|do a|run a|perform(?: a)?|conduct(?: a)?|make(?: a)?|take a|more|another|additional|one more|few more|a few|some|targeted|specific|final|quick|deeper|web))*`
	workEN   = ` (?:search(?:es|ing|ed)?|look(?:ing|ed)?(?: for| into| up| at| deeper| more closely)?|find(?:ing)?|gather(?:ing|ed)?|collect(?:ing|ed)?|check(?:ing|ed)?|verif(?:y|ying|ied)|double-check|cross-check|research(?:ing|ed)?|compil(?:e|ing|ed)|fetch(?:ing|ed)?|brows(?:e|ing|ed)|open(?:ing)?|dig(?:ging)?|explor(?:e|ing)|investigat(?:e|ing|ed)|examin(?:e|ing|ed)|review(?:ing|ed)?|query(?:ing)?|retriev(?:e|ing|ed)|obtain|get more|get additional|seek|writ(?:e|ing)|draft(?:ing)?|creat(?:e|ing)|prepar(?:e|ing|ed)|produc(?:e|ing)|put together|summari[sz](?:e|ing)|synthesi[sz](?:e|ing)|organi[sz](?:e|ing)|structur(?:e|ing)|provid(?:e|ing)|present|analy[sz](?:e|ing)|continu(?:e|ing)|proceed(?:ing)?|narrow|refin(?:e|ing)|learn more|know more|consult(?:ing)?|access(?:ing)?|scan(?:ning)?|(?:try|attempt|use|run) (?:a|another|one more|some|different|more|other|the)\b[^.\n]{0,30}?\b(?:quer(?:y|ies)|search(?:es)?|terms?|keywords?|approach|sources?|tool)|read(?:ing)? (?:the|through|more)|more (?:information|details?|specific|data)|information|details about)`
	searchEN = ` (?:search|look (?:for|up|into)|find (?:more|out|some|the|additional)|gather|collect|check (?:the|for|whether|if|some)|research|compile|fetch|browse|dig|query|retrieve)`

	// enoughEN is the search told when it is over, and the task told back.
	enoughEN = regexp.MustCompile(`(?i)^` + openEN + `(?:i (?:searched|looked|checked|reviewed|gathered|collected|found|located|could(?: not|n['’]t) find|did(?: not|n['’]t) find|was (?:not able|unable|able) to (?:find|locate|retrieve|access|verify))\b|i(?:['’]ve| have) (?:successfully )?(?:found|located|identified|traced)\b|i(?:['’]ve| have)?(?: now)?(?: have| got| gathered| collected| found| obtained)? (?:enough|sufficient|all the|a good (?:amount|understanding)|comprehensive|the necessary|plenty of)\b[^.\n]{0,60}\b(?:information|data|material|sources?|evidence|detail|picture|understanding|context)|(?:the )?user (?:asks|asked|wants|is asking|has asked|would like|requested)\b)`)

	// asideEN is the next step named, a step told without a person, the one who asked spoken to, what the search gave back, and the marks
	// of a loop of thought and action.
	asideEN = regexp.MustCompile(`(?i)^` + openEN + `(?:(?:my|the) (?:next|first|last|final) (?:step|task|move|search) (?:is|will be|would be) to` + adverbEN + workEN + `|(?:next|first|last|final) step:` + adverbEN + workEN +
		`|(?:now |next |then )?(?:searching|looking|browsing|checking|fetching|gathering|collecting|compiling|querying|retrieving|googling)(?: (?:for|up|into|through|at))? (?:the |for |more |newer |new |some |any |additional |other |latest |further |recent )[^.!?\n]{2,80}(?:now|next|first|again|\.{3}|…|:)?[.:…]*$` +
		`|(?:it['’]s |it is )?time to` + adverbEN + workEN + `|(?:i was|i['’]ve been|i have been|i am|i['’]m)(?: being)? (?:asked|told|instructed|tasked|requested)\b|you(?:['’]ve| have)? (?:asked|requested|wanted|want(?:ed)? (?:me|to know))\b|your (?:question|request|query) (?:is|was|asks|asked|concerns|about)\b|(?:as|per) (?:you )?(?:requested|your request|you asked|instructed)\b` +
		`|(?:i )?hope (?:this|that|you|it)\b[^.!?\n]{0,60}\b(?:help\w*|useful|find|answers?|informative)|(?:please )?(?:let me know|feel free to (?:ask|reach|contact|request|let me)|do(?:n['’]t| not) hesitate to)\b|(?:would you like|do you want|shall i|should i|want) me to\b|(?:shall|should) i\b` +
		`|(?:the|my|this|that|a|an?other) (?:first |second |last |web |quick |initial |further )?(?:search|query|tool(?: call)?)(?: results?)? (?:returned|gave|turned up|brought up|yielded|came back|found|shows?|showed|revealed|did(?:n['’]t| not) (?:return|find|turn))\b[^.!?\n]{0,60}\b(?:nothing|no |none|anything|several|some|few|many|pages?|results?|articles?|sources?|hits?|links?|useful|relevant)` +
		`|(?:none|some|most|all|many|few|one|several) of (?:the|these|those) (?:pages?|sources?|articles?|results?|documents?|links?) (?:that )?(?:i|we) (?:have )?(?:opened|read|found|checked|visited|looked at|reviewed|consulted|searched)\b|(?:having|after) (?:gathered|collected|searched|found|read|reviewed|gathering|collecting|searching|finding|reading|reviewing)\b[^.!?\n]{0,80}, i\b|with (?:these|this|those|all) (?:sources?|data|information|figures|material|results?)[^.!?\n]{0,30}, i\b` +
		`|it (?:would|might|may) (?:also )?(?:help|be (?:useful|good|worth\w*|best|helpful)) to` + adverbEN + workEN + `|(?:thought|action input|tool call|final answer|search query)\s*:\s|action\s*:\s*\w+\s?[(\[])`)

	// announceEN is a line that hands the report over. Reports open with substance.
	announceEN = regexp.MustCompile(`(?i)^` + openEN + `(?:here(?:['’]s| is| are)|below (?:is|you(?:['’]ll| will) find)|the following is|i(?:['’]m| am) (?:happy|pleased) to)\b[^.\n]{0,60}\b(?:report|summary|analysis|overview|answer|response|findings|draft|write-up|breakdown)\b`)

	// leadEN is the opening that names the writer's own search as the source.
	leadEN = regexp.MustCompile(`(?i)^(?:based on|according to|from|drawing on|as per|per) (?:(?:my|our) (?:\w+ ){0,2}(?:research|search(?:es)?|findings|analysis|investigation|review|results)|the (?:web )?(?:search results?|searches)|(?:all )?the (?:\w+ )?(?:information|data|sources|material|evidence|results) (?:that )?(?:i(?:['’]ve| have)? |we(?:['’]ve| have)? )(?:gathered|found|collected|retrieved|reviewed)|the (?:information|sources|results) (?:gathered|retrieved))(?: (?:so far|above|i conducted|conducted))?[^.,\n]{0,40}[,:]\s*`)
)

// Chinese. The first person singular with a verb of finding or writing; the plural only in the imperative with a verb of
// searching; no person at all where the line is an order to search.
var (
	planZH = regexp.MustCompile(`^` + openZH + `(?:` +
		`(?:请?让我|容我|请允许我|我)` + intentZH + `{1,8}?` + workZH +
		`|让我们?` + intentZH + `{0,6}?` + searchZH +
		`|让我` + intentZH + `{0,6}?` + workZH +
		`|我[^们国的，。；：！？\n]{0,14}?(?:搜索|检索|查询|查找|查阅|调研|搜集|收集|撰写|找到|获取)` +
		`|我(?:还|也|仍|现在)?需要` + intentZH + `{0,4}(?:更多|更具体|更详细|具体|详细|额外|其他)[^。\n]{0,80}(?:信息|资料|数据|细节|内容|文献)` +
		`|(?:我|我们)(?:已经?|目前已?|现在已?)(?:搜索|搜集|收集|检索|查阅|获取|获得|掌握|找到)了?` + `)`)
	openZH = `(?:(?:好的|好|当然|首先|其次|接下来|接着|然后|随后|现在|目前|下面|最后|此外|另外|同时|不过|那么|嗯)[，,、：:！!。]?\s*){0,3}` +
		`(?:[^。！？\n]{1,80}[，,]\s*){0,2}` +
		`(?:(?:接下来|然后|现在|下面|最后|首先|此外|同时)[，,]?\s*)?`
	intentZH = `(?:为您|给您|为你|给你|为大家|向您|还|也|再|就|先|来|去|将|会|要|需要|想要|想|打算|准备|计划|希望|可以|能够|应该|必须|正在|继续|进一步|更深入地?|深入地?|更加?|具体地?|详细地?|系统地?|全面地?|尝试|试着|一起|通过|开始|重点|进行|帮您|帮你|现在|对[^，。\n]{1,40}?进行)`
	workZH   = `(?:搜索|搜寻|搜一下|查找|查询|查一下|检索|查阅|搜集|收集|寻找|再?找一?些|找到|了解|获取|调研|调查|研究|查看|浏览|打开|访问|整理|撰写|编写|写一|总结|生成|提供|梳理|分析|核实|确认|探讨|回答|介绍|呈现|汇总|补充)`
	searchZH = `(?:搜索|搜寻|搜一下|查找|查询|查一下|检索|查阅|搜集|收集|寻找|再?找一?些|继续了解|继续研究|继续查|进一步了解|调研)`

	// asideZH is what asideEN is in English.
	asideZH = regexp.MustCompile(`^(?:好的[，,！!。]?|嗯[，,]?)?(?:(?:我的)?(?:下一步|下一个步骤|接下来的步骤)(?:是|为|将|，|,|：|:)*(?:要|去|先|再|我|将|继续|进一步)*` + workZH + `|(?:现在)?正在(?:为您|继续|进一步)?(?:搜索|搜寻|检索|查找|查询|查阅|搜集|收集)(?:最新|更多|关于|有关|相关|更|一些|[^。]{0,30}(?:数据|资料|信息|文献|报告|文章))` +
		`|(?:刚才的|本次|这次|上述)?(?:搜索|检索|查询)(?:结果)?(?:显示|返回|中)(?:了)?[^。\n]{0,12}(?:有|没有|未|无)?(?:多|几|数|许多|若干|一些|任何|相关)(?:篇|条|个|份)?[^。\n]{0,8}(?:文章|结果|网页|资料|信息|来源|报道)?|希望(?:这份|本|以上|上述|该)[^。\n]{0,12}(?:报告|回答|内容|信息|总结)?[^。\n]{0,8}对您|(?:如|若|如果)(?:您)?(?:需要?|有)(?:更多|其他|任何|进一步)[^。\n]{0,24}(?:请|欢迎|随时|告诉我|联系)|(?:欢迎|请)随时(?:告诉|联系|提问|向我)|您(?:要求|想要|希望|询问|提出|的问题|的请求|想了解)|(?:应|按照?|根据|依照?)您的(?:要求|请求|问题|指示)|(?:思考|行动输入|工具调用|最终答案|搜索词)\s*[：:]|请?(?:您)?稍(?:等|候)|(?:我|让我)(?:去|来|再)(?:核对|看看|查一查|找找|确认))`)

	// bareZH and bareSearchZH are plans without a person: "需要进一步了解…：", "最后搜索…".
	bareZH       = regexp.MustCompile(`^` + `(?:(?:接下来|现在|下面|最后|首先|然后|还)[，,]?)*(?:需要|还需|再|继续|进一步){1,3}(?:再|继续|进一步|更多|更|深入|具体|详细)*` + workZH)
	bareSearchZH = regexp.MustCompile(`^` + `(?:(?:接下来|现在|下面|最后|首先|然后|还)[，,]?)*(?:需要|还需|再|继续|进一步|来)*(?:再|继续|进一步)?(?:搜索|搜寻|检索|查找|查询|搜集)(?:一下|一些|更多|更|关于|有关|相关|最新|具体|其他|[^。，：:\n]{2,40}[：:]$)`)

	// announceZH is a line that hands the report over.
	announceZH = regexp.MustCompile(`^` + openZH + `(?:以下|下面|这)是[^。\n]{0,40}(?:报告|总结|分析|综述|概述|回答|梳理|调研)[^。\n]{0,12}[：:。]?$|^用户(?:要求|希望我|想要我|询问|的问题是)`)

	// leadZH is the opening that names the writer's own search as the source. A survey's own results are none: the verb is one
	// of searching.
	leadZH = regexp.MustCompile(`^(?:根据|基于|综合|结合|通过|从|按照)(?:我|我们|当前|目前|上述|以上|本次|已|所|现有|已有|这些|前面)*(?:的)?(?:网络|网页|在线|联网)?(?:搜索|搜集|检索|收集|查询|查找|查阅)(?:到|得到|所得|获得|而来)?(?:的)?(?:相关|这些|全部|所有|各类|最新)?(?:信息|资料|结果|内容|文献)(?:来看|显示|可知|可见)?[，,：:]\s*`)

	// limitZH says that the search did not find something, which belongs under gaps. What the sentence goes on to say stays.
	limitZH = regexp.MustCompile(`^(?:虽然|尽管|由于|但|但是|不过|遗憾的是[，,])?(?:我|本次|目前|暂时|在|从)*(?:(?:已|所)?(?:搜索|检索|搜集|收集|查询)(?:到|得到)?的(?:资料|信息|结果|内容|文献)(?:中|里|内)?[^，,。\n]{0,60}(?:不够|不足|有限|未|没有|缺乏|较少)|(?:未能|无法|没能|没有)(?:直接)?(?:获取|检索到|搜索到|查找到|查到|找到)[^，,。\n]{0,60}(?:信息|资料|数据|内容|文献))[^，,。\n]*[，,。]?(?:但是|但|不过|然而)?[，,]?`)
)
