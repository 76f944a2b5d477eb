//go:build !unix

package regular

// NoWait is 0, because opening a file never waits on this system.
const NoWait = 0
