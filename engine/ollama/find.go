package ollama

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"assay/engine/research"
)

// ErrNotInstalled: no Ollama program is on this machine where it is looked for.
var ErrNotInstalled = errors.New("not installed")

// Places is how the installed program is looked for; the fields are those of the system, or stand-ins.
type Places struct {
	System string // as runtime.GOOS
	Getenv func(string) string
	// LookPath finds a program on the PATH, as exec.LookPath.
	LookPath func(string) (string, error)
	// Runs reports whether there is a program at a path.
	Runs func(string) bool
}

// FindBinary returns the path of the installed program: the one that the person set, which must be there, else what the PATH
// has, else the places where its installers put it. The error wraps [ErrNotInstalled] and says where it was looked for.
func FindBinary(set string, p Places) (string, error) {
	if set != "" {
		if p.Runs(set) {
			return set, nil
		}
		return "", saying(ErrNotInstalled, "there is no program at %s, which the settings name as Ollama; correct the path or empty it", set)
	}
	if found, err := p.LookPath("ollama"); err == nil {
		return found, nil
	}
	usual := p.usual()
	for _, place := range usual {
		if p.Runs(place) {
			return place, nil
		}
	}
	return "", saying(ErrNotInstalled, "no Ollama program is on the PATH or in %s; install it from https://ollama.com/download, or set the path of the program", strings.Join(usual, ", "))
}

// usual lists where the installers put the program, the likeliest first.
func (p Places) usual() []string {
	home := p.Getenv("HOME")
	in := func(dir string, rest string) []string {
		if dir == "" {
			return nil
		}
		return []string{path.Join(strings.ReplaceAll(dir, `\`, "/"), rest)}
	}
	var out []string
	switch p.System {
	case "windows":
		out = append(out, in(p.Getenv("LOCALAPPDATA"), "Programs/Ollama/ollama.exe")...)
		out = append(out, in(p.Getenv("ProgramFiles"), "Ollama/ollama.exe")...)
		for i, place := range out {
			out[i] = strings.ReplaceAll(place, "/", `\`)
		}
	case "darwin":
		out = append(out, "/Applications/Ollama.app/Contents/Resources/ollama")
		out = append(out, in(home, "Applications/Ollama.app/Contents/Resources/ollama")...)
		out = append(out, "/opt/homebrew/bin/ollama", "/usr/local/bin/ollama")
	default:
		out = append(out, "/usr/local/bin/ollama", "/usr/bin/ollama", "/bin/ollama")
		out = append(out, in(home, ".local/bin/ollama")...)
		out = append(out, in(home, "bin/ollama")...)
		out = append(out, "/opt/ollama/bin/ollama", "/snap/bin/ollama")
	}
	return out
}

// Other returns the addresses at which the server of a local address may answer besides: servers listen on 127.0.0.1 or on
// ::1, and "localhost" is either. It is empty for an address on another machine.
func Other(base string) []string {
	for _, pair := range [][2]string{{"//127.0.0.1:", "//[::1]:"}, {"//[::1]:", "//127.0.0.1:"}} {
		if strings.Contains(base, pair[0]) {
			return []string{strings.Replace(base, pair[0], pair[1], 1)}
		}
	}
	return nil
}

// absent is the fault of a server that gave up, for the engine.
func absent(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, research.ErrUnavailable)...)
}
