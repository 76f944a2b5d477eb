//go:build unix

package regular

import "syscall"

// NoWait keeps open from waiting for the other end of a FIFO that has replaced a file.
const NoWait = syscall.O_NONBLOCK
