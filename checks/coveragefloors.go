package checks

import (
	"fmt"
	"strings"

	"assay/engine/provenance"
	"assay/engine/research"
)

var coveragefloors = &Check{
	ID: "G32", Name: "coveragefloors", Title: "CoverageFloors", Tier: Grounding, Class: Hard,
	Scope: runKeys, Eval: evalCoverageFloors,
	Cap: 2, LifeCap: 3, Repair: []Action{Gather}, Terminal: Annotate, Advise: Annotate,
}

const (
	// maxPublisherShare is the share of all references, in percent, that one publisher may have; minShareRefs is how many
	// references a report needs before the share says something (CHECKS G32).
	maxPublisherShare = 40
	minShareRefs      = 5
	// minAdversarial is how many critical voices a debate cites.
	minAdversarial = 2
)

func evalCoverageFloors(v View, k Key) []Hit {
	b := v.Budget
	if v.Closed || b.FloorVoices+b.FloorOrigins+b.FloorOpposing == 0 {
		return nil // of a closed library the shortfall is told, and nothing else can be gathered
	}
	var hits []Hit
	for _, why := range provenance.Pool(v.Sources, b, v.Closed, v.Lang).Shortfall {
		hits = append(hits, Hit{Where: k.ID, Code: "pool", What: why})
	}
	cited, refs, critics := map[string]int{}, 0, map[string]bool{}
	for _, key := range blockKeys(v) {
		block, _ := v.block(key)
		for _, id := range block.Refs {
			s, ok := v.source(id)
			if !ok {
				continue
			}
			refs++
			cited[s.Voice]++
			if s.Adversarial {
				critics[s.Voice] = true
			}
		}
	}
	if v.Shape == research.ShapeDebate && refs > 0 && len(critics) < minAdversarial {
		hits = append(hits, Hit{Where: k.ID, Code: "one_sided", What: fmt.Sprintf("a debate that cites %d critical voices of %d", len(critics), minAdversarial)})
	}
	for _, voice := range sortedKeys(cited) {
		if n := cited[voice]; refs >= minShareRefs && strings.TrimSpace(voice) != "" && n*100 > refs*maxPublisherShare {
			hits = append(hits, Hit{Where: k.ID, Code: "publisher", Weak: true, What: fmt.Sprintf("%d of %d references are to %s", n, refs, voice)})
		}
	}
	return hits
}
