package engine

import (
	"encoding/json"
	"fmt"
	"slices"

	"assay/engine/provenance"
	"assay/engine/research"
)

// spoken returns the sources at these locations that could be read, as the record has them, in order.
func (r *run) spoken(opened []string) ([]research.Source, error) {
	var out []research.Source
	if len(opened) == 0 {
		return out, nil
	}
	for after := int64(0); ; {
		evs, err := r.record.Events(after, 500)
		if err != nil {
			return nil, fmt.Errorf("sources of earlier rounds: %w", err)
		}
		if len(evs) == 0 {
			return out, nil
		}
		for _, e := range evs {
			after = e.Seq
			if e.Kind != research.EventSource {
				continue
			}
			var s research.Source
			if err := json.Unmarshal(e.Payload, &s); err != nil {
				return nil, fmt.Errorf("event %d: %w", e.Seq, err)
			}
			if s.Verdict == research.Verified && slices.Contains(opened, s.Location) {
				out = append(out, s)
			}
		}
	}
}

// tellVoices says who speaks in the sources that can be read: by their authors where a folder names them all.
func tellVoices(earlier, sources []research.Source) {
	var read []int
	var fresh []research.Source
	for i, s := range sources {
		if s.Verdict == research.Verified {
			read, fresh = append(read, i), append(fresh, s)
		}
	}
	for n, v := range provenance.Voices(earlier, fresh) {
		sources[read[n]].Voice = v
	}
}
