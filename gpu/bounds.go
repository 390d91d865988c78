package gpu

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a description does not say is bounded from above here: a figure that is missing never counts as nothing.

// maxParameters bounds a model's number of parameters; the largest known has 2^40.
const maxParameters = 1 << 44

var parameterSize = regexp.MustCompile(`(?i)^\s*(?:([0-9]{1,4})x)?([0-9]{1,12})(\.[0-9]{1,6})?\s*([KMBT]?)\s*$`)

// parametersOf is the most parameters that a rounded size such as "8.0B" or "8x7B" can stand for; 0 when it is none.
func parametersOf(size string) int64 {
	f := parameterSize.FindStringSubmatch(size)
	if f == nil {
		return 0
	}
	n, err := strconv.ParseFloat(f[2]+f[3], 64)
	if err != nil || n == 0 {
		return 0
	}
	unit := map[string]float64{"": 1, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[strings.ToUpper(f[4])]
	if unit > 1 {
		n += math.Pow10(-max(len(f[3])-1, 0)) / 2 // it was rounded to its last digit
	}
	if f[1] != "" {
		times, _ := strconv.Atoi(f[1]) // digits
		n *= float64(times)
	}
	if n *= unit; n > maxParameters {
		return 0
	}
	return int64(n)
}

// weightBound is the most bytes that the model's parameters take in its quantisation, and the bits of each in words. The widest
// format of the mixture is counted for all; 16 bits where the quantisation is unknown or the file has embeddings for each layer,
// which are kept at 16.
func (m Model) weightBound() (int64, string) {
	widest := tensorBlocks["F16"]
	name := strings.ToUpper(m.Quantisation)
	if mix, ok := mixtures[name]; ok && m.PerLayer == 0 {
		widest = block{1, 0}
		for _, format := range []string{mix.base, mix.output, mix.more, mix.attention} {
			if b := tensorBlocks[format]; b.bytes*widest.elements > widest.bytes*b.elements {
				widest = b
			}
		}
	} else if name == "F32" || name == "F64" {
		widest = tensorBlocks[name]
	}
	bits := float64(widest.bytes) * 8 / float64(widest.elements)
	return min((m.Parameters+widest.elements-1)/widest.elements*widest.bytes, maxPart), "at " + strings.TrimSuffix(fmt.Sprintf("%.1f", bits), ".0") + " bits each"
}

// checkWeights holds the list of tensors against the number of parameters, and bounds the weights where the list cannot be right
// or whole. What is wrong with it is returned in words for [Model.Missing].
func (m *Model) checkWeights(tensors []tensor) []string {
	w := &m.Weights
	var missing []string
	listed := elements(tensors)
	if m.Parameters > 0 && (listed < m.Parameters/3*2 || listed > m.Parameters/3*4) {
		missing = append(missing, fmt.Sprintf("a list of tensors that agrees with its %s parameters: the list has %s", inMillions(m.Parameters), inMillions(listed)))
	}
	empty := 0
	for _, n := range w.Layers {
		if n == 0 {
			empty++
		}
	}
	if m.Parameters == 0 && empty > 0 && (empty < len(w.Layers) || w.Rest == 0) {
		missing = append(missing, "tensors of "+plural(empty, "layer"))
		for i := range w.Layers {
			if w.Layers[i] == 0 {
				w.Layers[i] = w.largest()
			}
		}
	}
	if len(missing) == 0 && w.uncounted == 0 {
		return nil
	}
	w.Exact, w.Source = false, "bounded, because the list of tensors is not whole"
	switch most, _ := m.weightBound(); {
	case m.Parameters > 0:
		w.Rest = addBytes(w.Rest, max(most-w.Card(), 0))
	case w.uncounted > 0 || empty == len(w.Layers) && empty > 0 && w.Rest == 0:
		*w = Weights{Source: "unknown, because the list of tensors does not give the sizes"}
	}
	return missing
}

// elements counts the numbers that tensors hold, up to [maxPart].
func elements(tensors []tensor) int64 {
	var n int64
	for _, t := range tensors[:min(len(tensors), maxTensors)] {
		if len(t.Shape) > 0 {
			n = addBytes(n, product(t.Shape...))
		}
	}
	return n
}

// inMillions is a number of parameters in words.
func inMillions(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.1f billion", float64(n)/1e9)
	}
	return fmt.Sprintf("%.1f million", float64(n)/1e6)
}

