//go:build !linux || !cgo || bindings || !(dev || production)

package app

// fixSignals has nothing to do where no WebKitGTK is in the process.
func fixSignals() int { return 0 }
