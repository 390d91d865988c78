//go:build !unix

package bench

import "time"

// processorTime is what the processors have done for this program so far; 0 where the system does not say.
func processorTime() time.Duration { return 0 }
