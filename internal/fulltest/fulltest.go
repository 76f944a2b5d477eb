// Package fulltest says how many of many cases a test tries: a sample in `go test ./...`, and all in .ci/run, which
// sets FAILPROOF_TESTS=all. README.md lists what is tried then.
package fulltest

import "os"

// All reports whether tests try everything.
func All() bool { return os.Getenv("FAILPROOF_TESTS") == "all" }

// Of returns the number of cases that a test tries: the argument all if the full test is wanted, otherwise the argument
// few.
func Of(few, all int) int {
	if All() {
		return all
	}
	return few
}
