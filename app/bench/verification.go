package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
)

// stances in the order of the likelihoods of a comparison, as the sets name them.
var stances = [3]string{"supported", "contradicted", "nei"}

// verificationRow is one case of the verification bench.
type verificationRow struct {
	ID          string   `json:"id"`
	Set         string   `json:"set"`
	Claim       string   `json:"claim"`
	Passage     string   `json:"passage"`
	Want        string   `json:"want"`
	Said        string   `json:"said"`
	Confirms    float64  `json:"confirms"`
	Contradicts float64  `json:"contradicts"`
	Neutral     float64  `json:"neutral"`
	Reasons     []string `json:"reasons"`
	FittedOn    bool     `json:"fitted_on"` // the coefficients were fitted on the half this case is in
	Right       bool     `json:"right"`
	features    [evidence.Aspects]float64
}

// verificationSet are the figures of one set.
type verificationSet struct {
	N                int                `json:"n"`
	BalancedAccuracy float64            `json:"balanced_accuracy"` // supported against the rest; an abstention says not supported
	MacroF1          float64            `json:"macro_f1"`          // over the labels of the set
	Abstained        float64            `json:"abstained"`         // share without a stance
	DecidedAccuracy  float64            `json:"decided_accuracy"`  // of the others, the share with the right stance
	Decided          int                `json:"decided"`
	Confusion        map[string]int     `json:"confusion"` // "label: said"
	Recall           map[string]float64 `json:"recall"`
}

// verificationScore is the result. Unfitted are the figures on the half of each set that the coefficients were not fitted on.
type verificationScore struct {
	N        int                         `json:"n"`
	Unfitted map[string]*verificationSet `json:"unfitted"`
	All      map[string]*verificationSet `json:"all"`
	rows     []verificationRow
}

// verification scores the comparison of a claim with a passage on sets of labelled pairs: FEVER Symmetric, HealthVer, COVID-Fact,
// Climate-FEVER and AVeriTeC. No model is asked.
//
// The coefficients of the comparison were fitted on one half of the cases, chosen by a hash of their group, so that no document
// is in both halves. Figures are given for the other half and for all. With --out the coefficients are fitted again on that half and written there.
func verification(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: verification needs --data DIR", errUsage)
	}
	s := verificationScore{Unfitted: map[string]*verificationSet{}, All: map[string]*verificationSet{}}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil || !has(fields, "id", "src", "claim", "passage", "label", "group") {
			return err
		}
		var p pair
		if err := into(fields, &p); err != nil {
			return err
		}
		if set := strings.ReplaceAll(p.Src, "-", "_"); verified[set] && (o.limit == 0 || len(s.rows) < o.limit) {
			s.rows = append(s.rows, verify(p, set))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(s.rows) == 0 {
		return nil, fmt.Errorf("%s holds no labelled pair of a claim and a passage", o.data)
	}
	s.N = len(s.rows)
	if o.out != "" {
		if err := fitVerification(o, s.rows); err != nil {
			return nil, err
		}
	}
	s.All = verificationSets(s.rows, true)
	s.Unfitted = verificationSets(s.rows, false)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printVerification(o, s)
	}
	return s, nil
}

// verified are the sets of the bench.
var verified = map[string]bool{"fever_symmetric": true, "healthver": true, "covidfact": true, "climate_fever": true, "averitec": true}

// verify compares one pair.
func verify(p pair, set string) verificationRow {
	c := evidence.Compare(p.Claim, p.Passage)
	r := verificationRow{
		ID: p.ID, Set: set, Claim: p.Claim, Passage: p.Passage, Want: p.Label, Confirms: c.Confirms, Contradicts: c.Contradicts, Neutral: c.Neutral,
		Reasons: c.Reasons, FittedOn: fittedOn(p.Group), features: c.Features,
	}
	if r.Want == "conflicting" { // neither stance is right
		r.Want = "nei"
	}
	r.Said = map[research.Stance]string{research.Confirms: stances[0], research.Contradicts: stances[1], research.Neutral: stances[2]}[c.Stance]
	r.Right = r.Said == r.Want
	return r
}

// fittedOn reports whether the cases of a group are in the half that is fitted on.
func fittedOn(group string) bool {
	h := fnv.New32a()
	h.Write([]byte(group))
	return h.Sum32()>>7&1 == 0
}

// verificationSets counts the rows by set.
func verificationSets(rows []verificationRow, all bool) map[string]*verificationSet {
	out := map[string]*verificationSet{}
	for _, r := range rows {
		if r.FittedOn && !all {
			continue
		}
		s := out[r.Set]
		if s == nil {
			s = &verificationSet{Confusion: map[string]int{}, Recall: map[string]float64{}}
			out[r.Set] = s
		}
		s.N++
		s.Confusion[r.Want+": "+r.Said]++
	}
	for _, s := range out {
		s.finish()
	}
	return out
}

// finish works the figures out of the counts.
func (s *verificationSet) finish() {
	count := func(want, said string) int { return s.Confusion[want+": "+said] }
	var of, got, rest, restGot, decided, right, labels int
	f1 := 0.0
	for _, w := range stances {
		n, said, hit := 0, 0, count(w, w)
		for _, x := range stances {
			n += count(w, x)
			said += count(x, w)
		}
		if n > 0 {
			labels++
			s.Recall[w] = share(hit, n)
			if n+said > 0 {
				f1 += 2 * float64(hit) / float64(n+said)
			}
		}
		if w == stances[0] {
			of, got = n, hit
		} else {
			rest, restGot = rest+n, restGot+n-count(w, stances[0])
		}
		if w != stances[2] {
			decided += said
			right += hit
		}
	}
	s.BalancedAccuracy = (share(got, of) + share(restGot, rest)) / 2
	s.MacroF1 = f1 / float64(max(labels, 1))
	s.Decided = decided
	s.Abstained = share(s.N-decided, s.N)
	s.DecidedAccuracy = share(right, decided)
}

// printVerification writes the scores, and the failures of the half that was not fitted on.
func printVerification(o options, s verificationScore) {
	for _, r := range s.rows {
		if !r.Right && !r.FittedOn && o.predictions == "" {
			fmt.Fprintf(o.stdout, "%s %s, said %s: %s %q in %.400q\n    %s\n", r.Set, r.Want, r.Said, r.ID, r.Claim, r.Passage, strings.Join(r.Reasons, "; "))
		}
	}
	for _, part := range []struct {
		name string
		sets map[string]*verificationSet
	}{{"all", s.All}, {"not fitted on", s.Unfitted}} {
		fmt.Fprintf(o.stdout, "%s\n", part.name)
		for _, set := range sortedKeys(part.sets) {
			v := part.sets[set]
			fmt.Fprintf(o.stdout, "  %-16s %4d pairs, balanced accuracy %.4f, macro-F1 %.4f, abstained %.3f, right of %d decided %.4f\n", set, v.N, v.BalancedAccuracy, v.MacroF1, v.Abstained, v.Decided, v.DecidedAccuracy)
			for _, k := range sortedKeys(v.Confusion) {
				fmt.Fprintf(o.stdout, "      %4d %s\n", v.Confusion[k], k)
			}
		}
	}
}
