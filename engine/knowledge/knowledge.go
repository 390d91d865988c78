// Package knowledge says what earlier runs found: which of a report's claims are worth keeping, and which of those that were kept bear on
// words or on a question.
//
// Start at [Of] and [Search]; meaning.go adds vectors. Nothing here reads a disk; who calls it holds the claims.
package knowledge

import (
	"cmp"
	"math"
	"slices"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds and thresholds. The shares were set on made corpora of two subjects: below a half, questions on other things of one form
// ("how hot is X") meet.
const (
	maxOf     = 500 // claims of one report
	Bears     = 0.5 // the share of a question's weight that a claim must hold to bear on it
	wordShare = 0.2 // the same for words that a person looks for
)

// Of lists the claims of a report that are kept: those that were accepted, and those that a finding prints as reported by one source, in
// the order of the report. Claims that a check excluded are none of them.
func Of(run string, req research.Request, d research.Digest) []research.Known {
	out := []research.Known{}
	seen := map[string]bool{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			for _, id := range f.Claims {
				c, ok := d.Claims[id]
				if !ok || seen[id] || len(c.Flags) > 0 || len(out) == maxOf {
					continue
				}
				seen[id] = true
				k := research.Known{
					Run: run, Claim: id, Text: c.Text, Question: d.Topic, Date: req.Now, Lang: d.Lang, Sources: sourcesOf(c, d),
					Private: len(req.Libraries)+len(req.Attach) > 0,
				}
				switch {
				case c.Support != nil:
					k.Confidence, k.Band, k.Label = c.Support.Confidence, c.Support.Band, c.Support.Label
				case c.Derivation != nil:
					k.Confidence, k.Band, k.Label = c.Derivation.Confidence, f.Band, research.LabelDerived
				}
				if k.Band == research.Accept || k.Band == research.Verify && k.Label == research.LabelSingle {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// sourcesOf are the sources of a claim: its own, and those that confirm it.
func sourcesOf(c research.Claim, d research.Digest) []research.KnownSource {
	ids := []string{c.Source}
	for _, e := range c.Evidence {
		if e.Stance == research.Confirms && !slices.Contains(ids, e.Source) {
			ids = append(ids, e.Source)
		}
	}
	out := []research.KnownSource{}
	for _, id := range ids {
		for _, s := range d.Sources {
			if s.ID == id {
				out = append(out, research.KnownSource{Title: s.Title, Location: s.URL, Published: s.Published, SHA256: s.SHA256})
			}
		}
	}
	return out
}

// Hit is a claim that was found, with the share of the words' weight that it holds and, of a search by meaning, how near it lies.
type Hit struct {
	research.Known
	Share float64 `json:"share"`          // 0..1
	Near  float64 `json:"near,omitempty"` // the cosine of the two vectors, above 0 to 1
}

// Search returns the claims that hold most of the weight of words, a word weighing more the fewer claims have it, the closest first and
// of equals the latest. The same statement of several runs is the latest one. least is the share below which nothing is taken; if
// zero, that of a search by a person.
func Search(claims []research.Known, words string, least float64, limit int) []Hit {
	if least <= 0 {
		least = wordShare
	}
	lang := text.Lang(words)
	if lang != "zh" {
		lang = "en"
	}
	want := text.TermSet(words, lang)
	if len(want) == 0 || limit <= 0 {
		return nil
	}
	holds := make([][]string, len(claims))
	df := map[string]int{}
	for i, c := range claims {
		have := text.TermSet(c.Text, c.Lang)
		for t := range want {
			if have[t] {
				holds[i] = append(holds[i], t)
				df[t]++
			}
		}
	}
	weight := func(t string) float64 { return math.Log(1 + (float64(len(claims))+1)/(float64(df[t])+0.5)) }
	all := 0.0
	for _, t := range sortedKeys(want) {
		all += weight(t)
	}
	var hits []Hit
	for i, c := range claims {
		slices.Sort(holds[i]) // so that the sum is the same each time
		share := 0.0
		for _, t := range holds[i] {
			share += weight(t)
		}
		if share /= all; share >= least && len(holds[i]) >= min(2, len(want)) {
			hits = append(hits, Hit{Known: c, Share: math.Round(share*1e6) / 1e6})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), latestFirst(a, b))
	})
	var out []Hit
	seen := map[string]bool{}
	for _, h := range hits {
		if key := text.Fold(h.Text); !seen[key] && len(out) < limit {
			seen[key] = true
			out = append(out, h)
		}
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// shown is the most claims of earlier runs that a run shows.
const shown = 8

// Bearing says which claims bear on what is asked.
func Bearing(claims []research.Known, ask research.EarlierAsk) research.Earlier {
	var open, closed []research.Known
	for _, c := range claims {
		switch {
		case c.Date >= ask.Before: // clocks are in one form, so that their order is that of time
		case c.Private && !ask.Private:
			closed = append(closed, c)
		default:
			open = append(open, c)
		}
	}
	out := research.Earlier{Claims: []research.Known{}, Withheld: len(Search(closed, ask.Question, Bears, maxOf))}
	for _, h := range Search(open, ask.Question, Bears, shown) {
		out.Claims = append(out.Claims, h.Known)
	}
	return out
}
