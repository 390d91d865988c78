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
	err := r.each(func(e research.Event) error {
		if e.Kind != research.EventSource {
			return nil
		}
		var s research.Source
		if err := json.Unmarshal(e.Payload, &s); err != nil {
			return err
		}
		if s.Verdict == research.Verified && slices.Contains(opened, s.Location) {
			out = append(out, s)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sources of earlier rounds: %w", err)
	}
	return out, nil
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
