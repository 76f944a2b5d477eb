//go:build !unix

package exec

import (
	"errors"
	"io"
	"os/exec"
)

// passedEnv are the environment variables that a command sees. On Windows few programs start without SystemRoot.
var passedEnv = []string{"PATH", "PATHEXT", "SystemRoot", "USERPROFILE", "TEMP", "TMP"}

// run starts a command and waits for its end. At the deadline it kills only the command, because its children cannot
// be found, and soon closes its output.
func run(cmd *exec.Cmd, _ string, out, stderr io.Writer) error {
	cmd.Stdout, cmd.Stderr = out, stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the command ended well and has written its answer
	}
	return err
}
