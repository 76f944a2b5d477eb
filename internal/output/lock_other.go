//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package output

import "os"

// lock does nothing: these systems cannot lock a folder.
func lock(*os.File) bool { return true }

func unlock(*os.File) {}
