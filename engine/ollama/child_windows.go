package ollama

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// child is a process of ours with all that it starts: they are in one job.
type child struct {
	pid    int
	job    windows.Handle
	exited chan struct{} // closed when it has ended and its job is gone
	err    error         // how it ended; set before exited is closed
}

// startChild starts a process that does not outlive this one: the system ends all of a job when its last handle is closed,
// which it is when this process ends. Built and vetted for Windows; not run there.
func startChild(cmd *exec.Cmd) (*child, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("make a job: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("limit a job: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	c := &child{pid: cmd.Process.Pid, job: job, exited: make(chan struct{})}
	err = c.join()
	go func() {
		c.err = cmd.Wait()
		_ = windows.CloseHandle(job) // ends what the process left
		close(c.exited)
	}()
	if err != nil {
		_ = cmd.Process.Kill()
		<-c.exited
		return nil, fmt.Errorf("put the server into a job: %w", err)
	}
	return c, nil
}

// join puts the process into its job, before it starts runners of its own.
func (c *child) join() error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(c.pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(c.job, h)
}

// end ends the job and returns when it is gone. A program without a window has nothing to be asked by, so the grace is not
// waited for.
func (c *child) end(time.Duration) {
	_ = windows.TerminateJobObject(c.job, 1)
	<-c.exited
}
