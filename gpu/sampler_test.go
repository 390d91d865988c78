package gpu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// at is a status with one card, in MiB.
func at(used, free int64, more ...func(*GPU)) Status {
	g := GPU{Name: "A", Vendor: "nvidia", Bus: "0000:01:00.0", MemoryTotal: size((used + free) << 20), MemoryUsed: size(used << 20), MemoryFree: size(free << 20), Busy: size(0), State: "P8"}
	for _, f := range more {
		f(&g)
	}
	s := Status{GPUs: []GPU{g}}
	s.settle()
	return s
}

// played is a machine and a server that are what the test says.
type played struct {
	now    time.Time
	status Status
	models []Loaded
	err    error
	timers chan time.Duration // what Run waits for
	fire   chan time.Time
}

func play() *played {
	return &played{now: time.UnixMilli(1_000_000_000), status: at(600, 15400), timers: make(chan time.Duration, 1), fire: make(chan time.Time)}
}

func (p *played) sampler() *Sampler {
	return &Sampler{
		Status: func(context.Context) Status { return p.status },
		Models: func(context.Context) ([]Loaded, error) { return p.models, p.err },
		Now:    func() time.Time { return p.now },
		After: func(d time.Duration) <-chan time.Time {
			p.timers <- d
			return p.fire
		},
	}
}

// step looks once, a while after the last time.
func (p *played) step(t *testing.T, s *Sampler, after time.Duration) Sample {
	t.Helper()
	p.now = p.now.Add(after)
	return s.Sample(t.Context())
}

func kinds(alarms []Alarm) string {
	var out []string
	for _, a := range alarms {
		if a.Text == "" || a.Do == "" {
			out = append(out, "without words")
		}
		out = append(out, string(a.Kind))
	}
	return strings.Join(out, " ")
}

func TestSamplerIntervals(t *testing.T) {
	sleeper := func(g *GPU) { g.MaySleep = true }
	p := play()
	s := p.sampler()
	p.step(t, s, 0)
	if d := s.Interval(); d != intervalQuiet {
		t.Errorf("after the first look: %s", d)
	}
	for range quietSamples {
		p.step(t, s, intervalQuiet)
	}
	if d := s.Interval(); d != intervalIdle {
		t.Errorf("when nothing happens: %s", d)
	}
	p.status = at(600, 15400, sleeper)
	p.step(t, s, intervalIdle)
	if d := s.Interval(); d != intervalSleepy {
		t.Errorf("with a card that may be switched off: %s", d)
	}
	p.status = at(600, 15400, sleeper, func(g *GPU) {
		g.Asleep, g.MemoryTotal, g.MemoryUsed, g.MemoryFree, g.Busy, g.State, g.Name = true, nil, nil, nil, nil, "", "the card"
	})
	x := p.step(t, s, intervalSleepy)
	if d := s.Interval(); d != intervalAsleep {
		t.Errorf("with a card that is switched off: %s", d)
	}
	if g := x.Status.GPUs[0]; g.Name != "A" || g.MemoryTotal == nil || g.MemoryFree != nil || g.Usable != nil {
		t.Errorf("a sleeping card has its name and size and no more: %+v", g)
	}
	p.status = at(9000, 7000)
	p.step(t, s, intervalAsleep)
	if d := s.Interval(); d != intervalQuiet {
		t.Errorf("after a change: %s", d)
	}
	ended := s.Running(Plan{"m", 1 << 30})
	again := s.Running(Plan{"m", 1 << 30})
	ended()
	ended() // does not end the other one
	if d := s.Interval(); d != intervalRun {
		t.Errorf("during a run: %s", d)
	}
	again()
	if d := s.Interval(); d == intervalRun {
		t.Errorf("after the run: %s", d)
	}
	// A model that is loaded keeps the looks at their pace.
	p.models = []Loaded{{"m", 100, 100}}
	for range quietSamples + 1 {
		p.step(t, s, intervalQuiet)
	}
	if d := s.Interval(); d != intervalQuiet {
		t.Errorf("with a model: %s", d)
	}
}

