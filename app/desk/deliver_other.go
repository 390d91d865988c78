//go:build !unix

package desk

import "os/exec"

// apart does nothing here: the program is ended, and its children are its own concern.
func apart(*exec.Cmd) {}
