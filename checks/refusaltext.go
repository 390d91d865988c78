package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/text"
)

var refusaltext = &Check{
	ID: "C09", Name: "refusaltext", Title: "RefusalText", Tier: Completion, Class: Advisory,
	Scope: func(v View) []Key { return append(dispatchKeys(v), blockKeys(v)...) }, Eval: evalRefusalText, Advise: Issues,
}

// A refusal is looked for where one is: in the first and last runes of an answer (CHECKS 1A). A disclaimer may stand anywhere.
const (
	refusalHead = 400
	refusalTail = 300
)

var (
	// A writer that says "I" of what it can do speaks of itself; "we" is how authors speak too, and is taken with fewer verbs.
	refuses = regexp.MustCompile(`(?i)\b(?:i['’]?m|i am|we['’]re|we are|my apologies|i (?:do )?apologi[sz]e|apologies|sorry|unfortunately|regrettably)\b,?[^.!?\n]{0,60}?\b(?:i|we) (?:can(?:['’]t|not)|am (?:unable|not able)|could(?:n['’]t| not)|do(?:n['’]t| not) (?:have|know|feel))\b|` +
		`\b(?:i['’]?m|i am|we['’]re|we are) (?:really |very |so )?(?:sorry|afraid)\b,? (?:but |that )?(?:i|we|this|the)\b|` +
		`\bi (?:can(?:['’]t|not)|could(?:n['’]t| not)|am (?:unable|not able|not allowed|not permitted|not in a position|not qualified|prevented from|forbidden) ?(?:to)?|['’]?m (?:unable|not able|not allowed|not permitted|not in a position|not qualified) to|won['’]t(?: be able to)?|will (?:not|have to decline|need to decline)(?: be able to)?|must (?:decline|refuse)|have to (?:decline|refuse)|would rather not|prefer not to|refuse to|decline to|am going to have to decline)(?: (?:to|directly|actually|personally|ethically|responsibly|reliably|independently|fully|in good conscience|really))* (?:help|assist|comply|provide|fulfil|fulfill|answer|generate|create|write|produce|discuss|complete|access|browse|offer|support|do (?:that|this|so|what)|share|give|verify|confirm|comment|speculate|predict|advise|recommend|continue|proceed|engage|respond|process|open|retrieve|carry|fetch|look up|search|connect|take a (?:position|stance|side)|(?:your|this|that|the) (?:request|question|topic|task|prompt))\b|` +
		`\bwe (?:can(?:['’]t|not)|are (?:unable|not able) to|won['’]t|will not) (?:help|assist|comply|fulfil|fulfill|answer (?:this|that|your)|complete (?:this|that|your))\b|` +
		`\b(?:this|that|your|the) (?:request|question|prompt|task|topic) (?:is|falls|goes|lies|seems|appears)(?: \w+)? (?:outside|beyond|against|not something|something)\b[^.!?\n]{0,40}\b(?:i|my|me|guidelines|polic(?:y|ies)|scope of what)\b|\b(?:against|violat\w+|not permitted by|conflicts? with) my (?:\w+ )?(?:guidelines|polic(?:y|ies)|programming|instructions|principles)\b|` +
		`\b(?:as|being|i['’]?m(?: just| only)?|i am(?: just| only)?|because i['’]?m|since i['’]?m) (?:just |only )?an? (?:\w+ )?(?:ai|a\.i\.|artificial intelligence|large language model|language model|chatbot|virtual assistant|digital assistant|automated assistant)(?: (?:model|assistant|system|language model|program))?\b|\bi (?:do not|don['’]t) feel comfortable\b|\bit (?:would|is) (?:not be|be in|not|in)?(?:appropriate| ?inappropriate)? ?for me to (?:provide|answer|comment|speculate|discuss|give|say)\b|` +
		`(?:我|非常|很|十分|深感|实在)?(?:抱歉|对不起|遗憾)[，,]?(?:但|的是[，,]?)?(?:我|本|无法|不能|该|这)(?:无法|不能|模型|助手|问题|请求)?|作为(?:一个|一名|一款|一位)?(?:人工智能|AI|大?语言模型|聊天机器人|智能助手|虚拟助手)|我(?:只|仅)?是(?:一个|一名|一款)?(?:人工智能|AI|大?语言模型|聊天机器人)|` +
		`我(?:无法|不能|不便|没有能力|没法|难以|恕难|不被允许|拒绝)(?:直接|为您|为你|向您|给您|就此|对此|独立)*(?:提供|回答|协助|帮助|完成|满足|访问|生成|撰写|回应|核实|确认|评论|判断|预测|浏览|联网|打开|执行|处理|给出|讨论|继续|透露)|恕(?:我)?(?:无法|不能|难)|(?:该|这一?|您的|你的)(?:请求|问题|要求|任务)(?:超出|不在|违反|涉及)[^。！？\n]{0,14}(?:我的|范围|能力|政策|准则)|(?:本|该)(?:模型|助手|系统)(?:无法|不能|不会|没有)`)
	disclaims = regexp.MustCompile(`(?i)\b(?:as of|up to|since|until|at the time of|prior to) my (?:last|latest|most recent|own|current)? ?(?:knowledge|training|update|cut-?off|data)\b|\bmy (?:knowledge|training|information|data|training data|knowledge base)(?: data| base| set)?(?:[ -]?cut-?off|,? (?:is|was|are|were|only|ends?|ended|stops?|stopped|goes|extends?|does(?:n['’]t| not)|may|might|includes?|has|have|runs?|dates?|covers?)\b)|\bi (?:was|am|have been) (?:last |only )?(?:trained|updated) (?:on|in|up|until|with|before)\b|` +
		`\bi (?:do not|don['’]t|cannot|can['’]t|have no|lack|am not able to|am unable to) (?:currently |directly |actually )?(?:have |get |obtain )?(?:any )?(?:access(?: to)? )?(?:to )?(?:the |any )?(?:real-time|current|up-to-date|live|latest|recent|browsing|browse|internet|web access|online|events? after|information (?:after|beyond|past|about events))\b|\bi (?:do not|don['’]t) have the (?:ability|capability|means) to (?:browse|access|search|open|verify|check|look)\b|` +
		`\b(?:this|the above|nothing (?:here|in this \w+)|the (?:foregoing|information (?:above|here|in this \w+))) (?:is|does|should)(?: not|n['’]t)? ?(?:be )?(?:constitutes?|(?:taken|construed|considered|regarded|intended|meant|understood) as|intended to be|to be taken as)? ?(?:financial|investment|legal|medical|professional|tax)(?:,? (?:or )?(?:financial|investment|legal|medical|professional|tax))* advice\b|\b(?:please|always) consult (?:with )?(?:a|an|your) (?:qualified|licen[sc]ed|professional|financial|legal|medical|certified|lawyer|doctor|attorney|physician|expert)\b|\bthis (?:answer|response|report|text|content) (?:was|is|has been) (?:generated|written|produced|created) by (?:an? )?(?:ai|artificial intelligence|language model)\b|` +
		`(?:截至|截止|根据|到|在)我的?(?:最后|最近|上次)?(?:一次)?的?(?:知识|训练|信息)库?(?:更新|截止|数据|范围|为止)|我的(?:知识|训练数据|训练|信息|数据)库?(?:截止|更新|只|仅|停留|可能|截至|到|有限|未)|我(?:没有|无法获取|无法访问|不能访问|不具备|缺乏|无法)(?:实时|最新|联网|上网|互联网|浏览|访问互联网|网络)|(?:以上|上述|本|该)(?:内容|信息|回答|报告|文)?(?:仅供参考，?)?(?:并)?不构成(?:任何)?(?:投资|法律|医疗|财务|专业)(?:建议|意见)|请(?:务必)?咨询(?:专业|合格|持证|相关专业|律师|医生|您的)`)
)

func evalRefusalText(v View, k Key) []Hit {
	s, ground := "", ""
	if k.Kind == KeyBlock {
		b, _ := v.block(k)
		if v.stated(b) {
			return nil
		}
		s, ground = text.ProseOnly(b.Text), v.groundOf(b).text
	} else if d, ok := v.dispatch(k); ok {
		s = answerText(d)
	}
	if m := disclaims.FindString(s); m != "" && !strings.Contains(ground, m) {
		return []Hit{{Where: k.ID, Code: "disclaimer", What: fmt.Sprintf("it disclaims: %q", m)}}
	}
	for _, part := range []string{head(s, refusalHead), tail(s, refusalTail)} {
		if m := refuses.FindString(part); m != "" && !strings.Contains(ground, m) {
			return []Hit{{Where: k.ID, Code: "refusal", What: fmt.Sprintf("it refuses: %q", m)}}
		}
	}
	return nil
}
