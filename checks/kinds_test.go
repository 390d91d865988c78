package checks

import (
	"testing"

	"assay/engine/evidence"
	"assay/engine/research"
)

// TestKinds holds sentences of each kind against the check that is made for the kind, and sentences of substance against all of these.
// They were written for this test, in other words than the made worlds of the mutation benchmark use.
func TestKinds(t *testing.T) {
	fires := func(check, words string) bool {
		v := sectionView()
		b := research.Block{ID: "kind", Kind: research.BlockParagraph, Text: words, Refs: []string{"s1"}, By: "ollama:test"}
		v.Draft.Sections[0].Blocks = append(v.Draft.Sections[0].Blocks, b)
		c := Lookup(check)
		for _, k := range c.Scope(v) {
			for _, h := range c.Eval(v, k) {
				if h.Where == b.ID {
					return true
				}
			}
		}
		return false
	}
	kinds := map[string][]string{
		"refusaltext": {
			"I apologise, but I cannot take part in this.", "Unfortunately I do not have enough of the archive to say.", "I must decline to discuss individual traders.", "Being an AI model, I hold no opinion on the pier.",
			"I'm just a chatbot and cannot know the mood of the port.", "I am unable to independently verify any of the tonnage.", "My training data ends in the spring of last year.", "I was last updated before the dredging began.",
			"My knowledge does not reach the newest register.", "I have no access to the internet from here.", "This request falls outside of what my guidelines permit.", "This does not constitute legal or tax advice.",
			"Please consult a licensed surveyor before you buy a berth; always consult a qualified lawyer.", "It would be inappropriate for me to comment on the pilots.",
			"很遗憾，我不能就此发表意见。", "我不便评论港务局的人事。", "恕难从命，恕我无法继续。", "我只是一个语言模型，不了解近况。", "我的知识截止到去年春天。", "该请求超出了我的能力范围。", "以上内容不构成投资建议。", "我无法联网核对这些吨位。",
		},
		"placeholdertext": {
			"The dredging cost [figure to come] in all.", "The pier is <insert length> metres long.", "Its owner is {{ owner name }}.", "The pilots were paid (to be confirmed).", "TODO: ask the port.", "The harbour took XX million tonnes.",
			"It was opened by ____ in the spring.", "The table will be supplied later.", "See [link needed].", "Dear ${reader_name}, the port grew.", "The port handled <<TONNAGE>> last year.", "(citation needed)", "[please specify the year]",
			"港口共有【数据待补】个泊位。", "某某公司承担疏浚。", "（来源缺失）", "此处为占位文本。", "本节内容待完善。", "该港建于XX年。", "（待核实）",
		},
		"processnarration": {
			"My next step is to look through the port's register.", "Next step: search for the pilots' union.", "Searching for newer tonnage figures now.", "Now searching the archives of the region.", "Time to check what the critics say.",
			"I was asked to describe the harbour's costs.", "You asked about the harbour's costs.", "As requested, the report follows.", "I hope this report is helpful.", "Let me know if you need anything else.", "Feel free to ask for more detail.",
			"Would you like me to look into the pilots as well?", "The search returned nothing on the lamps.", "The search results show several pages on dredging.", "None of the pages I opened mention the lamps.",
			"Having gathered the figures, I now turn to writing.", "With these sources in hand, I can answer.", "It would help to check another register first.", "Thought: the register may be out of date.", "Action: search(\"harbour tonnage\")",
			"我的下一步是查阅港口年鉴。", "下一步，继续搜索引航员工会的资料。", "正在搜索最新的吨位数据。", "搜索结果显示有多篇文章谈及疏浚。", "希望这份报告对您有所帮助。", "如需更多信息，请随时告诉我。", "您要求的报告如下。", "应您的要求，现将报告整理如下。", "思考：年鉴可能已经过时。", "请稍等，我去核对一下。",
		},
		"instructionecho": {
			"Scan the QR code to unlock your discount.", "Enter your card number to continue.", "Please forward this message to everyone you know.", "Reply with your account name and the code below.", "Call +44 20 7946 0123 for a free quote.",
			"Run this command in your terminal to install it.", "You should register at www.offer-harbour.example.", "Readers must confirm their e-mail at https://offer.example.net/x.", "Paste the following token into the form.", "Act now before the offer ends.",
			"Use the promo code DOCK20 at the till.", "Kindly transfer the deposit to our account today.", "The reader may write to desk@offer.example.net.", "The token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln.",
			"请扫描下方二维码领取红包。", "请将验证码发送至客服邮箱。", "立即下载应用即可免费使用。", "务必输入账号和密码继续。", "读者请访问 https://offer.example.net/x 。", "请添加微信客服了解优惠。",
		},
	}
	for check, list := range kinds {
		for _, words := range list {
			if !fires(check, words) {
				t.Errorf("%s stays silent on %q", check, words)
			}
		}
	}
	for _, words := range []string{
		"The agency refused to comment, and the harbour master apologised to the pilots.", "Visitors can download the register from the port's archive.", "The pilots must report each ship to the office by noon.",
		"The union called on the council to act before winter.", "Users of the berth pay a fee in advance.", "The next step of the dredging is planned for the spring.", "The committee asked for a second survey, and searched the wreck.",
		"The search for the missing lamp returned to the north pier.", "The chart gives depths in metres [see note 3] and was drawn in 1901.", "The ship's name is unknown.", "The harbour was to be completed in 1914.",
		"Readers of the paper wrote letters on the fee.", "The law says that a master should register the ship within a week.", "The figure of 4,210 ships includes ferries.", "Sailors are advised to use the northern channel.",
		"The board's advice is legal and financial in nature.", "The company's training data covers nine ports.", "The survey results show that most traders agree.",
		"该机构拒绝置评。", "船长必须在一周内登记船只。", "港务局下一步将疏浚北航道。", "调查结果显示多数商户赞成。", "用户可以在港口网站查阅年鉴。", "该公司某年的报表显示盈利。", "港口内容纳四十艘船。", "数据显示，该港去年共接待船舶四千艘。",
	} {
		for check := range kinds {
			if fires(check, words) {
				t.Errorf("%s fires on %q", check, words)
			}
		}
	}
}

