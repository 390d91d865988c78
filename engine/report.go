package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine/answer"
	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// reportInput is what a report may be made of.
type reportInput struct {
	Round   int                    `json:"round"` // gap rounds that were searched
	Meaning research.Understanding `json:"meaning"`
	Known   ledger                 `json:"known"`
	Result  reasoned               `json:"result"`
}

// maxAttempts bounds the repair loop together with the caps of the bank; it is the global budget of CHECKS 2.3.
const maxAttempts = 60

// report is stage 7: a writer for each facet, the bank of checks with bounded repair, and the digest. What a model writes is
// printed only where code finds it in the passages; elsewhere the finding's own words stand.
func (r *run) report(ctx context.Context, in reportInput) (research.Digest, error) {
	w := &desk{run: r, in: in, tried: map[string]int{}, byFacet: map[string][]research.Finding{}}
	if err := w.prepare(); err != nil {
		return research.Digest{}, err
	}
	if err := w.draft(ctx); err != nil {
		return research.Digest{}, err
	}
	if err := w.review(ctx); err != nil {
		return research.Digest{}, err
	}
	if err := w.lookUp(ctx); err != nil {
		return research.Digest{}, err
	}
	if err := w.repair(ctx); err != nil {
		return research.Digest{}, err
	}
	if err := w.levels(ctx); err != nil {
		return research.Digest{}, err
	}
	if err := w.argue(ctx); err != nil {
		return research.Digest{}, err
	}
	return w.digest()
}

// desk is where one report is written.
type desk struct {
	*run
	in       reportInput
	view     checks.View
	byFacet  map[string][]research.Finding
	tried    map[string]int // writer calls by facet
	raised   int            // diagnostics
	salvaged bool
	replaced int // sentences of a model that gave way to the finding's own words
	said     research.Levels
	argued   *research.Argument
	unargued *sided // of a contested proposition for which no strong case can be made
	lookups  []research.CitationLookup
	repairing
}

// prepare builds the view that the checks read.
func (w *desk) prepare() error {
	u := w.in.Meaning
	w.view = checks.View{
		Now: w.Request.Now, Question: u.Question, Lang: u.Lang, Terms: u.Terms, Facets: u.Facets,
		Texts: map[string]string{}, Passages: map[string]research.Passage{}, Claims: map[string]research.Claim{}, Findings: w.in.Result.Findings,
		Entities: u.Entities, Shape: u.Shape, Budget: u.Budget, Closed: w.closedLibrary(), Contradicts: w.in.Result.Contradicts,
	}
	for _, p := range w.in.Result.Passages {
		w.view.Passages[p.ID] = p
	}
	for _, c := range w.in.Result.Claims {
		w.view.Claims[c.ID] = c
	}
	for _, s := range w.in.Known.Sources {
		s.Passages = append([]research.Passage{}, s.Passages...)
		for _, p := range w.in.Result.Passages {
			if p.Source == s.ID && !hasPassage(s.Passages, p.ID) {
				s.Passages = append(s.Passages, p)
			}
		}
		w.view.Sources = append(w.view.Sources, s)
		if s.Hidden != "" {
			if w.view.Hidden == nil {
				w.view.Hidden = map[string]string{}
			}
			w.view.Hidden[s.ID] = s.Hidden
		}
		if s.Verdict == research.Verified {
			t, err := w.record.Blob(s.SHA256)
			if err != nil {
				return fmt.Errorf("kept text of %s: %w", s.Location, err)
			}
			w.view.Texts[s.SHA256] = t
		}
	}
	for _, f := range w.in.Result.Findings {
		w.byFacet[f.Facet] = append(w.byFacet[f.Facet], f)
	}
	return nil
}

// citable lists the findings of a facet that a writer may see. Nothing else of the run reaches a writer. A finding in the
// reject band is told under Issues.
func (w *desk) citable(facet string) []research.Finding {
	var out []research.Finding
	for _, f := range w.byFacet[facet] {
		if f.Band != research.Reject && (w.without(withoutExclusion) || checks.Citable(f, w.view)) {
			out = append(out, f)
		}
	}
	return out
}

// write has one facet written in a fresh context from its citable findings only.
func (w *desk) write(ctx context.Context, f research.Facet, findings []research.Finding) error {
	sec := research.DraftSection{ID: f.ID, Title: f.Text, Facets: []string{f.ID}, Blocks: []research.Block{}}
	if len(findings) > 0 {
		said, by, err := w.dispatch(ctx, f, findings)
		if err != nil {
			return err
		}
		sec.Blocks = w.blocks(f, findings, said, by)
	}
	w.place(sec)
	return nil
}

