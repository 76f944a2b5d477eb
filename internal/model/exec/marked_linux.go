package exec

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// sweeps bound how often is looked for processes that were started while others were killed.
const sweeps = 5

// killMarked kills every process that has the mark in its environment, whatever group and session it went to. One that took
// the mark out, or is another user's, is out of reach.
func killMarked(mark string) {
	for range sweeps {
		if !sweep([]byte(mark)) {
			return
		}
	}
}

// sweep kills what it finds once, and reports whether it found anything.
func sweep(mark []byte) (found bool) {
	names, err := filepath.Glob("/proc/[1-9]*/environ")
	if err != nil {
		return false
	}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			continue
		}
		process, err := os.FindProcess(pid) // held by a handle, so that no other one gets its number meanwhile
		if err != nil {
			continue
		}
		if environ, err := os.ReadFile(name); err == nil && hasLine(environ, mark) && process.Signal(syscall.SIGKILL) == nil {
			found = true
		}
		_ = process.Release()
	}
	return found
}

// hasLine reports whether one of the entries, each with a zero byte behind it, is line.
func hasLine(environ, line []byte) bool {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, line) {
			return true
		}
	}
	return false
}
