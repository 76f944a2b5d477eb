//go:build !unix

package regular

// NoWait is nothing where opening a file cannot wait.
const NoWait = 0
