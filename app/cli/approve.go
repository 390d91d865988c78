package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assay/app/desk"
	"assay/engine/research"
)

// errDeclined ends a run whose plan the person did not want.
var errDeclined = errors.New("the plan was declined; go on with it by --resume, or ask in other words")

// planHelp says what may be typed under a plan.
const planHelp = `Press Enter (or type go) to search, no to stop, or change the plan:
  drop ID          take out a hypothesis (h2), a task (t3) or a query (q5)
  edit ID WORDS    word a hypothesis or a query anew
  add WORDS        a task with this query; add t3 WORDS: a query of that task; add h WORDS: a hypothesis
  up ID, down ID   move a hypothesis or a task
  list             show the plan again
`

// lines reads the answers of one person, who may have typed ahead, or of a script.
type lines struct{ in *bufio.Reader }

// next returns the next line, or gives up when ctx ends; the read itself then ends with the process. The error is io.EOF when
// there is none any more.
func (l lines) next(ctx context.Context) (string, error) {
	type typed struct {
		line string
		err  error
	}
	got := make(chan typed, 1)
	go func() {
		line, err := l.in.ReadString('\n')
		if errors.Is(err, io.EOF) && line != "" {
			err = nil
		}
		got <- typed{line, err}
	}()
	select {
	case t := <-got:
		return t.line, t.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// oneAtATime lets several goroutines write.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(b)
}

// limitsOf says what a question limits itself to: its time, its countries, its field, and what it leaves out.
func limitsOf(u research.Understanding) string {
	var out []string
	switch r := u.Temporal.Range; {
	case r.Start != "" && r.End != "":
		out = append(out, r.Start+" to "+r.End)
	case r.Start != "":
		out = append(out, "from "+r.Start)
	case r.End != "":
		out = append(out, "until "+r.End)
	}
	if s := u.Scope; s != nil {
		out = append(out, s.Countries...)
		if s.Field != "" {
			out = append(out, "field "+s.Field)
		}
		if len(s.Exclude) > 0 {
			out = append(out, "without "+strings.Join(s.Exclude, ", "))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; " + strings.Join(out, "; ")
}

// approve shows each round's plan and takes changes until the person says to go on. The end of a script means that.
func (p *program) approve(v view) desk.Approve {
	in := lines{bufio.NewReader(p.in)}
	return func(ctx context.Context, u research.Understanding, hyps []research.Hypothesis, plan research.Plan) (research.Plan, []research.Hypothesis, error) {
		v.pause()
		e := &planEditor{plan: plan, hypotheses: slices.Clone(hyps)}
		if plan.Round == 0 {
			say(p.err, "Understood as %s, %s%s.\n", u.Intent, count(len(u.Facets), "part"), limitsOf(u))
		} else {
			say(p.err, "Gap round %d: what is still missing is searched for. With every task dropped, nothing more is searched.\n", plan.Round)
		}
		e.print(p.err)
		p.previewLines(plan.Preview)
		for {
			fmt.Fprint(p.err, "Start the search? [Y/n, ? for help] ")
			line, err := in.next(ctx)
			if errors.Is(err, io.EOF) {
				return e.plan, e.hypotheses, nil
			}
			if err != nil {
				return plan, hyps, err
			}
			switch word := strings.ToLower(strings.TrimSpace(line)); word {
			case "", "y", "yes", "go":
				return e.plan, e.hypotheses, nil
			case "n", "no":
				return plan, hyps, errDeclined
			case "?", "help":
				fmt.Fprint(p.err, planHelp)
			case "list":
				e.print(p.err)
			default:
				if err := e.change(line); err != nil {
					say(p.err, "%v.\n", err)
					continue
				}
				e.print(p.err)
			}
		}
	}
}

// planEditor changes a plan by typed commands. Queries are numbered through all tasks as they are printed.
type planEditor struct {
	plan       research.Plan
	hypotheses []research.Hypothesis
	added      int
}

func (e *planEditor) print(w io.Writer) {
	for _, h := range e.hypotheses {
		say(w, "  Hypothesis %s: %s\n", h.ID, h.Statement)
	}
	n := 0
	for _, t := range e.plan.Tasks {
		say(w, "  Task %s: %s\n", t.ID, t.Purpose)
		for _, q := range t.Queries {
			n++
			where := ""
			if q.Outside {
				where = " (asked outside)"
			}
			say(w, "    Query q%d%s: %s\n", n, where, q.Text)
		}
	}
}

// change does one command.
func (e *planEditor) change(line string) error {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	id, words, _ := strings.Cut(rest, " ")
	id, words = strings.ToLower(id), strings.TrimSpace(words)
	switch strings.ToLower(word) {
	case "drop":
		return e.drop(id)
	case "edit":
		if words == "" {
			return errors.New("write what it is to say, as in: edit q2 NEW WORDS")
		}
		return e.edit(id, words)
	case "add":
		return e.add(id, words, rest)
	case "up":
		return e.move(id, -1)
	case "down":
		return e.move(id, 1)
	}
	return fmt.Errorf("%q is no command; type ? for what there is", word)
}

func (e *planEditor) hypothesis(id string) int {
	return slices.IndexFunc(e.hypotheses, func(h research.Hypothesis) bool { return strings.EqualFold(h.ID, id) })
}

func (e *planEditor) task(id string) int {
	return slices.IndexFunc(e.plan.Tasks, func(t research.Task) bool { return strings.EqualFold(t.ID, id) })
}

// query finds a query by its printed number.
func (e *planEditor) query(id string) (task, at int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "q"))
	if err != nil || !strings.HasPrefix(id, "q") || n < 1 {
		return 0, 0, false
	}
	for i, t := range e.plan.Tasks {
		if n <= len(t.Queries) {
			return i, n - 1, true
		}
		n -= len(t.Queries)
	}
	return 0, 0, false
}

func noSuch(id string) error {
	return fmt.Errorf("there is no %q in the plan; use an id such as h1, t2 or q3 as it is printed", id)
}

// own copies the tasks and a task's queries before they are changed: what was handed in stays as it was.
func (e *planEditor) own(task int) *research.Task {
	e.plan.Tasks = slices.Clone(e.plan.Tasks)
	t := &e.plan.Tasks[task]
	t.Queries = slices.Clone(t.Queries)
	return t
}

func (e *planEditor) drop(id string) error {
	if i := e.hypothesis(id); i >= 0 {
		e.hypotheses = slices.Delete(e.hypotheses, i, i+1)
		return nil
	}
	if i := e.task(id); i >= 0 {
		e.plan.Tasks = slices.Delete(slices.Clone(e.plan.Tasks), i, i+1)
		return nil
	}
	if i, at, ok := e.query(id); ok {
		if t := e.own(i); len(t.Queries) > 1 {
			t.Queries = slices.Delete(t.Queries, at, at+1)
		} else {
			e.plan.Tasks = slices.Delete(e.plan.Tasks, i, i+1)
		}
		return nil
	}
	return noSuch(id)
}

func (e *planEditor) edit(id, words string) error {
	if i := e.hypothesis(id); i >= 0 {
		e.hypotheses[i].Statement = words
		return nil
	}
	if i, at, ok := e.query(id); ok {
		e.own(i).Queries[at].Text = words
		return nil
	}
	if i := e.task(id); i >= 0 {
		return fmt.Errorf("%s is a task; word its queries anew, or drop it", id)
	}
	return noSuch(id)
}

func (e *planEditor) add(id, words, all string) error {
	switch {
	case all == "" || id == "h" && words == "":
		return errors.New("write what is to be added, as in: add WORDS, add t2 WORDS or add h STATEMENT")
	case id == "h":
		e.hypotheses = append(e.hypotheses, research.Hypothesis{Statement: words, ID: e.fresh("h")})
	case e.task(id) >= 0 && words != "":
		t := e.own(e.task(id))
		t.Queries = append(t.Queries, research.Query{Text: words})
	default:
		e.plan.Tasks = append(slices.Clone(e.plan.Tasks), research.Task{ID: e.fresh("t"), Purpose: all, Queries: []research.Query{{Text: all}}})
	}
	return nil
}

// fresh is an id that nothing in the plan has.
func (e *planEditor) fresh(kind string) string {
	for {
		e.added++
		if id := fmt.Sprintf("%sp%d", kind, e.added); e.hypothesis(id) < 0 && e.task(id) < 0 {
			return id
		}
	}
}

func (e *planEditor) move(id string, by int) error {
	if i := e.hypothesis(id); i >= 0 {
		if j := i + by; j >= 0 && j < len(e.hypotheses) {
			e.hypotheses[i], e.hypotheses[j] = e.hypotheses[j], e.hypotheses[i]
		}
		return nil
	}
	if i := e.task(id); i >= 0 {
		if j := i + by; j >= 0 && j < len(e.plan.Tasks) {
			e.own(i)
			e.plan.Tasks[i], e.plan.Tasks[j] = e.plan.Tasks[j], e.plan.Tasks[i]
		}
		return nil
	}
	return noSuch(id)
}
