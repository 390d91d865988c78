package provenance

import (
	"fmt"
	"strings"

	"assay/engine/research"
)

// perVoice is how many pages of one voice of the web count as counter-evidence (CONTRACT section 3: three of one domain).
const perVoice = 3

// Pool counts verified sources against the floors of the budget. closed says that only a library was asked: then a
// shortfall is told and changes nothing else. The shortfall is told in lang, "en" or "zh".
func Pool(sources []research.Source, b research.Budget, closed bool, lang string) research.SourceStats {
	st := research.SourceStats{
		Floor:         research.Floor{Voices: b.FloorVoices, OriginTypes: b.FloorOrigins, Adversarial: b.FloorOpposing},
		ClosedLibrary: closed, Shortfall: []string{},
	}
	voices, origins := map[string]bool{}, map[research.Origin]bool{}
	against := map[string]int{}
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
			if against[s.Voice]++; against[s.Voice] <= perVoice || !strings.Contains(s.Location, "://") {
				st.Adversarial++
			}
		}
	}
	st.Independent = len(voices)
	st.OriginTypes = len(origins)
	st.AcademicOnly = len(origins) == 1 && origins[research.Academic]
	short := func(have, want int, en, zh string) {
		switch {
		case have >= want:
		case lang == "zh":
			st.Shortfall = append(st.Shortfall, fmt.Sprintf("%s %d 个，应有 %d 个", zh, have, want))
		default:
			st.Shortfall = append(st.Shortfall, fmt.Sprintf("%d of %d %s", have, want, en))
		}
	}
	short(st.Independent, b.FloorVoices, "independent voices", "独立来源")
	if !st.AcademicOnly { // such a pool is passed, and named as such
		short(st.OriginTypes, b.FloorOrigins, "kinds of origin", "来源类型")
	}
	short(st.Adversarial, b.FloorOpposing, "sources found by asking for criticism or opposition", "从批评或反对角度找到的来源")
	return st
}
