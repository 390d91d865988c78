package bench

import (
	"math"
	"slices"
	"sort"

	"assay/engine/evidence"
)

// Settings of the trees.
const (
	treeCount  = 70
	treeLeaves = 9
	treeRate   = 0.05
	treeRidge  = 5  // added to the weight of a leaf
	treeLeast  = 20 // cases in a leaf
)

// grower grows the trees of one fit.
type grower struct {
	x      [][]float64
	rising []bool // the columns in which a higher value may not count less
	g, h   []float64
}

// leaf is a leaf of a tree that grows.
type leaf struct {
	node      int
	rows      []int
	low, high float64 // bounds of what it may be worth
	split     split
}

// split is the best way to part a leaf; gain 0: none.
type split struct {
	gain        float64
	column      int
	cut         float64
	left, right []int
	lv, rv      float64
}

// growTrees boosts small trees on the logistic loss from a margin that each case has already, the last of its columns: each tree is fitted to
// what those before it left over. In a rising column, a case with a higher value is moved up no less.
func growTrees(x [][]float64, y, weights []float64, rising []bool) (trees [][]evidence.GroundNode) {
	z := make([]float64, len(x))
	for i := range z {
		z[i] = x[i][len(x[i])-1]
	}
	gr := grower{x: x, rising: rising, g: make([]float64, len(x)), h: make([]float64, len(x))}
	for range treeCount {
		for i := range x {
			p := 1 / (1 + math.Exp(-z[i]))
			gr.g[i], gr.h[i] = weights[i]*(p-y[i]), weights[i]*p*(1-p)
		}
		tree := gr.grow()
		if len(tree) == 1 {
			break
		}
		one := evidence.GroundModel{Trees: [][]evidence.GroundNode{tree}}
		for i := range x {
			z[i] += one.Forest(x[i])
		}
		trees = append(trees, tree)
	}
	return trees
}

// grow makes one tree, always parting the leaf that gains most.
func (gr *grower) grow() []evidence.GroundNode {
	rows := make([]int, len(gr.x))
	for i := range rows {
		rows[i] = i
	}
	tree := []evidence.GroundNode{{Value: gr.worth(rows)}}
	leaves := []leaf{{rows: rows, low: math.Inf(-1), high: math.Inf(1)}}
	leaves[0].split = gr.best(leaves[0])
	for len(leaves) < treeLeaves {
		at := 0
		for i := range leaves {
			if leaves[i].split.gain > leaves[at].split.gain {
				at = i
			}
		}
		l := leaves[at]
		if l.split.gain <= 0 {
			break
		}
		s := l.split
		left, right := leaf{node: len(tree), rows: s.left, low: l.low, high: l.high}, leaf{node: len(tree) + 1, rows: s.right, low: l.low, high: l.high}
		if gr.rising[s.column] {
			mid := (s.lv + s.rv) / 2
			left.high, right.low = mid, mid
		}
		tree = append(tree, evidence.GroundNode{Value: s.lv}, evidence.GroundNode{Value: s.rv})
		tree[l.node] = evidence.GroundNode{Column: s.column, Cut: s.cut, Left: left.node, Right: right.node}
		left.split, right.split = gr.best(left), gr.best(right)
		leaves[at] = left
		leaves = append(leaves, right)
	}
	for i := range tree {
		if tree[i].Left == 0 {
			tree[i].Value = round4(tree[i].Value * treeRate)
		}
	}
	return tree
}

func (gr *grower) worth(rows []int) float64 {
	g, h := 0.0, 0.0
	for _, i := range rows {
		g += gr.g[i]
		h += gr.h[i]
	}
	return -g / (h + treeRidge)
}

// best finds the best way to part a leaf. Cuts are rounded, as they are written.
func (gr *grower) best(l leaf) split {
	var out split
	if len(l.rows) < 2*treeLeast {
		return out
	}
	g, h := 0.0, 0.0
	for _, i := range l.rows {
		g += gr.g[i]
		h += gr.h[i]
	}
	whole := g * g / (h + treeRidge)
	order := slices.Clone(l.rows)
	for c := range gr.rising {
		sort.SliceStable(order, func(a, b int) bool { return gr.x[order[a]][c] < gr.x[order[b]][c] })
		lg, lh := 0.0, 0.0
		for k := 0; k+1 < len(order); k++ {
			i := order[k]
			lg += gr.g[i]
			lh += gr.h[i]
			a, b := gr.x[i][c], gr.x[order[k+1]][c]
			if k+1 < treeLeast || len(order)-k-1 < treeLeast || a == b {
				continue
			}
			cut := round4((a + b) / 2)
			if cut < a || cut >= b {
				continue
			}
			rg, rh := g-lg, h-lh
			lv, rv := -lg/(lh+treeRidge), -rg/(rh+treeRidge)
			lv, rv = min(max(lv, l.low), l.high), min(max(rv, l.low), l.high)
			if gr.rising[c] && lv > rv {
				continue
			}
			gain := lg*lg/(lh+treeRidge) + rg*rg/(rh+treeRidge) - whole
			if gain > out.gain+1e-9 {
				out = split{gain: gain, column: c, cut: cut, lv: lv, rv: rv}
			}
		}
	}
	for _, i := range l.rows {
		if out.gain <= 0 {
			break
		}
		if gr.x[i][out.column] <= out.cut {
			out.left = append(out.left, i)
		} else {
			out.right = append(out.right, i)
		}
	}
	return out
}
