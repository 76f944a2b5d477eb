//go:build unix

package regular

import "syscall"

// NoWait is a flag for opening a file. It prevents waiting for the other end of a FIFO that has replaced the file.
const NoWait = syscall.O_NONBLOCK
