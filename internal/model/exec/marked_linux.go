package exec

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// maxSweeps limits the searches for processes that started during the killing.
const maxSweeps = 5

// killMarked kills every process with the mark in its environment, in any group and session. It cannot find processes
// that removed the mark, or that belong to another user.
func killMarked(mark string) {
	for range maxSweeps {
		if !sweep([]byte(mark)) {
			return
		}
	}
}

// sweep kills all marked processes once, and reports whether there was any.
func sweep(mark []byte) (found bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	names, _ := proc.Readdirnames(-1) // all readable names
	_ = proc.Close()
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && hasMark(pid, mark) && kill(pid, mark) {
			found = true
		}
	}
	return found
}

// hasMark reports whether a process has the mark in its environment.
func hasMark(pid int, mark []byte) bool {
	environ, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ") // entries, each ending in a zero byte
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, mark) {
			return true
		}
	}
	return false
}

// kill kills a process that has the mark. It checks the mark again while it holds a handle, so that no other process
// can have taken the number.
func kill(pid int, mark []byte) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	return hasMark(pid, mark) && process.Signal(syscall.SIGKILL) == nil
}
