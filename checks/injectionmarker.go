package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var injectionmarker = &Check{
	ID: "S01", Name: "injectionmarker", Title: "InjectionMarker", Tier: Grounding, Class: Hard,
	Scope: acceptedKeys, Eval: evalInjectionMarker, Edit: editInjectionMarker,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit, Advise: Annotate,
}

// maxInjectionText bounds what is searched of one source, in bytes.
const maxInjectionText = 1 << 21

// markerParts are parts of the phrases below, without their first letters so that case does not matter; where none stands, the
// slow search is not made.
var markerParts = []string{"gnore", "GNORE", "isregard", "orget", "verride", "ssistant", "ystem prompt", "ystem Prompt", "nstruction", "NSTRUCTION", "im_start", "INST]", "anguage model", " AI ", "(AI",
	"rom now on", "gnorez", "ubliez", "lvida", "gnora", "gnoriere", "ергните", "гнориру", "абудь", "忽略", "无视", "無視", "提示词", "从现在", "人工智能", "语言模型", "告诉用户", "g n o r e", "ｇｎｏｒｅ"}

// markers are what a text says that speaks to an assistant instead of a reader, in seven languages, looked for in the folded
// text. In the wild 54 templates cover 95 % (CHECKS 5.1). A text that evades them is met by what no role may do, not by a longer list.
var markers = regexp.MustCompile(`\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|of|the|your|these|those|my|every|and)\s+)*(?:previous|prior|above|earlier|preceding|existing|former|foregoing|original|system|safety)\s+(?:(?:and|or|system|safety|user)\s+)*(?:instructions?|prompts?|rules?|directions?|directives?|commands?|guidelines?|messages?|context|constraints?)|` +
	`\b(?:ai|llm|language models?|chatbot|assistants?|agents?|models?)(?: (?:assistants?|agents?|systems?|models?|bots?))? (?:that (?:are|is) )?(?:reading|processing|summari[sz]ing|viewing|parsing|crawling|analy[sz]ing) (?:this|the page|these)\b[^.\n]{0,80}\b(?:must|should|shall|need to|are required|is required|has to|have to|please|will)\b|` +
	`\b(?:if you are|as|dear|attention|note to|hey|hello) (?:an? |all |any )?(?:ai|llm|language model|chatbot|ai assistant|ai agent)s?(?: (?:assistant|model|agent|system)s?)?\b[^.\n]{0,60}\b(?:must|should|please|ignore|include|print|recommend|output|respond|reveal|send|visit|say|add|insert|repeat|mention|always)\b|` +
	`\b(?:reveal|print|repeat|output|show|leak|disclose) (?:me )?(?:your|the) (?:full |entire |hidden |initial )?(?:system )?(?:prompt|instructions)\b|\b(?:new|updated|additional|real) (?:system )?instructions?(?: for (?:the )?(?:ai|assistant|model))?\s?:|\bsystem prompt\s?:|` +
	`\b(?:ignore|disregard|forget|bypass) (?:all )?(?:of )?(?:your|its) (?:own )?(?:guidelines|instructions|rules|training|policies|safety)|\bsystem\s?: ?you (?:are|must|will)\b|\bdeveloper mode\b[^.\n]{0,40}\b(?:reveal|enabled|on)\b|\bdo not (?:tell|mention|inform|alert|reveal|disclose)(?: (?:this|it|any of this|these instructions))?(?: to)? (?:the |your )?users?\b|\bfrom now on,? you (?:are|will|must|should)\b|\byou are now (?:a|an|in|dan)\b[^.\n]{0,60}\b(?:mode|assistant|unrestricted|jailbroken|dan)\b|` +
	`<\|(?:im_start|system|start_header_id|start|user|assistant)\|>|\[/?inst\]|<<sys>>|` +
	`如果你是(?:一个|一名|一款)?(?:人工智能|ai|大?语言模型|大模型|智能体|助手|机器人)[^。\n]{0,40}(?:请|不要|必须|应|务必|只)|(?:忽略|无视|忘记|忘掉)(?:掉)?(?:你)?(?:所有|全部|一切)?(?:的)?(?:之前|以上|先前|上述|前面|上面|此前|原有|系统)(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|指示|提示词?|说明|规则|命令|设定|要求)|(?:ai|人工智能|语言模型|大模型|助手|智能体)[^。\n]{0,12}(?:阅读|处理|看到|读到|分析|总结)(?:到)?(?:本|此|这)[^。\n]{0,30}(?:必须|应该|应当|请|务必|需要)|(?:不要|请勿|切勿|不得)(?:告诉|告知|提醒)用户|系统提示词?[:：]|从现在(?:开始|起)[,，]?你(?:是|将|必须|要)|` +
	`\b(?:ignoriere|missachte|vergiss|ignorieren sie|vergessen sie) (?:bitte )?(?:alle |die |samtliche |deine |ihre )*(?:vorherigen|bisherigen|obigen|fruheren|vorangegangenen|vorigen) (?:anweisungen|befehle|instruktionen|regeln|vorgaben)|` +
	`\b(?:ignore[rz]?|oublie[rz]?) (?:toutes? )?(?:les |tes |vos )?(?:instructions?|consignes?|directives?|regles) (?:precedentes?|ci-dessus|anterieures?)|` +
	`\b(?:ignora|ignore|olvida|olvide) (?:todas )?(?:las |tus |sus )?(?:instrucciones|indicaciones|ordenes|reglas) (?:anteriores|previas|de arriba)|` +
	`(?:игнорируи(?:те)?|игнорируй(?:те)?|забудь(?:те)?) (?:все )?(?:предыдущие|прежние|вышеуказанные) (?:инструкции|указания|команды|правила)|(?:これまで|以前|上記|前)の(?:すべての)?(?:指示|命令|ルール)を(?:無視|忘れ)`)

