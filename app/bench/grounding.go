package bench

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sort"
	"strings"

	"assay/engine/evidence"
)

// groundingRow is one case of the grounding bench.
type groundingRow struct {
	ID         string   `json:"id"`
	Set        string   `json:"set"`
	Source     string   `json:"source"`
	Claim      string   `json:"claim"`
	Passage    string   `json:"passage"`
	Question   string   `json:"question,omitempty"`
	Label      string   `json:"label"`
	Supported  bool     `json:"supported"` // by its label
	Said       bool     `json:"said"`
	Likelihood float64  `json:"likelihood"`
	Shipped    float64  `json:"shipped"` // likelihood by the coefficients that are shipped
	Fitted     bool     `json:"fitted"`  // the shipped coefficients were fitted on a case of its group
	Numeric    bool     `json:"numeric"`
	Missing    []string `json:"missing"`
	group      string
	features   []float64
}

// groundingSource are the figures of one source.
type groundingSource struct {
	N                int     `json:"n"`
	Supported        int     `json:"supported"`
	BalancedAccuracy float64 `json:"balanced_accuracy"` // supported against the rest
	MacroF1          float64 `json:"macro_f1"`
	Recall           rate    `json:"recall"`       // of the supported
	Specificity      rate    `json:"specificity"`  // of the rest
	Contradicted     rate    `json:"contradicted"` // of the contradicted, those not said to be supported
	Numeric          float64 `json:"numeric"`      // balanced accuracy of the claims with a number
}

