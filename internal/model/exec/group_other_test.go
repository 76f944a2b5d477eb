//go:build !unix

package exec_test

import (
	"os/exec"
	"testing"
)

func detach(*exec.Cmd) {}

// gone checks nothing: without process groups only the command itself is ended.
func gone(*testing.T, string) {}
