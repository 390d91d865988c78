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

// An order is an imperative at the start of a sentence, or after "please" or words of purpose.
const (
	orderEN  = `(?:^|[.!?:;]\s+|\bplease\s+|\bkindly\s+|\bsimply\s+|\bjust\s+|\bto \w+(?: \w+){0,3}, |\bthen )(?:please |kindly |simply |just |now |first |then )*` + ordersEN + `\b`
	ordersEN = `(?:visit|click|tap|press|go to|navigate to|head to|call|dial|phone|contact|e-?mail|text|message|write to|subscribe|sign (?:up|in)|register|download|install|buy|order|purchase|enter|type|paste|copy|forward|reply|respond|transfer|wire|pay|deposit|donate|send|submit|share|post|claim|redeem|scan|log ?(?:in|on)|open|follow|join|apply|act|run|execute|use|confirm|verify|provide|upload|fill (?:in|out)|complete|update|book|reserve|print|repeat)`
)

var (
	// lure is an order to the reader that sells, collects or sends something.
	lure = regexp.MustCompile(`(?i)` + orderEN + `[^.!?\n]{0,120}\b(?:to (?:claim|win|receive|redeem|verify|unlock|get|continue|proceed|confirm|activate|restore|avoid|secure|start|install|see|access)|now\b|today\b|free\b|at once\b|right away|your (?:\w+ )?(?:prize|reward|account|password|card|details|gift|refund|code|bonus|coupon|voucher|identity|payment|subscription|wallet|seed phrase|data|credentials|e-?mail|phone|address|name|order|copy|place|spot|browser|computer|device|terminal)|us at\b|immediately|limited|before (?:it expires|midnight|the offer)|(?:promo|discount|coupon|access|voucher) code|(?:this|the following|the attached|that|our|the) (?:\w+ )?(?:link|token|code|key|command|script|form|file|attachment|message|report|text|button|app|tool|qr|number|string|secret|answer|results?|summary) ?(?:\w+ )?(?:to|into|below|above|with|and|in|on|at|from|here|:))|` +
		orderEN + `[^!?\n]{0,80}?(?:https?://|www\.|@[a-z0-9-]+\.[a-z]|\+?\d[\d -]{7,}\d)|` +
		`(?:^|[.!?:;]\s+)(?:you|readers?|visitors?|users?|customers?|everyone) (?:must|need to|should|have to|are (?:required|asked|requested|advised|invited|urged) to|will want to|can now|may now)(?: now| first| also| immediately)? ` + ordersEN + `\b[^.!?\n]{0,100}(?:https?://|www\.|@[a-z0-9-]+\.[a-z]|\b(?:your|this|now|today|free|below|immediately)\b)|` +
		`(?:^|[。！？：；，\s])(?:请|请您|务必|您?(?:必须|需要|应当|可以)|读者(?:请|应|可|必须))?(?:立即|马上|现在|尽快|先|务必|点此|直接|都)*(?:访问|点击|拨打|致电|联系|扫码|扫描|下载|购买|注册|转账|充值|输入|填写|提交|发送|转发|回复|加入|添加|关注|登录|复制|粘贴|运行|安装|打开|汇款|支付|将[^。！？\n]{1,30}(?:发送|转发|提交|发|汇|转)(?:至|到|给))[^。！？\n]{0,60}(?:领取|获取|优惠|免费|奖|验证|立即|账户|账号|密码|二维码|链接|客服|微信|公众号|验证码|邮箱|https?://|www\.|@|红包|礼品|令牌|口令|代码|命令|下方|继续|即可|\d{7,})`)
	mail     = regexp.MustCompile(`[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9.\-]{1,120}\.[A-Za-z]{2,12}\b`)
	longRun  = regexp.MustCompile(`\b(?:[A-Za-z0-9+/]{40,}={0,2}|[0-9a-fA-F]{40,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|[A-Za-z0-9]{6,}(?:[-_.][A-Za-z0-9]{6,}){4,})`)
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
