package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// conflictSet are the figures of one set.
type conflictSet struct {
	N         int     `json:"n"`         // questions; of updates the pairs of answers, each in two forms
	GoldKept  float64 `json:"gold_kept"` // share of the right answers that the report says
	Golds     int     `json:"golds"`
	Kept      int     `json:"kept"`
	Standing  int     `json:"standing"` // right answers that stand in a document that is not made up: no report can say more
	AllKept   int     `json:"all_kept"` // questions of which every right answer is kept
	AllStand  int     `json:"all_stand"`
	GoldMarks int     `json:"gold_marks"` // right answers that are kept and contested
	// Of the made-up answers: flagged, said by the report without a mark, or not said at all.
	WrongFlagged float64        `json:"wrong_flagged"`
	Wrongs       int            `json:"wrongs"`
	Fates        map[string]int `json:"fates"`
	OfPrinted    float64        `json:"wrong_flagged_of_printed"` // share of those that reach the report
	Pairs        map[string]int `json:"pairs,omitempty"`          // contradictions by what their two documents are
	// Of the updates: not called a contradiction, told as an evolution; and of the control, on one day, called a contradiction.
	UpdatesOK     float64 `json:"updates_ok"`
	UpdatesTold   float64 `json:"updates_told"`
	SameDay       int     `json:"same_day"`
	SameDayCalled float64 `json:"same_day_called"`
}

// conflictScore is the result. The three figures are over all sets that have them.
type conflictScore struct {
	N            int                     `json:"n"`
	GoldKept     float64                 `json:"gold_kept"`
	WrongFlagged float64                 `json:"wrong_flagged"`
	UpdatesOK    float64                 `json:"updates_ok"`
	Sets         map[string]*conflictSet `json:"sets"`
	rows         []conflictRow
}

// conflictProtocol says what the figures mean. It is printed with them.
const conflictProtocol = `Each case is a whole run of the engine without a model over the documents of the case, each a voice of its own.
kept: a finding of the report, or a side of a contradiction that is not set aside, that comes from a document that is not made up says the right answer:
  its words, its day or its number; of an answer of more than six words, or the sentence that ConflictNQ gives for it, 0.6 of the stems.
flagged: a claim of the made-up document that says its answer is a side of a contradiction that is not one of time, or is voted against;
  RAMDocs by document, ConflictNQ by question (any claim of its made-up passages). What the report does not say at all counts as not flagged.
update: two answers that were right from different days on, as documents published on those days, and as sentences that begin "As of" the day.
  ok: not called a direct contradiction; told: called temporal. Control: the same two answers of one day, which must be called a contradiction.
`

// conflict runs the engine over questions with documents that disagree and scores what it makes of them.
func conflict(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: conflict needs --data DIR", errUsage)
	}
	var cases []conflictCase
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		cs, err := conflictCases(fields)
		cases = append(cases, cs...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s holds no question with documents that disagree", o.data)
	}
	s := conflictScore{Sets: map[string]*conflictSet{}}
	per := map[string]int{}
	for _, c := range cases {
		if per[c.set]++; o.limit > 0 && per[c.set] > o.limit {
			continue
		}
		d, _, err := runConflict(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", c.id, err)
		}
		s.add(c, scoreConflict(c, d))
	}
	s.finish()
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		s.print(o)
	}
	return s, nil
}

// add counts a row.
func (s *conflictScore) add(c conflictCase, r conflictRow) {
	x := s.Sets[c.set]
	if x == nil {
		x = &conflictSet{Fates: map[string]int{}, Pairs: map[string]int{}}
		s.Sets[c.set] = x
	}
	s.rows = append(s.rows, r)
	s.N++
	switch {
	case c.sameDay:
		x.SameDay++
		if slices.Contains(r.Kinds, kindOfDay) {
			x.SameDayCalled++
		}
		return
	case c.update:
		x.N++
		if !slices.Contains(r.Kinds, kindOfDay) {
			x.UpdatesOK++
		}
		if slices.Contains(r.Kinds, kindOfTime) {
			x.UpdatesTold++
		}
		return
	}
	x.N++
	all, stand := true, true
	for i, kept := range r.Kept {
		x.Golds++
		x.Kept += count(kept)
		x.Standing += count(r.Stands[i])
		x.GoldMarks += count(r.Marked[i])
		all, stand = all && kept, stand && r.Stands[i]
	}
	x.AllKept += count(all)
	x.AllStand += count(stand)
	for _, f := range r.Fate {
		x.Wrongs++
		x.Fates[f]++
	}
	for _, p := range r.Pairs {
		x.Pairs[p]++
	}
}

// Kinds of contradictions as the engine names them.
const (
	kindOfDay  = "direct"
	kindOfTime = "temporal"
)

