//go:build unix

package exec

import (
	"errors"
	"io"
	"os/exec"
	"syscall"
)

// passedEnv are the environment variables that a command sees. The runner's tokens are not among them.
var passedEnv = []string{"PATH", "HOME"}

// run starts a command in a process group and waits for its end. It then kills the group, and the processes outside
// of it that have the mark.
func run(cmd *exec.Cmd, mark string, out, stderr io.Writer) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Stdout, cmd.Stderr = out, stderr
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the group may be empty
		killMarked(mark)
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the command ended well; another process still holds its input or output
	}
	return err
}
