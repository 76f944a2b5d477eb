//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"os"
	"syscall"
)

// lock takes an opened folder for this process alone, until it is closed, and reports whether nobody else has it. A file
// system that knows no locks keeps nobody out.
func lock(folder *os.File) bool {
	return !errors.Is(syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// unlock lets others have the folder. Closing alone does so a moment later where a command is being started: until it runs, it has
// what its parent had open.
func unlock(folder *os.File) { _ = syscall.Flock(int(folder.Fd()), syscall.LOCK_UN) }
