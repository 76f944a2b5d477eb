//go:build !unix

package source

// noWait is nothing where opening a file cannot wait.
const noWait = 0
