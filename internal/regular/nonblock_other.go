//go:build !unix

package regular

// NoWait is 0 because opening a file does not wait on this system.
const NoWait = 0
