package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

// Checked is what the checklist before delivery looks at: the digest, the clean texts of its sources by their hash, and the page made of
// it. Invalid says why the digest does not fit its schema, and PageFault why there is no page; both are empty when all is well.
type Checked struct {
	Digest    research.Digest
	Texts     map[string]string
	Page      []byte
	Invalid   string
	PageFault string
}

// Limits of what is delivered, in bytes. A page above this opens slowly in a browser; the longest report of the benches has 1.1 MB.
const (
	maxPageBytes = 8 << 20
	// leastFindings and leastWords are the substance under which an answer is none, whatever checks it passed.
	leastFindings = 1
	leastWords    = 8
)

// gate is one line of the checklist.
type gate struct {
	name string
	look func(Checked) (research.GateState, []string)
}

// gates are the lines in their order: the nine of the checklist that every report goes through before it is delivered, the floors of the
// pool, the artifact itself, which stands beside the bank because a check that fired well is no good report, and the cited works.
var gates = []gate{
	{"authors", gateAuthors},
	{"machine_marks", gateMachineMarks},
	{"argument", gateArgument},
	{"substance", gateSubstance},
	{"numbers_cited", gateNumbers},
	{"markers", gateMarkers},
	{"page", gatePage},
	{"no_markup", gateMarkup},
	{"future_work", gateFuture},
	{"floors", gateFloors},
	{"artifact", gateArtifact},
	{"cited_works", gateWorks},
}

// GateNames lists the lines of the checklist in their order.
func GateNames() []string {
	var out []string
	for _, g := range gates {
		out = append(out, g.name)
	}
	return out
}

// Checklist goes through the lines. It is pure: the same report gives the same states. A line that had nothing to look at is unchecked.
func Checklist(c Checked) []research.Gate {
	out := []research.Gate{}
	for _, g := range gates {
		state, notes := g.look(c)
		out = append(out, research.Gate{Name: g.name, State: state, Notes: notes})
	}
	return out
}

// say is a note in the language of the report.
func (c Checked) say(en, zh string, args ...any) string {
	if c.Digest.Lang == "zh" {
		en = zh
	}
	return fmt.Sprintf(en, args...)
}

// verdictOf is pass without notes, fail with them, and unchecked when nothing was looked at.
func verdictOf(looked int, notes []string) (research.GateState, []string) {
	switch {
	case len(notes) > 0:
		return research.GateFail, notes
	case looked == 0:
		return research.GateUnchecked, nil
	}
	return research.GatePass, nil
}

// maxGateNotes bounds the notes of one line; the rest is counted.
const maxGateNotes = 6

func fewNotes(c Checked, notes []string) []string {
	if len(notes) <= maxGateNotes {
		return notes
	}
	return append(slices.Clone(notes[:maxGateNotes]), c.say("and %d more", "另有 %d 处", len(notes)-maxGateNotes))
}

// gateAuthors: every included source has a named author or is of a tier-1 organisation. For a document that the person added a missing
// byline is no fault (CONTRACT section 3).
func gateAuthors(c Checked) (research.GateState, []string) {
	var notes []string
	looked := 0
	for i, s := range c.Digest.Sources {
		if !strings.Contains(s.URL, "://") {
			continue // the person's own, who knows whose they are
		}
		if looked++; s.Tier == 1 || provenance.KindOfByline(s.Author) == provenance.Person {
			continue
		}
		notes = append(notes, c.say("[%d] %s names no author and is of no tier-1 organisation", "[%d] %s 未署名，也不属于一级机构", i+1, head(s.Title+" "+s.Domain, 120)))
	}
	if state, notes := verdictOf(looked, fewNotes(c, notes)); state != research.GateUnchecked || len(c.Digest.Sources) == 0 {
		return state, notes
	}
	return research.GateUnchecked, []string{c.say("documents of your own are not asked who wrote them", "您自己的文档不要求署名")}
}

// gateMachineMarks: no body of an included source says that a machine wrote it. A page about such machines may quote them.
func gateMachineMarks(c Checked) (research.GateState, []string) {
	var notes []string
	looked := 0
	for i, s := range c.Digest.Sources {
		body, ok := c.Texts[s.SHA256]
		if !ok {
			continue
		}
		looked++
		if aboutMachines.MatchString(s.Title) {
			continue
		}
		if m := provenance.MachineMark(body[:min(len(body), maxAuthentic)]); m != "" {
			notes = append(notes, c.say("[%d] says of itself: %q", "[%d] 自称：%q", i+1, head(m, 120)))
		}
	}
	return verdictOf(looked, fewNotes(c, notes))
}

