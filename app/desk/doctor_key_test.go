package desk

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnknownSetting holds that a misspelt key of the settings is named, also within a group, and a right one is not.
func TestUnknownSetting(t *testing.T) {
	for text, want := range map[string]string{`{"paralel":4}`: `"paralel"`, `{"memory":{"reserv":"1GiB"}}`: `"reserv"`, `{"parallel":4,"memory":{"reserve":"1GiB"}}`: "", `{`: "", `{}`: ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := unknownSetting(dir); got != want {
			t.Errorf("unknownSetting(%s) = %q, want %q", text, got, want)
		}
	}
}
