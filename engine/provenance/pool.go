package provenance

import (
	"fmt"

	"assay/engine/research"
)

// Pool counts verified sources against the floors of the budget. closed says that only a library was asked: then a
// shortfall is told and changes nothing else.
func Pool(sources []research.Source, b research.Budget, closed bool) research.SourceStats {
	st := research.SourceStats{
		Floor:         research.Floor{Voices: b.FloorVoices, OriginTypes: b.FloorOrigins, Adversarial: b.FloorOpposing},
		ClosedLibrary: closed, Shortfall: []string{},
	}
	voices, origins := map[string]bool{}, map[research.Origin]bool{}
	for _, s := range sources {
		st.Opened++
		if s.Verdict != research.Verified {
			st.Rejected++
			continue
		}
		st.Verified++
		voices[s.Voice] = true
		origins[s.Origin] = true
		if s.Adversarial {
			st.Adversarial++
		}
	}
	st.Independent = len(voices)
	st.OriginTypes = len(origins)
	short := func(have, want int, what string) {
		if have < want {
			st.Shortfall = append(st.Shortfall, fmt.Sprintf("%d of %d %s", have, want, what))
		}
	}
	short(st.Independent, b.FloorVoices, "independent voices")
	short(st.OriginTypes, b.FloorOrigins, "kinds of origin")
	short(st.Adversarial, b.FloorOpposing, "sources found by asking for criticism or opposition")
	return st
}
