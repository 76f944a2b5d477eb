//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"os"
	"syscall"
)

// lock locks an open folder until the folder is closed. It returns false if another process has locked it. On a file
// system without locks, it returns true and locks nothing.
func lock(folder *os.File) bool {
	return !errors.Is(syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// unlock unlocks the folder. Closing alone may unlock it late, because a command that is being started shares the open
// file.
func unlock(folder *os.File) { _ = syscall.Flock(int(folder.Fd()), syscall.LOCK_UN) }