// finish works the shares out of the counts.
func (s *conflictScore) finish() {
	golds, kept, wrongs, flagged, updates := 0, 0, 0, 0, 0
	ok := 0.0
	for _, x := range s.Sets {
		golds, kept, wrongs, flagged = golds+x.Golds, kept+x.Kept, wrongs+x.Wrongs, flagged+x.Fates[fateFlagged]
		x.GoldKept, x.WrongFlagged = share(x.Kept, x.Golds), share(x.Fates[fateFlagged], x.Wrongs)
		x.OfPrinted = share(x.Fates[fateFlagged], x.Wrongs-x.Fates[fateLeftOut])
		if x.SameDay > 0 {
			ok, updates = ok+x.UpdatesOK, updates+x.N
			x.UpdatesOK, x.UpdatesTold, x.SameDayCalled = x.UpdatesOK/float64(max(x.N, 1)), x.UpdatesTold/float64(max(x.N, 1)), x.SameDayCalled/float64(x.SameDay)
		}
	}
	s.GoldKept, s.WrongFlagged = share(kept, golds), share(flagged, wrongs)
	s.UpdatesOK = ok / float64(max(updates, 1))
}

// print writes the protocol, the figures and what was lost.
func (s *conflictScore) print(o options) {
	if o.predictions == "" {
		for _, r := range s.rows {
			if lost := r.lost(); lost != "" {
				fmt.Fprintf(o.stdout, "%s %s\n    %s\n", r.ID, r.Question, lost)
			}
		}
	}
	fmt.Fprint(o.stdout, conflictProtocol)
	for _, name := range sortedKeys(s.Sets) {
		x := s.Sets[name]
		if x.SameDay > 0 {
			fmt.Fprintf(o.stdout, "%-12s %d updates: ok %.4f, told as an evolution %.4f; control: %d of one day, called a contradiction %.4f\n", name, x.N, x.UpdatesOK, x.UpdatesTold, x.SameDay, x.SameDayCalled)
			continue
		}
		fmt.Fprintf(o.stdout, "%-12s %d questions: right answers kept %d of %d (%.4f; %d stand in a document), all of them in %d questions (of %d where they stand), %d contested\n",
			name, x.N, x.Kept, x.Golds, x.GoldKept, x.Standing, x.AllKept, x.AllStand, x.GoldMarks)
		fmt.Fprintf(o.stdout, "%-12s %d made-up answers: flagged %d (%.4f), printed without a mark %d, not printed %d; of those printed flagged %.4f\n",
			"", x.Wrongs, x.Fates[fateFlagged], x.WrongFlagged, x.Fates[fateUnmarked], x.Fates[fateLeftOut], x.OfPrinted)
		for _, p := range sortedKeys(x.Pairs) {
			fmt.Fprintf(o.stdout, "%-12s %4d contradictions between %s\n", "", x.Pairs[p], p)
		}
	}
	fmt.Fprintf(o.stdout, "right answers kept %.4f, made-up answers flagged %.4f, updates ok %.4f\n", s.GoldKept, s.WrongFlagged, s.UpdatesOK)
}

// conflictCase is one question with the documents that speak to it.
type conflictCase struct {
	id, set, question string
	docs              []conflictDoc
	golds             []string // right answers, each about a subject of its own where there are several
	long              string   // the only right answer in a sentence of its document, where the set gives it
	wrongs            []string // answers of made-up documents
	update            bool     // the documents were right at different times
	sameDay           bool     // the control: they contradict each other on one day
}

// conflictDoc is one document of a case.
type conflictDoc struct {
	kind      string // correct, misinfo, noise
	answer    string // what it answers by its label
	text      string
	published string
	title     string
}

// shelfOf gives the documents of one case to an engine: every question finds all of them, and each is a voice of its own.
type shelfOf struct{ c conflictCase }

func (s shelfOf) Name() string { return "case" }

func (s shelfOf) Search(context.Context, research.Query) ([]research.Hit, error) {
	var out []research.Hit
	for i, d := range s.c.docs {
		out = append(out, research.Hit{Provider: "case", Location: conflictLocation(i), Title: d.title, Published: d.published, Score: "1"})
	}
	return out, nil
}

func conflictLocation(i int) string { return fmt.Sprintf("voice%02d/text.txt", i+1) }

func (s shelfOf) Read(_ context.Context, location string) (research.Document, error) {
	for i, d := range s.c.docs {
		if conflictLocation(i) == location {
			return research.Document{
				Location: location, MediaType: "text/plain", Title: d.title, Published: d.published, Lang: "en", Text: d.text, SHA256: research.SHA256(d.text),
			}, nil
		}
	}
	return research.Document{}, fmt.Errorf("%s is no document of the case", location)
}

// runConflict asks the engine the question of a case over its documents, without a model, and returns the report and the record.
func runConflict(ctx context.Context, c conflictCase) (research.Digest, *store.Memory, error) {
	req := research.Request{
		Question: c.question, Libraries: []string{"/case"}, Shape: research.ShapeAuto, Depth: research.Quick, Lang: "en", Model: extractive.Name,
		Egress: research.Closed, Now: qaClock, Seed: 1, AllowPartial: true,
	}
	s := shelfOf{c}
	e := engine.Engine{Config: engine.Config{
		Request: req, Model: extractive.Model{}, ModelWhy: "The bench asked for it.", Providers: []engine.Provider{s}, Reader: s,
		Fallback: extractive.Model{}, Code: "bench",
	}}
	rec := store.NewMemory(req, "bench")
	d, err := e.Run(ctx, rec)
	if err != nil && !errors.Is(err, engine.ErrNoFinding) {
		return d, rec, err
	}
	return d, rec, rec.SetDigest(d)
}
