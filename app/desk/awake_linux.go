package desk

import (
	"errors"
	"os/exec"
)

// keepAwake asks the login manager not to suspend. The lock is held by a process that ends when its input does, so that it
// never outlives this program, however that ends.
func keepAwake() (let func(), err error) {
	path, err := exec.LookPath("systemd-inhibit")
	if err != nil {
		return nil, errors.New("systemd-inhibit is not installed")
	}
	cmd := exec.Command(path, "--what=idle:sleep", "--who=Assay", "--why=A research is being worked on", "--mode=block", "cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = in.Close()
		_ = cmd.Wait() // it ended with its input, or had ended before
	}, nil
}
