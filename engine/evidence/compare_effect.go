package evidence

import "assay/engine/text"

// Words of effects, as stems. A reducing word turns what stands behind it round: fewer deaths are good.
var (
	goodEffects = stemSet(`protect protective protection effective effectiveness efficacy benefit beneficial improve improved improvement safe safety survival survive recovery
		recover cure help helpful useful success successful healthy gain advantage positive immune immunity solution`)
	badEffects = stemSet(`risk death mortality fatality severe severity harm harmful damage danger dangerous infection infect transmission transmit spread disease illness complication
		adverse toxic toxicity worse worsen threat loss kill die failure fail pollution warming negative problem extinction drought flood`)
	reducers = stemSet(`reduce reduction decrease decreased lower prevent prevention protect against inhibit inhibition block stop limit fewer less decline suppress mitigate avoid minimize slow
		eliminate kill deficiency deficient insufficiency lack absence combat fight`)
	nothingWords = stemSet(`evidence association associated correlation correlated benefit effect effective difference significant significantly data support supported impact
		relationship link linked improvement improve recommend recommended role basis scientific proof proven consensus impact`)
)

func stemSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range wordSet(words) {
		out[text.Stem(w, "en")] = true
	}
	return out
}

// effectReach is how many words behind a reducing word it turns round.
const effectReach = 4

// effect adds up what a text says of effects: above 0 for good ones, below for bad ones.
func (m *meeting) effect(words []word) int {
	scope := m.scope(words)
	sum, turned := 0, -effectReach-1
	for i, w := range words {
		v := 0
		switch {
		case badEffects[w.stem]:
			v = -1
		case goodEffects[w.stem]:
			v = 1
		}
		if v < 0 && i-turned <= effectReach || v > 0 && i-turned <= effectReach && !reducers[w.stem] {
			v = -v
		}
		if scope[i] {
			v = -v
		}
		sum += v
		if reducers[w.stem] {
			turned = i
		}
	}
	return sum
}

// findsNothing reports whether the passage says that it found no effect, no evidence or no link.
func (m *meeting) findsNothing() bool {
	scope := m.scope(m.p)
	for i, w := range m.p {
		if scope[i] && nothingWords[w.stem] {
			return true
		}
	}
	return false
}
