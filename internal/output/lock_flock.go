//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"os"
	"syscall"
)

// lock locks an open folder for this process until it is closed, and reports whether nobody else has it. A file system
// without locks keeps nobody out.
func lock(folder *os.File) bool {
	return !errors.Is(syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// unlock unlocks the folder. Closing it may take effect later, if a command is being started: until it runs, it shares
// its parent's open files.
func unlock(folder *os.File) { _ = syscall.Flock(int(folder.Fd()), syscall.LOCK_UN) }
