package provenance

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maker matches what a machine that writes is called, in English and Chinese.
const (
	maker   = `(?:(?:an? |the )?(?:large |generative )?(?:(?:ai|artificial[ -]intelligence)(?:[ -](?:language[ -]models?|models?|assistants?|chatbots?|tools?|systems?|programs?|software|writers?|bots?|powered tools?))?|language models?|llms?|chatbots?|chatgpt|gpt-?\d?(?:\.\d)?[a-z]?|claude|gemini|copilot|bard|llama|deepseek|generative ai)\b)`
	makerZH = `(?:(?:生成式)?(?:ai|人工智能|大语言模型|大模型|语言模型|chatgpt|gpt-?\d?|文心一言|通义千问|豆包|kimi|deepseek|机器人)(?:大?(?:语言)?模型|助手|工具|技术|系统|软件)?)`
)

// selfMarks are phrases in which a text says of itself that a machine wrote it or helped to, in the first and in the third
// person. Origin: the list of the Hermes design, phase 2. Each names the text itself ("this article") or its writer ("I", "my"), or
// stands alone as a label, so that an article about such texts is not caught.
var selfMarks = []*regexp.Regexp{
	// As an AI language model, I
	regexp.MustCompile(`(?i)\b(?:as|being) (?:an? |just an? |only an? )(?:large |generative )?(?:ai|artificial intelligence|language model|llm)(?:[ -](?:(?:powered|based|trained) )?(?:language[ -]model|model|assistant|chatbot|system|program))?(?: (?:developed|trained|created|made|built) by \w+)?,? (?:i|i'm|i’m|my|we|our|this (?:text|article|page|post|answer|response|assistant|author|writer))\b`),
	regexp.MustCompile(`(?i)\bi(?: am|'m|’m) (?:just |only )?(?:an? )?(?:large |generative )?(?:ai\b|artificial intelligence\b|language model\b|llm\b)(?:[ -](?:language[ -]model|model|assistant|chatbot|system|program))?`),
	// my knowledge cutoff
	regexp.MustCompile(`(?i)\b(?:my|this (?:text|article|page|post|author|writer|assistant|model)(?:'s|’s)|our) (?:last |own )?(?:knowledge|training|training data|data|information)(?: data)?(?:[ -]cut-? ?off|[ -](?:only )?(?:goes up to|extends? (?:up )?to|ends (?:in|at)|is current (?:as of|up to|until))| was last updated)`),
	regexp.MustCompile(`(?i)\b(?:as of|up to|since|until|beyond|before|after) (?:my|this (?:model|assistant|writer|author)(?:'s|’s)) (?:last|latest|most recent)? ?(?:knowledge|training|data)? ?(?:update|cut-? ?off|training)\b`),
	regexp.MustCompile(`(?i)\bknowledge[ -]cut-? ?off (?:date )?(?:of|for|behind) (?:this|the present) (?:text|article|page|post|answer|model)\b`),
	// this article was written by AI, with the help of AI
	regexp.MustCompile(`(?i)\b(?:this|the above|the following|the present) (?:\w+ )?(?:article|text|page|post|story|essay|report|summary|content|answer|response|review|document|blog|blog post|copy|piece|paper|guide|entry)(?: on this (?:page|site|website))? (?:was|is|has been|have been|were|are|may be|may have been) (?:(?:partly|partially|in part|entirely|fully|wholly|largely|automatically|originally|first|initially|mostly|co-?)[ -]?)*(?:written|generated|created|produced|drafted|composed|authored|prepared|made|compiled|assisted|edited|enhanced|developed)(?: and \w+)?(?:,? (?:in part|partly|automatically|entirely|at least in part))? (?:by|with|using|through|via)(?: the)?(?: (?:help|assistance|aid|support|use) (?:of|from))? ` + maker),
	regexp.MustCompile(`(?i)\b(?:this|the above|the following) (?:\w+ )?(?:article|text|page|post|story|essay|report|summary|content|answer|response|review|document|piece|paper|guide|entry) (?:is|was|contains?|includes?|features?) (?:\w+ )?(?:ai|machine|chatgpt|llm)[ -](?:generated|written|assisted|created|produced|authored|aided|made)\b`),
	regexp.MustCompile(`(?i)\bthis (?:ai|machine|chatgpt|llm)[ -](?:generated|written|assisted|created|produced|authored|aided) (?:\w+ )?(?:article|text|page|post|story|essay|report|summary|content|answer|review|document|piece|paper|guide|entry)\b`),
	regexp.MustCompile(`(?i)\b(?:the )?(?:author|writer|editor)s? (?:of this (?:article|text|page|post|story|piece|report) )(?:is|was|are|were) ` + maker),
	regexp.MustCompile(`(?i)\b(?:i|we|the authors?|the editors?) (?:used|relied on|employed|wrote this with|worked with) ` + maker + ` (?:to|in order to|for) (?:help )?(?:write|writing|draft|drafting|generate|generating|produce|producing|create|compose) (?:\w+ of )?(?:this|the present)\b`),
	// a label of its own, at the begin of a sentence or a line
	regexp.MustCompile(`(?im)(?:^|[.!?;:(\[*|–—-] ?)(?:(?:content|text|article|story|post|summary|report)(?: (?:was|is))? )?(?:automatically |partly |partially )?(?:generated|written|created|produced|drafted|authored)(?: in part)? (?:by|with|using)(?: the)?(?: (?:help|assistance|aid|use) of)? ` + maker),
	regexp.MustCompile(`(?im)(?:^|[.!?;:(\[*|–—-] ?)(?:written|produced|created|drafted|prepared) with (?:ai|chatgpt|artificial intelligence) (?:assistance|help|support)\b`),
	regexp.MustCompile(`(?im)(?:^|[.!?;:(\[*|–—] ?)(?:disclosure: |disclaimer: |note: )?(?:an? )?(?:ai|chatgpt|llm)[ -](?:assisted|generated|written|authored) ?(?:article|text|post|content|story|summary|report|writing|translation|page)?[ ]*(?:$|[.!;)\]*|])`),
	// Chinese
	regexp.MustCompile(`(?i)(?:作为|身为)(?:一个|一名|一款|一种)?(?:由\S{1,12}(?:开发|训练)的)?` + makerZH + `[，,、 ]{0,2}(?:我|本文|本人|笔者)`),
	regexp.MustCompile(`(?i)我(?:只)?是(?:一个|一名|一款)?(?:由\S{1,12}(?:开发|训练)的)?` + makerZH),
	regexp.MustCompile(`(?:我|本文|本模型|本助手|笔者)的?(?:知识|训练|数据|信息)(?:库|数据|资料)?的?(?:截止|截至|更新|只到|仅到|截止日期|截止时间)`),
	regexp.MustCompile(`(?:截至|截止|直到|根据)我的?(?:最后|最近|最新|上次|上一次)?(?:一次)?的?(?:知识|训练|数据)(?:更新|截止|数据|库)`),
	regexp.MustCompile(`(?i)(?:本|此|该|这)(?:篇|份|页|条|段)?(?:文章|文|页面?|篇|内容|文本|稿件?|报告|摘要|回答|帖子?|博文)(?:的?(?:全部|部分|主要|初稿|正文)?(?:内容|文字|初稿)?)?(?:是|系|均|皆|全部|部分|完全|主要|可能)*(?:由|经|使用|利用|借助|通过|采用|在)` + makerZH + `(?:的|自动|辅助|协助|帮助|下|智能|参与|进行|来|所|合作|与作者)*(?:生成|撰写|写作|写成|创作|编写|完成|整理|起草|制作|产生|润色)`),
	regexp.MustCompile(`(?i)(?:本|此|这)(?:篇|份|页|条|段)?(?:文章|文|内容|文本|稿件?|报告|摘要|回答)(?:是|为|属于|系|含有|包含)(?:一篇)?` + makerZH + `(?:自动|辅助|协助)?(?:生成|撰写|写作|创作)`),
	regexp.MustCompile(`(?i)(?:本|此|这)(?:篇|份)?(?:文章|文|报告|稿件?|内容)的?(?:作者|撰写者|撰稿人)(?:是|为)(?:一个|一款|一名)?` + makerZH),
	regexp.MustCompile(`(?i)(?:作者|笔者|编辑|我们|我)(?:使用|利用|借助|通过|用|在)了?` + makerZH + `(?:的|来|辅助|协助|帮助|下|工具)*(?:撰写|写作|写|生成|完成|起草|创作)了?(?:本|此|这)`),
	regexp.MustCompile(`(?im)(?:^|[。！？；：（(【\[*|—] ?)(?:以上|以下|上述|部分)?(?:内容|文字|文章|正文)?(?:均|皆)?由` + makerZH + `(?:自动|辅助|协助)*(?:生成|撰写|写作|创作|编写|整理)`),
	regexp.MustCompile(`(?im)(?:^|[。！？；：（(【\[*|—] ?)(?:声明：|说明：|提示：)?` + makerZH + `(?:辅助|协助|自动)?(?:生成|撰写|写作|创作)(?:的?(?:内容|文章|文本|摘要))? *(?:$|[。！；）)】\]*|，,])`),
}

