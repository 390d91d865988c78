package bakeoff

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
)

// Outcome is what a verdict comes to.
type Outcome string

const (
	Keep            Outcome = "keep"
	Discard         Outcome = "discard"
	Informational   Outcome = "informational"    // measured, and no verdict
	DiscardOutright Outcome = "discard outright" // it cannot hold the window that research needs
	Untested        Outcome = "untested"         // nothing was measured that counts
)

// rules are the short names of the six, for reasons.
var rules = [...]string{"", "the mode is proven first", "the candidate is the only variable", "backend and version", "a discard needs two runs", "the changelog", "the least window"}

// Reason is one sentence of a verdict with the rule it rests on, 1 to 6; 0 is a measurement.
type Reason struct {
	Rule int    `json:"rule"`
	Text string `json:"text"`
}

// String is the reason with the rule named.
func (r Reason) String() string {
	if r.Rule <= 0 || r.Rule >= len(rules) {
		return r.Text
	}
	return fmt.Sprintf("Rule %d (%s): %s", r.Rule, rules[r.Rule], r.Text)
}

// Verdict is what the trials of one candidate for one role come to.
type Verdict struct {
	Candidate Candidate     `json:"candidate"`
	Baseline  Candidate     `json:"baseline"`
	Role      research.Role `json:"role"` // empty: every role
	Outcome   Outcome       `json:"outcome"`
	Backend   string        `json:"backend"`
	Version   string        `json:"version"`
	NumCtx    *int          `json:"num_ctx"`
	Reasons   []Reason      `json:"reasons"` // what decided stands first
	// Labels are what must be read with the outcome: a native ceiling, a model partly in main memory.
	Labels []string `json:"labels"`
	// Unchecked is what could not be held equal because nobody tells it.
	Unchecked []string `json:"unchecked"`
	Trials    []string `json:"trials"` // ids of those that count
	Passed    int      `json:"passed"`
	Failed    int      `json:"failed"`
}

// Elsewhere says that a verdict is of another backend or version than the one in use now, in a sentence; "" when it is of this
// one. An unknown version now marks nothing.
func (v Verdict) Elsewhere(backend, version string) string {
	if version == "" || backend == "" || v.Backend == "" || v.Backend == backend && v.Version == version {
		return ""
	}
	return fmt.Sprintf("of another backend version: %s %s, and this is %s %s; run the bake-off again", v.Backend, orUnknown(v.Version), backend, version)
}

// Bar is what a trial must reach to pass. The shares are starting values, as those of CONTRACT section 3.
type Bar struct {
	// Unusable is the largest share of tasks whose answer had to be replaced, and of answers that could not be read. If zero,
	// 0.25: with more, the report is the extractive channel's and not the candidate's.
	Unusable float64 `json:"unusable"`
	// Slack is how far a share may lie under the baseline's. If zero, 0.05.
	Slack float64 `json:"slack"`
}

func (b Bar) orDefault() Bar {
	if b.Unusable == 0 {
		b.Unusable = 0.25
	}
	if b.Slack == 0 {
		b.Slack = 0.05
	}
	return b
}

// broken is the share of tasks from which on a trial says more of the server than of the model.
const broken = 0.25

// Case is what a verdict rests on.
type Case struct {
	Candidate Candidate
	Baseline  Candidate
	Role      research.Role
	// Reference are the trials of the baseline in this bake-off, Trials those of the candidate, History those of the candidate in
	// earlier ones. A trial that is listed twice counts once.
	Reference, Trials, History []Trial
	Bar                        Bar
}

// Judge applies the rules to a case. The order of the trials makes no difference.
func Judge(c Case) Verdict {
	c.Bar = c.Bar.orDefault()
	j := judge{Case: c, v: Verdict{
		Candidate: c.Candidate, Baseline: c.Baseline, Role: c.Role, Outcome: Untested,
		Reasons: []Reason{}, Labels: []string{}, Unchecked: []string{}, Trials: []string{},
	}}
	own := unique(c.Trials)
	if len(own) > 0 {
		s := own[0].Setup
		j.v.Backend, j.v.Version, j.v.NumCtx = s.Backend, s.Version, s.NumCtx
	}
	if j.squeezed(own) {
		return j.v
	}
	counted := j.counted(own)
	if len(counted) == 0 {
		if len(own) == 0 {
			j.say(1, "no trial was made.")
		}
		return j.v
	}
	j.labels(counted)
	counted = append(counted, j.corroborating(counted)...)
	for _, t := range counted {
		j.v.Trials = append(j.v.Trials, t.ID)
	}
	if !j.comparable(counted) {
		j.v.Outcome = Informational
		return j.v
	}
	j.decide(counted)
	return j.v
}

// judge builds one verdict.
type judge struct {
	Case
	v Verdict
}

