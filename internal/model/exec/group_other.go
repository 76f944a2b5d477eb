//go:build !unix

package exec

import (
	"errors"
	"io"
	"os/exec"
)

// kept are the variables of ours that a command sees; Windows starts little without SystemRoot.
var kept = []string{"PATH", "PATHEXT", "SystemRoot", "USERPROFILE", "TEMP", "TMP"}

// run starts a command and waits for its end. At its deadline it alone is killed, since its children are out of reach,
// and its output is closed shortly after.
func run(cmd *exec.Cmd, _ string, out, failures io.Writer) error {
	cmd.Stdout, cmd.Stderr = out, failures
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the command has ended well, and said what it had to say
	}
	return err
}
