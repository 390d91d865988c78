package app

import (
	"context"
	"errors"
	"time"

	"assay/app/desk"
)

// WatchNews is what the page is told when a watch ran; it asks for the difference by the run.
type WatchNews struct {
	Watch  string `json:"watch"`
	Run    string `json:"run"`
	State  string `json:"state"` // first, nothing, news, failed
	Line   string `json:"line"`
	Missed int    `json:"missed"`
}

// keeperEvery is the pause between two looks at whether there are watches to keep, and nobody else keeps them.
const keeperEvery = time.Minute

// keepWatches runs the watches of the home while the window is open and no other program does, and hands over what waits to be
// delivered. What keeps one from running is in its list line.
func (a *API) keepWatches(ctx context.Context, d *desk.Desk) {
	d.StartDelivering()
	tell := func(r desk.WatchResult) {
		a.outside.emit(ctx, eventWatch, WatchNews{Watch: r.Watch, Run: r.Run, State: r.State, Line: short(r.Line), Missed: r.Missed})
		a.outside.emit(ctx, eventRuns, nil)
	}
	for ctx.Err() == nil {
		if all, err := d.Watches(); err == nil && len(all) > 0 {
			var keeper *desk.KeeperError
			if err := d.KeepWatches(ctx, tell, nil); err != nil && !errors.As(err, &keeper) {
				return // the window closes, or the home cannot be written to
			}
		}
		select {
		case <-time.After(keeperEvery):
		case <-ctx.Done():
		}
	}
}
