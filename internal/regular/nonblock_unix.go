//go:build unix

package regular

import "syscall"

// NoWait is a flag for opening a file. If a FIFO has replaced the file, the flag prevents waiting for the other end of
// the FIFO.
const NoWait = syscall.O_NONBLOCK
