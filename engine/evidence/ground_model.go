package evidence

import "math"

// GroundModel weighs the measures of a grounding: a linear map gives a margin, and small trees over the shape of claim and text and that
// margin move it.
type GroundModel struct {
	Mean, Scale, Weights []float64 // of each measure; a measure is centred and scaled before it is weighed
	Constant             float64
	Columns              []int // the measures that the trees look at; their last column is the margin
	Trees                [][]GroundNode
}

// GroundNode is a node of a tree: what is at most Cut in Column goes to Left, the rest to Right. A leaf has Left 0, and its Value counts.
type GroundNode struct {
	Column      int
	Cut         float64
	Left, Right int
	Value       float64
}

// groundMargin bounds the margin: beyond it, 0.99, it says no more.
const groundMargin = 4.59

// Margin is the linear part, bounded.
func (m *GroundModel) Margin(f []float64) float64 {
	z := m.Constant
	for i, v := range f {
		z += m.Weights[i] * (v - m.Mean[i]) / m.Scale[i]
	}
	return max(-groundMargin, min(groundMargin, z))
}

// Likelihood is how likely a claim with these measures is borne out; 1/2 without a model.
func (m *GroundModel) Likelihood(f []float64) float64 {
	if len(m.Weights) != len(f) {
		return 0.5
	}
	margin := m.Margin(f)
	row := make([]float64, len(m.Columns)+1)
	for i, c := range m.Columns {
		row[i] = f[c]
	}
	row[len(m.Columns)] = margin
	return 1 / (1 + math.Exp(-margin-m.Forest(row)))
}

// Forest is the sum of the trees over a row of their columns.
func (m *GroundModel) Forest(row []float64) float64 {
	z := 0.0
	for _, t := range m.Trees {
		i := 0
		for t[i].Left > 0 {
			if row[t[i].Column] <= t[i].Cut {
				i = t[i].Left
			} else {
				i = t[i].Right
			}
		}
		z += t[i].Value
	}
	return z
}