// markWords are parts of the phrases in lower case: where none stands, the slower patterns need not look.
var markWords = [][]byte{
	[]byte("language model"), []byte("language-model"), []byte("cutoff"), []byte("cut-off"), []byte("cut off"), []byte("gpt"), []byte("artificial"), []byte("an ai"), []byte("ai-"), []byte(" ai "), []byte("(ai "), []byte("\nai "),
	[]byte("by ai"), []byte("with ai"), []byte("using ai"), []byte("llm"), []byte("chatbot"), []byte("claude"), []byte("gemini"), []byte("copilot"), []byte("training data"), []byte("my last"), []byte("my knowledge"), []byte("my training"),
	[]byte("人工智能"), []byte("ai生成"), []byte("ai辅助"), []byte("由ai"), []byte("ai助手"), []byte("个ai"), []byte("名ai"), []byte("款ai"), []byte("ai写作"), []byte("用ai"), []byte("助ai"), []byte("过ai"), []byte("在ai"), []byte("为ai"), []byte("是ai"), []byte("ai撰写"), []byte("ai协助"), []byte("模型"), []byte("我的知识"), []byte("我的训练"), []byte("知识截止"), []byte("知识更新"), []byte("训练数据"),
	[]byte("文心"), []byte("通义"), []byte("豆包"), []byte("kimi"), []byte("deepseek"), []byte("机器人"),
}

