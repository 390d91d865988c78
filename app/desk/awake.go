package desk

import (
	"fmt"
	"sync"
	"time"
)

// A machine that falls asleep ends a night's work, and one that wakes may have lost its card: keeping it awake while runs of the
// queue are worked on, and noticing that it slept all the same.

// awake keeps the machine from falling asleep while anybody holds it. The zero value is ready.
type awake struct {
	mu    sync.Mutex
	held  int
	let   func() // lets it sleep again
	tried bool   // and could not: said once
}

// hold keeps the machine awake until release is called. why is a sentence when that is not possible here; it is said once.
func (a *awake) hold() (release func(), why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held++; a.held == 1 {
		let, err := keepAwake()
		if a.let = let; err != nil && !a.tried {
			a.tried = true
			why = fmt.Sprintf("The machine is not kept awake (%v); set it not to sleep, so that runs go on overnight.", err)
		}
	}
	return sync.OnceFunc(a.drop), why
}

func (a *awake) drop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held--; a.held == 0 && a.let != nil {
		a.let()
		a.let = nil
	}
}

// sleepLook is how often it is looked whether the machine slept.
const sleepLook = 2 * time.Second

// sleepLeast is the shortest sleep that is told: a busy machine may keep a goroutine waiting for some seconds.
const sleepLeast = 30 * time.Second

// sleepClock notices that the machine slept: the wall clock went on meanwhile and the monotonic one did not. A wall clock that is
// set anew looks the same and does no harm.
type sleepClock struct{ last time.Time }

func newSleepClock(now time.Time) *sleepClock { return &sleepClock{now} }

// slept returns for how long the machine slept since the last call; 0 when it did not.
func (c *sleepClock) slept(now time.Time) time.Duration {
	wall := now.Round(0).Sub(c.last.Round(0)) // Round drops the monotonic reading
	ran := now.Sub(c.last)
	c.last = now
	return sleptFor(wall, ran)
}

// sleptFor is how long a machine slept whose wall clock went on by wall while it ran for ran.
func sleptFor(wall, ran time.Duration) time.Duration {
	if gap := wall - ran; gap >= sleepLeast {
		return gap.Round(time.Second)
	}
	return 0
}

func wokeText(slept time.Duration) string {
	return fmt.Sprintf("The machine slept for %s; the model's place in memory is looked at again.", slept)
}

// woke is called after the machine slept: drivers may have lost the card meanwhile, and then the server loads the model into
// main memory without a word. The guard looks, and says so.
func (j *Job) woke(slept time.Duration) {
	_ = j.note("info", wokeText(slept)) // a note that cannot be kept ends nothing
	if g := j.guard.Load(); g != nil {
		g.poke()
	}
}