// markerStems are words of which each alternative of markers holds one; a folded sentence without any is not searched, which is what
// most are and what saves nearly all of the time.
var markerStems = []string{"ignor", "disregard", "forget", "override", "bypass", "ing this", "ing the page", "ing these", " ai", "ai ", "llm", "language model", "chatbot",
	"prompt", "instruction", "system", "developer mode", "do not ", "from now on", "you are now", "<|", "inst]", "<<sys>>", "如果你是", "忽略", "无视", "忘记", "忘掉",
	"阅读", "处理", "看到", "读到", "分析", "总结", "用户", "系统提示", "从现在", "missachte", "vergiss", "vergessen", "oublie", "olvid", "игнориру", "забудь", "無視", "忘れ"}

// mayMark reports whether markers can match a folded sentence.
func mayMark(folded string) bool {
	return slices.ContainsFunc(markerStems, func(s string) bool { return strings.Contains(folded, s) })
}

// aboutInjection is a page, or a question, on the matter itself.
var aboutInjection = regexp.MustCompile(`(?i)\b(?:injection|jailbreak\w*|prompts?|llms?|language models?|chatbots?|chatgpt|ai (?:security|safety|agents?|assistants?)|security|vulnerabilit\w+|attack\w*|phishing|red[- ]team\w*)\b|注入|越狱|提示词|大模型|语言模型|安全|漏洞|攻击`)

// toldOf are words of a sentence that tells of such a phrase.
var toldOf = regexp.MustCompile(`(?i)\b(?:such as|for example|e\.g\.|phrases?|attackers?|attacks?|injections?|malicious|hidden (?:text|instructions)|says?|reads|reading ["“]|like ["“]|called|example|quot\w+|told the)\b|例如|比如|攻击者|恶意|所谓|诸如`)

// spacedLetters is a word written with spaces between its letters.
var spacedLetters = regexp.MustCompile(`(?:\b[a-z] ){5,}[a-z]\b`)

