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

// A contested proposition is argued: the strongest case that the findings make for it, and a counter that takes it up point by point. A
// model may propose both; code checks every point against the findings it cites, that these are on the point's side, and that an answer
// is on the other side and speaks of what its point speaks of. Without a model the points are findings in their own words. Where fewer
// than leastPoints speak for it there is no strong case, which is said, and what was found on either side stands in one section instead.

const (
	// mostPoints is the most points of a side; more is a list and no argument.
	mostPoints = 5
	// leastPoints is the fewest points of a strong case: one alone is a remark.
	leastPoints = 2
	// mostBeside is the most points against that take up none.
	mostBeside = 3
	// meets is the least weight of shared stems by which an answer takes up a point; a stem that two findings alone share weighs a half.
	meets = 0.5
)

// argument is made from the printed findings; it knows what each of them says of the proposition.
type argument struct {
	*desk
	thesis   evidence.Proposition
	blocks   []research.Block
	says     []string           // the sentence of each block that takes its side
	sides    []int              // of each block
	stems    []map[string]bool  // of each block, those of the question aside
	df       map[string]int     // how many blocks hold a stem
	disputes map[[2]string]bool // pairs of claims that contradict each other
	sources  map[string]research.Source
}

// argue fills the argument of a contested proposition; a survey has none.
func (w *desk) argue(ctx context.Context) error {
	if w.in.Meaning.Shape != research.ShapeDebate {
		return nil
	}
	a := w.argument()
	out := a.byCode()
	if w.Model.Limits().Name != extractiveName && len(a.blocks) > 0 {
		said, err := a.proposed(ctx)
		if err != nil {
			return err
		}
		if said != nil {
			out = *said
		}
	}
	if len(out.Points) < leastPoints {
		w.unargued = a.divided()
		return nil
	}
	a.tellGaps(&out)
	w.argued = &out
	return nil
}

// divided are the findings on either side where no strong case can be made of them, the strongest first.
func (a *argument) divided() *sided {
	return &sided{pro: a.ids(a.ranked(1)), con: a.ids(a.ranked(-1))}
}

// sided are findings, by their ids, that speak for and against something.
type sided struct{ pro, con []string }

func (w *desk) argument() *argument {
	a := &argument{desk: w, thesis: propositionOf(w.in.Meaning), df: map[string]int{}, disputes: map[[2]string]bool{}, sources: map[string]research.Source{}}
	for _, s := range w.view.Sources {
		a.sources[s.ID] = s
	}
	for _, x := range w.in.Result.Contradicts {
		a.disputes[[2]string{x.A, x.B}], a.disputes[[2]string{x.B, x.A}] = true, true
	}
	for _, s := range w.view.Draft.Sections {
		for _, b := range s.Blocks {
			a.blocks = append(a.blocks, b)
			side, says := a.sideOf(b)
			a.sides, a.says = append(a.sides, side), append(a.says, says)
			st := text.TermSet(says, w.in.Meaning.Lang)
			for t := range a.thesis.Own() {
				delete(st, t)
			}
			for t := range st {
				a.df[t]++
			}
			a.stems = append(a.stems, st)
		}
	}
	return a
}

// sideOf is the side of a finding, by its words and by the heading and the title of what it cites, and the sentence that takes it. A
// finding in another language is quoted in its section; its manner is not read.
func (a *argument) sideOf(b research.Block) (int, string) {
	if !inLanguage(b.Text, a.in.Meaning.Lang) {
		return 0, ""
	}
	about := ""
	for _, id := range b.Citations {
		p := a.view.Passages[id]
		about += p.Heading + "\n" + a.sources[p.Source].Title + "\n"
	}
	return a.thesis.Side(b.Text, about)
}

