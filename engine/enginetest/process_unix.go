//go:build unix

package enginetest

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a process that is not started yet the head of a group, and killGroup ends all of it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
