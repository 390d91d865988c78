package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/engine"
	"assay/engine/research"
	"assay/gpu"
)

// TestGuardShrinks holds that a smaller window is a new setup that is recorded, that the engine begins again with its limits,
// that a resumed run keeps to it, and that a replay gives each stage the limits that it had.
func TestGuardShrinks(t *testing.T) {
	release := make(chan struct{}, 4)
	var windows []int
	g := newGuardedDesk(t, &scripted{}, nil, whole...)
	stage := func(rec engine.Record, kind string) error {
		_, err := rec.Append(research.Event{Kind: kind, Key: kind, Payload: json.RawMessage(`{}`)})
		return err
	}
	g.wire.run = func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		for _, name := range []string{"understand", "extract"} {
			if _, done := rec.Get(research.EventStage + name); done {
				continue
			}
			ev, err := rec.Append(research.Event{Kind: research.EventBegin, Key: "begin " + name, Payload: json.RawMessage(`{}`)})
			if err != nil {
				return research.Digest{}, err
			}
			cfg.Watch(ev)
			windows = append(windows, cfg.Model.Limits().NumCtx)
			select {
			case <-release:
			case <-ctx.Done():
				return research.Digest{}, ctx.Err()
			}
			if _, err := cfg.Model.Chat(ctx, research.Call{Role: research.Reader, Prompt: name}); err != nil {
				return research.Digest{}, err
			}
			if err := stage(rec, research.EventStage+name); err != nil {
				return research.Digest{}, err
			}
		}
		return testDigest(), nil
	}
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventStage+"understand")
	need := llama8(t).Estimate(gpu.Load{Context: 8192, Batch: 512, Version: "0.32.7"})
	g.free = need.Card() + 600<<20 - 8<<30 // with what its model gives back, 8192 tokens have room and 16384 do not
	g.play(t, g.look(g.free, nil, gpu.AlarmRoomTaken), sure)
	noticed(t, j, string(gpu.AlarmRoomTaken))
	if err := g.Relieve(t.Context(), j.ID(), ChoiceShrink); err != nil {
		t.Fatal(err)
	}
	noticed(t, j, "")
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	if want := []int{16384, 16384, 8192}; !slices.Equal(windows, want) {
		t.Errorf("windows of the stages %v, want %v", windows, want)
	}
	run, err := g.ReadRun(j.ID())
	if err != nil {
		t.Fatal(err)
	}
	var setups []research.Setup
	for _, ev := range run.Events {
		var s research.Setup
		if ev.Kind == research.EventSetup && json.Unmarshal(ev.Payload, &s) == nil {
			setups = append(setups, s)
		}
	}
	if len(setups) != 2 || setups[0].Limits.NumCtx != 16384 || setups[1].Limits.NumCtx != 8192 || setups[1].After != 1 || len(setups[0].Plan) != 1 ||
		setups[1].Limits.TokensPerByte != setups[0].Limits.TokensPerByte || setups[0].NumBatch != 512 {
		t.Fatalf("setups %+v", setups)
	}
	if text := said(t, g.Desk, j.ID()); !strings.Contains(text, "with a window of 8,192 tokens instead of 16,384") {
		t.Errorf("said:\n%s", text)
	}
	windows = nil
	close(release)
	if _, err := g.Replay(t.Context(), run, ReplayOptions{}); err != nil && !errors.Is(err, research.ErrUnrecorded) {
		t.Error(err)
	}
	if len(windows) == 0 || windows[0] != 16384 {
		t.Errorf("windows of the replay %v", windows)
	}
}

// TestReplayLimits holds that each stage of a replay has the limits that held when it ran.
func TestReplayLimits(t *testing.T) {
	s := &staged{setups: []research.Setup{{Limits: research.Limits{NumCtx: 3}}, {Limits: research.Limits{NumCtx: 2}, After: 1}, {Limits: research.Limits{NumCtx: 1}, After: 3}}}
	var got []int
	for range 5 {
		s.watch(research.Event{Kind: research.EventBegin})
		s.watch(research.Event{Kind: research.EventNote})
		got = append(got, s.Limits().NumCtx)
	}
	if want := []int{3, 2, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("limits %v, want %v", got, want)
	}
}

