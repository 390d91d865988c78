package app

import (
	"strings"
	"testing"
)

func TestWhyNoWindow(t *testing.T) {
	tests := []struct {
		name, kind, system, display, wayland string
		want                                 string // a part of it; "" for a window
	}{
		{"plain build", kindPlain, "linux", ":0", "", "has no window"},
		{"bindings need no display", kindBindings, "linux", "", "", ""},
		{"X", kindWindow, "linux", ":0", "", ""},
		{"Wayland", kindWindow, "linux", "", "wayland-0", ""},
		{"no display", kindWindow, "linux", "", "", "there is no display"},
		{"other systems have no such variables", kindWindow, "windows", "", "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			env := map[string]string{"DISPLAY": tc.display, "WAYLAND_DISPLAY": tc.wayland}
			got := whyNoWindow(tc.kind, tc.system, func(k string) string { return env[k] })
			if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("whyNoWindow = %q, want %q in it", got, tc.want)
			}
			if got != "" && !strings.Contains(got, "assay research") {
				t.Errorf("whyNoWindow = %q does not say what to do", got)
			}
		})
	}
}

// TestWindowMainPlain holds that the build the tests run in, which has no window, says so and ends with 1.
func TestWindowMainPlain(t *testing.T) {
	var stderr strings.Builder
	if code := windowMain(&stderr); code != 1 || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("windowMain = %d, %q; want 1 and one sentence", code, stderr.String())
	}
}