// maxMarks is the most places of one pattern that are looked at in one window.
const maxMarks = 64

// around is how far a window reaches to both sides of a word of markWords, in bytes: more than any phrase has before its word.
const around = 400

// windows returns the parts of s around the words of markWords, in order and apart from each other. Only they are searched by the
// slower patterns, so that a shelf of books costs one pass.
func windows(s string) [][2]int {
	low := []byte(s)
	for i, c := range low {
		if c >= 'A' && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	var hits []int
	if bytes.HasPrefix(low, []byte("ai")) {
		hits = append(hits, 0)
	}
	for _, w := range markWords {
		for at := 0; ; {
			i := bytes.Index(low[at:], w)
			if i < 0 {
				break
			}
			hits = append(hits, at+i)
			at += i + around
			if at >= len(low) {
				break
			}
		}
	}
	slices.Sort(hits)
	var out [][2]int
	for _, h := range hits {
		from, to := max(0, h-around), min(len(s), h+2*around)
		for from > 0 && !utf8.RuneStart(s[from]) {
			from--
		}
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = max(to, out[n-1][1])
			continue
		}
		out = append(out, [2]int{from, to})
	}
	return out
}

// MachineMark returns the phrase by which a text gives itself away, or "". A phrase in quotation marks, or one that the
// sentence denies, asks about or reports of others, is none.
func MachineMark(s string) string {
	for _, w := range windows(s) {
		first, last := w[1], 0
		for _, re := range selfMarks {
			for _, m := range re.FindAllStringIndex(s[w[0]:w[1]], maxMarks) {
				if m[0] == 0 && w[0] > 0 && s[w[0]-1] != '\n' { // the window is cut here, no line begins
					continue
				}
				from, to := w[0]+m[0], w[0]+m[1]
				from += len(s[from:to]) - len(strings.TrimLeft(s[from:to], marksBefore))
				if (from < first || from == first && to > last) && !quoted(s, from, to) && !reported(s, from) {
					first, last = from, to
				}
			}
		}
		if last > 0 {
			return strings.TrimSpace(s[first:last])
		}
	}
	return ""
}

