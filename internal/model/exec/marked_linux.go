package exec

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// sweeps bound how often is looked for processes that were started while others were killed.
const sweeps = 5

// killMarked kills every process that has the mark in its environment, in any group and session. One that removed the
// mark, or is another user's, is out of reach.
func killMarked(mark string) {
	for range sweeps {
		if !sweep([]byte(mark)) {
			return
		}
	}
}

// sweep kills what it finds once, and reports whether it found anything.
func sweep(mark []byte) (found bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	names, _ := proc.Readdirnames(-1) // what could be read
	_ = proc.Close()
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && marked(pid, mark) && kill(pid, mark) {
			found = true
		}
	}
	return found
}

// marked reports whether a process has the mark in its environment.
func marked(pid int, mark []byte) bool {
	environ, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ") // entries, each with a zero byte behind it
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, mark) {
			return true
		}
	}
	return false
}

// kill kills a process that has the mark. It checks the mark once more while it holds a handle, so that no other
// process can have taken the number.
func kill(pid int, mark []byte) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	return marked(pid, mark) && process.Signal(syscall.SIGKILL) == nil
}
