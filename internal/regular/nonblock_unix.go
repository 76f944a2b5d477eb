//go:build unix

package regular

import "syscall"

// NoWait keeps open from waiting for the other end of a FIFO that took the place of a file.
const NoWait = syscall.O_NONBLOCK
