package desk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

// chest stands in for the keyring of the system.
type chest struct {
	held  map[string]string
	fault error
}

func (c *chest) get(name string) (string, error) {
	if c.fault != nil {
		return "", c.fault
	}
	return c.held[name], nil
}

func (c *chest) set(name, key string) error {
	if c.fault != nil {
		return c.fault
	}
	if key == "" {
		delete(c.held, name)
		return nil
	}
	c.held[name] = key
	return nil
}

// TestKeys: a key goes into the keyring and nowhere else; where there is no keyring that takes it, the sentence names the variable that
// holds it instead, and not the key.
func TestKeys(t *testing.T) {
	const key = "sk-very-secret-key-1"
	d := testDesk(t, succeed)
	c := &chest{held: map[string]string{}}
	d.wire.keyring = c
	asked := func() string {
		k, err := d.keys(research.Request{Egress: research.Web}, d.Settings().Web)
		if err != nil {
			t.Fatal(err)
		}
		return k.Brave
	}
	if asked() != "" {
		t.Error("a key from nowhere")
	}
	if err := d.SetKey("brave", " "+key+" \n"); err != nil || c.held["brave"] != key || asked() != key {
		t.Errorf("SetKey = %v, held %q, used %q", err, c.held["brave"], asked())
	}
	if err := d.SetWeb("contact", []string{"me@a.example"}); err != nil { // writes the settings
		t.Fatal(err)
	}
	wait(t, start(t, d, request(folder(t)), StartOptions{}))
	files := 0
	err := filepath.WalkDir(d.dirs.Data, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), key) {
			t.Errorf("%s holds the key, or %v", path, err)
		}
		return nil
	})
	if b, serr := os.ReadFile(filepath.Join(d.dirs.Config, "settings.json")); err != nil || files == 0 || serr != nil || strings.Contains(string(b), key) || !strings.Contains(string(b), "me@a.example") {
		t.Errorf("settings %s: %v, %v", b, err, serr)
	}
	for _, closed := range []research.Egress{research.Closed, research.Own} {
		if k, err := d.keys(research.Request{Egress: closed}, d.Settings().Web); err != nil || k.Brave != "" {
			t.Errorf("a run of reach %s is given the key: %v", closed, err)
		}
	}
	if err := d.SetKey("brave", ""); err != nil || asked() != "" {
		t.Errorf("taken out: %v, %q", err, asked())
	}
	for name, bad := range map[string]string{"altavista": key, "brave": "xyz", "tavily": "with space in it", "mojeek": strings.Repeat("x", 600)} {
		var u *UsageError
		if err := d.SetKey(name, bad); !errors.As(err, &u) || strings.Contains(err.Error(), bad) {
			t.Errorf("SetKey(%s) = %v", name, err)
		}
	}
	c.fault = errors.New("no such interface")
	for _, ring := range []secrets{c, nil} {
		d.wire.keyring = ring
		if err := d.SetKey("brave", key); err == nil || !strings.Contains(err.Error(), "set ASSAY_BRAVE_KEY instead") || strings.Contains(err.Error(), key) {
			t.Errorf("without a keyring: %v", err)
		}
		if asked() != "" {
			t.Error("without a keyring there is a key")
		}
	}
	was := d.getenv
	d.getenv = func(name string) string {
		if name == "ASSAY_BRAVE_KEY" {
			return key
		}
		return was(name)
	}
	if asked() != key {
		t.Error("the key of the environment is not used")
	}
}
