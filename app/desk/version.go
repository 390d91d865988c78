package desk

import (
	"runtime/debug"
	"sync"
)

// Release is the version of a released program, set when it is linked. If empty, the revision it was built from is used.
var Release string

// BuildVersion returns the version of this program: its release, or "dev-" and the revision it was built from, or "dev". A run
// is resumed only by the version that began it.
var BuildVersion = sync.OnceValue(func() string {
	if Release != "" {
		return Release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-changed"
		}
	}
	if len(revision) < 12 {
		return "dev"
	}
	return "dev-" + revision[:12] + dirty
})
