package desk

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"assay/engine/library"
)

// WatchedFolder is what is known of a folder of the library that is kept up to date.
type WatchedFolder struct {
	library.WatchNews
	// ChangedMs is when Last changed, Unix time; 0 when nothing has.
	ChangedMs int64 `json:"changed_ms,omitempty"`
}

// watch is the folders that are kept up to date now.
type watch struct {
	mu      sync.Mutex
	folders map[string]WatchedFolder
}

// settingsEvery is how often a watch looks whether folders were added or the switch was turned, by whatever program.
const settingsEvery = 2 * time.Second

// WatchLibrary keeps the folders of the library up to date until ctx ends: those that are added meanwhile too, and none while the
// setting says off. After changes it makes the vectors that are missing. tell, which may be nil, hears of each folder's news, and
// must not block. It returns nil when ctx ends.
func (d *Desk) WatchLibrary(ctx context.Context, tell func(WatchedFolder)) error {
	for ctx.Err() == nil {
		s := d.Settings()
		folders := s.Libraries
		if s.Library.Watch == "off" {
			folders = nil
		}
		if err := d.watchThese(ctx, folders, tell); err != nil {
			return err
		}
	}
	return nil
}

// watchThese watches folders until ctx ends or they are others.
func (d *Desk) watchThese(ctx context.Context, folders []string, tell func(WatchedFolder)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	changed := make(chan struct{}, 1)
	var work sync.WaitGroup
	defer work.Wait()
	defer stop()
	failed := make(chan error, 1)
	if len(folders) > 0 {
		lib, err := d.library()
		if err != nil {
			return err
		}
		work.Go(func() {
			failed <- lib.Watch(ctx, folders, library.WatchOptions{Told: func(n library.WatchNews) {
				f := d.watched.take(n)
				if tell != nil {
					tell(f)
				}
				if n.Did != nil {
					select {
					case changed <- struct{}{}:
					default: // is due already
					}
				}
			}})
		})
		work.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-changed:
					_, _, _ = d.EmbedLibrary(ctx, nil) // what is missing is made at the next change or by assay library add
				}
			}
		})
	}
	defer d.watched.clear()
	every := time.NewTicker(settingsEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			if err != nil || ctx.Err() != nil {
				return err
			}
		case <-every.C:
			s := d.Settings()
			now := s.Libraries
			if s.Library.Watch == "off" {
				now = nil
			}
			if !slices.Equal(now, folders) {
				return nil
			}
		}
	}
}

// take notes the news of a folder and returns what is known of it now.
func (w *watch) take(n library.WatchNews) WatchedFolder {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.folders == nil {
		w.folders = map[string]WatchedFolder{}
	}
	f := w.folders[n.Folder]
	last, at := f.Last, f.ChangedMs
	f = WatchedFolder{WatchNews: n}
	if n.Last != "" {
		f.ChangedMs = time.Now().UnixMilli()
	} else {
		f.Last, f.ChangedMs = last, at
	}
	w.folders[n.Folder] = f
	return f
}

func (w *watch) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.folders = nil
}

// Watched returns the folders that this program keeps up to date now, by path.
func (d *Desk) Watched() map[string]WatchedFolder {
	d.watched.mu.Lock()
	defer d.watched.mu.Unlock()
	return maps.Clone(d.watched.folders)
}