// gateArgument: a contested proposition has a steelman and a counter that takes up every point or says which stand unanswered, a survey
// has one balanced debate section instead, and a question of fact has neither. Where nothing was read that takes a side, there is
// nothing to hold.
func gateArgument(c Checked) (research.GateState, []string) {
	d := c.Digest
	var notes []string
	argued := d.Steelman != "" || d.Counter != "" || d.Argument != nil
	sides := func() (pro, con int) {
		if d.Debate == nil {
			return 0, 0
		}
		return len(d.Debate.For), len(d.Debate.Against)
	}
	pro, con := sides()
	switch {
	case d.Shape == research.ShapeFact && (argued || d.Debate != nil):
		return research.GateFail, []string{c.say("a question of fact with an argument or a debate section", "事实性问题不应含有论证或争论部分")}
	case d.Shape == research.ShapeFact:
		return research.GateUnchecked, []string{c.say("not applicable: a question of fact has no sides; where sources disagree on it, both are told", "不适用：事实性问题没有正反双方；来源不一致时两者并列")}
	case d.Shape != research.ShapeDebate:
		if argued {
			notes = append(notes, c.say("a survey with a steelman or a counter", "综述不应含有正反论证"))
		}
		switch {
		case d.Debate == nil:
			notes = append(notes, c.say("a survey without a debate section", "综述缺少争论部分"))
		case pro+con == 0 && len(notes) == 0:
			return research.GateUnchecked, []string{c.say("not applicable: what was read has no two sides", "不适用：所读内容没有两种立场")}
		case pro == 0 || con == 0:
			notes = append(notes, c.say("the debate section has one side only", "争论部分只有一方"))
		}
		return verdictOf(1, notes)
	case !argued && d.Debate != nil && d.Debate.Note != "":
		if pro+con == 0 {
			return research.GateUnchecked, []string{c.say("not applicable: what was read takes no side on the proposition", "不适用：所读内容对该命题未表明立场")}
		}
		notes = append(notes, c.say("no strong case for the proposition can be made of what was read", "所读内容不足以构成支持该命题的有力论证"))
		return research.GateFail, append(notes, c.wrongSides()...)
	}
	if d.Debate != nil {
		notes = append(notes, c.say("a contested proposition with a survey's debate section", "有争议的命题不应使用综述的争论部分"))
	}
	if d.Steelman == "" || d.Counter == "" || d.Argument == nil {
		return verdictOf(1, append(notes, c.say("a contested proposition without a steelman or without a counter", "有争议的命题缺少正方或反方论证")))
	}
	notes = append(notes, argumentFaults(c)...)
	return verdictOf(1, fewNotes(c, append(notes, c.wrongSides()...)))
}

// wrongSides holds each point, answer and finding of a contested proposition against the side that its own words take.
func (c Checked) wrongSides() []string {
	d := c.Digest
	thesis := evidence.PropositionOf(d.Topic, d.Lang)
	title := map[string]string{}
	for _, s := range d.Sources {
		title[s.ID] = s.Title
	}
	known := map[string]research.DigestFinding{}
	for _, f := range d.EveryFinding() {
		known[f.ID] = f
	}
	var notes []string
	stands := func(sign int, ids ...string) {
		for _, id := range ids {
			f, ok := known[id]
			if !ok {
				continue // told as a finding that is not printed
			}
			about := ""
			for _, p := range f.Citations {
				about += d.Passages[p].Heading + "\n" + title[d.Passages[p].Source] + "\n"
			}
			switch n, _ := thesis.Side(f.Text, about); {
			case n*sign < 0:
				notes = append(notes, c.say("on the wrong side: %q", "立场有误：%q", head(f.Text, 100)))
			case n == 0:
				notes = append(notes, c.say("on a side that its words do not take: %q", "原文未表明立场：%q", head(f.Text, 100)))
			}
		}
	}
	if a := d.Argument; a != nil {
		for _, p := range a.Points {
			stands(1, p.Findings...)
			for _, x := range p.Answers {
				stands(-1, x.Findings...)
			}
		}
		for _, p := range a.Beside {
			stands(-1, p.Findings...)
		}
	}
	if d.Debate != nil {
		for _, f := range d.Debate.For {
			stands(1, f.ID)
		}
		for _, f := range d.Debate.Against {
			stands(-1, f.ID)
		}
	}
	return notes
}

