//go:build unix

package output

import (
	"os"
	"syscall"
)

// owner returns the user and the group that own the folder dir. It returns false if they cannot be read.
func owner(dir string) (uid, gid int, ok bool) {
	info, err := os.Stat(dir)
	if err != nil {
		return 0, 0, false
	}
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid), true
}
