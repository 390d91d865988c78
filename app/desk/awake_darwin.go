package desk

import (
	"os"
	"os/exec"
	"strconv"
)

// keepAwake has caffeinate hold the machine awake; it ends with this program.
func keepAwake() (let func(), err error) {
	cmd := exec.Command("/usr/bin/caffeinate", "-i", "-w", strconv.Itoa(os.Getpid()))
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}, nil
}