// argumentFaults holds the argument against the findings: each point and answer rests on printed ones, the printed sides hold all of them,
// and each point that has no answer is said to have none.
func argumentFaults(c Checked) []string {
	d := c.Digest
	known := map[string]research.DigestFinding{}
	for _, f := range d.EveryFinding() {
		known[f.ID] = f
	}
	var notes []string
	rests := func(where string, ids []string) {
		if len(ids) == 0 {
			notes = append(notes, c.say("%s rests on no finding", "%s 没有依据", where))
		}
		for _, id := range ids {
			if f, ok := known[id]; !ok || f.Band == research.Reject {
				notes = append(notes, c.say("%s rests on a finding that the report does not print or does not accept", "%s 所依据的发现未刊出或不被采信", where))
			}
		}
	}
	open := 0
	for i, p := range d.Argument.Points {
		at := c.say("point %d", "论点 %d", i+1)
		rests(at, p.Findings)
		if len(p.Answers) == 0 {
			open++
		}
		for _, a := range p.Answers {
			if a.Why == "" {
				notes = append(notes, c.say("%s: what its answer has to do with it is not said", "%s：回应与其关系不明", at))
			}
			rests(at+", "+c.say("its answer", "其回应"), a.Findings)
			if slices.ContainsFunc(a.Findings, func(id string) bool { return slices.Contains(p.Findings, id) }) {
				notes = append(notes, c.say("%s is answered by its own finding", "%s 以自身的发现作回应", at))
			}
		}
		if !strings.Contains(d.Counter, fmt.Sprintf("%d. ", i+1)) {
			notes = append(notes, c.say("the counter does not take up point %d, nor says so", "反方未提及论点 %d", i+1))
		}
	}
	for _, p := range d.Argument.Beside {
		rests(c.say("a point beside", "其他论点"), p.Findings)
	}
	if told := strings.Count(d.Counter, "stands unanswered") + strings.Count(d.Counter, "没有得到回应："); open != told {
		notes = append(notes, c.say("%d points stand unanswered and %d are told so", "%d 个论点没有得到回应，而说明的有 %d 个", open, told))
	}
	return notes
}

// rhetoric are openings that say nothing.
var rhetoric = regexp.MustCompile(`(?i)^(?:in (?:today's|the modern|recent years|an era|a world)|in this (?:report|article|paper)|this (?:report|article|paper) (?:explores|examines|aims|will|seeks)|(?:welcome|imagine|picture this|have you ever|let'?s (?:dive|explore|take))|it is (?:important|worth|no secret)|as we all know|throughout history|since the dawn)|^(?:近年来|随着|众所周知|在当今|当今社会|本报告(?:将|旨在)|本文(?:将|旨在))`)

// gateSubstance: the report opens with what was found: the first sentence of its summary is of a finding, with its citation behind it, and
// is neither a question, nor an empty phrase, nor says what a text is about; the first section opens with such a sentence too.
func gateSubstance(c Checked) (research.GateState, []string) {
	d := c.Digest
	if strings.TrimSpace(d.Summary) == "" {
		return research.GateFail, []string{c.say("there is no summary", "没有摘要")}
	}
	var notes []string
	all := d.EveryFinding()
	first := strings.TrimSpace(opening(d.Summary))
	switch {
	case Metadiscourse(first) || asks(first):
		if len(all) > 0 || rhetoric.MatchString(first) {
			notes = append(notes, c.say("the summary opens with %q", "摘要以 %q 开头", head(first, 80)))
		}
	case len(all) > 0 && !slices.ContainsFunc(all, func(f research.DigestFinding) bool { return holdsOpening(f.Text, first) }):
		notes = append(notes, c.say("the summary opens with %q, which is of no finding", "摘要以 %q 开头，并非任何发现", head(first, 80)))
	}
	if len(all) > 0 && !keyForm.MatchString(d.Summary) {
		notes = append(notes, c.say("the summary cites no finding", "摘要没有引用任何发现"))
	}
	if i := slices.IndexFunc(d.Sections, func(s research.Section) bool { return len(s.Findings) > 0 }); i >= 0 {
		if f := opening(d.Sections[i].Findings[0].Text); Metadiscourse(f) || asks(strings.TrimSpace(f)) {
			notes = append(notes, c.say("the first section opens with %q", "首节以 %q 开头", head(f, 80)))
		}
	}
	return verdictOf(1, notes)
}

