package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/app/desk"
	"assay/frontend"
)

// Sizes of the window, in pixels of the screen. The views are drawn for the first and hold down to the second.
const (
	width, height       = 1280, 800
	minWidth, minHeight = 800, 600
)

// hooks joins the frontend's API to Wails. Its methods are hooks, so they are not exported and not bound.
type hooks struct {
	api  *API
	stop chan struct{} // closed at shutdown
	once sync.Once
}

// openWindow shows the window and returns when it is closed.
func openWindow() (err error) {
	if !frontend.Built() && kind == kindWindow {
		return errors.New("this program was built before its page; build both with `make build`")
	}
	useSafeRenderer()
	defer noDisplay(&err)
	w := &hooks{api: newAPI(), stop: make(chan struct{})}
	return wails.Run(&options.App{
		Title:            "Assay",
		Width:            width,
		Height:           height,
		MinWidth:         minWidth,
		MinHeight:        minHeight,
		BackgroundColour: &options.RGBA{R: 0xf5, G: 0xf4, B: 0xf0, A: 0xff},
		LogLevel:         logger.WARNING,
		AssetServer: &assetserver.Options{
			Assets:     frontend.Assets(),
			Handler:    reports(w.api.report),
			Middleware: pageHeaders,
		},
		OnStartup:     w.startup,
		OnDomReady:    w.domReady,
		OnBeforeClose: w.beforeClose,
		OnShutdown:    w.shutdown,
		Bind:          []any{w.api},
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               instanceID(desk.Home()),
			OnSecondInstanceLaunch: w.secondStart,
		},
		Linux: &linux.Options{
			ProgramName: "assay", // WM_CLASS, by which a desktop finds the icon
			// The zero value would be Always, which shows an empty window with some drivers.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
	})
}

// noDisplay turns the panic with which Wails meets a display that does not answer into an error. Every other panic goes on.
func noDisplay(err *error) {
	switch r := recover(); {
	case r == nil:
	case fmt.Sprint(r) == "failed to init GTK":
		*err = fmt.Errorf("the display %q does not answer; check DISPLAY, or run `assay research \"QUESTION\" --library DIR` in the terminal instead",
			cmp.Or(os.Getenv("WAYLAND_DISPLAY"), os.Getenv("DISPLAY")))
	default:
		panic(r)
	}
}

// useSafeRenderer turns off WebKitGTK's DMA-BUF renderer, which shows an empty window with NVIDIA's driver. A person who
// sets the variable, to 0 as well, is obeyed. GTK reads it when it starts, so this comes before wails.Run.
func useSafeRenderer() {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	if _, set := os.LookupEnv(name); !set {
		os.Setenv(name, "1")
	}
}

// instanceID names the lock that keeps a second window off the same home; windows of different homes may stand side by
// side. It is made of letters and digits only, because it becomes part of a D-Bus name.
func instanceID(home string) string {
	if abs, err := filepath.Abs(home); err == nil {
		home = abs
	}
	sum := sha256.Sum256([]byte(home))
	return "assay" + hex.EncodeToString(sum[:8])
}

// startup runs once, when the window exists and before its page is asked for.
func (w *hooks) startup(ctx context.Context) {
	if s, err := readState(desk.Home()); err == nil {
		runtime.WindowSetSize(ctx, s.Width, s.Height)
		runtime.WindowSetPosition(ctx, s.X, s.Y) // Wayland ignores it
		if s.Maximised {
			runtime.WindowMaximise(ctx)
		}
	}
	w.api.startup(ctx)
}

// domReady runs whenever a page has loaded.
func (w *hooks) domReady(context.Context) {
	fixSignals()
	w.once.Do(func() { go w.keepSignals() })
}

// keepSignals repeats fixSignals for the first minute, because WebKit may install handlers again while it warms up.
func (w *hooks) keepSignals() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for range 60 {
		select {
		case <-tick.C:
			fixSignals()
		case <-w.stop:
			return
		}
	}
}

// beforeClose remembers where the window stood. It never prevents the window from closing.
func (w *hooks) beforeClose(ctx context.Context) (prevent bool) {
	s := state{Maximised: runtime.WindowIsMaximised(ctx)}
	s.Width, s.Height = runtime.WindowGetSize(ctx)
	s.X, s.Y = runtime.WindowGetPosition(ctx)
	if s.Maximised {
		// The size before it was maximised is what the person chose; it is kept from the last time.
		if last, err := readState(desk.Home()); err == nil {
			last.Maximised = true
			s = last
		}
	}
	_ = writeState(desk.Home(), s) // a place that cannot be kept is no reason to stay open
	return false
}

// shutdown runs when the window is closed, or at an interrupt.
func (w *hooks) shutdown(ctx context.Context) {
	close(w.stop)
	w.api.shutdown(ctx)
}

// secondStart brings the window forward when the person starts Assay a second time on the same home.
func (w *hooks) secondStart(options.SecondInstanceData) {
	if ctx := w.api.context(); ctx != nil {
		runtime.WindowUnminimise(ctx)
		runtime.WindowShow(ctx)
	}
}

// pagePolicy is what the page may load: its own files, and nothing from any network. Styles may stand in the page because
// Svelte writes style attributes. The socket is that of the dev build, in which the page runs in a browser.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self' ws://localhost:* ws://127.0.0.1:*; frame-src 'self'; base-uri 'none'; form-action 'none'"

// reportPolicy is what a report may load in the window: nothing. It runs no script and has no origin, so that text quoted
// from a hostile page cannot reach the bindings; the frame around it is sandboxed as well.
const reportPolicy = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"

// pageHeaders puts the page's policy on every answer. A handler behind it may set a stricter one.
func pageHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		h := rw.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(rw, r)
	})
}

// reports serves GET /report/ID, the page of a run, for a frame of the window; ?theme=light or dark forces its colours. find returns the page, or an error whose
// text may be shown to the person.
func reports(find func(ctx context.Context, id string) ([]byte, error)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /report/{id}", func(rw http.ResponseWriter, r *http.Request) {
		h := rw.Header()
		h.Set("Content-Security-Policy", reportPolicy)
		page, err := find(r.Context(), r.PathValue("id"))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusNotFound)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		_, _ = rw.Write(desk.Themed(page, r.URL.Query().Get("theme"))) // the frame is gone; there is nobody to tell
	})
	return mux
}

// state is where the window stood when it was last closed, in pixels.
type state struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Maximised bool `json:"maximised"`
}

// maxPixels bounds a size or place read from the file: a window beyond it would be lost to the person.
const maxPixels = 16384

// stateFile is kept in the home, beside the settings.
const stateFile = "window.json"

// errNoHome is returned where there is no folder to keep the state in.
var errNoHome = errors.New("there is no home folder")

// readState reads where the window stood. It returns an error for a file that is missing, damaged or out of bounds.
func readState(home string) (state, error) {
	if home == "" {
		return state{}, errNoHome
	}
	data, err := os.ReadFile(filepath.Join(home, stateFile))
	if err != nil {
		return state{}, err
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return state{}, err
	}
	if s.Width < minWidth || s.Height < minHeight || max(s.Width, s.Height) > maxPixels ||
		min(s.X, s.Y) < -minWidth || max(s.X, s.Y) > maxPixels {
		return state{}, errors.New("the window's place is out of bounds")
	}
	return s, nil
}

// writeState keeps where the window stood, through a second file so that a crash leaves the old one or the new one.
func writeState(home string, s state) error {
	if home == "" {
		return errNoHome
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	part := filepath.Join(home, stateFile+".part")
	if err := os.WriteFile(part, data, 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(home, stateFile))
}
