package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// The reading levels beside the main text (HDRI 5.3): level 1 cuts findings into subject, action and object; levels 2 and 3, impact
// and decisions, and the plain words are a model's. It sees the findings as they are printed and nothing else, and each line of it
// is printed only where code finds it covered by the findings it cites.

const (
	mostFacts     = 8
	mostImpact    = 5
	mostDecisions = 4
	mostPlain     = 4
	// levelRoom is what the instructions of the levels' writer take of its window, in bytes.
	levelRoom = 3000
	// mostOfLine is the longest line of a level, in characters: the schema asks for no more, and not every server holds to one.
	mostOfLine = 400
	// ownShare is the least share of a line's stems that its findings hold. What follows from a finding is said in other words as well,
	// so it is low; a line under it speaks of something else.
	ownShare = 0.2
	// sameLines is the share of its stems from which a line says what another one has said.
	sameLines = 0.9
)

// levels fills the reading levels once the draft is final. A restatement takes the lines of the report it restates and asks nobody.
func (w *desk) levels(ctx context.Context) error {
	var blocks []research.Block
	for _, s := range w.view.Draft.Sections {
		blocks = append(blocks, s.Blocks...)
	}
	l := leveller{lang: w.in.Meaning.Lang, blocks: blocks, passages: w.view.Passages, lines: map[string]bool{}}
	switch {
	case len(blocks) == 0:
		return nil
	case w.levelled != nil:
		w.said = l.restate(*w.levelled)
		return nil
	case w.Model.Limits().Name == extractiveName:
		l.out.Facts = l.cut()
		l.out.Note = l.unmodelled()
		w.said = l.out
		return nil
	}
	in := research.LevelsInput{Lang: l.lang, Question: w.in.Meaning.Question, Findings: printedFindings(blocks, w.Model.Limits())}
	var said research.LevelsAnswer
	by, err := w.ask(ctx, research.LevelsWriter, in, &said)
	if err != nil {
		return err
	}
	l.blocks = blocks[:len(in.Findings)] // what was not shown cannot be cited
	l.take(said)
	l.blocks = blocks
	if len(l.out.Facts) == 0 {
		l.out.Facts = l.cut()
	}
	l.out.Note = l.modelled(by)
	w.said = l.out
	return nil
}

// printedFindings is what the writer of the levels sees: the findings in the order of the report, as many as its window holds.
func printedFindings(blocks []research.Block, lim research.Limits) []research.PrintedFinding {
	room := -1.0
	if lim.NumCtx > 0 {
		perByte := lim.TokensPerByte
		if perByte == 0 {
			perByte = 1
		}
		room = float64(lim.NumCtx-budgets[research.LevelsWriter])/perByte - levelRoom
	}
	var out []research.PrintedFinding
	used := 0.0
	for i, b := range blocks {
		used += float64(len(b.Text) + 16)
		if room >= 0 && used > room && i > 0 {
			break
		}
		out = append(out, research.PrintedFinding{Index: i + 1, Text: b.Text, Label: b.Label})
	}
	return out
}

// leveller accepts lines.
type leveller struct {
	lang     string
	blocks   []research.Block // what a line may cite, by number
	passages map[string]research.Passage
	out      research.Levels
	lines    map[string]bool   // folded, so that none stands twice
	stems    []map[string]bool // of the accepted lines
	dropped  int
}