// ranked lists the blocks of a side, the most confident first, those of voices that were not heard yet before those that were.
func (a *argument) ranked(sign int) []int {
	var all []int
	for i, s := range a.sides {
		if s*sign > 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(x, y int) int {
		if c := a.blocks[y].Confidence.Cmp(a.blocks[x].Confidence); c != 0 {
			return c
		}
		return a.sides[y]*sign - a.sides[x]*sign
	})
	var out, again []int
	heard := map[string]bool{}
	for n, i := range all {
		v := a.voice(i)
		if n > 0 && heard[v] {
			again = append(again, i)
			continue
		}
		heard[v] = true
		out = append(out, i)
	}
	return append(out, again...)
}

func (a *argument) voice(i int) string {
	if len(a.blocks[i].Refs) == 0 {
		return ""
	}
	return a.sources[a.blocks[i].Refs[0]].Voice
}

// byCode makes the argument of findings in their own words.
func (a *argument) byCode() research.Argument {
	out := research.Argument{Proposition: a.in.Meaning.Question, By: extractiveName}
	pro, con := a.ranked(1), a.ranked(-1)
	for _, i := range pro[:min(len(pro), mostPoints)] {
		out.Points = append(out.Points, research.ArgumentPoint{Text: a.says[i], Findings: []string{a.blocks[i].ID}})
	}
	a.answers(&out, con, func(i int) (string, []int) { return a.says[i], []int{i} })
	return out
}

// answers gives each point the answer that meets it best, none twice while there are others, and puts the best of the rest beside them.
func (a *argument) answers(out *research.Argument, con []int, say func(i int) (string, []int)) {
	used := map[int]int{}
	for p := range out.Points {
		if len(out.Points[p].Answers) > 0 {
			continue
		}
		best, most, how := -1, 0.0, ""
		for _, i := range con {
			score, why := a.meeting(a.indices(out.Points[p].Findings), []int{i})
			if score -= 0.25 * float64(used[i]); score > most {
				best, most, how = i, score, why
			}
		}
		if best < 0 || most < meets {
			continue
		}
		used[best]++
		words, of := say(best)
		out.Points[p].Answers = append(out.Points[p].Answers, research.ArgumentAnswer{Text: words, Findings: a.ids(of), Why: how})
	}
	for _, i := range con {
		if used[i] == 0 && len(out.Beside) < mostBeside && !a.told(*out, i) {
			words, of := say(i)
			out.Beside = append(out.Beside, research.ArgumentPoint{Text: words, Findings: a.ids(of)})
		}
	}
}

// told reports whether a finding already stands in an answer or beside.
func (a *argument) told(out research.Argument, i int) bool {
	id := a.blocks[i].ID
	for _, p := range out.Points {
		for _, x := range p.Answers {
			if slices.Contains(x.Findings, id) {
				return true
			}
		}
	}
	return slices.ContainsFunc(out.Beside, func(p research.ArgumentPoint) bool { return slices.Contains(p.Findings, id) })
}

// meeting is how far an answer takes up a point, which it does only from the other side: its claims contradict the point's, both speak
// of the same rare things, or the one says yes and the other no to the very statement that is asked for.
func (a *argument) meeting(point, answer []int) (score float64, why string) {
	var shared []string
	for _, p := range point {
		for _, q := range answer {
			if a.sides[p]*a.sides[q] >= 0 {
				continue
			}
			for _, c := range a.blocks[p].Claims {
				for _, d := range a.blocks[q].Claims {
					if a.disputes[[2]string{c, d}] {
						return 10, "contradicts"
					}
				}
			}
			if a.thesis.Opposes() {
				score = max(score, meets)
			}
			for t := range a.stems[p] {
				if a.stems[q][t] && !slices.Contains(shared, t) && !evidence.Leaning(t) {
					shared = append(shared, t)
					score += 1 / float64(max(2, a.df[t]))
				}
			}
		}
	}
	if len(shared) == 0 && score > 0 {
		return score, "denies"
	}
	slices.Sort(shared)
	return score, strings.Join(shared[:min(len(shared), 6)], ", ")
}

