package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// ServerStatus is what is known of the model servers here.
type ServerStatus struct {
	// Managed is the server that Assay started, in this program or another one of the same home; nil when none runs.
	Managed *ManagedServer `json:"managed,omitempty"`
	// Others answer and were not started by Assay. They are used, and never stopped.
	Others []OtherServer `json:"others"`
	// On says that runs start a server of their own.
	On bool `json:"on"`
	// InUse is the address that a run started now would ask; empty when it would start a server first.
	InUse string `json:"in_use,omitempty"`
	// Asked is the address that the settings or OLLAMA_HOST name, and AskedFault what is wrong with what answers there; "" when an
	// Ollama server does, or nobody.
	Asked      string `json:"asked"`
	AskedFault string `json:"asked_fault,omitempty"`
	// Binary is the installed program, or BinaryFault why there is none.
	Binary      string `json:"binary,omitempty"`
	BinaryFault string `json:"binary_fault,omitempty"`
}

// ManagedServer is a server that Assay started.
type ManagedServer struct {
	ollama.ServeStatus
	Holder string `json:"holder"` // "window, process 4711"
	Mine   bool   `json:"mine"`   // of this program
}

// OtherServer is a server that Assay did not start.
type OtherServer struct {
	URL     string `json:"url"`
	Version string `json:"version"`
}

// ServerStatus looks at the model servers. It starts none.
func (d *Desk) ServerStatus(ctx context.Context) (ServerStatus, error) {
	set := d.Settings()
	st := ServerStatus{Others: []OtherServer{}, On: set.ManagedServer, Managed: d.managedStatus()}
	var err error
	if st.Binary, err = d.ollamaBinary(); err != nil {
		st.BinaryFault = err.Error()
	}
	if st.Managed != nil {
		st.InUse = st.Managed.URL
	}
	base := d.ollamaURL()
	st.Asked = base
	if set.Offline && !loopback(base) {
		return st, ctx.Err() // it may not be asked
	}
	egress := research.Web
	if set.Offline {
		egress = research.Closed
	}
	for _, at := range append([]string{base}, ollama.Other(base)...) {
		if st.Managed != nil && at == st.Managed.URL {
			continue
		}
		if v, err := d.versionAt(ctx, at, egress); err == nil {
			st.Others = append(st.Others, OtherServer{at, v})
		} else if at == base && !errors.Is(err, research.ErrUnavailable) {
			st.AskedFault = err.Error()
		}
	}
	if st.InUse == "" && !set.ManagedServer && len(st.Others) > 0 {
		st.InUse = st.Others[0].URL
	}
	return st, ctx.Err()
}

// managedStatus is the server that Assay runs, here or in another program; nil when there is none.
func (d *Desk) managedStatus() *ManagedServer {
	if s := d.managed.own(); s != nil {
		return &ManagedServer{s.Status(), store.Holder{PID: os.Getpid(), Program: d.program}.String(), true}
	}
	holder, held := store.LeaseHolder(d.serverDir())
	if !held {
		return nil
	}
	st, err := d.readServer()
	if err != nil {
		return nil // it is being started
	}
	return &ManagedServer{st.ServeStatus, holder.String(), false}
}

// StartServer starts the managed server, whether it is set to be on or not, and returns when it answers. One that another
// program of this home runs already is told of instead.
func (d *Desk) StartServer(ctx context.Context) (ManagedServer, error) {
	if _, err := d.serving(ctx); err != nil {
		return ManagedServer{}, d.notStarted(err)
	}
	if st := d.managedStatus(); st != nil {
		return *st, nil
	}
	return ManagedServer{}, fmt.Errorf("the model server has ended again; look at its log: %w", research.ErrUnavailable)
}

// notStarted says besides what to do when the installed program does not become a server.
func (d *Desk) notStarted(err error) error {
	if !errors.Is(err, research.ErrUnavailable) || errors.Is(err, ollama.ErrNotInstalled) || strings.Contains(err.Error(), "; ") {
		return err
	}
	do := "look at its log with assay server log"
	if binary := d.Settings().OllamaBinary; binary != "" {
		do = fmt.Sprintf("the setting ollama_binary names %s: correct or empty it if that is not Ollama", binary)
	}
	return &toldError{strings.TrimSuffix(err.Error(), ": "+research.ErrUnavailable.Error()) + "; " + do, research.ErrUnavailable}
}

