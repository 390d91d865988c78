package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var placeholdertext = &Check{
	ID: "C11", Name: "placeholdertext", Title: "PlaceholderText", Tier: Completion, Class: Hard,
	Scope: blockKeys, Eval: evalPlaceholderText, Edit: editPlaceholderText,
	Cap: 2, LifeCap: 3, Repair: []Action{Rewrite}, Terminal: Edit,
}

// placeholder is the residue of a template (CHECKS 1A; no false alarm on 50 real reports). What follows a bracket is looked at
// in code: "[add](https://...)" is a link.
var placeholder = regexp.MustCompile(`(?i)[\[<{](?:please )?(?:insert|your|add|todo|to-do|fixme|tbd|tbc|tk|placeholder|(?:citation|source|reference|ref|link|url|figure|number|date|name|value|data|page)s? (?:needed|missing|pending|required|here|goes here|to come|to be \w+)|name|date|xx+|fill in|enter|specify|replace|update this|coming soon|pending|to (?:come|follow)|(?:to be|will be) (?:added|completed|determined|confirmed|filled|inserted|written|provided|supplied|announced))\b[^\]>}\n]{0,60}[\]>}]|` +
	`\((?:todo|tbd|tbc|to be (?:added|completed|determined|confirmed|filled in|inserted|written|supplied)|insert [^()\n]{1,40}|citation needed|source needed|(?:citation|source|reference|ref|link) (?:here|missing|pending|to come|to follow)|xx+)\)|(?:^|[^\w])(?:TODO|FIXME|TKTK|TK TK)\b:?|_{4,}|\b(?:lorem ipsum|dolor sit amet)\b|(?:^|[\s$€£(])X{2,4} ?(?:%|percent\b|million\b|billion\b|people\b|units\b|years\b)|\$\{[a-z_][\w.]{0,40}\}|%[A-Z][A-Z_]{2,30}%|<<[^<>\n]{1,40}>>|` +
	`(?:(?:text|content|details|figures?|numbers?|section|table|chart|data|material)) (?:to be|will be) (?:added|completed|filled in|inserted|supplied|written|provided) (?:here|later|soon|in a later|at a later|in the final|before publication)\b|` +
	`[\[【（(](?:数据|来源|出处|引用|文献|日期|名称|姓名|数字|链接|金额|公司名称?|作者|内容|图表|此处|这里|具体)[^\]】）)\n]{0,12}(?:缺失|缺|空缺|未填|占位|补上|补齐|补充|待|填写|填入|插入|确认)[^\]】）)\n]{0,8}[\]】）)]|[（(](?:待|尚待|有待)(?:补充?|填写?|定|核实|确认|完善|更新|查)[^）)\n]{0,8}[）)]|(?:内容|数据|图表|章节|部分|正文|附录)(?:待|有待|尚待|将在(?:后续|稍后|之后))(?:补充|填写|完善|更新|添加|插入|补全)|(?:某某|XX|××|ＸＸ)(?:公司|机构|单位|年|月|万|亿|元|先生|女士|市|省|大学)|占位(?:符|文本|文字)|` +
	`\[[^\]\n]{0,80}\bwill be (?:added|appended|inserted)[^\]\n]{0,40}\]|\bwill be (?:added|appended|inserted) here\b|此处将(?:补充|插入|添加|填写)|[（(]作者[，,] ?年份[）)]|[\[【][^\]】\n]{0,12}待(?:补|填|定)[^\]】\n]{0,8}[\]】]|\{\{\s*[^{}\n]{1,40}\}\}|\(Author,? (?:et al\.,? )?Year\)|` +
	`[\[【](?:此处|在此|请在此|请)?(?:插入|填写|填入|待补充|待填|补充)[^\]】\n]{0,30}[\]】]`)

// reservedHost are the names that stand for no host (RFC 2606).
var reservedHost = regexp.MustCompile(`(?i)^https?://(?:[\w-]+\.)*(?:example\.(?:com|org|net)|[\w-]+\.(?:example|invalid|test))(?:[:/?#]|$)`)

func evalPlaceholderText(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	for _, s := range v.placeholders(b) {
		hits = append(hits, Hit{Where: b.ID, What: fmt.Sprintf("%q stands where something was to be filled in", b.Text[s.Start:s.End])})
	}
	return hits
}

// placeholders returns the spans of what was never filled in, unless a source of the block holds the very words.
func (v View) placeholders(b research.Block) []research.Span {
	var out []research.Span
	for _, m := range placeholder.FindAllStringIndex(b.Text, 64) {
		if !strings.HasPrefix(b.Text[m[1]:], "(") {
			out = append(out, research.Span{Start: m[0], End: m[1]})
		}
	}
	for _, s := range v.unfetched(b) { // a page that was opened stands for itself
		if reservedHost.MatchString(b.Text[s.Start:s.End]) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil
	}
	ground := v.groundOf(b)
	kept := out[:0]
	for _, s := range out {
		words := b.Text[s.Start:s.End]
		held := strings.Contains(ground.text, words) || strings.Contains(v.Question, words)
		for _, src := range ground.sources {
			held = held || strings.Contains(v.Texts[src.SHA256], words)
		}
		if !held {
			kept = append(kept, s)
		}
	}
	return kept
}

// editPlaceholderText takes out the sentences that hold a placeholder and notes them; a block of nothing else goes.
func editPlaceholderText(v View, k Key) View {
	var noted []string
	next := mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		for range 8 { // a placeholder that crosses the end of a sentence leaves its rest
			bad := v.placeholders(b)
			if len(bad) == 0 {
				break
			}
			s := bad[0]
			from, to := s.Start, s.End
			for _, sp := range text.Sentences(b.Text) {
				if sp.Start < to && from < sp.End {
					from, to = min(from, sp.Start), max(to, sp.End)
				}
			}
			noted = append(noted, strings.TrimSpace(b.Text[from:to]))
			b.Text = strings.TrimSpace(b.Text[:from] + b.Text[to:])
		}
		if len(v.placeholders(b)) > 0 {
			return b, false
		}
		return b, visibleRunes(b.Text) > 0
	})
	for _, words := range noted {
		next = issue(next, "check", words, "a part of a template that was never filled in", "")
	}
	return next
}