func (a *argument) indices(ids []string) []int {
	var out []int
	for i, b := range a.blocks {
		if slices.Contains(ids, b.ID) {
			out = append(out, i)
		}
	}
	return out
}

func (a *argument) ids(of []int) []string {
	var out []string
	for _, i := range of {
		out = append(out, a.blocks[i].ID)
	}
	return out
}

// argued is the most findings that a model is shown.
const mostArgued = 24

// proposed asks a model for the argument and keeps of it what holds; nil when nothing does.
func (a *argument) proposed(ctx context.Context) (*research.Argument, error) {
	n := min(len(a.blocks), mostArgued)
	in := research.ArguerInput{Lang: a.in.Meaning.Lang, Proposition: a.in.Meaning.Question}
	var findings []research.Finding
	for i, b := range a.blocks[:n] {
		f := research.Finding{Text: b.Text, Claims: b.Claims}
		findings = append(findings, f)
		in.Findings = append(in.Findings, research.WriterFinding{Index: i + 1, Text: b.Text, Passage: a.passageText(f), Label: b.Label})
	}
	var said research.ArguerAnswer
	by, err := a.ask(ctx, research.Builder, in, &said)
	if err != nil || by == extractiveName {
		return nil, err
	}
	out := research.Argument{Proposition: a.in.Meaning.Question, By: by}
	fell := 0
	// taken checks one sentence: it cites findings of this report, all of its side, takes none but that side itself, and says no more than
	// they do.
	taken := func(words string, refs []int, sign int) (string, []int) {
		clean, marked := checks.ParseCitations(words)
		clean = oneLine(a.sanitised("argument", clean))
		var of []int
		for _, r := range inRange(append(slices.Clone(refs), marked...), n) {
			of = append(of, r-1)
		}
		own, _ := a.thesis.Side(clean, "")
		if len(of) == 0 || clean == "" || own*sign < 0 || slices.ContainsFunc(of, func(i int) bool { return a.sides[i]*sign <= 0 }) || !a.grounded(clean, plusOne(of), findings) {
			fell++
			return "", nil
		}
		return clean, of
	}
	place := map[int]int{} // the model's number of a point -> ours
	for i, p := range said.Steelman {
		if words, of := taken(p.Text, p.Refs, 1); of != nil && len(out.Points) < mostPoints {
			place[i+1] = len(out.Points)
			out.Points = append(out.Points, research.ArgumentPoint{Text: words, Findings: a.ids(of)})
		}
	}
	if len(out.Points) == 0 {
		return nil, nil
	}
	for _, c := range said.Counter {
		words, of := taken(c.Text, c.Refs, -1)
		if of == nil {
			continue
		}
		k, ok := place[c.Answers]
		if ok {
			score, why := a.meeting(a.indices(out.Points[k].Findings), of)
			if ok = score >= meets; ok {
				out.Points[k].Answers = append(out.Points[k].Answers, research.ArgumentAnswer{Text: words, Findings: a.ids(of), Why: why})
			}
		}
		if !ok && len(out.Beside) < mostBeside {
			out.Beside = append(out.Beside, research.ArgumentPoint{Text: words, Findings: a.ids(of)})
		}
	}
	// What speaks most for the proposition may not be left out of its strongest case, a case has its fewest points, and what a model left
	// unanswered code answers.
	for n, i := range a.ranked(1) {
		held := slices.ContainsFunc(out.Points, func(p research.ArgumentPoint) bool { return slices.Contains(p.Findings, a.blocks[i].ID) })
		if !held && (n == 0 || len(out.Points) < leastPoints) && len(out.Points) < mostPoints {
			out.Points = append(out.Points, research.ArgumentPoint{Text: a.says[i], Findings: []string{a.blocks[i].ID}})
		}
	}
	a.answers(&out, a.ranked(-1), func(i int) (string, []int) { return a.says[i], []int{i} })
	a.replaced += fell
	return &out, nil
}