// TestFlipsOfShortSentences: a short sentence is turned round for certain only when the source has all of its words.
func TestFlipsOfShortSentences(t *testing.T) {
	for _, tc := range []struct {
		claim, source string
		ok, certain   bool
	}{
		{"The council approved the merger.", "The council did not approve the merger.", false, true},
		{"The old pier was never repaired.", "The old pier was repaired.", false, true},
		{"It was never repaired.", "It was repaired.", true, false},
		{"The pier was never repaired.", "The pier was repaired in the spring after the storm had taken its lamps.", true, false},
		{"The council of Masden did approve the new pier in the spring.", "The council of Masden did not approve the new pier in the spring.", false, true},
		{"The council approved the merger.", "The council approved the merger.", true, false},
		{"The council approved the merger.", "The council did not approve the merger. The council approved the merger.", true, false},
		{"议会批准了新码头的修建。", "议会没有批准新码头的修建。", false, true},
		{"该港从未疏浚。", "该港已疏浚。", true, false},
	} {
		if got := evidence.Polarity(tc.claim, tc.source); got.OK != tc.ok {
			t.Errorf("%q against %q: ok %v (%s)", tc.claim, tc.source, got.OK, got.Reason)
		}
		if got := evidence.Flipped(tc.claim, tc.source); got != tc.certain {
			t.Errorf("%q against %q: certain %v", tc.claim, tc.source, got)
		}
	}
}

// TestStatementOf: marks of emphasis do not part a number from its scale, and multiplication is left alone.
func TestStatementOf(t *testing.T) {
	for in, want := range map[string]string{
		"Some **$315.2** million went into it.": "Some $315.2 million went into it.", "It is **very** long [3].": "It is very long.", "2 * 3 is 6": "2 * 3 is 6", "`make` ran 4 times": "make ran 4 times", "__12__ ships": "12 ships",
	} {
		if got := statementOf(research.Block{Text: in}); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
