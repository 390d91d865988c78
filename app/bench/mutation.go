package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"assay/app/bench/worlds"
	"assay/checks"
)

const (
	// variants is how often a topic is made anew for the clean reports, each with other names and numbers.
	variants = 4
	// freshVariants is the same for the fresh part, which has fewer topics.
	freshVariants = 7
	// mutantVariants is the same for the mutants.
	mutantVariants = 1
	// cleanPerLimit is how many clean reports a limited run looks at for each world it takes mutants of.
	cleanPerLimit = 12
)

// mutationRow is one mutant or one clean report, as --predictions writes it.
type mutationRow struct {
	Operator string   `json:"operator"` // number, or "clean", or the name of a rewrite
	World    string   `json:"world"`
	Change   string   `json:"change,omitempty"`
	At       []string `json:"at,omitempty"`
	Found    bool     `json:"found"`
	Fires    []string `json:"fires"` // check@key=class that did not fire on the clean report
	Says     []string `json:"says,omitempty"`
}

// operatorScore is what came of one operator.
type operatorScore struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Target  string         `json:"target"`
	Class   string         `json:"class"` // of the target; "none" when it is not in the bank
	Apart   string         `json:"apart,omitempty"`
	N       int            `json:"n"`
	Skipped int            `json:"skipped"` // worlds without a place for it
	Found   int            `json:"found"`
	Rate    float64        `json:"rate"`
	Low     float64        `json:"low"` // 95 % Wilson
	High    float64        `json:"high"`
	Whole   int            `json:"whole"` // mutants on which the whole bank was run, not the targets alone
	Fired   map[string]int `json:"fired"` // of those, on how many each check fired that did not before
}

// mutationScore is the result.
type mutationScore struct {
	Part         string          `json:"part"`
	N            int             `json:"n"` // mutants
	HardFirm     float64         `json:"hard_firm"`
	HardFirmN    int             `json:"hard_firm_n"`
	All          float64         `json:"all"`
	AllN         int             `json:"all_n"`
	Without      []string        `json:"without_check"` // operators whose check is not in the bank
	CleanReports int             `json:"clean_reports"`
	CleanReal    int             `json:"clean_real"` // of them made of real sentences
	CleanAlarms  int             `json:"clean_false_alarms"`
	CleanUpper   float64         `json:"clean_upper"` // upper 95 % Wilson bound of reports with a hard or firm alarm
	CleanByCheck map[string]int  `json:"clean_by_check"`
	CleanByClass map[string]int  `json:"clean_by_class"`
	NoOps        int             `json:"no_ops"`
	NoOpBlocking int             `json:"no_op_blocking"` // on which something hard or firm fired anew
	NoOpByCheck  map[string]int  `json:"no_op_by_check"`
	Operators    []operatorScore `json:"operators"`
	rows         []mutationRow
}

// mutation measures the bank of checks on made runs with one defect each, on clean ones, and on harmless rewrites of them. It
// needs no data; with --data (and --also) the clean reports are joined by ones made of real sentences: passages of labelled
// pairs, articles. Figures come from the fresh part, which no rule was made by, unless --part says otherwise.
func mutation(ctx context.Context, o options) (any, error) {
	s := mutationScore{Part: o.part, CleanByCheck: map[string]int{}, CleanByClass: map[string]int{}, NoOpByCheck: map[string]int{}, Without: []string{}}
	if s.Part == "" {
		s.Part = string(worlds.Fresh)
	}
	times := map[string]int{string(worlds.Fresh): freshVariants, string(worlds.Reporting): variants, string(worlds.Tuning): variants}[s.Part]
	if times == 0 {
		return nil, fmt.Errorf("%w: --part is %s, %s or %s", errUsage, worlds.Fresh, worlds.Reporting, worlds.Tuning)
	}
	clean := madeWorlds(s.Part, times, cleanPerLimit*o.limit)
	real, err := realWorlds(ctx, o)
	if err != nil {
		return nil, err
	}
	s.CleanReal = len(real)
	s.clean(append(clean, real...))
	subjects := madeWorlds(s.Part, mutantVariants, o.limit)
	before := make([]map[string]checks.Fire, len(subjects))
	inParallel(len(subjects), func(i int) { before[i] = firesOf(subjects[i].View) })
	s.mutants(ctx, o, subjects, before)
	s.harmless(ctx, subjects, before)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.total()
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printMutation(o, s)
	}
	return s, nil
}

