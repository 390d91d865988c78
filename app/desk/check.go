package desk

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"assay/checks"
	"assay/engine"
	"assay/engine/research"
)

// CheckedFire is one check that fires on one thing of a stored run.
type CheckedFire struct {
	Check  string   `json:"check"` // "G09 NumberUnsupported"
	Key    string   `json:"key"`   // kind:id
	Class  string   `json:"class"`
	Action string   `json:"action"`
	Digest string   `json:"digest"` // of what the check read and found
	Hits   []string `json:"hits"`
}

// name is what two versions of the bank have in common of a fire.
func (f CheckedFire) name() string { return f.Check + "@" + f.Key }

// CheckedRun is what the bank says of one stored run.
type CheckedRun struct {
	Run      string        `json:"run"`
	Fires    []CheckedFire `json:"fires"`
	Blocking int           `json:"blocking"` // fires that are hard or firm, and lines of the checklist that do not hold and that the report does not tell
	// Gates is the checklist, gone through again; Told says whether what does not hold stands on the report's front page.
	Gates []research.Gate `json:"gates"`
	Told  bool            `json:"told"`
	// Identifiers says how many of the exact identifiers that the report prints could be held against its sources.
	Identifiers struct {
		Checked int `json:"checked"`
		Total   int `json:"total"`
	} `json:"identifiers"`
	// References says how many of the references that were looked up a catalogue answered for; what is not among them is not
	// checked.
	References struct {
		Checked int `json:"checked"`
		Total   int `json:"total"`
	} `json:"references"`
}

// CheckedRuns is the result of a check of several, with what differs from an earlier one.
type CheckedRuns struct {
	N        int          `json:"n"`
	Checks   int          `json:"checks"` // in the bank
	Blocking int          `json:"blocking"`
	Runs     []CheckedRun `json:"runs"`
	Diff     *CheckDiff   `json:"diff,omitempty"`
}

// CheckDiff is what another version of the bank says of the same runs.
type CheckDiff struct {
	NewlyFiring []string `json:"newly_firing"` // "run: check@key", sorted
	NewlySilent []string `json:"newly_silent"`
	Changed     []string `json:"changed"` // the same fire on other content or of another class
	NotCompared []string `json:"not_compared"`
}

// CheckNews says that a stored run is about to be checked.
type CheckNews struct {
	Run      string
	N, Of    int // the how many-th of how many, from 1
	Findings int // of its report
	Sources  int
}

// Check evaluates the bank of checks over stored runs, each named by its id or its run.json. Tell, when not nil, hears of each before it
// is checked.
func (d *Desk) Check(names []string, tell func(CheckNews)) (CheckedRuns, error) {
	out := CheckedRuns{N: len(names), Checks: len(checks.Bank), Runs: []CheckedRun{}}
	for i, name := range names {
		run, err := d.ReadRun(name)
		if err != nil {
			return out, err
		}
		if len(run.Events) == 0 {
			return out, fmt.Errorf("check %s: the record holds no events, so nothing of its report could be held against what was read: nothing was checked. Take the run.json that the run wrote, or write it anew with assay runs export ID", name)
		}
		if tell != nil && run.Digest != nil {
			tell(CheckNews{Run: name, N: i + 1, Of: len(names), Findings: len(run.Digest.EveryFinding()), Sources: len(run.Digest.Sources)})
		}
		r, err := CheckRun(run)
		if err != nil {
			return out, fmt.Errorf("check %s: %w", name, err)
		}
		if r.Run == "" {
			r.Run = name // a record without an id of its own
		}
		out.Blocking += r.Blocking
		out.Runs = append(out.Runs, r)
	}
	return out, nil
}

// Bounds of a report that is checked. The longest report of the benches has 41 findings, and this program writes none of a thousand.
const (
	maxCheckedFindings = 10_000
	maxCheckedFinding  = 100_000   // bytes of one finding
	maxCheckedText     = 512 << 20 // bytes of the texts of its sources
)

// checkable says why a record cannot be checked, or would be checked in vain.
func checkable(run research.Run) error {
	if run.Digest == nil {
		return nil // told in other words
	}
	all := run.Digest.EveryFinding()
	if len(all) > maxCheckedFindings {
		return fmt.Errorf("its report has %d findings, and at most %d are checked: this is no report that the program wrote", len(all), maxCheckedFindings)
	}
	for _, f := range all {
		if len(f.Text) > maxCheckedFinding {
			return fmt.Errorf("finding %.40q of its report has %d bytes, and at most %d are checked: this is no report that the program wrote", f.ID, len(f.Text), maxCheckedFinding)
		}
	}
	total := 0
	for _, text := range run.Blobs {
		total += len(text)
	}
	if total > maxCheckedText {
		return fmt.Errorf("the texts of its sources have %d MiB, and at most %d are checked", total>>20, maxCheckedText>>20)
	}
	return nil
}

