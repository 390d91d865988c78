package text

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Stem returns the Snowball stem of a normalised English word (see [Token]). A word of another language, and one that holds
// anything but lower-case ASCII letters and apostrophes, is returned as it is; lang "" counts as English.
func Stem(norm, lang string) string {
	if lang != "en" && lang != "" || len(norm) < 3 || len(norm) > 64 {
		return norm
	}
	for i := 0; i < len(norm); i++ {
		if c := norm[i]; !isLower(c) && c != '\'' {
			return norm
		}
	}
	slot := &stemCache[maphash.String(stemSeed, norm)%uint64(len(stemCache))]
	if e := slot.Load(); e != nil && e.word == norm {
		return e.stem
	}
	e := &stemEntry{word: strings.Clone(norm), stem: english.Stem(norm, true)}
	slot.Store(e)
	return e.stem
}

// stemEntry is one remembered stem. The cache is direct-mapped and bounded; which words it holds changes the time of a call,
// never its result.
type stemEntry struct{ word, stem string }

var (
	stemSeed  = maphash.MakeSeed()
	stemCache [1 << 14]atomic.Pointer[stemEntry]
)

// Terms returns the stems of the content words of s, in order, duplicates kept, stop words dropped. Latin words are stemmed
// as English when lang is "en", "zh" or unknown; CJK pairs stay as they are, and a pair with a particle in it is dropped.
func Terms(s, lang string) []string {
	tokens := Tokens(s)
	out := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if StopWord(t.Norm, lang) {
			continue
		}
		out = append(out, stemAny(t.Norm, lang))
	}
	return out
}

// TermSet is Terms as a set.
func TermSet(s, lang string) map[string]bool {
	tokens := Tokens(s)
	out := make(map[string]bool, len(tokens))
	for _, t := range tokens {
		if !StopWord(t.Norm, lang) {
			out[stemAny(t.Norm, lang)] = true
		}
	}
	return out
}

func stemAny(norm, lang string) string {
	if lang == "zh" {
		lang = "en" // the Latin words of a Chinese text are English; a CJK pair is not touched
	}
	return Stem(norm, lang)
}

// StopWord reports whether a normalised token carries no content: a function word, a question word, a single letter, a CJK
// pair with a particle in it. English words count in every language but those that are known and neither English nor Chinese.
func StopWord(norm, lang string) bool {
	if norm == "" {
		return true
	}
	if norm[0] < utf8.RuneSelf {
		if len(norm) == 1 {
			return !isDigit(norm[0])
		}
		return (lang == "en" || lang == "zh" || lang == "") && enStop[norm]
	}
	if r, _ := utf8.DecodeRuneInString(norm); !isCJK(r) {
		return false
	}
	if zhStop[norm] {
		return true
	}
	for _, r := range norm {
		if strings.ContainsRune(zhParticles, r) {
			return true
		}
	}
	return false
}

// zhParticles never carry content, whatever stands beside them.
const zhParticles = "的了吗呢吧着啊呀嘛么"

var zhStop = wordSet(`是 在 和 与 或 及 而 也 都 就 还 又 并 把 被 从 对 向 到 由 于 为 以 等 这 那 其 之 此 该 每 各 某 我 你 他 她 它 们 有 无 不 没 很 更
	最 会 能 可 要 应 请 问 谁 哪 何 几 个 一
	我们 你们 他们 她们 它们 这个 那个 这些 那些 哪个 哪些 哪里 哪儿 哪位 哪种 哪年 谁是 如何 为何 何时 何地 何处 多少 几个 是否 可以 能够 以及 或者
	并且 而且 但是 然而 因此 所以 因为 由于 关于 对于 根据 按照 通过 进行 其中 其他 其它 一个 一些 一种 有哪 是谁 是哪 是何 是多 请问 以上 以下 之一 之后
	之前 还是 就是 不是 也是 都是 没有 已经 正在 可能 应该 需要 如果 虽然 即使 只有 只要 除了 为止 起来 自己 本身 以来 在哪 于何`)

var enStop = wordSet(`a about above across after again against all almost along already also although always am among an and another any anybody anyone
	anything are aren't around as at away back be became because become been before behind being below between both but by came can can't cannot
	could couldn't did didn't do does doesn't doing don't done down due during each either else enough etc even ever every everyone everything few
	for from further get gets give given go goes got had hadn't has hasn't have haven't having he he'd he'll he's hence her here hers herself him
	himself his how however i i'd i'll i'm i've if in indeed instead into is isn't it it's its itself just least less let let's like likely made
	make makes many may maybe me might mine more moreover most mostly much must mustn't my myself namely near neither never nevertheless next no
	nobody none nonetheless nor not nothing now of off often on once one only onto or other others otherwise ought our ours ourselves out over own per perhaps
	please quite rather really regarding said same say says see seem seemed seems several shall shan't she she'd she'll she's should shouldn't since so some
	somebody someone something sometimes somewhat still such take than that that's the their theirs them themselves then thence there there's therefore
	these they they'd they'll they're they've this those though through throughout thus to together too toward towards under until unto up upon us
	use used uses using very via was wasn't way we we'd we'll we're we've well went were weren't what what's whatever when whence whenever where
	where's whereas whereby wherein whereupon wherever whether which whichever while who who's whoever whole whom whose why why's will with within
	without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves eg ie vs
	don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ll ve re`)

// wordSet makes a set of the words of a list.
func wordSet(words string) map[string]bool {
	fields := strings.Fields(words)
	set := make(map[string]bool, len(fields))
	for _, w := range fields {
		set[w] = true
	}
	return set
}
