package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestFindDirs(t *testing.T) {
	for _, tc := range []struct {
		name string
		env  map[string]string
		want Dirs
	}{
		{"one home", map[string]string{"ASSAY_HOME": "/a", "XDG_DATA_HOME": "/d"}, Dirs{"/a", "/a", "/a", "/a/cache"}},
		{"defaults", map[string]string{"HOME": "/h"}, Dirs{"/h/.config/assay", "/h/.local/state/assay", "/h/.local/share/assay", "/h/.cache/assay"}},
		{"XDG", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k"},
			Dirs{"/c/assay", "/s/assay", "/d/assay", "/k/assay"}},
		{"relative is ignored", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "c"},
			Dirs{"/h/.config/assay", "/h/.local/state/assay", "/h/.local/share/assay", "/h/.cache/assay"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := FindDirs(func(name string) string { return tc.env[name] })
			if err != nil || got != tc.want {
				t.Errorf("FindDirs = %+v, %v, want %+v", got, err, tc.want)
			}
		})
	}
}

func TestOllamaHost(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"unset", "", "http://127.0.0.1:11434"},
		{"host", "box", "http://box:11434"},
		{"host and port", "box:80", "http://box:80"},
		{"port", ":9999", "http://127.0.0.1:9999"},
		{"listens everywhere", "0.0.0.0", "http://127.0.0.1:11434"},
		{"listens everywhere, port", "0.0.0.0:1234", "http://127.0.0.1:1234"},
		{"address", "http://box:1234/", "http://box:1234"},
		{"secure", "https://box", "https://box:443"},
		{"plain scheme", "http://box", "http://box:80"},
		{"IPv6", "[::1]:11434", "http://[::1]:11434"},
		{"IPv6 without port", "[::1]", "http://[::1]:11434"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := ollamaHost(tc.in); got != tc.want {
				t.Errorf("ollamaHost(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	home := t.TempDir()
	d, err := Open(Options{Getenv: env(home)})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetSettings(Settings{Depth: research.Deep, Offline: true, Model: "extractive"}); err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	if _, err := d.AddLibrary(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.SetSettings(Settings{Lang: "zh", Libraries: []string{"/other"}}); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]Settings{
		"model": {Model: "x"}, "record": {Model: "recorded:x"}, "server": {OllamaURL: "box"}, "depth": {Depth: "x"}, "language": {Lang: "x"},
	} {
		if err := d.SetSettings(bad); err == nil {
			t.Errorf("settings with a bad %s were kept", name)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(Options{Getenv: env(home)})
	if err != nil {
		t.Fatal(err)
	}
	if s := again.Settings(); s.Lang != "zh" || s.Offline || len(s.Libraries) != 1 || s.Libraries[0] != dir {
		t.Errorf("Settings = %+v", s)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(`{"depth":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Getenv: env(home)}); err == nil || !strings.Contains(err.Error(), "settings.json") {
		t.Errorf("Open with broken settings = %v", err)
	}
}

func TestLibraries(t *testing.T) {
	d := testDesk(t, succeed)
	if _, err := d.SearchLibrary(t.Context(), LibrarySearch{Words: "gold", Limit: 5}); err == nil {
		t.Error("an empty library was searched")
	}
	dir := folder(t)
	got, err := d.AddLibrary(t.Context(), dir, nil)
	if err != nil || got.Added != 1 {
		t.Fatalf("AddLibrary = %+v, %v", got, err)
	}
	if got, err := d.AddLibrary(t.Context(), dir, nil); err != nil || got.Added != 0 {
		t.Errorf("AddLibrary again = %+v, %v", got, err)
	}
	hits, err := d.SearchLibrary(t.Context(), LibrarySearch{Words: "gold melts", Limit: 5})
	if err != nil || len(hits) != 1 || hits[0].Location != "docs/gold.txt" {
		t.Errorf("SearchLibrary = %+v, %v", hits, err)
	}
	list, err := d.Libraries(t.Context())
	if err != nil || len(list) != 1 || list[0].Files != 1 || list[0].Fault != "" {
		t.Errorf("Libraries = %+v, %v", list, err)
	}
	if docs, err := d.Documents(t.Context(), dir); err != nil || len(docs) != 1 {
		t.Errorf("Documents = %+v, %v", docs, err)
	}
	if err := d.RemoveLibrary(t.Context(), dir+"x"); err == nil {
		t.Error("a folder that is not in the library was taken out")
	}
	if err := d.RemoveLibrary(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if list, err := d.Libraries(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("Libraries after removal = %+v, %v", list, err)
	}
}

func TestDoctor(t *testing.T) {
	d := testDesk(t, succeed)
	var names []string
	for _, s := range d.Doctor(t.Context()) {
		names = append(names, s.Name+" "+s.Level)
		if s.Text == "" && s.Name != "machine" {
			t.Errorf("%s says nothing", s.Name)
		}
		if s.Level != LevelOK && s.Cure == "" {
			t.Errorf("%s is %s and has no cure", s.Name, s.Level)
		}
	}
	want := "version ok, home ok, settings ok, runs ok, library note, model note, machine ok"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("Doctor = %s, want %s", got, want)
	}
}

// TestSettingsOfAnother holds that a home that is open sees what another program sets, and is not thrown by a damaged file.
func TestSettingsOfAnother(t *testing.T) {
	home, dir := t.TempDir(), folder(t)
	open := func() *Desk {
		d, err := Open(Options{Getenv: env(home)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		return d
	}
	window, terminal := open(), open()
	if _, err := terminal.AddLibrary(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if got := window.Settings().Libraries; len(got) != 1 || got[0] != dir {
		t.Errorf("libraries = %q; want the folder that the other program added", got)
	}
	file := filepath.Join(window.Dirs().Config, "settings.json")
	if err := os.WriteFile(file, []byte(`{"libr`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := window.Settings().Libraries; len(got) != 1 {
		t.Errorf("libraries = %q while the file is damaged; want the last good ones", got)
	}
}
