// Package fulltest says how much tests try of what is many: `go test ./...` a sample, and .ci/run, which sets
// FAILPROOF_TESTS=all, everything. README.md lists what that is.
package fulltest

import "os"

// All reports whether everything is to be tried.
func All() bool { return os.Getenv("FAILPROOF_TESTS") == "all" }

// Of returns how many cases a test tries: few, or all if the full test is wanted.
func Of(few, all int) int {
	if All() {
		return all
	}
	return few
}
