package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"assay/engine/research"
	"assay/engine/subject"
)

// samenameRow is one pair of texts that use one name.
type samenameRow struct {
	ID       string  `json:"id"`
	Surface  string  `json:"surface"`
	Same     bool    `json:"same"`
	Said     bool    `json:"said"` // that they are the same
	Rho      float64 `json:"rho"`
	Likeness float64 `json:"likeness"`
	Against  string  `json:"against,omitempty"` // what tells them apart
	FittedOn bool    `json:"fitted_on"`
	marks    [subject.Marks]float64
	a, b     string
}

// samenameScore are the figures of one lot of pairs.
type samenameScore struct {
	N           int     `json:"n"`
	F1          float64 `json:"f1"`           // of saying that they are different things
	Precision   float64 `json:"precision"`    // of the same
	FalseMerges float64 `json:"false_merges"` // share of the different things that were taken for one
	Different   int     `json:"different"`
	WrongSplits float64 `json:"wrong_splits"` // share of the same things that were taken for two
}

// samenameResult is the result. Unfitted are the pairs that the coefficients were not fitted on; crossed are all pairs, each judged with
// coefficients that were fitted, for this, without its part; they are the figures for a case that was not seen.
type samenameResult struct {
	samenameScore
	Unfitted  samenameScore `json:"unfitted"`
	Crossed   samenameScore `json:"crossed"`
	AllApart  float64       `json:"all_apart_f1"` // of saying "different" always
	Threshold float64       `json:"threshold"`
	rows      []samenameRow
}

// samename scores the subject lock on pairs of texts that use one name for the same thing or for two. No embeddings are asked.
func samename(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: samename needs --data DIR", errUsage)
	}
	r := samenameResult{Threshold: subject.Theta}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil || !has(fields, "surface", "a", "b", "same") {
			return err
		}
		var c struct {
			ID, Surface, A, B string
			Same              bool
		}
		if err := into(fields, &c); err != nil {
			return err
		}
		if o.limit == 0 || len(r.rows) < o.limit {
			r.rows = append(r.rows, samenameCase(c.ID, c.Surface, c.A, c.B, c.Same))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(r.rows) == 0 {
		return nil, fmt.Errorf("%s holds no pair of texts with one name", o.data)
	}
	if o.out != "" {
		if err := fitSamename(o.out, r.rows); err != nil {
			return nil, err
		}
	}
	r.samenameScore = scoreSamename(r.rows, func(samenameRow) bool { return true })
	r.Unfitted = scoreSamename(r.rows, func(x samenameRow) bool { return !x.FittedOn })
	r.Crossed = crossSamename(r.rows)
	all := make([]samenameRow, len(r.rows))
	for i, x := range r.rows {
		x.Said = false
		all[i] = x
	}
	r.AllApart = scoreSamename(all, func(samenameRow) bool { return true }).F1
	if err := writePredictions(o.predictions, r.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printSamename(o, r)
	}
	return r, nil
}

// samenameCase judges one pair.
func samenameCase(id, surface, a, b string, same bool) samenameRow {
	x, y := subject.SenseOf(a, nameIn(a, surface)), subject.SenseOf(b, nameIn(b, surface))
	r := samenameRow{ID: id, Surface: surface, Same: same, FittedOn: samenamePart(surface, 4) != 0, marks: subject.MarksOf(x, y), a: a, b: b}
	r.Likeness, r.Against = subject.Likeness(x, y)
	r.judge()
	return r
}

func (r *samenameRow) judge() {
	r.Rho = subject.Rho(1, subject.Sem(r.Likeness))
	r.Said = r.Rho >= subject.Theta
}

// nameIn finds the name in the text: of several the whole word nearest to the middle, as the texts were cut around the mention.
func nameIn(s, name string) research.Span {
	best, least := max(0, strings.Index(s, name)), len(s)+1
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 || name == "" {
			break
		}
		at := from + i
		far := max(at-len(s)/2, len(s)/2-at)
		if !letterAt(s, at-1) && !letterAt(s, at+len(name)) && far < least {
			best, least = at, far
		}
		from = at + 1
	}
	return research.Span{Start: best, End: min(len(s), best+len(name))}
}

func letterAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i] | 0x20
	return c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9'
}

// samenamePart says which of n parts the pairs of a name are in.
func samenamePart(surface string, n uint32) uint32 {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(surface)))
	return h.Sum32() >> 5 % n
}

// scoreSamename counts the rows that take picks.
func scoreSamename(rows []samenameRow, take func(samenameRow) bool) samenameScore {
	var s samenameScore
	right, said, merged := 0, 0, 0
	for _, r := range rows {
		if !take(r) {
			continue
		}
		s.N++
		switch {
		case !r.Same && !r.Said:
			right++
			said++
		case !r.Said:
			said++
		case !r.Same:
			merged++
		}
		if !r.Same {
			s.Different++
		}
	}
	s.Precision = share(right, said)
	s.FalseMerges = share(merged, s.Different)
	s.WrongSplits = share(said-right, s.N-s.Different)
	if right > 0 {
		s.F1 = 2 * float64(right) / float64(said+s.Different)
	}
	return s
}

func printSamename(o options, r samenameResult) {
	for _, x := range r.rows {
		if x.Said != x.Same && o.predictions == "" && o.out == "" {
			fmt.Fprintf(o.stdout, "%s %q same %v, rho %.2f %s\n    %.160q\n    %.160q\n", x.ID, x.Surface, x.Same, x.Rho, x.Against, around(x.a, x.Surface), around(x.b, x.Surface))
		}
	}
	for _, part := range []struct {
		name string
		samenameScore
	}{{"all", r.samenameScore}, {"not fitted on", r.Unfitted}, {"each fitted without its part", r.Crossed}} {
		fmt.Fprintf(o.stdout, "%-28s %4d pairs, F1 of different %.4f, precision %.4f, false merges %.4f of %d, wrong splits %.4f\n",
			part.name, part.N, part.F1, part.Precision, part.FalseMerges, part.Different, part.WrongSplits)
	}
	fmt.Fprintf(o.stdout, "saying different always: F1 %.4f\n", r.AllApart)
}

// around is what stands at the name.
func around(s, name string) string {
	at := nameIn(s, name)
	return s[max(0, at.Start-80):min(len(s), at.End+80)]
}
