package evidence

import (
	"regexp"
	"strings"

	"assay/engine/text"
)

// effectVerbsZh are words of doing more or less in Chinese; a longer one goes before a shorter that it holds.
var effectVerbsZh = []struct {
	word string
	turn
}{
	{"增加", turn{alongAmount, 1}}, {"提高", turn{alongAmount, 1}}, {"提升", turn{alongAmount, 1}}, {"延长", turn{alongAmount, 1}}, {"增长", turn{alongAmount, 1}}, {"扩大", turn{alongAmount, 1}}, {"加大", turn{alongAmount, 1}},
	{"加剧", turn{alongAmount, 1}}, {"导致", turn{alongAmount, 1}}, {"引起", turn{alongAmount, 1}}, {"造成", turn{alongAmount, 1}}, {"引发", turn{alongAmount, 1}}, {"带来", turn{alongAmount, 1}}, {"上升", turn{alongAmount, 1}}, {"诱发", turn{alongAmount, 1}},
	{"减少", turn{alongAmount, -1}}, {"降低", turn{alongAmount, -1}}, {"缩短", turn{alongAmount, -1}}, {"削减", turn{alongAmount, -1}}, {"减轻", turn{alongAmount, -1}}, {"下降", turn{alongAmount, -1}}, {"缩小", turn{alongAmount, -1}},
	{"防止", turn{alongAmount, -1}}, {"避免", turn{alongAmount, -1}}, {"阻止", turn{alongAmount, -1}}, {"预防", turn{alongAmount, -1}}, {"抑制", turn{alongAmount, -1}}, {"消除", turn{alongAmount, -1}},
	{"改善", turn{alongWorth, 1}}, {"有助于", turn{alongWorth, 1}}, {"促进", turn{alongWorth, 1}}, {"保护", turn{alongWorth, 1}}, {"有益于", turn{alongWorth, 1}}, {"有利于", turn{alongWorth, 1}}, {"增强", turn{alongWorth, 1}},
	{"损害", turn{alongWorth, -1}}, {"伤害", turn{alongWorth, -1}}, {"危害", turn{alongWorth, -1}}, {"恶化", turn{alongWorth, -1}}, {"破坏", turn{alongWorth, -1}}, {"削弱", turn{alongWorth, -1}}, {"妨碍", turn{alongWorth, -1}}, {"有害于", turn{alongWorth, -1}},
}

var (
	askedZh   = regexp.MustCompile(`(?:是否|能否|会否|会不会|能不能|可不可以|可否|是不是|到底|究竟|真的|可以|能够|会|能|可|有没有|了)+$`)
	openZh    = regexp.MustCompile(`如果|假如|倘若|若是|是否|能否|会不会|能不能|旨在|希望|为了|试图|计划|有望|预计|打算|力图|意在`)
	deniedZh  = regexp.MustCompile(`(?:没有|并无|尚无|缺乏|缺少|毫无|无)(?:任何|充分|足够|确凿|可靠)?(?:的)?证据|不能证明|未能证明|无法证明|并未证实|未证实|否认|质疑|怀疑`)
	refutedZh = regexp.MustCompile(`(?:是|属于|纯属)(?:一种)?(?:错误|误解|谣言|谬误|错)|不成立|不属实|站不住脚|与事实不符|并非事实`)
	negZh     = regexp.MustCompile(`不|没有|没|未|无法|难以|并非|从未|绝非`)
	tailZh    = regexp.MustCompile(`[？?。吗呢么\s]+$`)
	clauseZh  = regexp.MustCompile(`[，,；;：:]|但是?|然而|不过|而且`)
)

// readZh reads a Chinese question that compares nothing.
func (t *Proposition) readZh(question string) {
	q := text.Fold(question)
	if loc := oughtZ.FindStringIndex(q); loc != nil {
		name := q[:loc[0]]
		rest := tailZh.ReplaceAllString(q[loc[1]:], "")
		for _, end := range []string{"禁止", "取消", "废除", "停止", "淘汰", "关闭", "拆除", "弃用", "限制", "避免"} {
			if strings.Contains(rest, end) {
				t.flip = true
				t.act = map[string]bool{end: true}
				rest = strings.ReplaceAll(rest, end, "")
			}
		}
		for _, plain := range []string{"使用", "采用", "保留", "选择", "推广", "安装", "建设", "购买", "更换", "被"} {
			if strings.Contains(rest, plain) {
				if t.act == nil {
					t.act = map[string]bool{}
				}
				t.act[plain] = true
			}
			rest = strings.ReplaceAll(rest, plain, "")
		}
		for _, n := range []string{name, rest} {
			if n = strings.Trim(n, " ,，的了"); len(n) >= 6 {
				t.shown = append(t.shown, n)
			}
		}
		return
	}
	for i, v := range effectVerbsZh {
		k := strings.Index(q, v.word)
		if k <= 0 {
			continue
		}
		subject := strings.Trim(askedZh.ReplaceAllString(q[:k], ""), " ,，")
		object := strings.Trim(tailZh.ReplaceAllString(q[k+len(v.word):], ""), " ,，了的")
		if subject == "" {
			continue
		}
		t.effect = &effect{subjectZh: subject, objectZh: object, verb: effectVerbsZh[i].word, axis: v.axis, sign: v.sign}
		return
	}
	// "X有害吗", "X值得吗", "X安全吗"
	for _, sign := range []int{-1, 1} {
		for _, cue := range append([]string{"值得"}, leaning["zh"][sign]...) {
			if k := strings.LastIndex(q, cue); k > 0 && (cue != "值得" || sign == 1) {
				t.judge = map[string]bool{cue: true}
				t.flip = sign < 0
				if n := strings.Trim(askedZh.ReplaceAllString(q[:k], ""), " ,，的"); len(n) >= 6 {
					t.shown = append(t.shown, n)
				}
				return
			}
		}
	}
}