func plusOne(of []int) []int {
	out := make([]int, len(of))
	for i, n := range of {
		out[i] = n + 1
	}
	return out
}

// tellGaps says what the argument lacks.
func (a *argument) tellGaps(out *research.Argument) {
	zh := a.in.Meaning.Lang == "zh"
	var notes []string
	open := 0
	voices := map[string]bool{}
	for _, p := range out.Points {
		if len(p.Answers) == 0 {
			open++
		}
		for _, i := range a.indices(p.Findings) {
			voices[a.voice(i)] = true
		}
	}
	if len(voices) == 1 {
		notes = append(notes, pickWord(zh, "All that speaks for it is of one voice.", "支持的说法均出自同一来源。"))
	}
	if open > 0 {
		notes = append(notes, fmt.Sprintf(pickWord(zh, "%d of %d points stand unanswered.", "%[2]d 个论点中有 %[1]d 个没有得到回应。"), open, len(out.Points)))
	}
	if len(out.Beside) == 0 && open == len(out.Points) {
		notes = append(notes, pickWord(zh, "No passage that was found speaks against it.", "未发现反对该命题的段落。"))
	}
	out.Note = strings.Join(notes, pickWord(zh, " ", ""))
}

// argument writes the two sides as the report prints them.
func (p *printer) argument() {
	a := p.argued
	if a == nil {
		return
	}
	zh := p.d.Lang == "zh"
	var pro, con, beside []string
	for i, x := range a.Points {
		n := i + 1
		pro = append(pro, fmt.Sprintf("%d. %s %s", n, p.quoted(x.Text, a.By), p.keysOf(x.Findings)))
		if len(x.Answers) == 0 {
			con = append(con, fmt.Sprintf(pickWord(zh, "%d. Point %d stands unanswered: no passage that was found takes it up.", "%d. 论点 %d 没有得到回应：未发现涉及它的段落。"), n, n))
			continue
		}
		var said []string
		for _, y := range x.Answers {
			said = append(said, p.quoted(y.Text, a.By)+" "+p.keysOf(y.Findings))
		}
		con = append(con, fmt.Sprintf(pickWord(zh, "%d. To point %d: %s", "%d. 对论点 %d：%s"), n, n, strings.Join(said, " ")))
	}
	for _, x := range a.Beside {
		beside = append(beside, "- "+p.quoted(x.Text, a.By)+" "+p.keysOf(x.Findings))
	}
	p.d.Steelman = strings.Join(pro, "\n")
	var parts []string
	if len(con) > 0 {
		parts = append(parts, strings.Join(con, "\n"))
	}
	if len(beside) > 0 {
		parts = append(parts, pickWord(zh, "Beside these points:", "此外："), strings.Join(beside, "\n"))
	}
	if len(parts) == 0 {
		parts = []string{pickWord(zh, "Nothing that was found speaks against it.", "未发现反对该命题的内容。")}
	}
	p.d.Counter = strings.Join(parts, "\n\n")
	if a.Note != "" {
		p.d.Counter += "\n\n" + a.Note
	}
	p.d.Argument = a
}

// quoted is a point on one line, in quotation marks when it is the sources' own words, with nothing in it that would be read as a mark.
func (p *printer) quoted(s, by string) string {
	s = plainText(oneLine(s))
	if by == extractiveName {
		return "“" + s + "”"
	}
	return s
}

// plainText takes the characters that prose reads as marks out of a text.
func plainText(s string) string {
	return strings.NewReplacer("*", "", "`", "'", "[", "(", "]", ")").Replace(s)
}

// keysOf are the printed keys of findings, each once.
func (p *printer) keysOf(findings []string) string {
	var out []string
	for _, id := range findings {
		for _, r := range p.findings[id].Refs {
			if k := fmt.Sprintf("[%d]", r+1); !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return strings.Join(out, "")
}