// rate is a share with its 95 % Wilson interval.
type rate struct {
	N     int     `json:"n"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// groundingScore is the result. The figures are those of cases that no coefficient was fitted on: cases of groups that the shipped coefficients have
// seen are scored by fits that left them out. Shipped are the figures of the shipped coefficients on all cases.
type groundingScore struct {
	N                int                         `json:"n"`
	CrossFitted      int                         `json:"cross_fitted"` // cases scored by fits that left them out
	AttributionBench float64                     `json:"attributionbench"`
	WiCE             float64                     `json:"wice"`
	QAGS             float64                     `json:"qags"`
	FaithBench       float64                     `json:"faithbench"`
	FactcheckGPT     float64                     `json:"factcheckgpt"`
	BySource         map[string]*groundingSource `json:"by_source"`
	Shipped          map[string]float64          `json:"shipped"`
	rows             []groundingRow
}

// grounded are the sets of the bench by the beginning of their sources.
var grounded = []string{"attributionbench", "wice", "qags", "faithbench", "factcheckgpt"}

// seenGroups are hashes of the groups that the shipped coefficients were fitted on.
//
//go:embed grounding_seen.txt
var seenGroups string

// groundingBench scores the measure of whether a text bears a claim out, on AttributionBench (mean over its sources of the macro-F1), WiCE, QAGS,
// FaithBench and Factcheck-GPT (balanced accuracy of supported against the rest). One measure with one threshold for all sets: which set a case is of
// is not told to it. No model is asked.
//
// With --out DIR the coefficients are fitted again on all cases and written there as Go source, with the list of common words and the
// groups that were seen; the list has its effect once it is compiled in, so that a fit from nothing is run twice.
func groundingBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: grounding needs --data DIR", errUsage)
	}
	rows, err := readGrounding(ctx, o)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s holds no labelled pair of a claim and a passage of %s", o.data, strings.Join(grounded, ", "))
	}
	if o.out != "" {
		if err := writeGroundFit(o.out, rows); err != nil {
			return nil, err
		}
	}
	s := groundingScore{N: len(rows), rows: rows}
	s.CrossFitted = crossFit(rows)
	for i := range rows {
		rows[i].Said = rows[i].Shipped > 0.5
	}
	s.Shipped = groundingFigures(rows, sourcesOf(rows))
	for i := range rows {
		rows[i].Said = rows[i].Likelihood > 0.5
	}
	s.BySource = sourcesOf(rows)
	all := groundingFigures(rows, s.BySource)
	s.AttributionBench, s.WiCE, s.QAGS, s.FaithBench, s.FactcheckGPT = all["attributionbench"], all["wice"], all["qags"], all["faithbench"], all["factcheckgpt"]
	if err := writePredictions(o.predictions, rows); err != nil {
		return nil, err
	}
	if !o.json {
		printGrounding(o, s)
	}
	return s, nil
}

// readGrounding reads and measures the cases.
func readGrounding(ctx context.Context, o options) ([]groundingRow, error) {
	seen := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(seenGroups)); lines.Scan(); {
		seen[lines.Text()] = true
	}
	var rows []groundingRow
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil || !has(fields, "id", "src", "claim", "passage", "label", "group") || o.limit > 0 && len(rows) >= o.limit {
			return err
		}
		var p struct {
			pair
			Question string `json:"question"`
		}
		if err := into(fields, &p); err != nil {
			return err
		}
		for _, set := range grounded {
			if !strings.HasPrefix(p.Src, set) {
				continue
			}
			g := evidence.Ground(p.Claim, p.Passage, p.Question)
			rows = append(rows, groundingRow{
				ID: p.ID, Set: set, Source: p.Src, Claim: p.Claim, Passage: p.Passage, Question: p.Question, Label: p.Label, Supported: p.Label == "supported",
				Shipped: g.Likelihood, Numeric: p.Numeric, Missing: g.Missing, Fitted: seen[groupHash(set, p.Group)], group: p.Group, features: g.Features,
			})
		}
		return nil
	})
	return rows, err
}

// groupHash names a group of cases that share a document or a question.
func groupHash(set, group string) string {
	h := fnv.New32a()
	h.Write([]byte(set + "\x00" + group))
	return fmt.Sprintf("%08x", h.Sum32())
}

// How the cases that the shipped coefficients were fitted on are scored: they are cut into groundFolds parts, each part is scored by a fit on the
// others, and that is done for groundCuts ways to cut them.
const (
	groundFolds = 5
	groundCuts  = 4
)

// foldOf is the part that a group belongs to in one way to cut.
func foldOf(cut int, group string) int {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d\x00%s", cut, group)
	return int(h.Sum32()>>8) % groundFolds
}

// crossFit scores every case whose group the shipped coefficients have seen by the mean of fits on the seen cases of other parts, and all others by the
// shipped coefficients. It returns how many were scored by such fits.
func crossFit(rows []groundingRow) int {
	var seen []int
	for i, r := range rows {
		rows[i].Likelihood = r.Shipped
		if r.Fitted {
			seen = append(seen, i)
			rows[i].Likelihood = 0
		}
	}
	for cut := range groundCuts {
		for fold := range groundFolds {
			var fit []groundingRow
			for _, i := range seen {
				if foldOf(cut, rows[i].group) != fold {
					fit = append(fit, rows[i])
				}
			}
			if len(fit) == 0 {
				continue
			}
			m := fitGround(fit)
			for _, i := range seen {
				if foldOf(cut, rows[i].group) == fold {
					rows[i].Likelihood += m.Likelihood(rows[i].features) / groundCuts
				}
			}
		}
	}
	return len(seen)
}

// sourcesOf works out the figures of each source.
func sourcesOf(rows []groundingRow) map[string]*groundingSource {
	by := map[string][]groundingRow{}
	for _, r := range rows {
		by[r.Source] = append(by[r.Source], r)
	}
	out := map[string]*groundingSource{}
	for source, rows := range by {
		out[source] = sourceFigures(rows)
	}
	return out
}

func sourceFigures(rows []groundingRow) *groundingSource {
	var yes, no, hit, right, contradicted, caught int
	var numeric []groundingRow
	for _, r := range rows {
		if r.Numeric {
			numeric = append(numeric, r)
		}
		if r.Supported {
			yes++
			hit += one(r.Said)
			continue
		}
		no++
		right += one(!r.Said)
		if r.Label == "contradicted" {
			contradicted++
			caught += one(!r.Said)
		}
	}
	f1 := func(got, said, of int) float64 { return 2 * share(got, 1) / max(1, float64(said+of)) }
	s := &groundingSource{
		N: len(rows), Supported: yes, Recall: rateOf(hit, yes), Specificity: rateOf(right, no), Contradicted: rateOf(caught, contradicted),
		BalancedAccuracy: (share(hit, yes) + share(right, no)) / 2,
		MacroF1:          (f1(hit, hit+no-right, yes) + f1(right, right+yes-hit, no)) / 2,
	}
	if len(numeric) > 0 && len(numeric) < len(rows) {
		s.Numeric = sourceFigures(numeric).BalancedAccuracy
	}
	return s
}

// groundingFigures are the figures of the sets: of AttributionBench the mean of its sources' macro-F1, of the others the balanced accuracy over all
// cases of the set.
func groundingFigures(rows []groundingRow, sources map[string]*groundingSource) map[string]float64 {
	by := map[string][]groundingRow{}
	for _, r := range rows {
		by[r.Set] = append(by[r.Set], r)
	}
	out := map[string]float64{}
	for set, of := range by {
		if set != "attributionbench" {
			out[set] = sourceFigures(of).BalancedAccuracy
			continue
		}
		sum, n := 0.0, 0.0
		for _, source := range sortedKeys(sources) {
			if strings.HasPrefix(source, set) {
				sum += sources[source].MacroF1
				n++
			}
		}
		out[set] = sum / n
	}
	return out
}

// rateOf is a share with its Wilson interval.
func rateOf(hit, n int) rate {
	low, high := wilson(hit, n)
	return rate{N: n, Share: share(hit, n), Low: low, High: high}
}

// printGrounding writes the scores, and the cases that were judged wrongly with the surest of them first.
func printGrounding(o options, s groundingScore) {
	if o.predictions == "" {
		wrong := append([]groundingRow{}, s.rows...)
		sort.SliceStable(wrong, func(i, j int) bool { return distance(wrong[i]) > distance(wrong[j]) })
		for _, r := range wrong[:min(len(wrong), 40)] {
			if r.Said != r.Supported {
				fmt.Fprintf(o.stdout, "%s is %s, likelihood %.2f: %s %q in %.300q, without %s\n", r.Source, r.Label, r.Likelihood, r.ID, r.Claim, r.Passage, strings.Join(r.Missing, ", "))
			}
		}
	}
	fmt.Fprintf(o.stdout, "%d cases, %d of them scored by fits that left them out\n", s.N, s.CrossFitted)
	for _, source := range sortedKeys(s.BySource) {
		v := s.BySource[source]
		fmt.Fprintf(o.stdout, "  %-38s %4d cases, balanced accuracy %.4f, macro-F1 %.4f; of %d supported found %.3f [%.3f, %.3f], of %d others %.3f [%.3f, %.3f]\n",
			source, v.N, v.BalancedAccuracy, v.MacroF1, v.Recall.N, v.Recall.Share, v.Recall.Low, v.Recall.High, v.Specificity.N, v.Specificity.Share, v.Specificity.Low, v.Specificity.High)
	}
	fmt.Fprintf(o.stdout, "AttributionBench mean macro-F1 %.4f; balanced accuracy of WiCE %.4f, QAGS %.4f, FaithBench %.4f, Factcheck-GPT %.4f\n", s.AttributionBench, s.WiCE, s.QAGS, s.FaithBench, s.FactcheckGPT)
	for _, set := range sortedKeys(s.Shipped) {
		fmt.Fprintf(o.stdout, "  by the shipped coefficients, fitted on some of these cases where that number is not 0: %s %.4f\n", set, s.Shipped[set])
	}
}

func distance(r groundingRow) float64 { return max(r.Likelihood-0.5, 0.5-r.Likelihood) }
