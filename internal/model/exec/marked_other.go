//go:build unix && !linux

package exec

// killMarked kills nobody: who left the group of a command cannot be found here.
func killMarked(string) {}