// take accepts what of a model's answer holds.
func (l *leveller) take(said research.LevelsAnswer) {
	for _, f := range said.Facts {
		of := l.cited(f.Refs)
		fact := research.LevelFact{Subject: plainly(f.Subject), Action: plainly(f.Action), Object: plainly(f.Object), Findings: ids(of)}
		if len(of) == 0 || len(l.out.Facts) >= mostFacts || !l.fact(&fact, of) {
			l.dropped++
			continue
		}
		l.out.Facts = append(l.out.Facts, fact)
	}
	for _, level := range []struct {
		to   *[]research.LevelLine
		most int
		said []research.WrittenSentence
	}{{&l.out.Impact, mostImpact, said.Impact}, {&l.out.Decisions, mostDecisions, said.Decisions}, {&l.out.Plain, mostPlain, said.Plain}} {
		for _, s := range level.said {
			clean, marked := checks.ParseCitations(s.Text)
			of := l.cited(append(append([]int{}, s.Refs...), marked...))
			line := plainly(clean)
			if len(of) == 0 || len(*level.to) >= level.most || l.fault(line, of) != "" {
				l.dropped++
				continue
			}
			l.keep(line)
			*level.to = append(*level.to, research.LevelLine{Text: line, Findings: ids(of)})
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// plainly is what a model wrote on one line, without anything that a page would load or follow. It has no switch.
func plainly(s string) string {
	words, _ := text.Sanitise(s)
	return oneLine(words)
}

// cited are the findings that numbers name, each once.
func (l *leveller) cited(refs []int) []research.Block {
	var out []research.Block
	for _, n := range inRange(refs, len(l.blocks)) {
		out = append(out, l.blocks[n-1])
	}
	return out
}

func ids(bs []research.Block) []string {
	out := []string{}
	for _, b := range bs {
		if !slices.Contains(out, b.ID) {
			out = append(out, b.ID)
		}
	}
	return out
}

// keep remembers an accepted line.
func (l *leveller) keep(line string) {
	l.lines[text.Fold(line)] = true
	l.stems = append(l.stems, text.TermSet(line, l.lang))
}

// ground is all that findings hold: their words and those of their passages.
func (l *leveller) ground(of []research.Block) string {
	var b strings.Builder
	for _, x := range of {
		b.WriteString(x.Text + "\n")
		for _, p := range x.Citations {
			b.WriteString(l.passages[p].Text + "\n")
		}
	}
	return b.String()
}

// fault says why a line may not stand beside the findings it cites; "" when it may.
func (l *leveller) fault(line string, of []research.Block) string {
	if n := len([]rune(line)); n < 4 || n > mostOfLine {
		return "has no length of a line"
	}
	if strings.ContainsAny(line, "<>{}|\x00") || len(text.URLs(line)) > 0 {
		return "holds markup or an address"
	}
	if !inLanguage(line, l.lang) {
		return "is in another language than the report"
	}
	stems := text.TermSet(line, l.lang)
	if l.lines[text.Fold(line)] || slices.ContainsFunc(l.stems, func(o map[string]bool) bool {
		return text.Containment(stems, o) >= sameLines && text.Containment(o, stems) >= sameLines
	}) {
		return "says what another line says"
	}
	bare := strings.TrimRight(text.Fold(line), ".。 ")
	for _, x := range of {
		if strings.Contains(text.Fold(x.Text), bare) {
			return "repeats its finding word for word"
		}
	}
	ground := l.ground(of)
	if why := uncovered(line, ground); why != "" {
		return why
	}
	if beyond(line, ground) || len(evidence.MatchNames(line, ground).Missing) > 0 {
		return "brings in a number, a date or a name"
	}
	if text.Containment(stems, text.TermSet(ground, l.lang)) < ownShare {
		return "speaks of something else"
	}
	for _, m := range []evidence.Match{evidence.Polarity(line, ground), evidence.Direction(line, ground), evidence.Coined(line, ground)} {
		if !m.OK {
			return "says the opposite: " + m.Reason
		}
	}
	return ""
}

// inLanguage reports whether a line is in the report's language, as far as a line shows it.
func inLanguage(line, lang string) bool {
	is := text.Lang(line)
	switch {
	case is == lang:
		return true
	case lang == "zh" || lang == "ja" || lang == "ko":
		return false // their script shows in any line
	}
	return is == ""
}

// unmodelled says what the levels of a run without a model are.
func (l *leveller) unmodelled() string {
	zh := l.lang == "zh"
	if len(l.out.Facts) == 0 {
		return pickWord(zh, "What follows from the findings, and plain words for it, need a model.", "影响、建议与通俗说明需要语言模型。")
	}
	return pickWord(zh, "The facts are cut from the findings by rule. What follows from them, and plain words for it, need a model.", "事实由规则从发现中切分而来；影响、建议与通俗说明需要语言模型。")
}

// modelled says who wrote the levels and what became of it.
func (l *leveller) modelled(by string) string {
	zh := l.lang == "zh"
	n := len(l.out.Impact) + len(l.out.Decisions) + len(l.out.Plain)
	var out string
	switch {
	case by == extractiveName:
		return pickWord(zh, "The model gave no reading levels that could be read. ", "模型未给出可读的分层说明。") + l.unmodelled()
	case n == 0 && l.dropped == 0:
		out = pickWord(zh, "The model had nothing to say beside the findings.", "除发现本身外，模型没有其他说明。")
	case n == 0:
		return fmt.Sprintf(pickWord(zh, "None of the %d lines that the model wrote holds against the findings it cites.", "模型所写的 %d 行均未通过与所引发现的核对。"), l.dropped)
	default:
		out = pickWord(zh, "The model concludes this from the findings that each line cites; it is no finding itself.", "以下由模型依据各行所引的发现推出，本身不是发现。")
	}
	if l.dropped > 0 {
		out += fmt.Sprintf(pickWord(zh, " Of what it wrote %d lines did not hold against their findings and are left out.", "另有 %d 行未通过与所引发现的核对，已略去。"), l.dropped)
	}
	return out
}

// levelled are the reading levels of a report that was delivered, with the claims of the findings that they cite.
type levelled struct {
	levels research.Levels
	claims map[string][]string // by finding
	model  bool                // a model wrote them
}

// restate keeps of the delivered lines those whose findings are still in the report, by themselves or by all their claims, and still
// cover them. A line falls with a finding that it cites.
func (l *leveller) restate(was levelled) research.Levels {
	if !was.model {
		l.out.Facts = l.cut()
		l.out.Note = l.unmodelled()
		return l.out
	}
	fell := 0
	for _, f := range was.levels.Facts {
		if of := l.standing(f.Findings, was.claims); of != nil && l.fact(&f, of) {
			f.Findings = ids(of)
			l.out.Facts = append(l.out.Facts, f)
		} else {
			fell++
		}
	}
	for _, level := range []struct{ to, from *[]research.LevelLine }{
		{&l.out.Impact, &was.levels.Impact}, {&l.out.Decisions, &was.levels.Decisions}, {&l.out.Plain, &was.levels.Plain},
	} {
		for _, x := range *level.from {
			of := l.standing(x.Findings, was.claims)
			if of == nil || l.fault(x.Text, of) != "" {
				fell++
				continue
			}
			l.keep(x.Text)
			*level.to = append(*level.to, research.LevelLine{Text: x.Text, Findings: ids(of)})
		}
	}
	if l.out.Note = was.levels.Note; fell > 0 {
		l.out.Note = strings.TrimSpace(l.out.Note + fmt.Sprintf(pickWord(l.lang == "zh", " %d lines fell with the findings that they cite.", "有 %d 行随其所引的发现一并撤下。"), fell))
	}
	return l.out
}

// standing are the findings that stand for those a delivered line cites; nil when one of them has none.
func (l *leveller) standing(cited []string, claims map[string][]string) []research.Block {
	var out []research.Block
	for _, id := range cited {
		i := slices.IndexFunc(l.blocks, func(b research.Block) bool { return b.ID == id })
		if i < 0 && len(claims[id]) > 0 {
			i = slices.IndexFunc(l.blocks, func(b research.Block) bool {
				return !slices.ContainsFunc(claims[id], func(c string) bool { return !slices.Contains(b.Claims, c) })
			})
		}
		if i < 0 {
			return nil
		}
		out = append(out, l.blocks[i])
	}
	return out
}
