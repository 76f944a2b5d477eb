//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package output

import "os"

// lock returns true and locks nothing, because these systems cannot lock a folder.
func lock(*os.File) bool { return true }

func unlock(*os.File) {}