// place puts a section where its facet belongs; a section without blocks is left out, its gap says why.
func (w *desk) place(sec research.DraftSection) {
	for i := range w.view.Draft.Sections {
		if w.view.Draft.Sections[i].ID == sec.ID {
			w.view.Draft.Sections[i] = sec
			return
		}
	}
	if len(sec.Blocks) > 0 {
		w.view.Draft.Sections = append(w.view.Draft.Sections, sec)
	}
}

// dispatch calls the writer of a facet and keeps the call for the checks.
func (w *desk) dispatch(ctx context.Context, f research.Facet, findings []research.Finding) ([]research.WrittenSentence, string, error) {
	in := w.writerInput(f, findings)
	c, err := w.call(research.FindingsWriter, in, w.tried[f.ID])
	if err != nil {
		return nil, "", err
	}
	w.again(&c, f.ID)
	w.tried[f.ID]++
	a, err := w.chat(ctx, c)
	if err != nil {
		return nil, "", err
	}
	var said research.WriterAnswer
	// What cannot be read is an empty answer here; the bank sees the call itself and decides on the repair.
	_, perr := answer.Parse(a.Text, c.Schema, &said)
	w.view.Dispatches = append(w.view.Dispatches, research.Dispatch{
		ID: fmt.Sprintf("%s.%d", f.ID, c.Try), Task: f.ID, Role: c.Role, Scope: f.ID, Prompt: c.Prompt, Visible: a.Text, Thinking: a.Thinking,
		Schema: string(c.Schema), DoneReason: a.DoneReason, PromptTokens: a.PromptTokens, AnswerTokens: a.AnswerTokens, NumCtx: a.NumCtx, Evidence: evidenceBlock(in), Try: c.Try,
	})
	if perr != nil {
		return nil, a.By, nil
	}
	return said.Sentences, a.By, nil
}

// written is how many findings a writer is shown, the closest first: a sentence on each takes about 85 tokens of the 1,400 that it may
// write. Those beyond stand in their own words.
const written = 16

// writerInput is all that the writer of a facet sees.
func (w *desk) writerInput(f research.Facet, findings []research.Finding) research.WriterInput {
	in := research.WriterInput{Lang: w.in.Meaning.Lang, Question: w.in.Meaning.Question, Facet: f}
	for i, x := range findings[:min(len(findings), written)] {
		in.Findings = append(in.Findings, research.WriterFinding{Index: i + 1, Text: x.Text, Passage: w.passageText(x), Label: x.Label})
	}
	return in
}

func evidenceBlock(in research.WriterInput) string {
	var b strings.Builder
	for _, f := range in.Findings {
		fmt.Fprintf(&b, "[%d] %s\n", f.Index, f.Text)
	}
	return b.String()
}

func (w *desk) passageText(f research.Finding) string {
	var out []string
	for _, p := range w.cited(f) {
		out = append(out, w.view.Passages[p].Text)
	}
	return strings.Join(out, "\n")
}

