//go:build !unix

package bench

import "time"

var cpuBegan = time.Now()

// cpuTime is the time since the program began, where processor time is not asked for.
func cpuTime() time.Duration { return time.Since(cpuBegan) }
