//go:build unix

package ollama

import (
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// child is a process of ours with all that it starts: they are a process group of their own.
type child struct {
	pid    int
	exited chan struct{} // closed when it has ended and its group is gone
	err    error         // how it ended; set before exited is closed
}

// startChild starts a process that does not outlive this one. Three things hold it: when this process ends, its guard asks the
// whole group to end and then kills it, and on Linux the kernel asks the child itself; when the child ends, its group is killed.
func startChild(cmd *exec.Cmd) (*child, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	held := endWithParent(cmd.SysProcAttr)
	g, guardFault := startGuard()
	c := &child{exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux takes the end of the thread that started the child for the end of its parent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		c.pid = cmd.Process.Pid
		g.watch(c.pid)
		started <- nil
		c.err = cmd.Wait()
		_ = syscall.Kill(-c.pid, syscall.SIGKILL) // its runners, if it left any
		g.dismiss()
		close(c.exited)
	}()
	if err := <-started; err != nil {
		g.dismiss()
		return nil, err
	}
	if guardFault != nil && !held {
		c.end(0)
		return nil, errors.New("no /bin/sh can be started to end it with this program: " + guardFault.Error())
	}
	return c, nil
}

// end asks the group to end, kills it when it has not after a while, and returns when it is gone.
func (c *child) end(grace time.Duration) {
	if grace > 0 {
		// The server ends its runners itself.
		_ = syscall.Kill(c.pid, syscall.SIGTERM)
		select {
		case <-c.exited:
			return
		case <-time.After(grace):
		}
	}
	_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	<-c.exited
}

// guard is a shell that waits for the end of this process.
type guard struct {
	cmd *exec.Cmd
	in  io.WriteCloser
}

// guardScript reads the number of a group. When its input ends without another line, this process is gone: it asks the group to
// end, and kills it after five seconds.
const guardScript = `trap '' INT TERM HUP
read -r group || exit 0
read -r _ && exit 0
kill -s TERM -- "-$group" 2>/dev/null || exit 0
i=0
while [ $i -lt 50 ] && kill -s 0 -- "-$group" 2>/dev/null; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$group" 2>/dev/null
`

func startGuard() (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends this process from a terminal must not end it
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{cmd, in}, nil
}

func (g *guard) watch(group int) {
	if g != nil {
		_, _ = io.WriteString(g.in, strconv.Itoa(group)+"\n") // a guard that is gone guards nothing
	}
}

// dismiss ends the guard; the group is gone or never was.
func (g *guard) dismiss() {
	if g != nil {
		_, _ = io.WriteString(g.in, "\n")
		_ = g.in.Close()
		_ = g.cmd.Wait()
	}
}