// opening is the first sentence of a text.
func opening(s string) string {
	if sp := text.Sentences(s); len(sp) > 0 {
		return s[sp[0].Start:sp[0].End]
	}
	return s
}

// asks reports whether a sentence is a question.
func asks(s string) bool {
	s = strings.TrimRight(s, "”\"'」』 ")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// holdsOpening reports whether the words of a finding hold the first sentence of a summary, apart from the marks and keys around it.
func holdsOpening(finding, first string) bool {
	first = strings.Trim(oneSpace(keyForm.ReplaceAllString(first, "")), "“”\"「」 .。,，;；:：…")
	return first != "" && strings.Contains(oneSpace(finding), first)
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

var (
	keyForm   = regexp.MustCompile(`\[(\d{1,4})\]`)
	digitForm = regexp.MustCompile(`[0-9０-９]`)
)

// gateNumbers: every sentence, cell and line with a number in it carries a reference.
func gateNumbers(c Checked) (research.GateState, []string) {
	d := c.Digest
	var notes []string
	looked := 0
	need := func(words string, cited bool) {
		if !digitForm.MatchString(words) {
			return
		}
		looked++
		if !cited {
			notes = append(notes, c.say("no reference: %q", "没有引用：%q", head(words, 100)))
		}
	}
	for _, f := range d.EveryFinding() {
		need(f.Text, len(f.Refs) > 0 && len(f.Citations) > 0)
	}
	for _, s := range d.Sections {
		for _, t := range s.Tables {
			for _, row := range t.Rows {
				for _, cell := range row {
					need(cell.Text, len(cell.Refs) > 0)
				}
			}
		}
		for _, g := range s.Diagrams {
			need(strings.Join(strings.Fields(g.Code), " "), len(g.Refs) > 0)
		}
	}
	for _, t := range d.Timeline {
		need(t.Text, len(t.Refs) > 0)
	}
	for _, l := range slices.Concat(d.Levels.Impact, d.Levels.Decisions, d.Levels.Plain) {
		need(l.Text, len(l.Findings) > 0)
	}
	if a := d.Argument; a != nil {
		for _, p := range slices.Concat(a.Points, a.Beside) {
			need(p.Text, len(p.Findings) > 0)
		}
	}
	return verdictOf(looked, fewNotes(c, notes))
}

var (
	markerForm = regexp.MustCompile(`<a class="cite" href="#s(\d+)"(?: data-passage="([^"]*)")?`)
	cardForm   = regexp.MustCompile(`<article class="scard" id="s(\d+)"`)
)

// gateMarkers: every marker of the page leads to a card that is there, and where it carries a passage, to the card of that passage's source.
func gateMarkers(c Checked) (research.GateState, []string) {
	d := c.Digest
	cards := map[string]bool{}
	for _, m := range cardForm.FindAllSubmatch(c.Page, -1) {
		cards[string(m[1])] = true
	}
	number := map[string]string{}
	for i, s := range d.Sources {
		if _, ok := number[s.ID]; !ok {
			number[s.ID] = fmt.Sprint(i + 1)
		}
	}
	var notes []string
	all := markerForm.FindAllSubmatch(c.Page, -1)
	for _, m := range all {
		n, passage := string(m[1]), unescaped(string(m[2]))
		if !cards[n] {
			notes = append(notes, c.say("marker [%s] leads to no card", "标记 [%s] 没有对应的卡片", n))
			continue
		}
		if ps, ok := d.Passages[passage]; ok && number[ps.Source] != n {
			notes = append(notes, c.say("marker [%s] carries a passage of source [%s]", "标记 [%s] 的段落属于来源 [%s]", n, number[ps.Source]))
		}
	}
	for _, f := range d.EveryFinding() {
		for _, r := range f.Refs {
			if r < 0 || r >= len(d.Sources) {
				notes = append(notes, c.say("a finding has the key [%d], which is no source", "有发现的编号 [%d] 不是来源", r+1))
			}
		}
	}
	return verdictOf(len(all), fewNotes(c, notes))
}

// gatePage: the digest fits its schema, the page was made, has a light theme, and is no larger than a browser takes well.
func gatePage(c Checked) (research.GateState, []string) {
	var notes []string
	if c.Invalid != "" {
		notes = append(notes, c.say("the digest does not fit its schema: %s", "摘要数据不符合其模式：%s", head(c.Invalid, 200)))
	}
	switch {
	case c.PageFault != "" || len(c.Page) == 0:
		notes = append(notes, c.say("the page was not made: %s", "页面未生成：%s", head(c.PageFault, 200)))
	case len(c.Page) > maxPageBytes:
		notes = append(notes, c.say("the page has %d bytes where %d are allowed", "页面有 %d 字节，上限为 %d", len(c.Page), maxPageBytes))
	case !lightForm.Match(c.Page):
		notes = append(notes, c.say("the page has no light theme", "页面没有浅色主题"))
	}
	return verdictOf(1, notes)
}

var lightForm = regexp.MustCompile(`color-scheme:\s*light`)

var (
	unseenForm = regexp.MustCompile(`(?s)<(?:style|script|pre)\b.*?</(?:style|script|pre)>`)
	tagForm    = regexp.MustCompile(`<[^>]*>`)
	markupForm = regexp.MustCompile(`\*\*[^\s*][^*\n]{0,200}\*\*|(?:^|\n)#{1,6} \S[^\n]{0,80}|` + "```" + `|!?\[[^\]\n]{1,80}\]\((?:https?:|#|/)[^)\n]{0,200}\)|\[\^\d+\]`)
)

// gateMarkup: no mark of Markdown stands in the page as text. What a quoted passage or the name of a source itself holds is theirs.
func gateMarkup(c Checked) (research.GateState, []string) {
	if len(c.Page) == 0 {
		return research.GateUnchecked, nil
	}
	seen := tagForm.ReplaceAllString(unseenForm.ReplaceAllString(string(c.Page), " "), "")
	seen = unescaped(seen)
	own := func(mark string) bool {
		for _, p := range c.Digest.Passages {
			if strings.Contains(p.Text, mark) {
				return true
			}
		}
		for _, s := range c.Digest.Sources {
			if strings.Contains(s.Title, mark) || strings.Contains(s.Snippet, mark) {
				return true
			}
		}
		for _, i := range c.Digest.Issues {
			if strings.Contains(i.Text, mark) {
				return true // what was left out is told as it stood
			}
		}
		return strings.Contains(c.Digest.Topic, mark)
	}
	var notes []string
	for _, m := range markupForm.FindAllString(seen, 400) {
		if m = strings.TrimSpace(m); !own(m) && !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, head(m, 60)) }) {
			notes = append(notes, c.say("the page shows %q", "页面出现 %q", head(m, 60)))
		}
	}
	return verdictOf(1, fewNotes(c, notes))
}