func (j *judge) say(rule int, format string, args ...any) {
	r := Reason{rule, fmt.Sprintf(format, args...)}
	if !slices.Contains(j.v.Reasons, r) {
		j.v.Reasons = append(j.v.Reasons, r)
	}
}

// unique sorts trials by id and drops repetitions.
func unique(ts []Trial) []Trial {
	out := slices.Clone(ts)
	slices.SortStableFunc(out, func(a, b Trial) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b Trial) bool { return a.ID == b.ID })
}

// squeezed is rule 6: a window that the hardware cannot hold ends the case, unless another raw call showed that it can.
func (j *judge) squeezed(own []Trial) bool {
	var why string
	for _, t := range own {
		if t.Proof != nil && t.Proof.HeldContext != nil && *t.Proof.HeldContext >= MinContext {
			return false
		}
		if t.Proof.squeezed(j.Candidate) && why == "" {
			why = fmt.Sprintf("a window of %d tokens was asked for and ", t.Proof.AskedContext)
			if t.Proof.Memory {
				why += "the server says that the model does not fit into memory"
			} else {
				why += fmt.Sprintf("%d were given", *t.Proof.HeldContext)
			}
			j.v.Trials = append(j.v.Trials, t.ID)
		}
	}
	if why == "" {
		return false
	}
	j.v.Outcome = DiscardOutright
	if n := j.Candidate.ContextLength; n != nil && *n < MinContext {
		j.say(6, "%s, so this hardware does not even hold the model's own ceiling of %d.", why, *n)
	} else {
		j.say(6, "%s; research needs %d, and a smaller window that the hardware forces is not tried.", why, MinContext)
	}
	return true
}

// counted are the trials that say something of the model (rules 1 and 3); the others are named.
func (j *judge) counted(own []Trial) []Trial {
	var out []Trial
	for _, t := range own {
		s := t.Total()
		missing := t.Proof.Missing(t.Setup)
		switch {
		case t.Setup.Backend != "" && len(missing) > 0:
			j.say(1, "trial %s counts for nothing: %s.", t.ID, strings.Join(missing, "; "))
		case !t.Done:
			j.say(0, "Trial %s is not finished and does not count.", t.ID)
		case t.failed() > 0:
			j.say(3, "trial %s does not count: %d of %d runs broke, which may be the server's fault or the program's.", t.ID, t.failed(), len(t.Answers))
		case float64(s.Broken) > broken*float64(s.Tasks):
			j.say(3, "trial %s does not count: the server failed in %d of %d tasks; mend it before the model is judged.", t.ID, s.Broken, s.Tasks)
		case s.Tasks == 0:
			j.say(0, "Trial %s does not count: the candidate was asked nothing.", t.ID)
		default:
			out = append(out, t)
		}
	}
	return out
}

// corroborating are the trials of earlier bake-offs that may stand beside those of this one: of the same model files under the
// same setup in everything.
func (j *judge) corroborating(own []Trial) []Trial {
	var out []Trial
	digest := j.Candidate.Digest
	for _, t := range unique(j.History) {
		s := t.Total()
		if digest == "" || t.Candidate.Digest != digest || t.Reference || slices.ContainsFunc(own, func(o Trial) bool { return o.ID == t.ID }) {
			continue
		}
		if t.Done && s.Tasks > 0 && t.failed() == 0 && float64(s.Broken) <= broken*float64(s.Tasks) && len(t.Proof.Missing(t.Setup)) == 0 &&
			t.Setup.same(own[0].Setup) {
			j.say(0, "Trial %s of an earlier bake-off under the same setup is counted with them.", t.ID)
			out = append(out, t)
		}
	}
	return out
}

// comparable is rules 2 and 3: whether nothing but the candidate differs, and it is known what served it.
func (j *judge) comparable(counted []Trial) bool {
	ok := true
	refs := slices.DeleteFunc(unique(j.Reference), func(t Trial) bool { return !t.Done || t.failed() > 0 })
	if len(refs) == 0 {
		j.say(2, "the baseline was not run to its end, so there is nothing to compare with.")
		ok = false
	}
	for _, t := range counted {
		for _, r := range refs {
			if ds := others(r.Setup, t); len(ds) > 0 {
				j.say(2, "%s differs too, so the result is information only.", names(ds))
				ok = false
			}
		}
		for _, s := range append(slices.Clone(t.Setup.Swaps), swaps(refs)...) {
			who := "a role"
			if s.Role != "" {
				who = string(s.Role)
			}
			j.say(2, "memory forced a change elsewhere: %s went from %s to %s, so the result is information only.", who, s.From, s.To)
			ok = false
		}
		if t.Setup.Backend == "" || t.Setup.Version == "" || t.Setup.Version == "0.0.0" {
			j.say(3, "the server does not say which version it is, and no verdict stands without it.")
			ok = false
		}
		if !t.Setup.same(counted[0].Setup) {
			j.say(2, "the trials of the candidate differ among themselves: %s.", names(Diff(counted[0].Setup, t.Setup)))
			ok = false
		}
	}
	return ok
}

