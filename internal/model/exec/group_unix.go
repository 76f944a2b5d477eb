//go:build unix

package exec

import (
	"os/exec"
	"syscall"
)

// kept are the variables of ours that a command sees. The runner's tokens are not among them.
var kept = []string{"PATH", "HOME"}

// group puts a command at the head of a process group, and has the group killed when the command is to end.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup kills what is left of a command's group; nobody being left is as good.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
