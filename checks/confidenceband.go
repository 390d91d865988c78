package checks

import (
	"fmt"

	"assay/engine/evidence"
	"assay/engine/research"
)

var confidenceband = &Check{
	ID: "G31", Name: "confidenceband", Title: "ConfidenceBand", Tier: Grounding, Class: Hard,
	Scope: blockKeys, Eval: evalConfidenceBand, Edit: editConfidenceBand,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit,
}

// recomputed returns confidence, band and label of a block from its claims; false when it has none and so claims nothing.
func (v View) recomputed(b research.Block) (conf research.Ratio, band research.Band, label research.Label, ok bool) {
	var claims []research.Claim
	for _, id := range b.Claims {
		if c, ok := v.Claims[id]; ok {
			claims = append(claims, c)
		}
	}
	if len(claims) == 0 {
		return "", "", "", false
	}
	conf, _, band, label = evidence.FindingConfidence(claims)
	return conf, band, label, true
}

func evalConfidenceBand(v View, k Key) []Hit {
	b, _ := v.block(k)
	conf, band, _, ok := v.recomputed(b)
	switch {
	case !ok:
		return nil
	case band == research.Reject:
		return []Hit{{Where: b.ID, Code: "rejected", What: fmt.Sprintf("its confidence is %s, which is rejected", conf.Decimal(2))}}
	case b.Confidence != conf || b.Band != band:
		return []Hit{{Where: b.ID, Code: "mismatch", What: fmt.Sprintf("it says %q %s where its claims give %q %s", b.Confidence, b.Band, conf, band)}}
	case band == research.Verify && b.Label == research.LabelNone:
		return []Hit{{Where: b.ID, Code: "unlabelled", What: fmt.Sprintf("its confidence is %s and nothing says so", conf.Decimal(2))}}
	}
	return nil
}

// editConfidenceBand moves a rejected block to Issues and sets confidence, band and label of any other from its claims.
func editConfidenceBand(v View, k Key) View {
	hits := evalConfidenceBand(v, k)
	if len(hits) == 0 {
		return v
	}
	if hits[0].Code == "rejected" {
		return toIssues(v, Fire{Key: k, Hits: hits})
	}
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		conf, band, label, _ := v.recomputed(b)
		if band == research.Verify && label == research.LabelNone {
			label = research.LabelUnconfirmed
		}
		if b.Label == research.LabelNone || hits[0].Code == "mismatch" {
			b.Label = label
		}
		b.Confidence, b.Band = conf, band
		return b, true
	})
}