func swaps(ts []Trial) []Swap {
	var out []Swap
	for _, t := range ts {
		out = append(out, t.Setup.Swaps...)
	}
	return out
}

func names(ds []Difference) string {
	if len(ds) == 0 {
		return "in what memory forced elsewhere or in who answers"
	}
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = d.String()
	}
	return strings.Join(parts, ", ")
}

// labels says what must be read with the outcome.
func (j *judge) labels(counted []Trial) {
	label := func(list *[]string, format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, t := range counted {
		if n := j.Candidate.ContextLength; nativeCeiling(t.Candidate, t.Setup) && n != nil && *n < MinContext {
			label(&j.v.Labels, "tried at its native ceiling of %d tokens", *n)
			j.say(6, "its own limit is %d tokens, so it was tried at that and not discarded for it.", *n)
		}
		if p := t.Proof; p != nil && p.Size != nil && p.SizeVRAM != nil && *p.SizeVRAM > 0 && *p.SizeVRAM < *p.Size {
			label(&j.v.Labels, "%d %% of it in main memory", (*p.Size-*p.SizeVRAM)*100 / *p.Size)
		}
		if t.Setup.KVType == "" {
			label(&j.v.Unchecked, "KV type: no server tells it")
		}
		if t.Setup.Machine == "" {
			label(&j.v.Unchecked, "graphics card: not seen")
		}
	}
}

// decide is rule 4.
func (j *judge) decide(counted []Trial) {
	var fails []Reason
	for _, t := range counted {
		pass, why := Assess(t, j.Reference, j.Bar)
		if pass {
			j.v.Passed++
			continue
		}
		j.v.Failed++
		for _, w := range why {
			fails = append(fails, Reason{0, fmt.Sprintf("Trial %s failed: %s.", t.ID, w)})
		}
	}
	var why string
	j.v.Outcome, why = outcome(j.v.Passed, j.v.Failed)
	j.v.Reasons = append(append([]Reason{{4, why}}, fails...), j.v.Reasons...)
}

// outcome is what so many runs that passed and failed come to, and why.
func outcome(p, f int) (Outcome, string) {
	switch {
	case f >= 2 && f > p:
		return Discard, fmt.Sprintf("%d of %d runs failed.", f, p+f)
	case p == 1 && f == 0:
		return Keep, "its one run was clean, and a pass may stand on one."
	case f == 0:
		return Keep, fmt.Sprintf("all %d runs were clean.", p)
	case p > f:
		return Keep, fmt.Sprintf("%d of %d runs passed; it is not steady.", p, p+f)
	case p == 0:
		return Informational, "its one run failed, and a discard needs a second one that fails."
	}
	return Informational, fmt.Sprintf("the runs disagree: %d passed and %d failed.", p, f)
}

// Assess holds one trial against those of the baseline and says in words what failed.
func Assess(t Trial, reference []Trial, bar Bar) (pass bool, why []string) {
	bar = bar.orDefault()
	var ref Trial // all trials of the baseline as one
	for _, r := range unique(reference) {
		if r.Done && r.failed() == 0 {
			ref.Answers = append(ref.Answers, r.Answers...)
		}
	}
	got, base := t.Total(), ref.Total()
	if n := got.Tasks - got.Broken; n > 0 && float64(got.Replaced-got.Broken) > bar.Unusable*float64(n) {
		why = append(why, fmt.Sprintf("%d of %d tasks had to be done without it", got.Replaced-got.Broken, n))
	}
	if float64(got.Unreadable) > bar.Unusable*float64(got.Calls) {
		why = append(why, fmt.Sprintf("%d of %d answers could not be read", got.Unreadable, got.Calls))
	}
	below := func(what string, a, b *float64) {
		if b == nil {
			return
		}
		if a == nil {
			a = new(float64)
		}
		if *a < *b-bar.Slack-1e-9 { // the slack itself is within it, whatever the rounding
			why = append(why, fmt.Sprintf("%s %.2f against %.2f of the baseline", what, *a, *b))
		}
	}
	below("share of findings that the audit passes", share(got.Grounded, got.Findings), share(base.Grounded, base.Findings))
	below("share of parts answered", share(got.Answered, got.Facets), share(base.Answered, base.Facets))
	if b, labelled := base.Marks[MarkPoints]; labelled {
		if a, has := got.Marks[MarkPoints]; has {
			below("points", &a, &b)
		} else {
			below("points", nil, &b)
		}
	}
	return len(why) == 0, why
}
