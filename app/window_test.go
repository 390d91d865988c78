package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestState(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "made", "yet")
	if _, err := readState(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("readState of a new home = %v, want that there is none", err)
	}
	want := state{Width: 1000, Height: 700, X: 12, Y: -3, Maximised: true}
	if err := writeState(home, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readState(home); err != nil || got != want {
		t.Errorf("readState = %+v, %v; want %+v", got, err, want)
	}
	if err := writeState("", want); err == nil {
		t.Error("writeState without a home wrote into the current folder")
	}
}

func TestReadStateRefuses(t *testing.T) {
	tests := []struct{ name, file string }{
		{"empty", ""},
		{"not JSON", "width=3"},
		{"too small", `{"width":10,"height":10}`},
		{"too large", `{"width":99999,"height":700}`},
		{"off the screen", `{"width":1000,"height":700,"x":-90000}`},
		{"cut off", `{"width":1000,"hei`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, stateFile), []byte(tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if s, err := readState(home); err == nil {
				t.Errorf("readState = %+v, want an error", s)
			}
		})
	}
}

func TestInstanceID(t *testing.T) {
	a, b := instanceID("/home/a/assay"), instanceID("/home/b/assay")
	if a == b || a != instanceID("/home/a/./assay") {
		t.Errorf("instanceID: %q and %q; want one for each home, by its clean path", a, b)
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9]+$`).MatchString(a) {
		t.Errorf("instanceID = %q, which is no part of a D-Bus name", a)
	}
}

func TestReports(t *testing.T) {
	handler := pageHeaders(reports(func(_ context.Context, id string) ([]byte, error) {
		if id != "r1" {
			return nil, errors.New("there is no run " + id)
		}
		return []byte("<!doctype html><p>report"), nil
	}))
	tests := []struct {
		name, method, path string
		status             int
		policy, body       string
	}{
		{"a report", "GET", "/report/r1", 200, "sandbox; default-src 'none'", "<p>report"},
		{"no such run", "GET", "/report/%3Cscript%3E", 404, "sandbox; default-src 'none'", "there is no run"},
		{"not under a report", "GET", "/report/r1/../../etc/passwd", 0, "default-src 'none'", ""},
		{"only reading", "POST", "/report/r1", 405, "default-src 'none'", ""},
		{"elsewhere", "GET", "/nothing", 404, "default-src 'none'; script-src 'self'", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			rw := httptest.NewRecorder()
			handler.ServeHTTP(rw, httptest.NewRequest(tc.method, tc.path, nil))
			if tc.status != 0 && rw.Code != tc.status {
				t.Errorf("status = %d, want %d", rw.Code, tc.status)
			}
			if tc.status == 0 && rw.Code == http.StatusOK {
				t.Errorf("status = %d for a path that leaves the reports", rw.Code)
			}
			if got := rw.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, tc.policy) {
				t.Errorf("policy = %q, want %q", got, tc.policy)
			}
			if !strings.Contains(rw.Body.String(), tc.body) {
				t.Errorf("body = %q, want %q in it", rw.Body.String(), tc.body)
			}
			if rw.Code >= 400 && strings.Contains(rw.Header().Get("Content-Type"), "html") {
				t.Error("a fault is sent as HTML")
			}
		})
	}
}

// TestPagePolicy holds what the policy must never allow.
func TestPagePolicy(t *testing.T) {
	for _, never := range []string{"script-src 'self' 'unsafe", "unsafe-eval", "http:", "https:", " *;"} {
		if strings.Contains(pagePolicy, never) {
			t.Errorf("the page's policy allows %q", never)
		}
	}
	if strings.Contains(reportPolicy, "allow-same-origin") || strings.Contains(reportPolicy, "script") {
		t.Error("a report may run scripts or reach the window")
	}
}

func TestUseSafeRenderer(t *testing.T) {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	t.Setenv(name, "0")
	useSafeRenderer()
	if got := os.Getenv(name); got != "0" {
		t.Errorf("%s = %q, want the person's own 0", name, got)
	}
	os.Unsetenv(name) // t.Setenv puts back what was there
	useSafeRenderer()
	if got := os.Getenv(name); got != "1" {
		t.Errorf("%s = %q, want 1", name, got)
	}
}

func TestNoDisplay(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", ":77")
	try := func(r any) (err error) {
		defer noDisplay(&err)
		if r != nil {
			panic(r)
		}
		return nil
	}
	if err := try(nil); err != nil {
		t.Errorf("without a panic: %v", err)
	}
	if err := try(errors.New("failed to init GTK")); err == nil || !strings.Contains(err.Error(), `":77" does not answer`) {
		t.Errorf("no display: %v; want a sentence that names it", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("another panic was swallowed")
		}
	}()
	_ = try("another fault")
}