// marksBefore are what may stand before a label.
const marksBefore = ".!?;:([*|-–— \n。！？；：（【"

// lookBack is how far before a phrase the sentence and its quotation marks are looked for, in bytes.
const lookBack = 1200

// quoted reports whether s[from:to] stands inside quotation marks that open before it on its line and close after its begin.
func quoted(s string, from, to int) bool {
	begin := max(0, from-lookBack)
	for begin < from && !utf8.RuneStart(s[begin]) {
		begin++
	}
	before := s[begin:from]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	after := s[from:min(len(s), to+lookBack)]
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	for _, p := range [][2]string{{"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"《", "》"}, {"‘", "’"}, {"``", "''"}} {
		open := strings.LastIndex(before, p[0])
		if open < 0 || !strings.Contains(after, p[1]) {
			continue
		}
		if closed := strings.LastIndex(before[open+len(p[0]):], p[1]); closed < 0 || p[1] == "’" && apostrophe(before[open+len(p[0]):], closed) {
			return true
		}
	}
	return straight(before, '"') && strings.Contains(after, `"`) || straight(before, '\'') && strings.Contains(after, "'")
}

// apostrophe reports whether the sign at i of s stands between two letters.
func apostrophe(s string, i int) bool {
	a, _ := utf8.DecodeLastRuneInString(s[:i])
	b, _ := utf8.DecodeRuneInString(s[i+len("’"):])
	return unicode.IsLetter(a) && unicode.IsLetter(b)
}

// straight reports whether the last of the marks in s, which are the same at both ends of a quotation, opens one: a mark opens
// before a letter and after no letter, and closes after anything but a space. What ends s opens one as well.
func straight(s string, mark byte) bool {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != mark {
			continue
		}
		a, _ := utf8.DecodeLastRuneInString(s[:i])
		b, _ := utf8.DecodeRuneInString(s[i+1:])
		if i > 0 && unicode.IsLetter(a) && unicode.IsLetter(b) {
			if mark == '"' && a > unicode.MaxLatin1 { // no spaces in this script: by turns
				return strings.Count(s, `"`)%2 == 1
			}
			continue // an apostrophe
		}
		return i == 0 || unicode.IsSpace(a) || a == '(' || a == ',' && !unicode.IsSpace(b) || a > 0x3000 && a < 0x3100
	}
	return false
}

// others are words before a phrase, in its sentence, by which it is denied, asked about, supposed, or said of other texts.
var others = regexp.MustCompile(`(?i)\b(?:no part of|none of|not|never|nor|neither|without|whether|if|unless|suppose|imagine|pretend\w*|replied|reply|replies|responds?|responded|answers? (?:that|with)|answered|said|says|saying|phrases?|disclaimers?|sentences? (?:like|such as)|words (?:like|such as)|lines? (?:like|such as)|labell?ed|claim(?:s|ed|ing)?|alleg\w+|accus\w+|suspect\w*|asked|called|titled|headlined|example|for instance|such as|students?|detect\w*)\b|并非|不是|没有|从未|未曾|是否|如果|假如|假设|例如|比如|所谓|声称|指控|怀疑|标注为|回答说|回答道|写道|表示|之类|诸如|字样|这句话|学生`)

// sentenceEnd is a full stop, with what closes after it.
var sentenceEnd = regexp.MustCompile(`\.["”’')\]]{0,2} `)

// reported reports whether the sentence before from says that the phrase is not the text's own.
func reported(s string, from int) bool {
	begin := max(0, from-lookBack/4)
	for begin < from && !utf8.RuneStart(s[begin]) {
		begin++
	}
	before := s[begin:from]
	if i := strings.LastIndexAny(before, "\n!?。！？"); i >= 0 {
		before = before[i:]
	}
	if ends := sentenceEnd.FindAllStringIndex(before, -1); len(ends) > 0 {
		before = before[ends[len(ends)-1][1]:]
	}
	return others.MatchString(before)
}
