package difference

import (
	"assay/engine/research"
	"assay/engine/text"
)

// sources says what became of the sources, in the order of the later report and then of the earlier.
func sources(earlier, later research.Digest, looks map[string]research.SourceLook) []research.SourceChange {
	out := []research.SourceChange{}
	before, after := byPlace(earlier), byPlace(later)
	done := map[string]bool{}
	for _, s := range later.Sources {
		key := place(s.URL)
		if done[key] {
			continue
		}
		done[key] = true
		old, known := before[key]
		switch {
		case !known:
			out = append(out, research.SourceChange{Location: s.URL, Title: s.Title, What: research.SourceNew, After: s.SHA256})
		case old.SHA256 != s.SHA256:
			out = append(out, research.SourceChange{Location: s.URL, Title: s.Title, What: research.SourceChanged, Before: old.SHA256, After: s.SHA256})
		}
	}
	for _, s := range earlier.Sources {
		key := place(s.URL)
		if _, cited := after[key]; cited || done[key] {
			continue
		}
		done[key] = true
		c := research.SourceChange{Location: s.URL, Title: s.Title, Before: s.SHA256, What: research.SourceUnseen}
		if look, ok := looks[s.URL]; ok {
			c.After = look.SHA256
			switch {
			case look.Fault != "":
				c.What, c.Note = research.SourceDied, look.Fault
			case look.SHA256 == s.SHA256:
				c.What = research.SourceUncited
			default:
				c.What = research.SourceChanged
			}
		}
		out = append(out, c)
	}
	return out
}

func byPlace(d research.Digest) map[string]research.DigestSource {
	m := map[string]research.DigestSource{}
	for _, s := range d.Sources {
		if _, have := m[place(s.URL)]; !have {
			m[place(s.URL)] = s
		}
	}
	return m
}

// place is a location as it is compared: an address in its canonical form, a file as it is.
func place(location string) string {
	if u, err := text.CanonicalURL(location); err == nil {
		return u
	}
	return location
}
