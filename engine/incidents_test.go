package engine

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/engine/enginetest"
)

var update = flag.Bool("update", false, "write the golden files of the incidents anew")

// fourParts asks for one thing more than the question of most tests.
const fourParts = "When was the Skerry Point lighthouse built? Who was the engineer of the Skerry Point lighthouse? How many visitors did the Skerry Point lighthouse receive in 2019? When was the lamp of the Skerry Point lighthouse converted to electricity?"

// A page that is an error message of an archive and yet tells something, in a folder of the person's own: nothing refuses it before
// the bank does.
var goneBuilt = extraPage{"archive/gone.md", "Skerry Point", "Page not found. The Skerry Point lighthouse was built in 1790, as the archive has it."}

var goneTower = extraPage{"archive/gone.md", "Skerry Point", "Page not found. The tower of the Skerry Point lighthouse is 90 metres high, as the archive has it."}

// again is a page that tells of something past that lies ahead.
var ahead = extraPage{"notes/rebuilt.md", "Notes", "The Skerry Point lighthouse was built again in 2031, and the keepers held a feast."}

// noFault is no fault of the server.
const noFault = enginetest.Good

// restless is a writer whose answers for the first part have by turns a place left open and no end, never the same twice: each repair of
// the one fault brings the other.
func restless(a writing) string {
	if a.nth%2 == 0 {
		return a.unfilled(fmt.Sprintf("insert source %c%c", 'a'+a.nth/26, 'a'+a.nth%26)) // a number would be held against the passages
	}
	return fmt.Sprintf(`{"sentences": [{"text": "The Skerry Point lighthouse was built %d`, a.nth)
}

