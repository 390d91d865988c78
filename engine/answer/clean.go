package answer

import (
	"encoding/json"
	"regexp"
	"strings"
)

// thinkTags are the pairs in which families of models put reasoning into their visible text: Qwen and DeepSeek; others by
// imitation; Mistral's Magistral; Kimi; Seed.
var thinkTags = [][2]string{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
	{"<reflection>", "</reflection>"}, {"[THINK]", "[/THINK]"}, {"◁think▷", "◁/think▷"}, {"<seed:think>", "</seed:think>"},
}

var (
	// control matches the control tokens of chat templates: <|im_end|>, <|start_header_id|>, DeepSeek's full-width forms, Llama 2's
	// brackets, Gemma's turns. A role name that follows an opening token goes with it.
	control = regexp.MustCompile(`(?i)<\|(?:im_start|start)\|>\s*(?:assistant|user|system|developer|tool)?\b|<\|[a-z0-9_./ -]{1,40}\|>|<｜[^<>｜]{1,40}｜>|</?s>|\[/?INST\]|<</?SYS>>|<start_of_turn>(?:model|user)?|<end_of_turn>|<(?:bos|eos|pad|unk|eot)>`)

	// harmony splits gpt-oss's channels: <|channel|>analysis<|message|>...
	harmony = regexp.MustCompile(`<\|channel\|>\s*(\w+)[^<]{0,80}(?:<\|constrain\|>\s*\w*)?\s*<\|message\|>`)
)

// Prose returns text without reasoning, control tokens, byte order marks and zero bytes, trimmed. It is empty when nothing
// but reasoning was there.
func Prose(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	text = strings.ToValidUTF8(text, "")
	text = strings.NewReplacer("\ufeff", "", "\u200b", "", "\u2060", "", "\x00", "").Replace(text)
	text = finalChannel(text)
	for _, tag := range thinkTags {
		text = withoutPair(text, tag[0], tag[1])
	}
	// A token that is made by taking another out of its middle is one too.
	for range 4 {
		next := control.ReplaceAllString(text, "")
		if next == text {
			break
		}
		text = next
	}
	return strings.TrimSpace(text)
}

// finalChannel keeps the last final channel of a harmony text; analysis and commentary are reasoning.
func finalChannel(text string) string {
	marks := harmony.FindAllStringSubmatchIndex(text, -1)
	if marks == nil {
		return text
	}
	var out strings.Builder
	out.WriteString(text[:marks[0][0]])
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		body := text[m[1]:end]
		if text[m[2]:m[3]] == "final" {
			out.Reset() // what came before was not final
			out.WriteString(body)
			continue
		}
		// After the end of a reasoning channel comes ordinary text again.
		if _, after, ok := strings.Cut(body, "<|end|>"); ok {
			out.WriteString(after)
		}
	}
	return out.String()
}

// withoutPair drops everything between open and close. Without an opening tag all before the closing one was reasoning;
// without a closing tag all after the opening one is.
func withoutPair(text, open, closing string) string {
	for {
		j := strings.Index(text, closing)
		i := strings.Index(text, open)
		switch {
		case i < 0 && j < 0:
			return text
		case j < 0:
			return text[:i]
		case i < 0 || j < i:
			text = text[j+len(closing):]
		default:
			text = text[:i] + text[j+len(closing):]
		}
	}
}

// unfenced drops the line of a code fence at the beginning and the end.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "```") {
		if _, rest, ok := strings.Cut(s, "\n"); ok {
			s = rest
		} else {
			s = strings.TrimPrefix(s, "```")
		}
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "```"))
}

// strippedStrings takes control tokens out of every string of v and reports whether there were any. Whole numbers lose a
// fraction of zeros, so that "3.0" can be read as an integer.
func strippedStrings(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		if !strings.ContainsAny(v, "<[\x00\ufeff") {
			return v, false
		}
		s := control.ReplaceAllString(strings.NewReplacer("\ufeff", "", "\x00", "").Replace(v), "")
		return s, s != v
	case json.Number:
		if whole, zeros, ok := strings.Cut(v.String(), "."); ok && strings.Trim(zeros, "0") == "" {
			return json.Number(whole), false
		}
	case []any:
		any := false
		for i := range v {
			e, changed := strippedStrings(v[i])
			v[i], any = e, any || changed
		}
		return v, any
	case map[string]any:
		any := false
		for k := range v { // order does not matter: each value is changed in its place
			e, changed := strippedStrings(v[k])
			v[k], any = e, any || changed
		}
		return v, any
	}
	return v, false
}