// gateFuture: the report says what a follow-up should look for.
func gateFuture(c Checked) (research.GateState, []string) {
	if slices.ContainsFunc(c.Digest.FutureWork, func(s string) bool { return strings.TrimSpace(s) != "" }) {
		return research.GatePass, nil
	}
	return research.GateFail, []string{c.say("the report says nothing of what to look for next", "报告没有后续工作")}
}

// gateFloors: the pool of sources meets the floors of its depth. Of a closed library they are told and not held.
func gateFloors(c Checked) (research.GateState, []string) {
	st := c.Digest.SourceStats
	switch {
	case st.ClosedLibrary:
		return research.GateUnchecked, []string{c.say("a closed library: its floors are printed and not held", "封闭资料库：下限列出但不作要求")}
	case len(st.Shortfall) > 0:
		return research.GateFail, slices.Clone(st.Shortfall)
	}
	return research.GatePass, nil
}

// gateWorks: the scholarly works that the report cites are in a catalogue as they are cited. It is looked up only where the person asked
// for it; otherwise the line says that nothing was checked.
func gateWorks(c Checked) (research.GateState, []string) {
	r := c.Digest.References
	switch {
	case r == nil:
		return research.GateUnchecked, nil
	case r.Mismatch > 0:
		return research.GateFail, []string{c.say("%d of %d cited works are in no catalogue as they are cited", "%d / %d 篇被引文献与目录不符", r.Mismatch, r.Total)}
	case r.Checked == 0 || r.Checked < r.Total:
		return research.GateUnchecked, []string{c.say("%d of %d cited works were looked up; %s", "%d / %d 篇被引文献已核对；%s", r.Checked, r.Total, r.Note)}
	}
	return research.GatePass, nil
}

// unescaped undoes what the page's template escapes.
func unescaped(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&quot;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&").Replace(s)
}