// ServerDone is closed when the managed server of this program has ended for good and was let go; nil when this program runs none.
func (d *Desk) ServerDone() <-chan struct{} {
	d.managed.mu.Lock()
	defer d.managed.mu.Unlock()
	if d.managed.served == nil {
		return nil
	}
	return d.managed.tended
}

// ServerFault says why the last managed server of this program was given up; "" when it was not.
func (d *Desk) ServerFault() string {
	d.managed.mu.Lock()
	defer d.managed.mu.Unlock()
	return d.managed.fault
}

// ErrForeignServer: a server that Assay did not start is left alone.
var ErrForeignServer = errors.New("not started by Assay")

// toldError is an error of a kind whose sentence says all by itself: the kind is for errors.Is.
type toldError struct {
	text string
	kind error
}

func (e *toldError) Error() string { return e.text }
func (e *toldError) Unwrap() error { return e.kind }

// ErrServerInUse: the managed server is not stopped now.
var ErrServerInUse = errors.New("the model server is in use")

// StopServer stops the server that Assay started, in this program or another one, and says in one sentence what it did. It stops
// nothing else: the error then wraps [ErrForeignServer].
func (d *Desk) StopServer(ctx context.Context) (string, error) {
	if s := d.managed.own(); s != nil {
		if why := d.serverInUse(); why != "" {
			return "", &toldError{why, ErrServerInUse}
		}
		url := s.URL()
		d.managed.close()
		return fmt.Sprintf("Stopped the model server at %s.", url), nil
	}
	if holder, held := store.LeaseHolder(d.serverDir()); held {
		return d.askToStop(ctx, holder)
	}
	st, err := d.ServerStatus(ctx)
	if err != nil {
		return "", err
	}
	if len(st.Others) > 0 {
		return "", &toldError{fmt.Sprintf("the Ollama server at %s was not started by Assay and is left running; stop it where it was started", st.Others[0].URL), ErrForeignServer}
	}
	return "No model server that Assay started is running.", nil
}

// askToStop asks the program that owns the server to end it.
func (d *Desk) askToStop(ctx context.Context, holder store.Holder) (string, error) {
	dir := d.serverDir()
	_ = os.Remove(filepath.Join(dir, refusalFile)) // of an earlier request
	if err := os.WriteFile(filepath.Join(dir, stopFile), nil, 0o600); err != nil {
		return "", store.Fault("ask the other program to stop the model server", dir, err)
	}
	const wait, pause = 15 * time.Second, 50 * time.Millisecond
	for began := time.Now(); time.Since(began) < wait; {
		if _, held := store.LeaseHolder(dir); !held {
			_ = os.Remove(filepath.Join(dir, stopFile)) // it ended by itself
			return fmt.Sprintf("Stopped the model server of the other program (%s).", holder), nil
		}
		if why, err := os.ReadFile(filepath.Join(dir, refusalFile)); err == nil {
			return "", &toldError{fmt.Sprintf("%s does not stop the server: %.200s", holder, why), ErrServerInUse}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	_ = os.Remove(filepath.Join(dir, stopFile)) // nobody heeds it
	return "", &toldError{fmt.Sprintf("the other program (%s) does not answer the request to stop the model server; close that program", holder), ErrServerInUse}
}

// ServerLog is the end of the managed server's log and what it says.
type ServerLog struct {
	File  string     `json:"file"`
	Lines []string   `json:"lines"` // oldest first
	Said  ollama.Log `json:"said"`
}

// ServerLog returns up to n of the newest lines of the managed server's log, also of one that has ended. Without a log the
// lines are empty.
func (d *Desk) ServerLog(n int) (ServerLog, error) {
	out := ServerLog{File: filepath.Join(d.serverDir(), serverLog), Lines: []string{}}
	var parts []io.Reader
	for _, name := range []string{out.File + ".1", out.File} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return out, store.Fault("read the log", name, err)
		}
		defer func() { _ = f.Close() }() // opened for reading
		const most = 8 << 20             // bytes of a file that are read; the server's own bound is half of it
		parts = append(parts, io.LimitReader(f, most))
	}
	b, err := io.ReadAll(io.MultiReader(parts...))
	if err != nil {
		return out, store.Fault("read the log", out.File, err)
	}
	if out.Said, err = ollama.ReadLog(strings.NewReader(string(b))); err != nil {
		return out, err
	}
	if text := strings.TrimRight(string(b), "\n"); text != "" {
		lines := strings.Split(text, "\n")
		out.Lines = lines[max(0, len(lines)-max(0, n)):]
	}
	return out, nil
}