// CheckRun evaluates the bank over one stored run.
func CheckRun(run research.Run) (CheckedRun, error) {
	out := CheckedRun{Run: run.ID, Fires: []CheckedFire{}}
	if err := checkable(run); err != nil {
		return out, err
	}
	v, err := checks.ViewOf(run)
	if err != nil {
		return out, err
	}
	for _, f := range checks.Evaluate(v, checks.Options{}) {
		c := CheckedFire{Check: checks.Lookup(f.Check).String(), Key: f.Key.String(), Class: f.Class.String(), Action: string(f.Action), Digest: f.Digest, Hits: []string{}}
		for _, h := range f.Hits {
			c.Hits = append(c.Hits, h.Where+": "+h.What)
		}
		if f.Blocks() {
			out.Blocking++
		}
		out.Fires = append(out.Fires, c)
	}
	out.Gates = engine.Checklist(*run.Digest, run.Blobs)
	out.Told = tellsChecklist(*run.Digest)
	for _, g := range out.Gates {
		if g.State == research.GateFail && !out.Told && len(run.Digest.Gates) > 0 { // records from before there was a checklist tell none
			out.Blocking++
		}
	}
	out.Identifiers.Checked, out.Identifiers.Total = checks.IdentifierCoverage(v)
	for _, l := range v.Lookups {
		out.References.Total++
		if l.Checked() {
			out.References.Checked++
		}
	}
	return out, nil
}

// tellsChecklist reports whether the front page of a report tells that lines of its checklist do not hold.
func tellsChecklist(d research.Digest) bool {
	return slices.ContainsFunc(d.Callouts, func(c research.Callout) bool { return c.Label == engine.ChecklistLabel(d.Lang) })
}

// maxChecked bounds a saved result that is compared, in bytes.
const maxChecked = 64 << 20

// ReadChecked reads a result that another version of the bank printed with --json.
func ReadChecked(name string) (CheckedRuns, error) {
	var out CheckedRuns
	st, err := os.Stat(name)
	if err != nil {
		return out, usage("%s cannot be read: %v", name, err)
	}
	if st.Size() > maxChecked {
		return out, usage("%s has %d bytes; a result of assay check has at most %d", name, st.Size(), maxChecked)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return out, usage("%s cannot be read: %v", name, err)
	}
	if err := json.Unmarshal(b, &out); err != nil || out.Runs == nil {
		return out, usage("%s is no result of assay check --json", name)
	}
	return out, nil
}

// Since says what is otherwise than in an earlier result over the same runs.
func (r CheckedRuns) Since(old CheckedRuns) CheckDiff {
	diff := CheckDiff{NewlyFiring: []string{}, NewlySilent: []string{}, Changed: []string{}, NotCompared: []string{}}
	for _, run := range r.Runs {
		i := slices.IndexFunc(old.Runs, func(o CheckedRun) bool { return o.Run == run.Run })
		if i < 0 {
			diff.NotCompared = append(diff.NotCompared, run.Run)
			continue
		}
		was := map[string]CheckedFire{}
		for _, f := range old.Runs[i].Fires {
			was[f.name()] = f
		}
		for _, f := range run.Fires {
			before, ok := was[f.name()]
			delete(was, f.name())
			switch line := run.Run + ": " + f.name(); {
			case !ok:
				diff.NewlyFiring = append(diff.NewlyFiring, line)
			case before.Digest != f.Digest || before.Class != f.Class:
				diff.Changed = append(diff.Changed, line)
			}
		}
		for name := range was {
			diff.NewlySilent = append(diff.NewlySilent, run.Run+": "+name)
		}
	}
	for _, list := range [][]string{diff.NewlyFiring, diff.NewlySilent, diff.Changed} {
		slices.Sort(list)
	}
	return diff
}

// mechanism returns the names of checks and mechanisms as the program writes them. A name that there is not is a usage error, which says
// which there are near it.
func mechanism(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		known, ok := engine.SwitchOf(strings.TrimSpace(name))
		if ok {
			out = append(out, known)
			continue
		}
		near := ""
		if list := engine.SwitchesNear(name); len(list) > 0 {
			near = "; did you mean " + strings.Join(list, " or ") + "?"
		}
		return nil, usage("without %q: there is no such check or mechanism%s The mechanisms are %s, and a check is named as in G09, numberunsupported",
			name, or(near, "."), strings.Join(engine.Switches(), ", "))
	}
	return out, nil
}
