//go:build unix

package exec

import (
	"errors"
	"io"
	"os/exec"
	"syscall"
)

// kept are the variables that a command sees. The runner's tokens are not among them.
var kept = []string{"PATH", "HOME"}

// run starts a command in a process group and waits for its end. When it ends, or has to, the group is killed, and so
// are processes that left it and carry the mark.
func run(cmd *exec.Cmd, mark string, out, failures io.Writer) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Stdout, cmd.Stderr = out, failures
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nobody being left is as good
		killMarked(mark)
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the command has ended well, and somebody else still holds its input or output
	}
	return err
}
