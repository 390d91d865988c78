package gpu

import (
	"os/exec"
	"syscall"
)

// hideWindow keeps a console from flashing up at each question. Not run here.
func hideWindow(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
}