// InjectionMarkers returns the sentences of a source that speak to an assistant instead of a reader; none for a text about the
// matter itself, and none that a sentence quotes or tells of.
func InjectionMarkers(title, body string) []string {
	body = body[:min(len(body), maxInjectionText)]
	if !slices.ContainsFunc(markerParts, func(p string) bool { return strings.Contains(body, p) }) || aboutInjection.MatchString(title) {
		return nil
	}
	var out []string
	for _, s := range sentencesOf(body) {
		folded := text.Fold(s)
		folded = spacedLetters.ReplaceAllStringFunc(folded, func(m string) string { return strings.ReplaceAll(m, " ", "") })
		if !mayMark(folded) {
			continue
		}
		m := markers.FindStringIndex(folded)
		if m == nil && strings.Contains(folded, "ignoreall") {
			m = []int{0, 0}
		}
		if m == nil || toldOf.MatchString(folded[:m[0]]) || strings.Count(folded[:m[0]], `"`)%2 == 1 || inQuotes(s, folded[m[0]:m[1]]) {
			continue
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

// inQuotes reports whether the marker stands within quotation marks of a sentence.
func inQuotes(sentence, marker string) bool {
	return marker != "" && slices.ContainsFunc(text.Quotes(sentence), func(q text.Quote) bool { return strings.Contains(text.Fold(q.Text), marker) })
}

// withheldText stands for words that a report does not repeat even to say that they were left out: what a page wants printed
// is not printed.
const withheldText = "(withheld)"

// withheld reports whether the words of a block are those of somebody who speaks to an assistant, or order the reader about.
func (v View) withheld(b research.Block) bool {
	for _, id := range b.Claims {
		if slices.Contains(v.Claims[id].Flags, "injectionmarker") {
			return true
		}
	}
	return len(InjectionMarkers("", b.Text)) > 0 || len(evalInstructionEcho(v, Key{KeyBlock, b.ID})) > 0
}

func evalInjectionMarker(v View, k Key) []Hit {
	s, ok := v.source(k.ID)
	if !ok || s.Verdict != research.Verified || aboutInjection.MatchString(v.Question) {
		return nil
	}
	var hits []Hit
	for _, m := range InjectionMarkers(s.Title, v.Texts[s.SHA256]) {
		h := Hit{Where: s.ID, Code: "source", Weak: true, What: fmt.Sprintf("source %s holds a sentence that speaks to an assistant and not to a reader", s.ID)}
		if len(v.restingOn(s.ID, m)) > 0 {
			h.Code, h.Weak = "used", false
		}
		hits = append(hits, h)
	}
	return hits
}

// restingOn returns the ids of the claims without a flag whose words or passage are those of a sentence of a source.
func (v View) restingOn(source, sentence string) []string {
	var out []string
	for _, id := range sortedKeys(v.Claims) {
		c := v.Claims[id]
		if c.Source != source || len(c.Flags) > 0 {
			continue
		}
		p, _ := v.passage(c.Passage)
		if strings.Contains(c.Text, sentence) || strings.Contains(sentence, strings.TrimSpace(c.Text)) && c.Text != "" || strings.Contains(p.Text, sentence) && len(p.Text) < 3*len(sentence) {
			out = append(out, id)
		}
	}
	return out
}

// editInjectionMarker flags the claims that rest on such a sentence, so that nothing cites them; the rest of the source stays.
func editInjectionMarker(v View, k Key) View {
	s, ok := v.source(k.ID)
	if !ok || evalInjectionMarker(v, k) == nil {
		return v
	}
	claims := v.Claims
	for _, m := range InjectionMarkers(s.Title, v.Texts[s.SHA256]) {
		for _, id := range v.restingOn(s.ID, m) {
			if len(claims) > 0 && len(claims[id].Flags) == 0 {
				next := make(map[string]research.Claim, len(claims))
				for other, c := range claims {
					next[other] = c
				}
				c := next[id]
				c.Flags = append(slices.Clip(c.Flags), "injectionmarker")
				next[id] = c
				claims = next
				v = issue(v, "claim", withheldText, "its source speaks to an assistant there, not to a reader", s.Location)
			}
		}
	}
	v.Claims = claims
	return v
}
