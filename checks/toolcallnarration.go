package checks

import (
	"regexp"
	"strings"
)

var toolcallnarration = &Check{
	ID: "C05", Name: "toolcallnarration", Title: "ToolCallNarration", Tier: Completion, Class: Advisory,
	Scope: dispatchKeys, Eval: evalToolCallNarration, Advise: Annotate,
}

// maxNarration is the longest text, in runes, that is taken for a plan to act; a longer one is a text of its own (CHECKS 1A).
const maxNarration = 600

var (
	// callShaped is the text form of a tool call: the tags of chat templates, a name before an object, or an object of name and arguments.
	callShaped = regexp.MustCompile(`(?is)<tool_call|<function[=_ ]|\[TOOL_CALLS\]|<invoke |\bfunctions\.\w+|` +
		`^\W{0,8}[a-z]\w{2,40}(?:_\w+)+\s*[({]|"(?:name|tool|function)"\s*:\s*"[^"]{1,60}"\s*,\s*"(?:arguments|parameters|args|input)"`)
	// planned is what someone says who is about to do it.
	planned = regexp.MustCompile(`(?i)\b(?:i['’]ll|i will|i am going to|i['’]m going to|i need to|let me|next,? i)\b[^.!?\n]{0,60}\b(?:write|search|call|use|fetch|read|look|create|save|open|summari[sz]e|gather|extract|analy[sz]e|compile|produce|return|output|start|begin)\b|` +
		`(?:我将|我会|我要|让我|接下来我?)[^。！？\n]{0,30}(?:搜索|调用|写入|查找|读取|使用|整理|撰写|分析|提取|返回|输出|开始)`)
)

// What is wrong is told without the words of the answer: they rest on nothing, and the remark is printed.
func evalToolCallNarration(v View, k Key) []Hit {
	d, ok := v.dispatch(k)
	if !ok || d.Schema == "" {
		return nil
	}
	visible := strings.TrimSpace(unfence(stripControl(d.Visible)))
	if visible == "" || misfit(visible, d.Schema) == "" {
		return nil
	}
	if callShaped.MatchString(visible) {
		return []Hit{{Where: k.ID, Code: "call", What: "the answer prints a call of a tool"}}
	}
	if strings.ContainsAny(visible, "{[") && len(CompleteElements(visible)) > 0 {
		return nil
	}
	n := len([]rune(visible))
	if planned.MatchString(visible) && n < maxNarration {
		return []Hit{{Where: k.ID, Code: "plan", What: "the answer tells what it is about to do"}}
	}
	if !strings.ContainsAny(visible, "{[") && visibleRunes(visible) >= minVisible(visible) {
		return []Hit{{Where: k.ID, Code: "prose", What: "the answer is prose where an object was due"}}
	}
	return nil
}
