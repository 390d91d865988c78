package desk

import (
	"assay/engine/bakeoff"
	"assay/engine/research"
)

// BakeoffRow is a trial as a line of the table. A nil figure is not known, or there is nothing it could be a share of.
type BakeoffRow struct {
	Trial     string        `json:"trial"`
	Model     string        `json:"model"`
	Role      research.Role `json:"role"`
	Reference bool          `json:"reference"` // of the baseline
	Run       int           `json:"run"`
	Done      bool          `json:"done"`
	// Unproven says why the mode was not proven, a sentence each; empty when it was, or no server serves the model.
	Unproven []string      `json:"unproven"`
	Total    BakeoffScores `json:"total"`
	Grounded *float64      `json:"grounded"` // share of findings that the audit passes
	Answered *float64      `json:"answered"` // share of the questions' parts
	Unusable *float64      `json:"unusable"` // share of tasks that had to be done without the model
	Points   *float64      `json:"points"`   // of labelled questions
	Speed    *float64      `json:"tokens_per_second"`
	SizeVRAM *int64        `json:"size_vram_bytes"`
	Size     *int64        `json:"size_bytes"` // loaded
	NumCtx   *int          `json:"num_ctx"`
	Version  string        `json:"version"` // of the server
	// Pass says whether the trial reaches the bar; nil while it is not done, and for the baseline. Why says what is below it.
	Pass  *bool    `json:"pass"`
	Why   []string `json:"why"`
	Notes []string `json:"notes"`
}

// bakeoffRows makes the table of a bake-off: the baseline's trials first, then those of the models in the order of the request.
func bakeoffRows(b Bakeoff) []BakeoffRow {
	var reference []bakeoff.Trial
	for _, t := range b.Trials {
		if t.Reference {
			reference = append(reference, t)
		}
	}
	rows := []BakeoffRow{}
	for _, t := range reference {
		rows = append(rows, bakeoffRow(t, reference))
	}
	for _, m := range b.Request.Models {
		for _, t := range b.Trials {
			if !t.Reference && t.Candidate.Model == m {
				rows = append(rows, bakeoffRow(t, reference))
			}
		}
	}
	return rows
}

func bakeoffRow(t bakeoff.Trial, reference []bakeoff.Trial) BakeoffRow {
	s := t.Total()
	r := BakeoffRow{
		Trial: t.ID, Model: t.Candidate.Model, Role: t.Setup.Role, Reference: t.Reference, Run: t.Run, Done: t.Done, Total: s,
		Grounded: shareOf(s.Grounded, s.Findings), Answered: shareOf(s.Answered, s.Facets), Unusable: shareOf(s.Replaced-s.Broken, s.Tasks-s.Broken),
		Speed: s.Speed(), NumCtx: t.Setup.NumCtx, Version: t.Setup.Version, Unproven: []string{}, Why: []string{}, Notes: t.Notes,
	}
	if p, ok := s.Marks[bakeoff.MarkPoints]; ok {
		r.Points = &p
	}
	if t.Proof != nil {
		r.Size, r.SizeVRAM = t.Proof.Size, t.Proof.SizeVRAM
	}
	if t.Setup.Backend != "" {
		r.Unproven = append(r.Unproven, t.Proof.Missing(t.Setup)...)
	}
	if t.Done && !t.Reference {
		pass, why := bakeoff.Assess(t, reference, bakeoff.Bar{})
		r.Pass, r.Why = &pass, append(r.Why, why...)
	}
	return r
}

func shareOf(n, of int) *float64 {
	if of <= 0 {
		return nil
	}
	v := float64(n) / float64(of)
	return &v
}
