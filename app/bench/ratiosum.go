package bench

import (
	"math/big"

	"assay/engine/research"
)

// ratioSum adds exact fractions and gives their mean.
type ratioSum struct {
	sum *big.Rat
	n   int64
}

func newRatioSum() *ratioSum { return &ratioSum{sum: new(big.Rat)} }

func (s *ratioSum) add(x research.Ratio) { s.sum.Add(s.sum, x.Rat()); s.n++ }

func (s *ratioSum) join(o *ratioSum) { s.sum.Add(s.sum, o.sum); s.n += o.n }

func (s *ratioSum) mean() research.Ratio {
	return research.Ratio(new(big.Rat).Quo(s.sum, big.NewRat(max(s.n, 1), 1)).RatString())
}
