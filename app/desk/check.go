package desk

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

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

// Check evaluates the bank of checks over stored runs, each named by its id or its run.json.
func (d *Desk) Check(names []string) (CheckedRuns, error) {
	out := CheckedRuns{N: len(names), Checks: len(checks.Bank), Runs: []CheckedRun{}}
	for _, name := range names {
		run, err := d.ReadRun(name)
		if err != nil {
			return out, err
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

// CheckRun evaluates the bank over one stored run.
func CheckRun(run research.Run) (CheckedRun, error) {
	out := CheckedRun{Run: run.ID, Fires: []CheckedFire{}}
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

// mechanism says in a usage error that there is no switch of that name, and which there are.
func mechanism(names []string) error {
	if unknown := engine.UnknownSwitches(names); len(unknown) > 0 {
		return usage("without %q: there is no such check or mechanism; the mechanisms are %v, and a check is named as in G09, numberunsupported", unknown[0], engine.Switches())
	}
	return nil
}
