//go:build unix && !linux

package ollama

import "syscall"

// endWithParent has nothing to set here and says so: only the guard ends the child.
func endWithParent(*syscall.SysProcAttr) bool { return false }