// cited lists the passages a finding is printed with: for each explicit claim it rests on the passage whose words it
// prints, which is the excerpt around the claim when there is one; for a derived claim those of its basis.
func (w *desk) cited(f research.Finding) []string {
	var out []string
	var walk func(id string, depth int)
	walk = func(id string, depth int) {
		c, ok := w.view.Claims[id]
		if !ok || depth > evidence.MaxDepth {
			return
		}
		if c.Derivation != nil {
			for _, b := range c.Derivation.Basis {
				walk(b, depth+1)
			}
			return
		}
		p := c.Passage
		if f.By == extractiveName && depth == 0 {
			for _, e := range c.Evidence {
				if e.Reason == aroundIt {
					p = e.Passage
				}
			}
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
		for _, e := range c.Evidence {
			if e.Reason == headedBy && !slices.Contains(out, e.Passage) {
				out = append(out, e.Passage) // what a cell says is said by its column too
			}
		}
	}
	for _, id := range f.Claims {
		walk(id, 0)
	}
	return out
}

// blocks turns written sentences into blocks. A sentence that goes beyond what it cites gives way to the words of the
// finding itself; a finding that no sentence cites is added in its own words, so that nothing found is lost.
func (w *desk) blocks(f research.Facet, findings []research.Finding, said []research.WrittenSentence, by string) []research.Block {
	var out []research.Block
	used := map[int]bool{}
	for _, s := range said {
		clean, marked := checks.ParseCitations(s.Text)
		if by != extractiveName {
			clean = w.sanitised(f.ID, clean)
		}
		refs := inRange(append(append([]int{}, s.Refs...), marked...), min(len(findings), written))
		if len(refs) == 0 {
			continue
		}
		if by == extractiveName || w.without(withoutGrounding) || w.grounded(clean, refs, findings) {
			var of []research.Finding
			for _, n := range refs {
				of = append(of, findings[n-1])
				used[n] = true
			}
			out = append(out, w.block(f, clean, of, by))
			continue
		}
		w.replaced++
	}
	for i, x := range findings {
		if !used[i+1] && !(by != extractiveName && w.without(withoutSalvage)) {
			if by != extractiveName && i < written {
				w.salvaged = true
			}
			out = append(out, w.block(f, x.Text, []research.Finding{x}, extractiveName))
		}
	}
	return out
}

// sanitised is what a model wrote as words alone; what was taken out is told by the bank. It has no switch.
func (w *desk) sanitised(facet, words string) string {
	clean, removed := text.Sanitise(words)
	for _, r := range removed {
		w.view.Removed = append(w.view.Removed, checks.Removal{Block: facet, Kind: r.Kind, Text: r.Text})
	}
	return clean
}

func inRange(refs []int, n int) []int {
	var out []int
	seen := map[int]bool{}
	for _, r := range refs {
		if r >= 1 && r <= n && !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// A written sentence of few stems has nearly all of them in its passages: two of three may stand there by chance, as those of "No
// findings were given" do beside any text that speaks of finding and giving.
const (
	fewStems  = 5
	fewShared = 0.8
)

// grounded reports whether a written sentence says no more than the passages of the findings it cites. Headings and paragraphs are no
// sentence.
func (w *desk) grounded(sentence string, refs []int, findings []research.Finding) bool {
	var words []string
	for _, n := range refs {
		words = append(words, w.passageText(findings[n-1]), findings[n-1].Text)
	}
	lang := w.in.Meaning.Lang
	if s := strings.TrimSpace(sentence); strings.HasPrefix(s, "#") || strings.Contains(s, "\n") {
		return false
	}
	if st := text.TermSet(sentence, lang); len(st) <= fewStems && text.Containment(st, text.TermSet(strings.Join(words, "\n"), lang)) < fewShared {
		return false
	}
	return unlike(sentence, strings.Join(words, "\n"), "", w.in.Meaning.Lang) == ""
}

// block is one printed sentence with everything it rests on.
func (w *desk) block(f research.Facet, words string, of []research.Finding, by string) research.Block {
	b := research.Block{Kind: research.BlockFinding, Text: strings.TrimSpace(words), Refs: []string{}, Citations: []string{}, Claims: []string{}, By: by}
	for _, x := range of {
		for _, c := range x.Claims {
			if !slices.Contains(b.Claims, c) {
				b.Claims = append(b.Claims, c)
			}
		}
		for _, p := range w.cited(x) {
			if !slices.Contains(b.Citations, p) {
				b.Citations = append(b.Citations, p)
			}
			if s := w.view.Passages[p].Source; !slices.Contains(b.Refs, s) {
				b.Refs = append(b.Refs, s)
			}
		}
	}
	var cs []research.Claim
	for _, id := range b.Claims {
		cs = append(cs, w.view.Claims[id])
	}
	b.Confidence, _, b.Band, b.Label = evidence.FindingConfidence(cs)
	b.ID = research.ID("f", append([]string{f.ID, b.Text}, b.Claims...)...)
	return b
}

// review shows the draft and its evidence to a reviewer in a fresh context. A remark counts only where code confirms it:
// the sentence it points at must fail the test that every written sentence passes, which it cannot unless the draft was
// changed since; what is left are remarks to be told, not to act on.
func (w *desk) review(ctx context.Context) error {
	if w.Model.Limits().Name == extractiveName || w.without(withoutReview) {
		return nil // verbatim sentences have nothing to compare
	}
	in := research.ReviewerInput{Lang: w.in.Meaning.Lang, Question: w.in.Meaning.Question}
	var blocks []research.Block
	for _, s := range w.view.Draft.Sections {
		for _, b := range s.Blocks {
			if b.By == extractiveName || len(in.Sentences) >= reviewed {
				continue
			}
			var refs []int
			for _, p := range b.Citations {
				in.Findings = append(in.Findings, research.WriterFinding{Index: len(in.Findings) + 1, Text: b.Text, Passage: w.view.Passages[p].Text})
				refs = append(refs, len(in.Findings))
			}
			in.Sentences = append(in.Sentences, research.WrittenSentence{Text: b.Text, Refs: refs})
			blocks = append(blocks, b)
		}
	}
	if len(in.Sentences) == 0 {
		return nil
	}
	var said research.ReviewerAnswer
	if _, err := w.ask(ctx, research.PeerReviewer, in, &said); err != nil {
		return err
	}
	ground := in.Question
	for _, f := range in.Findings {
		ground += "\n" + f.Text + "\n" + f.Passage
	}
	for _, m := range said.Remarks {
		if m.Sentence >= 1 && m.Sentence <= len(blocks) && onQuestion(text.TermSet(m.Problem, w.in.Meaning.Lang), w.in.Meaning) && !beyond(m.Problem, ground) {
			w.view.Issues = append(w.view.Issues, research.Issue{Kind: "check", Text: blocks[m.Sentence-1].Text, Reason: "the reviewer remarks, and no check confirms: " + m.Problem})
		}
	}
	return nil
}

// reviewed is the most sentences one review looks at.
const reviewed = 12

// repair lets the bank act until it accepts the draft: one verdict an attempt, the bank's own edits at once, the engine's
// repairs here. It ends by the caps of the bank.
func (w *desk) repair(ctx context.Context) error {
	var state checks.State
	for range w.mostAttempts() {
		step := checks.Step(state, w.view, w.bankOptions())
		v := step.Verdict
		state, w.view = step.State, step.View
		w.recalibrate()
		if err := w.tell(v); err != nil {
			return err
		}
		if v.Over() {
			for _, a := range v.Final {
				for _, f := range a.Facets {
					if !a.Done {
						w.salvage(f)
					}
				}
			}
			if w.restore() {
				continue
			}
			w.prune()
			return nil
		}
		if v.Done {
			continue
		}
		if err := w.act(ctx, v); err != nil {
			return err
		}
	}
	return w.note("error", "The bank of checks did not come to an end in %d attempts; the report is made of the findings' own words.", w.mostAttempts())
}

// recalibrate puts a claim whose voices a check counted anew under its calibration map again.
func (w *desk) recalibrate() {
	sources := map[string]research.Source{}
	for _, s := range w.view.Sources {
		sources[s.ID] = s
	}
	claims := map[string]research.Claim{}
	changed := false
	for id, c := range w.view.Claims {
		if c.Support != nil && c.Support.Map != "" && c.Support.Smoothed != evidence.Confidence(c.Support.K, c.Support.N) {
			s := evidence.CalibrateUnder(c.Support.Map, *c.Support, sources)
			c.Support, changed = &s, true
		}
		claims[id] = c
	}
	if changed {
		w.view.Claims = claims
	}
}

// salvage assembles a facet from the ledger without a model: its citable findings in their own words, most relevant first.
func (w *desk) salvage(id string) {
	if w.without(withoutSalvage) {
		return
	}
	fi := facetIndex(w.in.Meaning.Facets, id)
	if fi < 0 {
		return
	}
	f := w.in.Meaning.Facets[fi]
	sec := research.DraftSection{ID: f.ID, Title: f.Text, Facets: []string{f.ID}, Blocks: []research.Block{}}
	for _, x := range w.citable(id) {
		sec.Blocks = append(sec.Blocks, w.block(f, x.Text, []research.Finding{x}, extractiveName))
	}
	w.salvaged = w.salvaged || w.Model.Limits().Name != extractiveName
	w.done(id) // the calls that failed: a salvaged facet has no call to be judged
	w.place(sec)
}

// tell records what the bank did.
func (w *desk) tell(v checks.Verdict) error {
	say := func(check, key string, action checks.Action, hits []checks.Hit) error {
		n := research.CheckNews{Attempt: v.Attempt, Check: check, Key: key, Action: string(action), Hits: []string{}}
		for _, h := range hits {
			n.Hits = append(n.Hits, h.Where+": "+h.What)
		}
		w.raised += max(1, len(hits))
		return w.news(research.EventCheck, n)
	}
	for _, a := range append(append([]checks.Applied{}, v.Edited...), v.Final...) {
		if err := say(a.Check, a.Key.String(), a.Action, a.Hits); err != nil {
			return err
		}
	}
	if v.Check != "" && !v.Over() {
		if err := say(v.Check, v.Key.String(), v.Action, v.Hits); err != nil {
			return err
		}
	}
	if len(v.Defects) > 0 {
		b, err := json.Marshal(v.Defects)
		if err != nil {
			return err
		}
		return w.note("error", "A check's own edit did not put its key right, which is a fault of the program: %s", b)
	}
	return nil
}
