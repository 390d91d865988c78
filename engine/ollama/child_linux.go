package ollama

import "syscall"

// endWithParent has the kernel ask the child to end when the thread that started it does. It reports whether that is possible.
func endWithParent(a *syscall.SysProcAttr) bool {
	a.Pdeathsig = syscall.SIGTERM
	return true
}
