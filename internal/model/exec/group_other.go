//go:build !unix

package exec

import "os/exec"

// kept are the variables of ours that a command sees; Windows starts little without SystemRoot.
var kept = []string{"PATH", "PATHEXT", "SystemRoot", "USERPROFILE", "TEMP", "TMP"}

// group leaves a command where it is: at its deadline it is killed, and its output is closed shortly after for what it started.
func group(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}
