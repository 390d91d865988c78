package evidence

import (
	"math/big"

	"assay/engine/research"
)

// AcceptAt and VerifyAt are the thresholds of Eq. 7. The paper gives them as design parameters; they are starting values.
const (
	AcceptAt = research.Ratio("4/5")
	VerifyAt = research.Ratio("1/2")
)

// Confidence returns (k+1)/(n+2) for k confirming of n addressing voices, 0 <= k <= n: Laplace's rule of succession. Eq. 3
// alone gives 1 to a lone source; with the rule, and the thresholds of Eq. 7, Accept needs three voices that agree.
// k and n outside their range are moved to its nearest end.
func Confidence(k, n int) research.Ratio {
	n = max(n, 0)
	k = min(max(k, 0), n)
	return research.NewRatio(int64(k)+1, int64(n)+2)
}

// Band returns the decision of Eq. 7 for a confidence that rests on so many confirming voices. One voice is never Accept,
// whatever the number says, and what no voice confirms is Reject: the rule of succession gives 1/2 to what nobody spoke of.
func Band(conf research.Ratio, voices int) research.Band {
	switch {
	case voices < 1:
		return research.Reject
	case conf.Cmp(AcceptAt) >= 0 && voices > 1:
		return research.Accept
	case conf.Cmp(VerifyAt) >= 0:
		return research.Verify
	}
	return research.Reject
}

// Support returns the arithmetic of one claim over ev, the passages that were judged on it, its own passage among them.
//
// Sources joined by edges, by a shared voice or by a shared work are one cluster; a cluster with a contradicting passage
// contradicts, otherwise one with a confirming passage confirms, otherwise it is neutral and not counted. K counts the
// confirming clusters, N those that are not neutral. Only edges between two sources of ev join: that two publishers once
// shared another text does not make them one voice here.
//
// The Cluster field of each element of ev is set in place. Clusters partition the sources of ev, are in the order of their
// first source, and have identifiers made from their content (see [ClusterID]). Evidence of a source that sources does not
// hold is counted by its edges alone.
func Support(claim research.Claim, ev []research.Evidence, sources map[string]research.Source, edges []research.Edge) research.Support {
	groups := partition(ev, sources, edges)
	s := research.Support{Clusters: make([]research.Cluster, 0, len(groups))}
	for _, g := range groups {
		c := research.Cluster{Sources: g.members, Edges: g.edges, Stance: research.Neutral}
		in := make(map[string]bool, len(g.members))
		for _, id := range g.members {
			in[id] = true
		}
		for _, e := range ev {
			if in[e.Source] {
				c.Stance = stronger(c.Stance, e.Stance)
			}
		}
		// A voice that says something else elsewhere is no second voice against itself: it has said the claim, and the difference is
		// told as a contradiction between two claims.
		if claim.Source != "" && in[claim.Source] {
			c.Stance = research.Confirms
		}
		c.ID = ClusterID(claim.ID, c)
		for i := range ev {
			if in[ev[i].Source] {
				ev[i].Cluster = c.ID
			}
		}
		switch c.Stance {
		case research.Confirms:
			s.K++
			s.N++
		case research.Contradicts:
			s.N++
		}
		s.Clusters = append(s.Clusters, c)
	}
	s.Raw = "0"
	if s.N > 0 {
		s.Raw = research.NewRatio(int64(s.K), int64(s.N))
	}
	s.Confidence = Confidence(s.K, s.N)
	s.Band = Band(s.Confidence, s.K)
	s.Label = label(s)
	return s
}

// SupportContested is [Support] for a contested question: the voices of one perspective, told by the origin of their
// sources, count once toward Accept (HDRI case 5). A claim that only one kind of publisher confirms stays Verify.
func SupportContested(claim research.Claim, ev []research.Evidence, sources map[string]research.Source, edges []research.Edge) research.Support {
	s := Support(claim, ev, sources, edges)
	s.Perspect = true
	s.Band = Band(s.Confidence, min(s.K, perspectives(s, sources)))
	s.Label = label(s)
	return s
}

// ClusterID returns the identifier of a cluster: the prefix k and the hash of the claim, the sources and the edges, so that
// a change to any of them shows.
func ClusterID(claim string, c research.Cluster) string {
	parts := []string{claim}
	parts = append(parts, c.Sources...)
	for _, e := range c.Edges {
		parts = append(parts, e.A, e.B, e.Why, string(e.Score))
		if e.Said != "" {
			parts = append(parts, e.Said)
		}
	}
	return research.ID("k", parts...)
}

