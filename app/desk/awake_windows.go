package desk

import (
	"errors"
	"runtime"

	"golang.org/x/sys/windows"
)

// What SetThreadExecutionState takes: ES_CONTINUOUS and ES_SYSTEM_REQUIRED.
const (
	stateContinuous = 0x80000000
	stateSystem     = 0x00000001
)

var setThreadExecutionState = windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadExecutionState")

// keepAwake asks the system to stay up. The request belongs to a thread, so one is kept for it.
func keepAwake() (let func(), err error) {
	end, asked := make(chan struct{}), make(chan bool)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		before, _, _ := setThreadExecutionState.Call(stateContinuous | stateSystem)
		asked <- before != 0
		<-end
		_, _, _ = setThreadExecutionState.Call(stateContinuous)
	}()
	stop := func() { close(end); <-done }
	if !<-asked {
		stop()
		return nil, errors.New("the system refused")
	}
	return stop, nil
}