// TestGuardCannotShrink names what is missing when no smaller window fits, and the run waits on.
func TestGuardCannotShrink(t *testing.T) {
	release := make(chan struct{}, 2)
	g := newGuardedDesk(t, &scripted{}, asking(release, 2))
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.free = 2 << 30
	g.play(t, g.look(2<<30, nil, gpu.AlarmRoomTaken), sure)
	noticed(t, j, string(gpu.AlarmRoomTaken))
	if err := g.Relieve(t.Context(), j.ID(), ChoiceShrink); err == nil || !strings.Contains(err.Error(), "no smaller window fits") {
		t.Errorf("Relieve = %v", err)
	}
	if j.Notice() == nil {
		t.Error("the run went on")
	}
	g.play(t, g.look(14<<30, nil), 1)
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
}

// TestGuardBeforeARun holds that a run whose model has no room now is paused before it is loaded, and ends as any other when the
// person stops it.
func TestGuardBeforeARun(t *testing.T) {
	g := newGuardedDesk(t, &scripted{}, succeed)
	g.spot = func(s *spot) { s.later = "m:1 lacks 3.00 GiB now." }
	j := g.run(t, StartOptions{})
	if n := noticed(t, j, string(gpu.AlarmRoomTaken)); n.Text != "m:1 lacks 3.00 GiB now." || g.model.calls != 0 {
		t.Errorf("Notice = %+v after %d calls", n, g.model.calls)
	}
	j.Cancel()
	if res := wait(t, j); res.State.State != "stopped" || g.model.calls != 0 {
		t.Errorf("Result = %+v", res)
	}
	again, err := g.Resume(t.Context(), j.ID(), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	noticed(t, again, string(gpu.AlarmRoomTaken))
	g.play(t, g.look(14<<30, nil), 1)
	if res := wait(t, again); res.Exit != ExitDone {
		t.Errorf("Result = %+v", res)
	}
}

// TestGuardLeavesAlone holds that what was expected, what another model does, and what cannot be told is no alarm.
func TestGuardLeavesAlone(t *testing.T) {
	release := make(chan struct{}, 2)
	g := newGuardedDesk(t, &scripted{}, asking(release, 2), half...)
	g.spot = func(s *spot) { s.spills = true }
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.play(t, g.look(1<<30, half, gpu.AlarmHalfOnCPU, gpu.AlarmRoomTaken), 4)
	blind := g.look(1<<30, nil, gpu.AlarmNotReleased)
	blind.Server = "no server answers"
	g.play(t, blind, 4)
	if n := j.Notice(); n != nil {
		t.Errorf("Notice = %+v", n)
	}
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
}

// TestGuardCompares holds that the first load is compared with its prediction, kept, and used by the next plan.
func TestGuardCompares(t *testing.T) {
	release := make(chan struct{}, 2)
	m := llama8(t)
	e := m.Estimate(gpu.Load{Context: 16384, Batch: 512, Version: "0.32.7"})
	server := e.Server() * 103 / 100
	g := newGuardedDesk(t, &scripted{}, asking(release, 2))
	g.model.chat = func(n int) error { // the first call loads it
		g.server.mu.Lock()
		defer g.server.mu.Unlock()
		if n == 1 {
			g.server.loaded = []gpu.Loaded{{Name: "m:1", Size: server, VRAM: server}}
			g.free -= server + 300<<20
		}
		return nil
	}
	g.spot = func(s *spot) { s.before = freeNow(context.Background(), g.wire.memory(nil)) }
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	want := fmt.Sprintf("Predicted %.2f, measured %.2f GiB on the card; asked 16,384, server reports 16,384. The free memory of the cards fell by %.2f GiB",
		float64(e.Server())/(1<<30), float64(server)/(1<<30), float64(server+300<<20)/(1<<30))
	if text := said(t, g.Desk, j.ID()); strings.Count(text, "Predicted ") != 1 || !strings.Contains(text, want) {
		t.Errorf("said:\n%s\nwant %s", text, want)
	}
	learnt, fault := g.calibration()
	if len(learnt) != 1 || fault != "" || learnt[0].Measured != server || learnt[0].Predicted != e.Server() || learnt[0].Digest != "d1" {
		t.Errorf("learnt %+v, %q", learnt, fault)
	}
	if text := measuredText(learnt, "d1", e.Load); text != "measured last time: +3.0 %" {
		t.Errorf("measured %q", text)
	}
	if c := m.Estimate(gpu.Load{Context: 16384, Batch: 512, Version: "0.32.7"}).Calibrated(learnt, "d1"); c.Server() != server {
		t.Errorf("the next estimate is %d, want %d", c.Server(), server)
	}
}