// TestSamplerRun holds that Run looks when its timer fires and when it is poked, tells who listens, and ends with its
// context, which closes the ears. TestMain holds that no goroutine is left.
func TestSamplerRun(t *testing.T) {
	p := play()
	s := p.sampler()
	if _, err := s.Latest(); !errors.Is(err, ErrNoSample) {
		t.Errorf("Latest before the first look: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ear, end := s.Subscribe()
	gone, endGone := s.Subscribe()
	endGone()
	endGone()
	if _, open := <-gone; open {
		t.Error("an ended ear is open")
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	<-ear
	if d := <-p.timers; d != intervalQuiet {
		t.Errorf("Run waits %s", d)
	}
	p.fire <- p.now
	<-ear
	<-p.timers
	s.Poke()
	<-ear
	<-p.timers
	if x, err := s.Latest(); err != nil || len(x.Status.GPUs) != 1 || len(s.History()) != 1 {
		t.Errorf("Latest = %+v, %v; %d points", x, err, len(s.History()))
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v", err)
	}
	if _, open := <-ear; open {
		t.Error("the ear is open after the end")
	}
	end()
}

// TestSamplerRealClock holds that the real timers are let go.
func TestSamplerRealClock(t *testing.T) {
	p := play()
	s := &Sampler{Status: func(context.Context) Status { return p.status }}
	ctx, cancel := context.WithCancel(t.Context())
	ear, _ := s.Subscribe()
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	first := <-ear
	cancel()
	<-done
	if first.AtMs == 0 || first.Models == nil || first.Holders == nil || first.Alarms == nil {
		t.Errorf("sample %+v", first)
	}
}

// TestSamplerSlowEar holds that one who does not listen gets the newest sample and holds nobody up.
func TestSamplerSlowEar(t *testing.T) {
	p := play()
	s := p.sampler()
	ear, end := s.Subscribe()
	defer end()
	for i := range 10 {
		p.status = at(int64(i), 1000)
		p.step(t, s, time.Second)
	}
	if got := <-ear; *got.Status.GPUs[0].MemoryUsed != 9<<20 {
		t.Errorf("the ear got used %d", *got.Status.GPUs[0].MemoryUsed>>20)
	}
}

func TestSamplerAlarms(t *testing.T) {
	const g = 1 << 30
	model := func(size, vram int64) []Loaded { return []Loaded{{"gpt-oss:20b", size, vram}} }
	t.Run("another program takes the room", func(t *testing.T) {
		p := play()
		s := p.sampler()
		defer s.Running(Plan{"gpt-oss:20b", 13 * g})()
		if x := p.step(t, s, 0); len(x.Alarms) != 0 {
			t.Errorf("alarms %s", kinds(x.Alarms))
		}
		p.status = at(8000, 8000)
		p.status.Processes = []Process{{PID: 1, Name: "blender", Bytes: size(7400 << 20)}}
		x := p.step(t, s, time.Second)
		if kinds(x.Alarms) != "room_taken" || !strings.Contains(x.Alarms[0].Text, "blender took 7.2 GiB") || *x.Alarms[0].Bytes != 13*g-8000<<20 {
			t.Errorf("alarms %+v", x.Alarms)
		}
		// A model that another one replaces gives its room back, and one that is on the card needs none.
		p.models = []Loaded{{"other", 6 * g, 6 * g}}
		if x = p.step(t, s, time.Second); len(x.Alarms) != 0 {
			t.Errorf("with a model that can go: %s", kinds(x.Alarms))
		}
		p.models, p.status = model(13*g, 13*g), at(14000, 2000)
		if x = p.step(t, s, time.Second); strings.Contains(kinds(x.Alarms), "room_taken") {
			t.Errorf("with the model loaded: %s", kinds(x.Alarms))
		}
	})
	t.Run("no plan, no alarm", func(t *testing.T) {
		p := play()
		p.status = at(16000, 0)
		if x := p.step(t, p.sampler(), 0); len(x.Alarms) != 0 {
			t.Errorf("alarms %s", kinds(x.Alarms))
		}
	})
	t.Run("half on the processor", func(t *testing.T) {
		p := play()
		p.models, p.status = model(14*g, 9*g), at(9800, 6200)
		x := p.step(t, p.sampler(), 0)
		if kinds(x.Alarms) != "half_on_cpu" || !strings.Contains(x.Alarms[0].Text, "5 GiB of 14 GiB of gpt-oss:20b") || *x.Alarms[0].Bytes != 5*g {
			t.Errorf("alarms %+v", x.Alarms)
		}
		p.models, p.status = model(14*g, 0), at(600, 15400)
		if x = p.step(t, p.sampler(), 0); kinds(x.Alarms) != "half_on_cpu" || !strings.Contains(x.Alarms[0].Text, "not on the card at all") {
			t.Errorf("alarms %+v", x.Alarms)
		}
		p.status = Status{}
		if x = p.step(t, p.sampler(), 0); len(x.Alarms) != 0 {
			t.Errorf("on a machine without a card: %s", kinds(x.Alarms))
		}
	})
	t.Run("stale after an unload", func(t *testing.T) {
		p := play()
		s := p.sampler()
		p.models, p.status = model(12*g, 12*g), at(13000, 3000)
		p.step(t, s, 0)
		p.models = nil
		if x := p.step(t, s, 500*time.Millisecond); kinds(x.Alarms) != "stale" || s.Interval() != intervalUnload {
			t.Errorf("alarms %s, interval %s", kinds(x.Alarms), s.Interval())
		}
		p.status = at(700, 15300)
		if x := p.step(t, s, time.Second); len(x.Alarms) != 0 || s.Interval() == intervalUnload {
			t.Errorf("when it is back: %s, interval %s", kinds(x.Alarms), s.Interval())
		}
	})
	t.Run("not released", func(t *testing.T) {
		p := play()
		s := p.sampler()
		p.models, p.status = model(12*g, 12*g), at(13000, 3000)
		p.step(t, s, 0)
		p.models = nil
		p.step(t, s, 500*time.Millisecond)
		if x := p.step(t, s, ReleaseWait); kinds(x.Alarms) != "not_released" {
			t.Errorf("alarms %s", kinds(x.Alarms))
		}
		p.step(t, s, time.Minute)
		if x := p.step(t, s, time.Second); len(x.Alarms) != 0 {
			t.Errorf("it is told for ever: %s", kinds(x.Alarms))
		}
	})
	t.Run("another model takes what came back", func(t *testing.T) {
		p := play()
		s := p.sampler()
		p.models, p.status = []Loaded{{"old", 6 * g, 6 * g}, {"stays", 2 * g, 2 * g}}, at(9000, 7000)
		p.step(t, s, 0)
		p.models = []Loaded{{"new", 6 * g, 6 * g}, {"stays", 2 * g, 2 * g}}
		if x := p.step(t, s, time.Second); len(x.Alarms) != 0 {
			t.Errorf("alarms %s", kinds(x.Alarms))
		}
	})
	t.Run("a server that does not answer unloads nothing", func(t *testing.T) {
		p := play()
		s := p.sampler()
		p.models, p.status = model(12*g, 12*g), at(13000, 3000)
		p.step(t, s, 0)
		p.models, p.err = nil, errors.New("nobody answers")
		if x := p.step(t, s, time.Second); len(x.Alarms) != 0 || x.Server != "nobody answers" {
			t.Errorf("alarms %s, server %q", kinds(x.Alarms), x.Server)
		}
	})
}

// TestLoadedIsWhatTheServerLists is ACCEPTANCE 69: a program showed a model as loaded while the card was empty. A state comes
// from /api/ps alone, and a list that the card does not bear out is an alarm.
func TestLoadedIsWhatTheServerLists(t *testing.T) {
	const g = 1 << 30
	for _, tc := range []struct {
		name   string
		models []Loaded
		want   ModelState
	}{
		{"asked for, and unloaded by the server since", nil, NotLoaded},
		{"another model is loaded", []Loaded{{"qwen3:8b", 5 * g, 5 * g}}, NotLoaded},
		{"loaded", []Loaded{{"gpt-oss:20b", 12 * g, 12 * g}}, OnCard},
		{"a part", []Loaded{{"gpt-oss:20b", 12 * g, 6 * g}}, Split},
		{"loaded without the card", []Loaded{{"gpt-oss:20b", 12 * g, 0}}, OnCPU},
	} {
		if got := StateOf("gpt-oss:20b", tc.models); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := StateOf("tiny", []Loaded{{"tiny:latest", 1, 1}}); got != OnCard {
		t.Errorf("a name without a tag: %s", got)
	}
	p := play()
	p.models, p.status = []Loaded{{"gpt-oss:20b", 12 * g, 12 * g}}, at(300, 15700)
	x := p.step(t, p.sampler(), 0)
	if kinds(x.Alarms) != "loaded_empty" || !strings.Contains(x.Alarms[0].Text, "12 GiB of models") {
		t.Errorf("alarms %+v", x.Alarms)
	}
	p.status = at(13000, 3000)
	if x = p.step(t, p.sampler(), 0); len(x.Alarms) != 0 {
		t.Errorf("when the card bears it out: %s", kinds(x.Alarms))
	}
}

func TestHolders(t *testing.T) {
	const m = 1 << 20
	list := func(s Status, models ...Loaded) string {
		var out []string
		for _, h := range Holders(s, models) {
			out = append(out, fmt.Sprintf("%s %s %s", h.Kind, h.Name, figures(h.Bytes)))
		}
		return strings.Join(out, "; ")
	}
	card := at(9000, 7000, func(g *GPU) { g.MemoryReserved = size(434 * m) })
	card.Processes = []Process{{1, "ollama", size(6300 * m), "0"}, {2, "firefox", size(200 * m), "0"}, {3, "firefox", size(300 * m), "0"}, {4, "Xorg", size(900 * m), "0"}}
	if got, want := list(card, Loaded{"big", 6000 * m, 6000 * m}, Loaded{"cpu", 100, 0}), "model big 6000; process Xorg 900; process firefox 500; driver reserve of the driver 434; other other programs, screens and the driver 1600"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	// Without the server's list its program is one like the others.
	if got, want := list(card), "process ollama 6300; process Xorg 900; process firefox 500; driver reserve of the driver 434; other other programs, screens and the driver 1300"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	// Programs whose size is not told are named and never summed.
	card.Processes = []Process{{1, "ollama.exe", nil, "0"}, {2, "dwm.exe", nil, "0"}, {3, "game.exe", nil, "0"}}
	if got, want := list(card, Loaded{"big", 6000 * m, 6000 * m}), "model big 6000; process dwm.exe ?; process game.exe ?; driver reserve of the driver 434; other the programs without a size, screens and the driver 3000"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	// A card that does not say what is in use leaves no rest.
	card.GPUs[0].MemoryUsed = nil
	if got, want := list(card, Loaded{"big", 6000 * m, 6000 * m}), "model big 6000; process dwm.exe ?; process game.exe ?; driver reserve of the driver 434"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := list(Status{}); got != "" {
		t.Errorf("no card: %s", got)
	}
}

func TestUsable(t *testing.T) {
	own := func(n int64) GPU { return GPU{Usable: size(n)} }
	shared := func(n int64) GPU { return GPU{Usable: size(n), Shared: true} }
	for _, tc := range []struct {
		name         string
		cards        []GPU
		all, largest string
	}{
		{"none", nil, "?", "?"},
		{"two", []GPU{own(3 << 20), own(4 << 20)}, "7", "4"},
		{"a part of the machine's memory is not added", []GPU{own(3 << 20), shared(9 << 20)}, "3", "3"},
		{"only that", []GPU{shared(9 << 20), shared(8 << 20)}, "9", "9"},
		{"unknown", []GPU{{}}, "?", "?"},
	} {
		all, largest := Status{GPUs: tc.cards}.Usable()
		if figures(all) != tc.all || figures(largest) != tc.largest {
			t.Errorf("%s: %s and %s", tc.name, figures(all), figures(largest))
		}
	}
}

func TestHistory(t *testing.T) {
	h := history{span: 30 * time.Minute, most: 180}
	const start = int64(1_700_000_000_000)
	for i := range int64(2 * 360) { // an hour, every 5 s
		used := i % 100
		h.add(Point{AtMs: start + i*5000, Used: &used})
	}
	if n := len(h.points); n > 180 || n < 178 {
		t.Errorf("%d points", n)
	}
	last := h.points[len(h.points)-1]
	for i, p := range h.points {
		if i > 0 && p.AtMs <= h.points[i-1].AtMs {
			t.Errorf("point %d is not after the one before", i)
		}
		if p.AtMs <= last.AtMs-h.span.Milliseconds() {
			t.Errorf("point %d is older than the span", i)
		}
	}
	// A peak between two looks of one part is kept.
	peak, low := int64(9000), int64(10)
	h = history{span: 30 * time.Minute, most: 180}
	h.add(Point{AtMs: start, Used: &peak})
	h.add(Point{AtMs: start + 1000, Used: &low})
	h.add(Point{AtMs: start + 2000})
	if len(h.points) != 1 || *h.points[0].Used != peak {
		t.Errorf("points %+v", h.points)
	}
	h.add(Point{AtMs: start - 3_600_000, Used: &low})
	if len(h.points) != 1 || h.points[0].AtMs != start-3_600_000 {
		t.Errorf("after the clock was set back: %+v", h.points)
	}
}
