// Package fulltest says how much tests try of what is many: `go test ./...` a sample, and .ci/run, which sets FAILPROOF_TESTS=all, everything.
// README.md lists what that is.
package fulltest

import "os"

// Wanted reports whether everything is to be tried.
func Wanted() bool { return os.Getenv("FAILPROOF_TESTS") == "all" }

// Of returns how much is to be tried: few, or all of it where everything is wanted.
func Of(few, all int) int {
	if Wanted() {
		return all
	}
	return few
}
