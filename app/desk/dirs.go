package desk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Dirs are the folders of a home, each absolute.
type Dirs struct {
	Config string // settings.json
	State  string // where the window stood
	Data   string // runs/ and library/
	Cache  string // what can be made again
}

// FindDirs returns the folders by the XDG rules, or all of them inside ASSAY_HOME when that is set. getenv is [os.Getenv] or a
// stand-in. It makes nothing.
func FindDirs(getenv func(string) string) (Dirs, error) {
	if home := getenv("ASSAY_HOME"); home != "" {
		abs, err := filepath.Abs(home)
		if err != nil {
			return Dirs{}, fmt.Errorf("ASSAY_HOME %q: %w", home, err)
		}
		return Dirs{Config: abs, State: abs, Data: abs, Cache: filepath.Join(abs, "cache")}, nil
	}
	home := getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // on systems that do not use HOME
	}
	var missing bool
	pick := func(name string, rest ...string) string {
		// The XDG rules say that a relative path is ignored.
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "assay")
		}
		missing = missing || home == ""
		return filepath.Join(append(append([]string{home}, rest...), "assay")...)
	}
	d := Dirs{
		Config: pick("XDG_CONFIG_HOME", ".config"),
		State:  pick("XDG_STATE_HOME", ".local", "state"),
		Data:   pick("XDG_DATA_HOME", ".local", "share"),
		Cache:  pick("XDG_CACHE_HOME", ".cache"),
	}
	if missing {
		return Dirs{}, errors.New("there is no home folder: set ASSAY_HOME to a folder that may be written")
	}
	return d, nil
}

// Home returns the folder where the window keeps its state, without opening or making anything; "" when there is none.
func Home() string {
	d, err := FindDirs(os.Getenv)
	if err != nil {
		return ""
	}
	return d.State
}