// incidents are the ten that DeepDelve's methodology tells, in its order of telling or nearly so.
var incidents = []incident{
	{
		name:    "1 empty writer",
		tells:   "Six of eight answers of the writer are empty.",
		answers: "two empty answers in a row: the part is assembled from the ledger, without a model", without: []string{"salvage"}, question: fourParts,
		write: func(a writing) (string, enginetest.Fault) {
			if a.about("electricity") {
				if a.nth == 0 {
					return "I cannot", noFault
				}
				return a.well(), noFault
			}
			return a.well(), enginetest.Empty
		},
		says: func(p played) string {
			return p.parts() + "; " + p.calls()
		},
	},
	{
		name:    "2 flagged page cited again",
		tells:   "A page is found out to be an error message; asked again, the writer cites it again, as often as it is shown it.",
		answers: "what may not be cited is not in a writer's input; what cites it all the same is dropped", without: []string{"exclusion", "flaggedsourcecited"},
		question: lighthouse, pages: []extraPage{goneBuilt, ahead},
		write: func(a writing) (string, enginetest.Fault) {
			if len(a.findings) == 1 && strings.Contains(a.findings[0], "2031") && a.nth > 0 {
				return say(sentence("In 2031 the Skerry Point lighthouse was built again.", 1)), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string {
			n := 0
			for _, a := range p.asks {
				if a.nth > 0 && slices.ContainsFunc(a.findings, func(f string) bool { return strings.Contains(f, "1790") }) {
					n++
				}
			}
			return fmt.Sprintf("1790 is %s; shown to the writer again %s", p.has("1790"), howMany(n, "time", "times"))
		},
	},
	{
		name:    "3 dropped facet",
		tells:   "Asked for all parts at once, the writer answers the first and is done; every sentence holds.",
		answers: "each part has a call of its own; what no sentence tells is added in its own words; a part without a section is told",
		without: []string{"per_facet", "salvage", "missingfacet"}, question: lighthouse,
		write: func(a writing) (string, enginetest.Fault) {
			if a.whole() {
				return say(sentence("The Skerry Point lighthouse was built in 1874.", 1)), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string {
			return p.parts() + "; that a part is missing is " + p.told("for which there are findings")
		},
	},
	{
		name:    "4a starvation in a tier",
		tells:   "Two faults of one part bring each other about; a third, of another part, stands behind them in the same tier.",
		answers: "who waited long goes first; lifetime caps; no third repair without progress; the one whole rebuild",
		without: []string{"aging", "lifecap", "no_progress", "whole_rebuild"}, any: true, question: lighthouse, attempts: 20,
		write: func(a writing) (string, enginetest.Fault) {
			switch {
			case a.about("built"):
				return restless(a), noFault
			case a.about("high") && a.nth == 0:
				return a.unfilled("insert the height"), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string {
			return "the third fault is repaired " + p.turn("insert the height") + "; " + p.calls()
		},
	},
	{
		name:    "4b starvation across tiers",
		tells:   "The same two faults, of the tier that asks whether there is anything to read; behind them, in the tier that asks whether it holds, a page to be thrown out.",
		answers: "a tier whose faults are capped yields; and the caps that make it",
		without: []string{"tier_yield", "lifecap", "no_progress", "whole_rebuild"}, question: lighthouse, attempts: 20, pages: []extraPage{goneTower},
		write: func(a writing) (string, enginetest.Fault) {
			if a.about("built") {
				return restless(a), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string {
			return fmt.Sprintf("what the error page says is %s; it is thrown out %s; %s", p.has("90 metres"), p.turn("is an error page"), p.calls())
		},
	},
	{
		name:    "5 narration instead of an answer",
		tells:   "The writer says what it will write, and writes nothing.",
		answers: "an answer of another shape than was due is one that is missing; the part is written in a fresh context", without: []string{"malformedoutput", "toolcallnarration", "salvage"},
		question: lighthouse,
		write: func(a writing) (string, enginetest.Fault) {
			if a.about("engineer") && a.nth == 0 {
				return "I will now write the findings about the engineer to the report file.", noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string { return p.parts() + "; " + p.calls() },
	},
	{
		name:    "6 stuck retries",
		tells:   "Every answer of the writer is the same broken text, however often it is asked.",
		answers: "the same finding on the same answer is not answered with the same repair", without: []string{"no_progress"}, question: lighthouse,
		write: func(writing) (string, enginetest.Fault) {
			return `{"sentences": "the lighthouse was built in 1874"}`, noFault
		},
		says: func(p played) string { return p.parts() + "; " + p.calls() },
	},
	{
		name:    "7 another paper's identifier",
		tells:   "The page that is cited is real and was read; the identifier that the writer puts beside it is another paper's.",
		answers: "an identifier is one of the source that it stands beside, or it goes; and no written sentence goes beyond its passages",
		without: []string{"identifierintegrity", "grounding"}, question: lighthouse,
		pages: []extraPage{{"papers/survey.md", "A survey of Skerry Point", "By the survey doi:10.5555/skerry.1874 the Skerry Point lighthouse was built in 1874."}},
		write: func(a writing) (string, enginetest.Fault) {
			return strings.ReplaceAll(a.well(), "10.5555/skerry.1874", "10.5555/dredging.1999"), noFault
		},
		says: func(p played) string {
			return fmt.Sprintf("the other paper's identifier is %s", p.has("10.5555/dredging.1999"))
		},
	},
	{
		name:    "9 facet lost by a merge",
		tells:   "Asked for all parts at once, the writer merges them: one sentence that cites everything and tells one thing.",
		answers: "there is no merge: each part has a call of its own with its own findings", without: []string{"per_facet", "salvage"}, question: lighthouse,
		write: func(a writing) (string, enginetest.Fault) {
			if a.whole() {
				return say(sentence("The Skerry Point lighthouse was built in 1874.", a.all()...)), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string { return p.parts() + "; the engineer is " + p.has("engineer") },
	},
	{
		name:    "10 correction makes it worse",
		tells:   "Shown its own answer and what is wrong with it, the writer gives back less each time.",
		answers: "nobody corrects their own text: a fresh context with the findings alone, and behind it the ledger",
		without: []string{"fresh_context", "salvage"}, question: lighthouse,
		write: func(a writing) (string, enginetest.Fault) {
			switch {
			case strings.Contains(a.prompt, "Your earlier answer:"):
				return say(sentence("The tower is high [insert the height].", a.all()...)), noFault
			case a.about("high") && a.nth == 0:
				return a.unfilled("insert source"), noFault
			}
			return a.well(), noFault
		},
		says: func(p played) string {
			return fmt.Sprintf("%s; %s on the height", p.parts(), p.on("high"))
		},
	},
}

// TestIncidents plays each incident without what answers it and with it, holds what the report says to the golden file, and plays both
// runs again on their record alone: the same digests come of it. The file is the place to read all of them.
func TestIncidents(t *testing.T) {
	var out strings.Builder
	out.WriteString(incidentsHead)
	for i, in := range incidents {
		if i%enginetest.Sparse(4) != 0 {
			continue
		}
		t.Run(in.name, func(t *testing.T) {
			if u := UnknownSwitches(in.without); len(u) > 0 {
				t.Fatalf("no switch %v", u)
			}
			before, after := in.play(t, in.without), in.play(t, nil)
			says := [2]string{in.says(before), in.says(after)}
			t.Logf("before: %s: %s\nafter: %s: %s", says[0], before.steps(), says[1], after.steps())
			if says[0] == says[1] {
				t.Errorf("without %v the report says the same: %s", in.without, says[0])
			}
			for i, p := range []played{before, after} {
				without := [][]string{in.without, nil}[i]
				if len(p.asks) > 30 {
					continue // a run into the last attempt, which is slow to play again
				}
				again, misses := in.replayed(t, p, without)
				if asJSON(t, again.digest) != asJSON(t, p.digest) || len(misses) > 0 {
					t.Errorf("without %v: the record gives another digest: %s; not in the record: %v", without, firstDiff(asJSON(t, again.digest), asJSON(t, p.digest)), misses)
				}
			}
			noPromptTwice(t, before.asks)
			noPromptTwice(t, after.asks)
			if in.any && *update { // long runs, of which the file holds the end
				for _, m := range in.without {
					rest := slices.DeleteFunc(slices.Clone(in.without), func(x string) bool { return x == m })
					if got := in.says(in.play(t, rest)); got == says[0] {
						t.Errorf("%s alone does not answer it: %s", m, got)
					} else {
						t.Logf("| %s | %s alone | %s |", in.name, m, got)
					}
				}
			}
			t.Logf("| %s | %s | %s | %s |", in.name, strings.Join(in.without, ", "), says[0], says[1])
			fmt.Fprintf(&out, "\n## %s\n\n%s\n\n- Answered by: %s (`%s`).\n- Before, without it: %s.\n- After: %s.\n",
				in.name, in.tells, in.answers, strings.Join(in.without, "`, `"), says[0], says[1])
		})
	}
	if t.Failed() || enginetest.Sparse(2) > 1 || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return // some of them are no file
	}
	golden := filepath.Join("testdata", "incidents.md")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("an incident ends otherwise; run go test ./engine -run Incidents -update and read the diff: %s", firstDiff(got, string(want)))
	}
}

const incidentsHead = `# Incidents

What went wrong in a real program of this kind, as DeepDelve's methodology tells it, each as a whole run of this one against a server
that plays a script. The model is scripted; the pages, the checks, the repairs and the report are the program's own. Each is run
without what answers it, by the switches in brackets that ` + "`assay replay --without`" + ` and ` + "`assay ablate`" + ` take, and with it.
This file is written by ` + "`go test ./engine -run TestIncidents -update`" + ` and held to by the test without that flag.
Number 7 is told here of an identifier that a writer takes from elsewhere. Told of authors and a title, which catalogues know, it is with
number 8, a surname that was compared with the whole of a name, in engine/incidents_works_test.go: without the check the other paper is not
told and with it it is; a right citation by a bare surname is called wrong where names are compared whole and not where they are compared word by word.
`

// noPromptTwice: whatever is repaired, no writer is sent the prompt of an earlier call again.
func noPromptTwice(t *testing.T, asks []writing) {
	t.Helper()
	seen := map[string]bool{}
	for _, a := range asks {
		if seen[a.prompt] {
			t.Errorf("a prompt was sent twice: %s", a.part)
		}
		seen[a.prompt] = true
	}
}
