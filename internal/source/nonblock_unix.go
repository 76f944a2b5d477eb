//go:build unix

package source

import "syscall"

// noWait keeps open from waiting for the other end of a FIFO that took the place of a file.
const noWait = syscall.O_NONBLOCK
