package app

import (
	"assay/app/desk"
	"assay/engine/research"
)

// ApprovePlan has a run that waits with a plan go on with it as the person left it.
func (a *API) ApprovePlan(id string, plan research.Plan, hypotheses []research.Hypothesis) (err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return err
	}
	return d.ApprovePlan(id, plan, hypotheses)
}

// SoFar returns the report that a run under way would deliver if it ended now, without nil lists.
func (a *API) SoFar(id string) (digest research.Digest, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return digest, err
	}
	s, err := d.SoFar(ctx, id)
	if err != nil {
		return digest, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last, a.lastID = research.Filled(s.Digest), id // its passages are asked for next; forgotten when the run ends
	return a.last, nil
}

// Rerun begins a new run that takes over an old one up to a stage, and returns its id. With review the plan waits for
// [API.ApprovePlan] when the stage is not after it.
func (a *API) Rerun(id, from string, review bool) (fresh string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	job, err := d.Rerun(ctx, id, from, desk.StartOptions{Review: review})
	if err != nil {
		return "", err
	}
	a.follow(ctx, d, job)
	return job.ID(), nil
}