// madeWorlds makes the clean runs of a part: every topic in both languages at every level, so many times; the first few of
// them when there is a limit.
func madeWorlds(part string, times, limit int) []worlds.World {
	var todo []func() worlds.World
	for v := range times {
		for _, topic := range worlds.Topics() {
			if string(worlds.PartOf(topic)) != part {
				continue
			}
			for _, lang := range []string{"en", "zh"} {
				for level := range worlds.Levels {
					todo = append(todo, func() worlds.World { return worlds.Make(topic, lang, level, v) })
				}
			}
		}
	}
	if limit > 0 && limit < len(todo) {
		todo = todo[:limit]
	}
	out := make([]worlds.World, len(todo))
	inParallel(len(todo), func(i int) { out[i] = todo[i]() })
	return out
}

// inParallel calls f for 0 to n-1 on all processors.
func inParallel(n int, f func(int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wait.Wait()
}

// wholeEvery is on which part of its mutants the whole bank is run; on the others the targets of the operator alone are, which
// says as well whether they were found.
const wholeEvery = 4

// firesOf evaluates the bank, or the named checks of it, and returns the pairs that fire.
func firesOf(v checks.View, names ...string) map[string]checks.Fire {
	var off []string
	for _, c := range checks.Bank {
		if len(names) > 0 && !slices.Contains(names, c.Name) {
			off = append(off, c.Name)
		}
	}
	out := map[string]checks.Fire{}
	for _, f := range checks.Evaluate(v, checks.Options{Disabled: off}) {
		out[f.Check+"@"+f.Key.String()] = f
	}
	return out
}

// clean counts what fires on clean reports.
func (s *mutationScore) clean(list []worlds.World) {
	rows := make([]mutationRow, len(list))
	var mu sync.Mutex
	blocked := 0
	inParallel(len(list), func(i int) {
		rows[i] = mutationRow{Operator: "clean", World: list[i].ID()}
		classes, names := map[string]bool{}, map[string]bool{}
		for _, f := range sortedFires(firesOf(list[i].View)) {
			rows[i].Fires = append(rows[i].Fires, f.Check+"@"+f.Key.String()+"="+f.Class.String())
			rows[i].Says = append(rows[i].Says, f.Hits[0].What)
			classes[f.Class.String()], names[f.Check+" ("+f.Class.String()+")"] = true, true
		}
		mu.Lock()
		defer mu.Unlock()
		if classes[checks.Hard.String()] || classes[checks.Firm.String()] {
			blocked++
		}
		for c := range classes {
			s.CleanByClass[c]++
		}
		for n := range names {
			s.CleanByCheck[n]++
		}
	})
	s.CleanReports = len(list)
	s.CleanAlarms = blocked
	_, s.CleanUpper = wilson(blocked, len(list))
	s.rows = append(s.rows, slices.DeleteFunc(rows, func(r mutationRow) bool { return len(r.Fires) == 0 })...)
}

// mutants applies every operator to every world and evaluates what comes out.
func (s *mutationScore) mutants(ctx context.Context, o options, list []worlds.World, before []map[string]checks.Fire) {
	wanted := func(id string) bool { return o.only == "" || slices.Contains(strings.Split(o.only, ","), id) }
	for _, op := range worlds.Operators() {
		if !wanted(op.ID) || ctx.Err() != nil {
			continue
		}
		score := operatorScore{ID: op.ID, Name: op.Name, Target: op.Targets[0], Class: "none", Apart: op.Apart, Fired: map[string]int{}}
		if c := checks.Lookup(op.Targets[0]); c != nil {
			score.Class = c.Class.String()
		}
		rows := make([]*mutationRow, len(list))
		inParallel(len(list), func(i int) {
			m, ok := op.Apply(list[i], 0)
			if !ok || ctx.Err() != nil {
				return
			}
			r := &mutationRow{Operator: op.ID, World: list[i].ID(), Change: m.Change, At: m.At}
			names := op.Targets
			if i%wholeEvery == 0 {
				names = nil
			}
			r.Fires, r.Says, r.Found = anew(before[i], firesOf(m.View, names...), op.Targets, m.At)
			rows[i] = r
		})
		for i, r := range rows {
			if r == nil {
				score.Skipped++
				continue
			}
			score.N++
			if r.Found {
				score.Found++
			}
			s.rows = append(s.rows, *r)
			if i%wholeEvery != 0 {
				continue
			}
			score.Whole++
			names := map[string]bool{}
			for _, f := range r.Fires {
				name, _, _ := strings.Cut(f, "@")
				names[name] = true
			}
			for n := range names {
				score.Fired[n]++
			}
		}
		score.Rate = share(score.Found, score.N)
		score.Low, score.High = wilson(score.Found, score.N)
		s.Operators = append(s.Operators, score)
	}
}

// anew returns what fires now and did not before, or fires on other content, and whether one of the targets is among it at one
// of the places.
func anew(before, after map[string]checks.Fire, targets, at []string) (fires, says []string, found bool) {
	for _, f := range sortedFires(after) {
		pair := f.Check + "@" + f.Key.String()
		if was, ok := before[pair]; ok && sameHits(was, f) {
			continue
		}
		fires = append(fires, pair+"="+f.Class.String())
		says = append(says, f.Hits[0].What)
		here := len(at) == 0 || slices.Contains(at, f.Key.ID) || slices.ContainsFunc(f.Hits, func(h checks.Hit) bool { return slices.Contains(at, h.Where) })
		found = found || here && slices.Contains(targets, f.Check)
	}
	return fires, says, found
}

func sameHits(a, b checks.Fire) bool {
	return slices.EqualFunc(a.Hits, b.Hits, func(x, y checks.Hit) bool { return x.Where == y.Where && x.What == y.What })
}

func sortedFires(fires map[string]checks.Fire) []checks.Fire {
	var out []checks.Fire
	for _, k := range sortedKeys(fires) {
		out = append(out, fires[k])
	}
	return out
}

// harmless applies every rewrite to a part of the worlds, another part for each; nothing may fire that did not fire before.
func (s *mutationScore) harmless(ctx context.Context, list []worlds.World, before []map[string]checks.Fire) {
	for j, c := range worlds.Rewrites() {
		rows := make([]*mutationRow, len(list))
		inParallel(len(list), func(i int) {
			if len(list) > wholeEvery && (i+j)%wholeEvery != 0 {
				return
			}
			m, ok := c.Apply(list[i], 0)
			if !ok || ctx.Err() != nil {
				return
			}
			r := &mutationRow{Operator: c.Name, World: list[i].ID(), Change: m.Change, At: m.At}
			r.Fires, r.Says, _ = anew(before[i], firesOf(m.View), nil, nil)
			rows[i] = r
		})
		for _, r := range rows {
			if r == nil {
				continue
			}
			s.NoOps++
			blocking, names := false, map[string]bool{}
			for _, f := range r.Fires {
				name, rest, _ := strings.Cut(f, "@")
				class := rest[strings.LastIndexByte(rest, '=')+1:]
				names[name+" ("+class+")"] = true
				blocking = blocking || class != checks.Advisory.String()
			}
			for n := range names {
				s.NoOpByCheck[n]++
			}
			if blocking {
				s.NoOpBlocking++
			}
			if len(r.Fires) > 0 {
				s.rows = append(s.rows, *r)
			}
		}
	}
}

// total adds up the operators that are not apart and whose check exists.
func (s *mutationScore) total() {
	hard, all := 0, 0
	for _, x := range s.Operators {
		s.N += x.N
		switch {
		case x.Class == "none":
			s.Without = append(s.Without, x.ID)
			continue
		case x.Apart != "":
			continue
		case x.Class != checks.Advisory.String():
			s.HardFirmN += x.N
			hard += x.Found
		}
		s.AllN += x.N
		all += x.Found
	}
	s.HardFirm, s.All = share(hard, s.HardFirmN), share(all, s.AllN)
}

// realWorlds makes clean reports of the real pages that the data holds.
func realWorlds(ctx context.Context, o options) ([]worlds.World, error) {
	var out []worlds.World
	for _, dir := range []string{o.data, o.also} {
		if dir == "" {
			continue
		}
		pages := map[string][]string{}
		seen := map[string]bool{}
		err := eachCase(dir, func(_ string, fields map[string]json.RawMessage) error {
			var p struct{ Passage, Article string }
			if err := ctx.Err(); err != nil || !has(fields, "passage") && !has(fields, "article") {
				return err
			}
			if err := into(fields, &p); err != nil {
				return nil // another set: its passages are lists
			}
			page := p.Passage
			if page == "" {
				page = withoutNarration(p.Article)
			}
			if !seen[page] {
				seen[page] = true
				lang := "en"
				if strings.Count(page, "的") > 5 {
					lang = "zh"
				}
				pages[lang] = append(pages[lang], pieces(page)...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, lang := range sortedKeys(pages) {
			out = append(out, worlds.Verbatim(pages[lang][:min(len(pages[lang]), maxRealPages)], lang)...)
		}
	}
	return out, nil
}

// maxRealPages bounds the pages of one language that are taken from one folder.
const maxRealPages = 600

// pieces cuts a long article into pages of some paragraphs; a short passage is one page.
func pieces(article string) []string {
	const size = 6000
	if len(article) <= 2*size {
		return []string{article}
	}
	var out []string
	var page strings.Builder
	for _, para := range strings.Split(article, "\n") {
		page.WriteString(para + "\n")
		if page.Len() >= size {
			out = append(out, page.String())
			page.Reset()
		}
	}
	return out
}

// withoutNarration drops the headings, the list of references and what stands before the first heading of a raw report.
func withoutNarration(article string) string {
	var out []string
	begun := false
	for _, line := range strings.Split(article, "\n") {
		begun = begun || strings.HasPrefix(line, "#")
		if begun && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "[") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// printMutation writes the table.
func printMutation(o options, s mutationScore) {
	fmt.Fprintf(o.stdout, "%s part: %d mutants\n", s.Part, s.N)
	fmt.Fprintf(o.stdout, "%-4s %-55s %-26s %-9s %5s %5s %6s  %-15s %s\n", "op", "defect", "target", "class", "n", "found", "rate", "95 % Wilson", "fired")
	for _, x := range s.Operators {
		name := x.Name
		if x.Apart != "" {
			name += " (apart)"
		}
		fmt.Fprintf(o.stdout, "%-4s %-55s %-26s %-9s %5d %5d %6.3f  %.3f to %.3f  %s\n", x.ID, name, x.Target, x.Class, x.N, x.Found, x.Rate, x.Low, x.High, counted(x.Fired))
	}
	fmt.Fprintf(o.stdout, "hard and firm targets %.4f of %d, all %.4f of %d; without a check in the bank: %s\n", s.HardFirm, s.HardFirmN, s.All, s.AllN, strings.Join(s.Without, " "))
	fmt.Fprintf(o.stdout, "clean reports: %d (%d of real sentences), %d with a hard or firm alarm, at most %.4f; by class %s; by check %s\n", s.CleanReports, s.CleanReal, s.CleanAlarms, s.CleanUpper, counted(s.CleanByClass), counted(s.CleanByCheck))
	fmt.Fprintf(o.stdout, "harmless rewrites: %d, on %d something hard or firm fired anew; by check %s\n", s.NoOps, s.NoOpBlocking, counted(s.NoOpByCheck))
}

// counted writes counts, most first.
func counted(m map[string]int) string {
	names := sortedKeys(m)
	sort.SliceStable(names, func(i, j int) bool { return m[names[i]] > m[names[j]] })
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("%s %d", n, m[n]))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}
