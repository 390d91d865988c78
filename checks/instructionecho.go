package checks

import (
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var instructionecho = &Check{
	ID: "S03", Name: "instructionecho", Title: "InstructionEcho", Tier: Grounding, Class: Advisory,
	Scope: blockKeys, Eval: evalInstructionEcho, Advise: Issues,
}

var (
	// lure is an order to the reader that sells, collects or sends something.
	lure = regexp.MustCompile(`(?i)(?:^|[.!?:;]\s+|\bplease\s+|\bto \w+,? )(?:visit|click|go to|call|contact|e-?mail|text|subscribe|sign up|register|download|buy|order|enter|forward|reply|transfer|pay|send|claim|log ?in)\b[^.!?\n]{0,120}\b(?:to (?:claim|win|receive|redeem|verify|unlock|get)|now\b|today\b|free\b|your (?:prize|reward|account|password|card|details|gift|refund)|us at\b|immediately|limited)|` +
		`(?:^|[。！？：；\s])(?:请)?(?:立即|马上|现在)?(?:访问|点击|拨打|联系|扫码|下载|购买|注册|转账|充值)[^。！？\n]{0,60}(?:领取|获取|优惠|免费|奖|验证|立即|账户)`)
	mail     = regexp.MustCompile(`[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9.\-]{1,120}\.[A-Za-z]{2,12}\b`)
	longRun  = regexp.MustCompile(`\b(?:[A-Za-z0-9+/]{40,}={0,2}|[0-9a-fA-F]{40,})`)
	hexOnly  = regexp.MustCompile(`^[0-9a-fA-F]+$`)
	oneWord  = regexp.MustCompile(`^[A-Za-z]+$`)
	softTerm = regexp.MustCompile(`(?i)\b(?:sha-?\d*|md5|checksum|hash|commit|digest|fingerprint|key)\b|校验|哈希|指纹`)
)

func evalInstructionEcho(v View, k Key) []Hit {
	b, _ := v.block(k)
	words := text.ProseOnly(b.Text)
	var hits []Hit
	add := func(code, what string) {
		hits = append(hits, Hit{Where: b.ID, Code: code, What: "it hands on " + what})
	}
	if lure.MatchString(words) && b.By != quotingChannel {
		add("lure", "what a source wants its reader to do")
	}
	if len(InjectionMarkers("", words)) > 0 && !aboutInjection.MatchString(v.Question) {
		add("order", "what a source says to an assistant")
	}
	for _, m := range mail.FindAllString(words, 8) {
		if !strings.Contains(v.Question, m) && !v.quotedBy(b, m) {
			add("mail", "an address of mail that neither the question nor its source has")
		}
	}
	for _, m := range longRun.FindAllString(words, 8) {
		sha := hexOnly.MatchString(m) && softTerm.MatchString(words) && len(b.Refs) > 0
		if !strings.Contains(v.Question, m) && !sha && !oneWord.MatchString(m) && !v.quotedBy(b, m) {
			add("token", "a run of characters that neither the question nor its source has")
		}
	}
	return hits
}

// quotedBy reports whether the block is the words of its source and those hold m: a how-to that prints an address is quoted.
func (v View) quotedBy(b research.Block, m string) bool {
	return (b.By == quotingChannel || v.copied(b)) && strings.Contains(v.groundOf(b).text, m)
}
