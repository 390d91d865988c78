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
	refuses = regexp.MustCompile(`(?i)\b(?:i['’]?m|i am|we['’]re|we are) (?:really |very |so )?(?:sorry|afraid)\b,? (?:but |that )?(?:i|we)\b|` +
		`\b(?:i|we) (?:can(?:['’]t|not)|am (?:unable|not able) to|are (?:unable|not able) to|won['’]t|will not|must decline to|am not allowed to) (?:help|assist|comply|provide|fulfil|fulfill|answer|generate|create|write|discuss|complete|access|browse|offer|support|do that)\b|` +
		`\bas an? (?:ai|artificial intelligence|large language model|language model)\b|\bi (?:do not|don['’]t) feel comfortable\b|` +
		`(?:我|非常|很|十分)?(?:抱歉|对不起)[，,]?(?:但)?(?:我|无法|不能)|作为(?:一个|一名|一款)?(?:人工智能|AI|大?语言模型)|我(?:无法|不能)(?:提供|回答|协助|帮助|完成|满足|访问|生成|满足您)`)
	disclaims = regexp.MustCompile(`(?i)\b(?:as of|up to|since) my (?:last|latest|most recent) (?:knowledge |training )?(?:update|cut-?off)|\bmy (?:knowledge|training)(?: data)?[ -]?cut-?off\b|` +
		`\bi (?:do not|don['’]t) have (?:access to )?(?:real-time|current|up-to-date|live|browsing)\b|\bi (?:do not|don['’]t) have the ability to (?:browse|access)\b|` +
		`(?:截至|截止|根据)我的?(?:最后|最近|上次)?(?:一次)?的?(?:知识|训练)(?:更新|截止|数据)|我(?:没有|无法获取|无法访问)(?:实时|最新)`)
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
