package bench

import (
	"math"
	"slices"

	"assay/engine/evidence"
)

// Settings of the fit, chosen among a dozen by the scores of cases that were left out: those scores are by so much too good.
const (
	groundRidge  = 0.002 // the inverse strength of the penalty on the weights
	groundSteps  = 12    // Newton steps of the linear part
	groundSource = 0.35  // how much one source of AttributionBench weighs beside a set of one source
)

// groundShape are the measures that the trees look at beside the margin: what kind of claim and text it is, not what is wrong.
var groundShape = []string{
	"claim sentences", "claim words", "source words", "length ratio", "soft coverage", "copied", "density", "question", "names", "numbers", "content share", "word length",
}

// fitGround fits the linear map and the trees. Each label of each source weighs the same.
func fitGround(rows []groundingRow) evidence.GroundModel {
	weights := groundWeights(rows)
	m := fitLinear(rows, weights)
	names := evidence.GroundNames()
	for _, s := range groundShape {
		m.Columns = append(m.Columns, slices.Index(names, s))
	}
	table := make([][]float64, len(rows))
	for i, r := range rows {
		for _, c := range m.Columns {
			table[i] = append(table[i], r.features[c])
		}
		table[i] = append(table[i], m.Margin(r.features))
	}
	rising := make([]bool, len(m.Columns)+1) // a claim that the text has more of is not moved down for that
	for i, s := range groundShape {
		rising[i] = s == "soft coverage" || s == "copied" || s == "density"
	}
	m.Trees = growTrees(table, labelsOf(rows), weights, rising)
	return m
}

func labelsOf(rows []groundingRow) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = float64(one(r.Supported))
	}
	return out
}

// groundWeights gives each label of each source the same weight; their mean is 1.
func groundWeights(rows []groundingRow) []float64 {
	type cell struct {
		source string
		label  bool
	}
	n := map[cell]float64{}
	for _, r := range rows {
		n[cell{r.Source, r.Supported}]++
	}
	qags := map[bool]float64{}
	for _, r := range rows {
		if r.Set == "qags" {
			qags[r.Supported]++
		}
	}
	out := make([]float64, len(rows))
	sum := 0.0
	for i, r := range rows {
		switch r.Set {
		case "attributionbench":
			out[i] = groundSource / n[cell{r.Source, r.Supported}]
		case "qags": // one set of two sources
			out[i] = 1 / qags[r.Supported]
		default:
			out[i] = 1 / n[cell{r.Source, r.Supported}]
		}
		sum += out[i]
	}
	for i := range out {
		out[i] *= float64(len(rows)) / sum
	}
	return out
}

// fitLinear fits the linear part: logistic regression with a penalty on the squares of the weights, by Newton's method.
func fitLinear(rows []groundingRow, weights []float64) evidence.GroundModel {
	d := len(rows[0].features)
	m := evidence.GroundModel{Mean: make([]float64, d), Scale: make([]float64, d), Weights: make([]float64, d)}
	for j := range d {
		sum, square := 0.0, 0.0
		for _, r := range rows {
			sum += r.features[j]
		}
		m.Mean[j] = round3(sum / float64(len(rows)))
		for _, r := range rows {
			square += (r.features[j] - m.Mean[j]) * (r.features[j] - m.Mean[j])
		}
		if m.Scale[j] = round3(math.Sqrt(square / float64(len(rows)))); m.Scale[j] < 0.001 {
			m.Scale[j] = 1
		}
	}
	x := make([][]float64, len(rows))
	for i, r := range rows {
		x[i] = make([]float64, d+1)
		for j, v := range r.features {
			x[i][j] = (v - m.Mean[j]) / m.Scale[j]
		}
		x[i][d] = 1
	}
	w := newton(x, labelsOf(rows), weights)
	for j := range d {
		m.Weights[j] = round4(w[j])
	}
	m.Constant = round4(w[d])
	return m
}

// newton minimises the weighted logistic loss and the penalty; the last column, the constant, has no penalty.
func newton(x [][]float64, y, weights []float64) []float64 {
	d := len(x[0])
	w := make([]float64, d)
	for range groundSteps {
		gradient := make([]float64, d)
		hessian := make([][]float64, d)
		for j := range hessian {
			hessian[j] = make([]float64, d)
			if j < d-1 {
				gradient[j] = w[j] / groundRidge
				hessian[j][j] = 1 / groundRidge
			} else {
				hessian[j][j] = 1e-6
			}
		}
		for i, row := range x {
			z := 0.0
			for j, v := range row {
				z += w[j] * v
			}
			p := 1 / (1 + math.Exp(-z))
			g, h := weights[i]*(p-y[i]), weights[i]*p*(1-p)
			for j, v := range row {
				gradient[j] += g * v
				hv := h * v
				for k := 0; k <= j; k++ {
					hessian[j][k] += hv * row[k]
				}
			}
		}
		step := solve(hessian, gradient)
		most := 0.0
		for j := range w {
			w[j] -= step[j]
			most = max(most, math.Abs(step[j]))
		}
		if most < 1e-7 {
			break
		}
	}
	return w
}

// solve solves a x = b for a symmetric positive matrix of which the lower half is given, by Cholesky's method. It changes a.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for j := range n {
		for k := range j {
			a[j][j] -= a[j][k] * a[j][k]
		}
		a[j][j] = math.Sqrt(max(a[j][j], 1e-12))
		for i := j + 1; i < n; i++ {
			for k := range j {
				a[i][j] -= a[i][k] * a[j][k]
			}
			a[i][j] /= a[j][j]
		}
	}
	x := slices.Clone(b)
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

func round3(v float64) float64 { return math.Round(v*1e3) / 1e3 }
func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// one counts a truth.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
