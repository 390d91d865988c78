// Package app is Assay's window, and the place where the program chooses between the window and the terminal.
//
// Start at [Main]. window.go wires Wails, api.go holds what the page may call, events.go what it is told. There is no
// research logic here: that is in engine, and package desk opens it on the person's home folder.
package app

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"assay/app/cli"
	"assay/app/desk"
)

// Main runs the program with its arguments, the name left out, and returns the exit code. Without arguments it opens the
// window; with them it is a program of the terminal, whose codes are those of [cli.Main].
//
// Nothing is opened, probed or dialled before the window runs, because the build runs this very function to generate the
// bindings, on machines where there is nothing to open.
func Main(args []string) int {
	switch {
	case len(args) > 0 && args[0] == "pdf-worker": // our own child: it reads one PDF and nothing else is set up for it
		return desk.PDFWorker(args[1:], os.Stdin, os.Stdout, os.Stderr)
	case len(args) > 0 && args[0] == desk.NVMLCommand: // the same: it loads the driver's library, which may hang or crash
		return desk.NVMLProbe(args[1:], os.Stdout, os.Stderr)
	case len(args) > 0:
		return cli.Main(args, os.Stdin, os.Stdout, os.Stderr)
	}
	return windowMain(os.Stderr)
}

// windowMain opens the window and returns when it is closed, or says in one sentence why there is none.
func windowMain(stderr io.Writer) int {
	if why := whyNoWindow(kind, runtime.GOOS, os.Getenv); why != "" {
		fmt.Fprintln(stderr, "assay: "+why)
		return 1
	}
	if err := openWindow(); err != nil {
		fmt.Fprintf(stderr, "assay: open the window: %v\n", err)
		return 1
	}
	return 0
}

// The kinds of build. A build's kind is set by its tags: see kind_*.go.
const (
	kindPlain    = "plain"    // no tags: the terminal only
	kindBindings = "bindings" // writes the page's bindings and ends
	kindWindow   = "window"   // dev or production: has the window
)

// whyNoWindow is the sentence that says why this program cannot open a window here and what to do instead, or "" when it
// can.
func whyNoWindow(kind, system string, getenv func(string) string) string {
	switch {
	case kind == kindBindings:
		return ""
	case kind == kindPlain:
		return "this build has no window; run `assay research \"QUESTION\" --library DIR` in the terminal, or build the window with `make build`"
	case system == "linux" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "":
		return "there is no display for the window (DISPLAY and WAYLAND_DISPLAY are not set); run `assay research \"QUESTION\" --library DIR` in the terminal instead"
	}
	return ""
}
