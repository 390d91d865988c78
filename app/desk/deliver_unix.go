//go:build unix

package desk

import (
	"os/exec"
	"syscall"
)

// apart has a program and its children in a group of their own, which ends together.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
