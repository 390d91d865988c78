package checks

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/engine/research"
)

// ViewOf rebuilds from a stored run what the bank may read of its delivered report: the digest as a draft, the sources with
// the last word on each, the texts, and what was asked of others. The calls of models are left out, because what came of them
// is the report; so are findings that were not printed. The error says what of the record cannot be read.
func ViewOf(run research.Run) (View, error) {
	if run.Digest == nil {
		return View{}, fmt.Errorf("the record holds no report: the run ended before there was one")
	}
	d := *run.Digest
	v := ViewOfReport(d, run.Request.Now, run.Blobs)
	if err := v.readEvents(run.Events); err != nil {
		return View{}, err
	}
	v.fillSources(d)
	return v, nil
}

// ViewOfReport is what the bank may read of a finished report alone, tables and all, at a time and with the clean texts of its sources by
// their hash. The sources that were not cited, the queries and the calls of the run are left out.
func ViewOfReport(d research.Digest, now string, texts map[string]string) View {
	u := d.Understanding
	v := View{
		Now: now, Question: u.Question, Lang: d.Lang, Terms: u.Terms, Facets: u.Facets, Entities: u.Entities, Shape: d.Shape, Budget: u.Budget,
		Closed: d.SourceStats.ClosedLibrary, Texts: texts, Passages: d.Passages, Claims: d.Claims, Contradicts: d.Contradicts,
	}
	by := d.Model.Channel
	if d.Model.Name != "" && by != quotingChannel {
		by += ":" + d.Model.Name
	}
	for _, s := range d.Sections {
		sec := research.DraftSection{ID: s.ID, Title: s.Title, Facets: s.Facets}
		for _, f := range s.Findings {
			b := research.Block{ID: f.ID, Kind: research.BlockFinding, Text: f.Text, Citations: f.Citations, Claims: f.Claims,
				Confidence: f.Confidence, Band: f.Band, Label: f.Label, By: by}
			b.Refs = refsOf(d, f.Refs)
			sec.Blocks = append(sec.Blocks, b)
		}
		for i, t := range s.Tables {
			sec.Blocks = append(sec.Blocks, tableBlock(d, fmt.Sprintf("%s.t%d", s.ID, i+1), t))
		}
		if len(sec.Blocks) == 0 && len(s.Diagrams) > 0 {
			continue // a drawing has no words of its own
		}
		v.Draft.Sections = append(v.Draft.Sections, sec)
	}
	return v
}

// fillSources takes the sources from the report where the record tells none, and notes which hold hidden text.
func (v *View) fillSources(d research.Digest) {
	if len(v.Sources) == 0 {
		for _, s := range d.Sources {
			v.Sources = append(v.Sources, research.Source{ID: s.ID, Location: s.URL, Title: s.Title, Byline: s.Author, Published: s.Published, SHA256: s.SHA256,
				Voice: s.Voice, Origin: s.OriginType, Tier: s.Tier, Adversarial: s.Adversarial, Verdict: s.Verdict, Note: s.Note, MediaType: s.MediaType})
		}
	}
	for _, s := range v.Sources {
		if s.Hidden != "" {
			if v.Hidden == nil {
				v.Hidden = map[string]string{}
			}
			v.Hidden[s.ID] = s.Hidden
		}
	}
}

// refsOf turns printed keys into ids of sources; one out of range becomes an id that names none.
func refsOf(d research.Digest, refs []int) []string {
	out := []string{}
	for _, i := range refs {
		id := fmt.Sprintf("reference %d", i)
		if i >= 0 && i < len(d.Sources) {
			id = d.Sources[i].ID
		}
		out = append(out, id)
	}
	return out
}

// tableBlock writes a table as the rows that the checks read.
func tableBlock(d research.Digest, id string, t research.Table) research.Block {
	cell := strings.NewReplacer("|", "/", "\n", " ")
	rows := []string{}
	var refs []int
	line := func(cells []string) { rows = append(rows, "| "+strings.Join(cells, " | ")+" |") }
	var header []string
	for _, h := range t.Headers {
		header = append(header, cell.Replace(h))
	}
	line(header)
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, cell.Replace(c.Text))
			refs = append(refs, c.Refs...)
		}
		line(cells)
	}
	return research.Block{ID: id, Kind: research.BlockTable, Text: t.Caption + "\n" + strings.Join(rows, "\n"), Refs: refsOf(d, refs)}
}

// readEvents takes the sources and the queries from the events of a run. Of a source that was judged twice the last word counts.
func (v *View) readEvents(events []research.Event) error {
	at := map[string]int{}
	for _, e := range events {
		switch e.Kind {
		case research.EventSource:
			var s research.Source
			if err := json.Unmarshal(e.Payload, &s); err != nil {
				return fmt.Errorf("event %d of the record: %w", e.Seq, err)
			}
			if i, ok := at[s.ID]; ok {
				v.Sources[i] = s
				continue
			}
			at[s.ID] = len(v.Sources)
			v.Sources = append(v.Sources, s)
		case research.EventLookUp:
			var l research.CitationLookup
			if err := json.Unmarshal(e.Payload, &l); err != nil {
				return fmt.Errorf("event %d of the record: %w", e.Seq, err)
			}
			v.Lookups = append(v.Lookups, l)
		case research.EventPreview:
			var p research.Preview
			if err := json.Unmarshal(e.Payload, &p); err != nil {
				return fmt.Errorf("event %d of the record: %w", e.Seq, err)
			}
			for _, a := range p.Asks {
				v.Queries = append(v.Queries, research.Query{Text: a.Query, Angle: a.Angle})
			}
		}
	}
	return nil
}

// Switches reads the names of checks and mechanisms that are to be left out: a check by id, name or title, in letters of any case; aging, lifecap,
// tier_yield, no_progress, normalisers, and the steps of the repair order: sentence_repair, facet_repair, whole_rebuild, terminal. It returns the names that it does not know.
func Switches(names []string) (o Options, unknown []string) {
	for _, name := range names {
		switch strings.ToLower(name) {
		case "aging":
			o.Policy.NoAging = true
		case "lifecap":
			o.Policy.NoLifeCap = true
		case "tier_yield":
			o.Policy.NoTierYield = true
		case "no_progress":
			o.Policy.NoNoProgress = true
		case "whole_rebuild":
			o.NoRebuild = true
		case "sentence_repair":
			o.NoSentence = true
		case "facet_repair":
			o.NoFacet = true
		case "terminal":
			o.NoTerminal = true
		case "normalisers":
			o.NoNormalisers = true
		default:
			before := len(o.Disabled)
			for _, c := range Bank {
				if c.Named(name) {
					o.Disabled = append(o.Disabled, c.Name)
				}
			}
			if len(o.Disabled) == before {
				unknown = append(unknown, name)
			}
		}
	}
	return o, unknown
}

// Mechanisms are the names of the queue's mechanisms that [Switches] reads.
var Mechanisms = []string{"aging", "lifecap", "tier_yield", "no_progress", "sentence_repair", "facet_repair", "whole_rebuild", "terminal", "normalisers"}
