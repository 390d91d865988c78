package render

import (
	"regexp"
	"strings"
)

// phrase is a fixed sentence of the program that a record keeps in English, with its Chinese form.
type phrase struct {
	re *regexp.Regexp
	zh string
}

// phrasesEN are the English sentences, with (.+?) where a name, a number or a place stands, and their Chinese forms with $1
// in its place. They are what verdicts of sources, votes, checks and the choice of a model are explained with. A test holds
// the package that makes each sentence to this table.
var phrasesEN = [][2]string{
	// the verdict of a source
	{`holds the same document as (.+)`, `与 $1 是同一文档`},
	{`is the same document in another language as (.+)`, `是 $1 的另一语言版本`},
	{`opened and read; signed (.+)`, `已打开并阅读；署名 $1`},
	{`opened and read; a document the person added, without a byline`, `已打开并阅读；由读者添加，未署名`},
	{`opened and read; unsigned, published by a (.+) body`, `已打开并阅读；未署名，由$1机构发布`},
	{`opened and read; unsigned, published by an established (.+) body`, `已打开并阅读；未署名，由知名的$1机构发布`},
	{`is no article but a message of its server: (.+)`, `不是文章，而是服务器的提示：$1`},
	{`carries the text of (.+) .(\w+), ([\d.]+).`, `载有 $1 的文本（相似度 $3）`},
	{`its site asks programs to leave it alone .robots.txt.`, `该网站不允许程序访问`},
	{`its server answered with status (\d+) .+`, `服务器返回状态码 $1`},
	{`it could not be reached: one address leads to the next, more than (\d+) redirects`, `无法访问：地址之间相互跳转超过 $1 次`},
	{`it could not be reached: no host has its name`, `无法访问：没有该名称的主机`}, {`it could not be reached: its server took too long`, `无法访问：服务器响应过慢`},
	{`it could not be reached: nothing answers at its address`, `无法访问：该地址没有服务`},
	{`it could not be reached: its server ended the connection before the page was whole`, `无法访问：服务器在网页传完之前断开了连接`},
	{`it could not be reached: (.+)`, `无法访问：$1`}, {`it is not fetched: (.+)`, `不予访问：$1`}, {`it was not fetched: (.+)`, `未访问：$1`},
	{`it is larger than the (\d+) MiB that are read of a page`, `网页超过可读取的 $1 MiB`}, {`it is of a kind that is not read: (.+)`, `该类型不读取：$1`},
	{`the page shows only its beginning to those who do not pay or sign in; save it from a browser that may read it and give the file with --attach`, `未付费或未登录者只能看到开头；请在可阅读的浏览器中保存，再作为附件提供`},
	{`only its abstract is open, which is not the paper; give the paper itself with --attach`, `仅摘要公开，摘要不等于论文；请以附件提供论文本身`},
	{`names no author and no institution stands behind it`, `未署名，也没有机构为其负责`},
	{`says of itself that a machine wrote it: (.+)`, `自称由机器撰写：$1`},
	{`its title is an error message: (.+)`, `标题是错误信息：$1`},
	{`holds (\d+) characters of text, too little to read`, `只有 $1 个字符，不足以阅读`},
	{`speaks of something else: subject match ([\d.]+), at least ([\d.]+) is asked`, `所谈另有其事：主题吻合度 $1，至少应为 $2`},
	{`could not be opened: (.+)`, `无法打开：$1`},
	{`(.+) is empty`, `$1 是空文件`}, {`(.+) holds no text to read.*`, `$1 没有可读的文本`},
	{`(.+) is of the format "(.+)", which is not read; save it as (.+)`, `$1 的格式是“$2”，无法读取；请另存为 $3`},
	{`(.+) is (\d+) MiB, and files over (\d+) MiB are not read; split it into smaller files`, `$1 有 $2 MiB，超过 $3 MiB 的文件不读取；请拆分`},
	{`the page shows its text only to a browser that runs its scripts; open it there and save it as a file`, `该页面只在运行脚本的浏览器中显示文本；请在浏览器中打开并另存`},
	{`were not read either; the list of the library names them`, `也未读取；资料库清单列有其名称`},
	{`(.+) is not readable: (.+); check its permissions`, `$1 无法读取：$2；请检查其权限`}, {`(.+) holds no page that can be read`, `$1 没有可读取的页面`},
	{`(.+) is no table of values: (.+); save it again as CSV`, `$1 不是数据表：$2；请重新保存为 CSV`},
	{`(.+) has (\d+) pages, and at most (\d+) are read; split it`, `$1 有 $2 页，最多读取 $3 页；请拆分`},
	{`(.*)has no text to read; if it is a picture of a page, it needs OCR first`, `$1没有可读的文本；如果是页面图片，需先做文字识别`},
	{`(.*)is not text: (\d+) of its first (\d+) characters are control characters or of no encoding; if it is a document of another kind, give it the ending of its format`, `$1不是文本：前 $3 个字符中有 $2 个是控制字符或不属于任何编码；如果是其他格式的文档，请使用该格式的扩展名`},
	// votes
	{`its own passage`, `该论断自身的段落`}, {`the passage around it`, `其上下文`}, {`same words and names`, `词语和名称相同`},
	{`does not address the claim`, `未涉及该论断`}, {`has the key of the claim but not its words`, `谈及同一事项，但说法不同`},
	{`has (.+) where the claim has (.+)`, `此处为 $1，论断为 $2`}, {`has (.+)`, `含有 $1`},
	{`a close sentence agrees`, `有相近的句子与之一致`}, {`one of claim and source is negated`, `论断与来源之一为否定`},
	{`"(.+)" is negated in the (?:claim|source) only`, `“$1”只在一方被否定`}, {`"(.+)" where the source has "(.+)"`, `论断为“$1”，来源为“$2”`}, {`(\S+) where the source has (\S+)`, `论断为 $1，来源为 $2`},
	{`only one of claim and source speaks of (.+)`, `只有一方谈及 $1`},
	{`"(.+)" is not named in the source`, `来源未提及“$1”`}, {`(.+) is not a (?:date|day) of the source`, `来源没有 $1 这一日期`}, {`(.+) is not in the source`, `来源没有 $1`},
	// disagreements
	{`the values are (.+) and (.+)`, `数值分别为 $1 和 $2`}, {`one has "(.+)" where the other has "(.+)"`, `一方为“$1”，另一方为“$2”`},
	{`(\d[\d-]*) and (\d[\d-]*): the values are (.+) and (.+)`, `$1 与 $2：数值分别为 $3 和 $4`}, {`(\d[\d-]*) and (\d[\d-]*): one has "(.+)" where the other has "(.+)"`, `$1 与 $2：一方为“$3”，另一方为“$4”`},
	{`the dates are (.+) and (.+)`, `日期分别为 $1 和 $2`},
	{`one is said to come before the other, and their dates are (.+) and (.+)`, `一方被称早于另一方，而两者日期分别为 $1 和 $2`},
	{`it begins in (.+) and something is said to have happened to it in (.+) already`, `始于 $1，却称 $2 时已有其事`},
	{`it ends in (.+) and begins in (.+)`, `终于 $1，却始于 $2`}, {`(\d+) shares of one whole add up to (.+) %`, `同一整体的 $1 个份额合计 $2%`},
	// what was left out
	{`confidence ([\d.]+) is in the reject band`, `置信度 $1 属于不采信的等级`},
	{`the reviewer remarks, and no check confirms: (.+)`, `审阅者的意见，未经检查证实：$1`},
	// the choice of a model
	{`The extractive channel was asked for\.`, `按要求未使用模型，只摘录原文。`}, {`No model was used because (.+)\.`, `未使用模型，原因：$1。`},
	{`This model was asked for\.`, `按要求使用该模型。`}, {`This model was asked for; its prompts, with the passages in them, go to (.+)\.`, `按要求使用该模型；提示词及其中的段落会发送到 $1。`},
	{`The answers are those of a recorded run\.`, `回答来自一次有记录的运行。`}, {`The bench asked for it\.`, `由测试指定。`},
}

var phrases = func() []phrase {
	var out []phrase
	for _, p := range phrasesEN {
		out = append(out, phrase{regexp.MustCompile(`^` + p[0] + `$`), p[1]})
	}
	return out
}()

// Phrase is a sentence that the record keeps in English, in the language of the page; one that the table does not know is
// returned as it is.
func (p *page) Phrase(s string) string {
	if p.V["lang"] == "en" {
		return s
	}
	s = strings.TrimSpace(s)
	for _, ph := range phrases {
		if ph.re.MatchString(s) {
			return ph.re.ReplaceAllString(s, ph.zh)
		}
	}
	return s
}

// Reason is why something was left out. A verdict that stands before its note is put into the words of the page.
func (p *page) Reason(s string) string {
	if verdict, note, ok := strings.Cut(s, ": "); ok {
		if w, known := p.V[verdict]; known && !strings.Contains(verdict, " ") {
			return w + p.W("colon") + p.Phrase(note)
		}
	}
	return p.Phrase(s)
}