// atMost puts bounds where a figure that decides the cache or the working memory is missing, after it was named as missing. The
// factors are above those of every model of the catalogue: queries up to 2 times the model's width, keys of a head up to 256
// elements where no key says more, feed-forward parts up to 8 times the width, recurrent states of up to 2.6 million elements.
func (m *Model) atMost() {
	if m.Layers == 0 || m.Embedding == 0 || m.Remote {
		return
	}
	if m.Recurrent.Layers != nil && m.Recurrent.Elements == 0 {
		m.Recurrent.Elements = 1 << 22
	}
	if m.Recurrent.Layers != nil && m.Heads == 0 {
		return // wholly recurrent
	}
	if m.KVHeads != nil && m.Heads > 0 && !m.Encoder && m.Recurrent.Layers == nil && widest(m.KVHeads) == 0 {
		m.KVHeads = nil // no layer of a model with attention has a cache: that cannot be
		m.Missing = append(m.Missing, "the number of key-value heads of each layer")
	}
	if m.Heads == 0 {
		m.Heads = min(max((m.Embedding+63)/64, widest(m.KVHeads)), maxHeads)
		m.KeyLength, m.ValueLength = or(m.KeyLength, 256), or(m.ValueLength, 256)
	}
	if m.FeedForward == 0 && m.ExpertWidth == 0 && m.Recurrent.Layers == nil {
		m.FeedForward = min(8*m.Embedding, maxWidth)
	}
}

// once takes a card off that was printed before, by its own number (UUID): it would count twice in every sum. What was said of the
// second is dropped with it.
func (s *Status) once() {
	seen := map[string]bool{}
	for i := 0; i < len(s.GPUs); i++ {
		g := s.GPUs[i]
		if g.UUID == "" || !seen[g.UUID] {
			seen[g.UUID] = true
			continue
		}
		s.GPUs = slices.Delete(s.GPUs, i, i+1)
		s.Conditions = slices.DeleteFunc(s.Conditions, func(c Condition) bool { return c.GPU == i })
		for j := range s.Conditions {
			if s.Conditions[j].GPU > i {
				s.Conditions[j].GPU--
			}
		}
		s.Conditions = append(s.Conditions, Condition{KindDriverBug, -1, g.Name + " was printed twice with one number (UUID); it counts once"})
		i--
	}
}

// disbelieve makes figures unknown that contradict each other, and says so: a card or a machine without any memory, or with more
// free or in use than there is. Which of two figures is wrong cannot be told, so nothing is planned with them.
func (s *Status) disbelieve() {
	for i := range s.GPUs {
		g := &s.GPUs[i]
		total := g.MemoryTotal
		if total == nil {
			continue
		}
		say := func(what string) {
			s.Conditions = append(s.Conditions, Condition{KindUnknown, i, what + ", which cannot be, so its memory is not known; print the cards again, or state the free memory yourself before a model is planned for it"})
		}
		switch {
		case *total <= 0:
			g.MemoryTotal, g.MemoryFree, g.MemoryUsed, g.Usable = nil, nil, nil, nil
			say(g.Name + " is said to have no memory at all")
		case g.MemoryFree != nil && *g.MemoryFree > *total:
			say(fmt.Sprintf("%s is said to have %s free of %s", g.Name, mibText(*g.MemoryFree), mibText(*total)))
			g.MemoryFree, g.MemoryUsed, g.Usable = nil, nil, nil
		case g.MemoryUsed != nil && *g.MemoryUsed > *total:
			say(fmt.Sprintf("%s is said to have %s in use of %s", g.Name, mibText(*g.MemoryUsed), mibText(*total)))
			g.MemoryFree, g.MemoryUsed, g.Usable = nil, nil, nil
		}
		if g.Usable != nil {
			g.Usable = size(min(*g.Usable, *total))
		}
	}
	if s.MemoryTotal != nil && s.MemoryFree != nil && *s.MemoryFree > *s.MemoryTotal {
		s.MemoryFree = nil
	}
}
