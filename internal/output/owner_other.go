//go:build !unix

package output

// owner returns false, because files on these systems have no numeric owner.
func owner(string) (uid, gid int, ok bool) { return 0, 0, false }
