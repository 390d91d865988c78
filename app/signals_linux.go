//go:build linux && cgo && !bindings && (dev || production)

package app

/*
#include <signal.h>
#include <stddef.h>

// restoreAltStack adds SA_ONSTACK to every handler that lacks it, and returns how many lacked it.
static int restoreAltStack(void) {
	int restored = 0;
	for (int sig = 1; sig < 32; sig++) {
		struct sigaction act;
		if (sigaction(sig, NULL, &act) != 0) continue;
		if (act.sa_handler == SIG_DFL || act.sa_handler == SIG_IGN || (act.sa_flags & SA_ONSTACK)) continue;
		act.sa_flags |= SA_ONSTACK;
		if (sigaction(sig, &act, NULL) == 0) restored++;
	}
	return restored;
}
*/
import "C"

// fixSignals makes the handlers that WebKitGTK's JavaScript engine installed run on the alternate signal stack. Without
// that, Go ends the whole process at the first nil dereference ("non-Go code set up signal handler without SA_ONSTACK
// flag") where it would otherwise panic, and a panic can be recovered. It returns how many handlers it changed, and may be
// called at any time, from any goroutine.
func fixSignals() int { return int(C.restoreAltStack()) }
