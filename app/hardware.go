package app

import (
	"context"
	"time"

	"assay/app/desk"
)

// The machine's memory as the page sees it. One sampler looks for all views of the window: quick while something goes on, slow
// while nothing does, so that a card which may be switched off is let sleep.

// HardwareView is the machine at one look, with the half hour before it.
type HardwareView struct {
	Look      desk.MemorySample  `json:"look"`
	Past      []desk.MemoryPoint `json:"past"`      // oldest first
	EveryMs   int64              `json:"every_ms"`  // until the next look
	Recording string             `json:"recording"` // where the figures of the cards were recorded; empty: they are of this machine
}

// hardwareEvery is the least time between two words about the machine's memory.
const hardwareEvery = 500 * time.Millisecond

// watch looks at the machine until the window closes and tells the page of each look.
func (a *API) watch(ctx context.Context, d *desk.Desk) *desk.MemorySampler {
	s := d.Sampler()
	looks, end := s.Subscribe()
	a.work.Go(func() { _ = s.Run(ctx) }) // its error is the window's end
	a.work.Go(func() {
		defer end()
		loaded := ""
		for look := range looks {
			if ctx.Err() != nil {
				return
			}
			a.outside.emit(ctx, eventHardware, viewOf(d, s, look))
			if now := encode(look.Models) + look.Server; now != loaded {
				loaded = now
				a.outside.emit(ctx, eventModels, nil)
			}
			select { // the newest look of meanwhile is next
			case <-time.After(hardwareEvery):
			case <-ctx.Done():
				return
			}
		}
	})
	return s
}

func viewOf(d *desk.Desk, s *desk.MemorySampler, look desk.MemorySample) HardwareView {
	return HardwareView{Look: look, Past: s.History(), EveryMs: s.Interval().Milliseconds(), Recording: d.Recording()}
}

// Hardware returns the newest look at the machine; it looks first when nobody has.
func (a *API) Hardware() (h HardwareView, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return h, err
	}
	look, err := a.sampler.Latest()
	if err != nil {
		look = a.sampler.Sample(ctx)
	}
	return viewOf(d, a.sampler, look), nil
}

// LookAgain looks at the machine now. With wake a card that is switched off to save power is asked, too, which switches it on
// for some seconds.
func (a *API) LookAgain(wake bool) (h HardwareView, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return h, err
	}
	if wake {
		_ = d.Hardware(ctx, true) // the sampler's own look, which follows, finds it awake
	}
	return viewOf(d, a.sampler, a.sampler.Sample(ctx)), nil
}