// namedZh is the share of a name's pairs of signs that a text holds.
func namedZh(name, in string) float64 {
	if name == "" || strings.Contains(in, name) {
		return 1
	}
	rs := []rune(name)
	if len(rs) < 3 {
		return 0
	}
	have := 0
	for i := 0; i+1 < len(rs); i++ {
		if strings.Contains(in, string(rs[i:i+2])) {
			have++
		}
	}
	return float64(have) / float64(len(rs)-1)
}

// sideZh is [effect.sideEn] for Chinese.
func (e *effect) sideZh(s, about string) int {
	s, about = text.Fold(s), text.Fold(about)
	if namedZh(e.subjectZh, s) < 0.5 && (namedZh(e.subjectZh, about) < 0.5 || !regexp.MustCompile(`^(?:它|这|其|该|此)`).MatchString(s)) {
		return 0
	}
	turn := 1
	if refutedZh.MatchString(s) {
		turn = -turn
	}
	sum, from := 0, 0
	cuts := append(clauseZh.FindAllStringIndex(s, -1), []int{len(s), len(s)})
	before := "" // a denial may stand in a clause of its own: 没有证据表明，...
	for _, c := range cuts {
		clause := s[from:c[0]]
		from = c[1]
		for _, v := range effectVerbsZh {
			k := strings.Index(clause, v.word)
			if k < 0 || v.axis != e.axis && v.word != e.verb || namedZh(e.objectZh, clause) < 0.5 {
				continue
			}
			head := clause[:k]
			if openZh.MatchString(head) || openZh.MatchString(before) {
				continue
			}
			n := turn
			if m := deniedZh.FindStringIndex(head); m != nil {
				n = -n
				head = head[m[1]:]
			} else if deniedZh.MatchString(before) {
				n = -n
			}
			for _, x := range zhIdle {
				head = strings.ReplaceAll(head, x, "")
			}
			if len(negZh.FindAllString(lastRunes(head, 10), -1))%2 == 1 {
				n = -n
			}
			sum += n * v.sign * e.sign
		}
		before = clause
	}
	switch {
	case sum > 0:
		return 1
	case sum < 0:
		return -1
	}
	return 0
}

func lastRunes(s string, n int) string {
	rs := []rune(s)
	return string(rs[max(0, len(rs)-n):])
}

// valueZh adds up what a Chinese sentence says well and ill of the thing.
func (t Proposition) valueZh(words, about string) int {
	folded := text.Fold(words)
	if len(t.shown) > 0 && len(t.b) == 0 {
		near := 0.0
		for _, n := range t.shown {
			near = max(near, namedZh(n, folded), namedZh(n, text.Fold(about)))
		}
		if near < 0.5 {
			return 0
		}
	}
	if refutedZh.MatchString(folded) {
		return 0
	}
	for act := range t.act { // 不应（该）使用..., 应当取消...
		for _, told := range []string{"应该", "应当", "必须", "应"} {
			k := strings.Index(folded, told)
			if k < 0 || !strings.Contains(folded[k:], act) || openZh.MatchString(folded) {
				continue
			}
			n := 1
			if strings.HasSuffix(folded[:k], "不") || strings.Contains(folded[k:k+min(len(folded)-k, 12)], "不") {
				n = -1
			}
			if t.flip {
				n = -n
			}
			return n
		}
	}
	sum := 0
	masked := folded
	// What speaks ill first: a word of praise may stand in one of blame (不推荐).
	for _, sign := range []int{-1, 1} {
		cues := leaning["zh"][sign]
		if sign == 1 && t.judge["值得"] {
			cues = append([]string{"值得"}, cues...)
		}
		for _, cue := range cues {
			for from := 0; ; {
				k := strings.Index(masked[from:], cue)
				if k < 0 {
					break
				}
				k += from
				v := sign
				before := masked[max(0, k-9):k]
				for _, no := range []string{"不", "没有", "并非", "不太", "不会", "不是", "无", "毫无", "未"} {
					if strings.HasSuffix(before, no) {
						v = -v
						break
					}
				}
				if v < 0 {
					for _, cure := range []string{"降低", "减少", "避免", "防止", "消除", "解决", "修复"} {
						if strings.HasSuffix(before, cure) || strings.HasSuffix(before, cure+"了") {
							v = -v
							break
						}
					}
				}
				sum += v * t.whoseZh(folded, k, about)
				masked = masked[:k] + strings.Repeat("\x00", len(cue)) + masked[k+len(cue):]
				from = k + len(cue)
			}
		}
	}
	return sum
}

func (t Proposition) whoseZh(folded string, k int, about string) int {
	if t.bn == "" {
		return 1 // what names nothing of the thing was left out before
	}
	near := func(n string) int {
		best := -1
		if i := strings.LastIndex(folded[:k], n); i >= 0 {
			best = k - i
		}
		if i := strings.Index(folded[k:], n); i >= 0 && (best < 0 || i+1 < best) {
			best = i + 1
		}
		return best
	}
	a, b := near(t.an), near(t.bn)
	switch {
	case a < 0 && b < 0:
		return t.names(about)
	case b < 0 || a >= 0 && a <= b:
		return 1
	}
	return -1
}
