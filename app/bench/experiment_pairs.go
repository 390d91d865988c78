package bench

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// pairedDifference is the whole method less an arm, over the questions to which a measure applies in both.
type pairedDifference struct {
	Arm     string  `json:"arm"`
	Measure string  `json:"measure"`
	N       int     `json:"n"`
	Mean    float64 `json:"mean"`
	Low     float64 `json:"low"` // of the 95 % interval
	High    float64 `json:"high"`
	Better  int     `json:"better"` // questions on which the whole method is better by this measure
	Worse   int     `json:"worse"`
	// Seen is the smallest mean difference that this many questions with this spread would show with a power of 80 %.
	Seen float64 `json:"seen"`
}

// Resamples of the bootstrap, drawn by a fixed seed so that the same rows give the same intervals.
const (
	resamples    = 4000
	resampleSeed = 20260101
)

// power80 is z(0.975) + z(0.80): the smallest difference that is found four times in five at the 5 % level is that many standard
// errors.
const power80 = 1.959964 + 0.841621

// paired compares two lists of values, question by question. The interval is that of the percentile bootstrap over questions
// (Efron and Tibshirani 1993, chapter 13).
func paired(full, other []float64) pairedDifference {
	d := pairedDifference{N: len(full)}
	if d.N == 0 {
		return d
	}
	diff := make([]float64, d.N)
	for i := range full {
		diff[i] = full[i] - other[i]
		d.Mean += diff[i] / float64(d.N)
		d.Better += count(diff[i] > 0)
		d.Worse += count(diff[i] < 0)
	}
	variance := 0.0
	for _, v := range diff {
		variance += (v - d.Mean) * (v - d.Mean)
	}
	if d.N > 1 {
		d.Seen = power80 * math.Sqrt(variance/float64(d.N-1)/float64(d.N))
	}
	random := rand.New(rand.NewPCG(resampleSeed, uint64(d.N)))
	means := make([]float64, resamples)
	for i := range means {
		for range diff {
			means[i] += diff[random.IntN(d.N)] / float64(d.N)
		}
	}
	slices.Sort(means)
	d.Low, d.High = means[resamples/40], means[resamples-1-resamples/40]
	return d
}

// sum works out means and differences from the rows.
func (x *experiment) sum() {
	x.Means, x.Counts, x.Domains = map[string]map[string]float64{}, map[string]map[string]int{}, map[string]map[string]float64{}
	byArm := map[string]map[string]measured{}
	for _, r := range x.Rows {
		if byArm[r.Arm] == nil {
			byArm[r.Arm] = map[string]measured{}
		}
		byArm[r.Arm][r.ID] = r
	}
	for _, a := range x.Arms {
		x.Means[a.Name], x.Counts[a.Name], x.Domains[a.Name] = map[string]float64{}, map[string]int{}, map[string]float64{}
		kinds := map[string]int{}
		for _, r := range x.Rows {
			if r.Arm != a.Name {
				continue
			}
			for key, v := range r.M {
				x.Means[a.Name][key] += v
				x.Counts[a.Name][key]++
			}
			if v, ok := r.M["completeness"]; ok {
				x.Domains[a.Name][r.Kind] += v
				kinds[r.Kind]++
			}
		}
		for key, n := range x.Counts[a.Name] {
			x.Means[a.Name][key] /= float64(n)
		}
		for kind, n := range kinds {
			x.Domains[a.Name][kind] /= float64(n)
		}
	}
	for _, a := range x.Arms[1:] {
		for _, m := range measures {
			var full, other []float64
			for _, r := range x.Rows {
				if r.Arm != fullArm {
					continue
				}
				v, ok := r.M[m.Key]
				w, too := byArm[a.Name][r.ID].M[m.Key]
				if ok && too {
					full, other = append(full, v), append(other, w)
				}
			}
			if d := paired(full, other); d.N > 0 {
				d.Arm, d.Measure = a.Name, m.Key
				if !m.Up {
					d.Better, d.Worse = d.Worse, d.Better
				}
				x.Pairs = append(x.Pairs, d)
			}
		}
	}
	for _, a := range x.Arms[1:] {
		x.Worth = append(x.Worth, x.worth(a))
	}
}

// worth says in a sentence what the whole method gains over an arm, and what that costs.
func (x *experiment) worth(a arm) string {
	var gains, losses, costs []string
	for _, d := range x.Pairs {
		if d.Arm != a.Name || d.Low <= 0 && d.High >= 0 {
			continue // no difference that this many questions show
		}
		i := slices.IndexFunc(measures, func(m struct {
			Key  string
			Up   bool
			What string
		}) bool {
			return m.Key == d.Measure
		})
		text := fmt.Sprintf("%s %+.3f (%.3f to %.3f)", strings.ReplaceAll(d.Measure, "_", " "), d.Mean, d.Low, d.High)
		switch m := measures[i]; {
		case slices.Contains([]string{"seconds", "model_calls", "tokens", "reads"}, m.Key):
			costs = append(costs, text)
		case m.Key == "gaps" || m.Key == "gaps_logical":
		case (d.Mean > 0) == m.Up:
			gains = append(gains, text)
		default:
			losses = append(losses, text)
		}
	}
	s := a.Name + ": "
	if len(gains) == 0 {
		s += "the whole method is better by no measure, so that what this arm leaves out is worth nothing that these questions show" + x.blind(a)
	} else {
		s += "the whole method is better by " + strings.Join(gains, ", ")
	}
	if len(losses) > 0 {
		s += "; worse by " + strings.Join(losses, ", ")
	}
	if len(costs) > 0 {
		s += "; its cost differs by " + strings.Join(costs, ", ")
	}
	return s + "."
}

// blind says how large a difference of completeness would have been seen.
func (x *experiment) blind(a arm) string {
	for _, d := range x.Pairs {
		if d.Arm == a.Name && d.Measure == "completeness" {
			if d.Seen == 0 {
				return " (every answer is as complete)"
			}
			return fmt.Sprintf(" (of completeness, a difference of %.3f would have been seen four times in five)", d.Seen)
		}
	}
	return ""
}

// print writes the table of means and what each mechanism is worth.
func (x *experiment) print(w io.Writer) {
	shown := []string{"completeness", "completeness_concise", "precision", "fact_density", "subject", "confidence", "voices", "gaps_filled", "seconds", "model_calls"}
	fmt.Fprintf(w, "\n%-20s", "arm")
	for _, k := range shown {
		fmt.Fprintf(w, " %12.12s", strings.ReplaceAll(k, "completeness", "compl"))
	}
	fmt.Fprintln(w)
	for _, a := range x.Arms {
		fmt.Fprintf(w, "%-20s", a.Name)
		for _, k := range shown {
			if x.Counts[a.Name][k] == 0 {
				fmt.Fprintf(w, " %12s", "-")
				continue
			}
			fmt.Fprintf(w, " %12.3f", x.Means[a.Name][k])
		}
		fmt.Fprintln(w)
	}
	for _, s := range append(append([]string{""}, x.Worth...), x.NotMeasured...) {
		fmt.Fprintln(w, s)
	}
}