// stronger merges the stance of one more passage into that of its cluster: against beats for beats neutral.
func stronger(a, b research.Stance) research.Stance {
	rank := map[research.Stance]int{research.Confirms: 1, research.Contradicts: 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// label names what the reader should know about a claim beside its band.
func label(s research.Support) research.Label {
	switch {
	case s.K == 0:
		return research.LabelUnconfirmed
	case s.N > s.K:
		return research.LabelContested
	case s.N == 1:
		return research.LabelSingle
	case s.Band == research.Accept:
		return research.LabelNone
	}
	return research.LabelUnconfirmed
}

// strength is what a claim of either kind brings to a conclusion that rests on it.
type strength struct {
	conf, lower *big.Rat
	voices      int
	label       research.Label
}

// strengthOf reads the strength of a claim; one without support or derivation has none.
func strengthOf(c research.Claim) strength {
	switch {
	case c.Derivation != nil:
		return strength{c.Derivation.Confidence.Rat(), c.Derivation.Lower.Rat(), c.Derivation.Voices, research.LabelDerived}
	case c.Support != nil:
		r := c.Support.Confidence.Rat()
		voices := c.Support.K
		if c.Support.Perspect && c.Support.Band != research.Accept {
			voices = min(voices, 1) // the voices of one perspective count once
		}
		return strength{r, r, voices, c.Support.Label}
	}
	return strength{new(big.Rat), new(big.Rat), 0, research.LabelUnconfirmed}
}

// FindingConfidence returns what a finding that rests on all of the claims may say: the least of their confidences (Eq. 4
// with r = 1), the Frechet lower bound max(0, sum of lower bounds - (m-1)), the band, and the gravest label. A claim listed
// twice counts once. Without claims there is no confidence: 0, 0, Reject, unconfirmed.
func FindingConfidence(claims []research.Claim) (conf, lower research.Ratio, band research.Band, lab research.Label) {
	parts := map[string]strength{}
	for _, c := range claims {
		parts[c.ID] = strengthOf(c)
	}
	if len(parts) == 0 {
		return "0", "0", research.Reject, research.LabelUnconfirmed
	}
	least, sum, voices := big.NewRat(1, 1), new(big.Rat), -1
	for _, s := range parts {
		if s.conf.Cmp(least) < 0 {
			least = s.conf
		}
		sum.Add(sum, s.lower)
		if voices < 0 || s.voices < voices {
			voices = s.voices
		}
		if gravity[s.label] > gravity[lab] {
			lab = s.label
		}
	}
	conf = research.Ratio(least.RatString())
	return conf, research.Ratio(frechet(sum, len(parts)).RatString()), Band(conf, voices), lab
}

// gravity orders labels for a finding that rests on several claims: the one that asks for most care is printed.
var gravity = map[research.Label]int{
	research.LabelNone: 0, research.LabelDerived: 1, research.LabelSingle: 2, research.LabelUnconfirmed: 3, research.LabelContested: 4,
}

// frechet returns max(0, sum - (m-1)), the least probability that m events with that sum of probabilities hold together.
func frechet(sum *big.Rat, m int) *big.Rat {
	r := new(big.Rat).Sub(sum, big.NewRat(int64(m-1), 1))
	if r.Sign() < 0 {
		return new(big.Rat)
	}
	return r
}

// HypothesisConfidence returns confidence and status of a hypothesis from the claims for and against it: the same rule of
// succession over those claims that are not in the Reject band, each counted once; a claim on both sides counts on neither. Nothing on
// either side is unverified. Confirmed needs an accepted claim for and none against; refuted needs a claim against and none
// for; all else is partial.
func HypothesisConfidence(forIt, against []research.Claim) (research.Ratio, research.Status) {
	pro, accepted := standing(forIt, against)
	con, _ := standing(against, forIt)
	conf := Confidence(pro, pro+con)
	switch {
	case pro+con == 0:
		return conf, research.Unverified
	case con == 0 && accepted:
		return conf, research.Confirmed
	case pro == 0:
		return conf, research.Refuted
	}
	return conf, research.Partial
}

// standing counts the distinct claims that stand and are not on the other side too, and says whether one is accepted.
func standing(claims, other []research.Claim) (n int, accepted bool) {
	seen := map[string]bool{}
	for _, c := range other {
		seen[c.ID] = true
	}
	for _, c := range claims {
		if seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		switch ClaimBand(c) {
		case research.Accept:
			n, accepted = n+1, true
		case research.Verify:
			n++
		}
	}
	return n, accepted
}

// ClaimBand returns the band of a claim of either kind; one without support or derivation is Reject.
func ClaimBand(c research.Claim) research.Band {
	if c.Support != nil && c.Derivation == nil {
		return c.Support.Band
	}
	s := strengthOf(c)
	return Band(research.Ratio(s.conf.RatString()), s.voices)
}

// Requirement returns the state of one requirement (Eq. 8) from the claims that speak to it: covered when one is accepted,
// or is reported by a single source of tier 1; partial when one is to be verified; missing otherwise. Claims that a check
// flagged do not count.
func Requirement(claims []research.Claim, sources map[string]research.Source) string {
	state := "missing"
	for _, c := range claims {
		if len(c.Flags) > 0 {
			continue
		}
		attributed := c.Support != nil && c.Support.Label == research.LabelSingle && sources[c.Source].Tier == 1
		switch band := ClaimBand(c); {
		case band == research.Accept || attributed:
			return "covered"
		case band == research.Verify:
			state = "partial"
		}
	}
	return state
}

// Coverage returns Eq. 9 over the rows: covered counts 1, partial 1/2, missing 0, over all rows; 0 without rows.
func Coverage(rows []research.CoverageRow) research.Ratio {
	if len(rows) == 0 {
		return "0"
	}
	halves := int64(0)
	for _, r := range rows {
		switch r.State {
		case "covered":
			halves += 2
		case "partial":
			halves++
		}
	}
	return research.NewRatio(halves, 2*int64(len(rows)))
}
