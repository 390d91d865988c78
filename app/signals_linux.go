//go:build linux && cgo && !bindings && (dev || production)

package app

/*
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

// gcSignal is the signal by which the JavaScript engine stops a thread to collect garbage.
static int gcSignal(void) {
	const char *set = getenv("JSC_SIGNAL_FOR_GC");
	int sig = set ? atoi(set) : 0;
	return sig > 0 ? sig : SIGUSR1;
}

// restoreAltStack adds SA_ONSTACK to every handler that lacks it, but that of gcSignal, and returns how many lacked it.
static int restoreAltStack(void) {
	int restored = 0, gc = gcSignal();
	for (int sig = 1; sig < 32; sig++) {
		if (sig == gc) continue;
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
//
// The signal of the engine's garbage collector is left alone: its handler has to run on the stack of the thread that it stops,
// and one that finds itself on another stack tries again for ever, which stops the window at its first collection, some two
// minutes after its start.
func fixSignals() int { return int(C.restoreAltStack()) }
