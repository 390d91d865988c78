package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"assay/engine/intent"
	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

// foundOutside is what a round opened of the web: texts and judged sources in one order, and what could not be asked.
type foundOutside struct {
	docs    []research.Document
	sources []research.Source
	faults  []string
	notes   []string // what providers said of their answers
}

// leastTitle is how many words a title has at least that tells one work from others.
const leastTitle = 4

// firstWave is the share of the room that is opened before it is looked at what the pool still lacks.
const firstWave = 2.0 / 3

// gatherOutside asks others, and opens what they name in two waves: the second is chosen by what the first left short, since pages
// are dead, closed or unsigned more often than not. already is how many files of the person's own the round opened.
func (r *run) gatherOutside(ctx context.Context, in gatherInput, already int) (out foundOutside, err error) {
	asks, held := r.asks(in.Meaning, in.Plan)
	if err := r.preview(in, asks, held); err != nil || len(r.outsiders()) == 0 {
		return out, err
	}
	hits, notes, faults, err := r.askOutside(ctx, asks)
	if err != nil {
		return out, err
	}
	out.faults, out.notes = faults, notes
	room := r.webRoom(in) - already
	leads := r.leads(in.Meaning, asks, hits, in.Opened)
	earlier, err := r.spoken(in.Opened)
	if err != nil {
		return out, err
	}
	taken, chosen := map[string]bool{}, newPool()
	for _, f := range r.Request.Attach { // a saved page takes the place of the page
		d, err := r.read(ctx, research.EscapeLocation(AttachedPrefix+filepath.Base(f)))
		if err != nil {
			return out, err
		}
		if d.Fault != "" {
			continue
		}
		if d.Canonical != "" {
			taken[leadKey(d.Canonical)] = true
		}
		if d.DOI != "" {
			taken[leadKey("https://doi.org/"+d.DOI)] = true
		}
		for _, l := range leads { // a file that says not where it is from, such as a PDF, is told by its title
			if named := text.Terms(d.Title, d.Lang); len(named) >= leastTitle && slices.Equal(named, text.Terms(l.title, d.Lang)) {
				taken[l.key] = true
			}
		}
	}
	for _, s := range earlier {
		chosen.count(s.Voice, s.Location, s.Origin, s.Adversarial, "")
	}
	kept := 0
	if in.Meaning.Budget.SearchDepth > 1 {
		kept = room / followShare
	}
	for step, n := range []int{int(float64(room-kept) * firstWave), room - kept, room} {
		if step == 2 { // what is left of the room for works goes back to what was found
			if kept == 0 {
				break
			}
			if err := r.follow(ctx, in, taken, kept, &out); err != nil {
				return out, err
			}
		}
		wave := chosen.choose(leads, n-len(out.docs), in.Meaning.Budget, taken, r.Request.Mix)
		if err := r.openWave(ctx, in, wave, &out); err != nil {
			return out, err
		}
		chosen = newPool() // what failed counts for nothing
		for _, s := range append(earlier, out.sources...) {
			if s.Verdict == research.Verified {
				chosen.count(s.Voice, s.Location, s.Origin, s.Adversarial, "")
			}
		}
	}
	return out, nil
}

// openWave opens leads and judges them.
func (r *run) openWave(ctx context.Context, in gatherInput, wave []lead, out *foundOutside) error {
	found := make([]candidate, len(wave))
	for i, l := range wave {
		found[i] = candidate{location: l.location, angle: l.angle}
	}
	docs, err := r.open(ctx, found)
	if err != nil {
		return err
	}
	dated := slices.Clone(docs)
	for i := range dated {
		if dated[i].Published == "" {
			dated[i].Published = wave[i].published
		}
	}
	sources, err := r.judge(ctx, dated, found, in)
	if err != nil {
		return err
	}
	for i := range sources {
		sources[i].Adversarial = sources[i].Adversarial || wave[i].adverse
	}
	out.docs, out.sources = append(out.docs, docs...), append(out.sources, sources...)
	return nil
}

// leaveReprints sets aside what carries the text of another source under another name: near duplicates and what agencies hand out
// (CHECKS section 4.2). The better of two stays; its copy counts for nothing and stays in the record. What an earlier round kept stays.
// Of a text and a short piece of it the text stays, whoever has the piece: it holds all that the piece says.
func (r *run) leaveReprints(earlier, sources []research.Source) error {
	edges, err := r.dependence(append(append([]research.Source{}, earlier...), sources...))
	if err != nil {
		return err
	}
	at := map[string]int{} // index into sources
	for i, s := range sources {
		at[s.ID] = i
	}
	kept := map[string]research.Source{}
	for _, s := range append(append([]research.Source{}, earlier...), sources...) {
		kept[s.ID] = s
	}
	for _, e := range edges {
		if e.Why != "duplicate" && e.Why != "simhash" && e.Why != "syndication" {
			continue
		}
		a, b := kept[e.A], kept[e.B]
		if a.Verdict != research.Verified || b.Verdict != research.Verified || !onWeb(a.Location) || !onWeb(b.Location) {
			continue
		}
		_, freeA := at[a.ID]
		_, freeB := at[b.ID]
		loser, winner := b, a
		better := b.Quality.Value.Cmp(a.Quality.Value) > 0
		if n, err := r.lengths(a, b); err != nil {
			return err
		} else if n[0] > pieceOf*n[1] || n[1] > pieceOf*n[0] {
			better = n[1] > n[0]
		}
		if !freeB || freeA && better {
			loser, winner = a, b
		}
		i, free := at[loser.ID]
		if !free {
			continue
		}
		s := &sources[i]
		s.Verdict, s.CopyOf = research.RejectDuplicate, winner.ID
		s.Note = fmt.Sprintf("carries the text of %s (%s, %s)", winner.Location, e.Why, e.Score.Decimal(2))
		kept[s.ID] = *s
	}
	return nil
}

// pieceOf is how many times as long as a piece of it a text is; a copy is about as long as what it copies, its frame aside.
const pieceOf = 4

// lengths are how long the texts of two sources are, in bytes.
func (r *run) lengths(of ...research.Source) ([]int, error) {
	var out []int
	for _, s := range of {
		t, err := r.record.Blob(s.SHA256)
		if err != nil {
			return nil, fmt.Errorf("the text of %s: %w", s.Location, err)
		}
		out = append(out, len(t))
	}
	return out, nil
}

// poolGaps is what a web run lacks of its floors, to be searched for in the next round.
func (r *run) poolGaps(u research.Understanding, sources []research.Source) []research.Gap {
	if r.Request.Egress != research.Web || len(r.outsiders()) == 0 {
		return nil
	}
	st := provenance.Pool(sources, u.Budget, false, u.Lang)
	var out []research.Gap
	if st.Adversarial < u.Budget.FloorOpposing {
		out = append(out, research.Gap{
			Name: gapName(u, "Too few sources that speak against: %s", "反对意见的来源太少：%s", u.Question), Kind: "informational", Importance: "medium",
			Reason: fmt.Sprintf(pickWord(u.Lang == "zh", "%d of %d were found by asking for criticism or opposition.", "从批评或反对角度只找到 %d 个，应有 %d 个。"), st.Adversarial, u.Budget.FloorOpposing),
			Facet:  u.Facets[0].ID, Angle: "criticism", Queries: intent.Reworded(u),
		})
	}
	return out
}
