// Package fulltest says how many of its cases a test tries. In `go test ./...`, a test tries a sample. In .ci/run,
// which sets FAILPROOF_TESTS=all, it tries all cases. README.md lists the tests with a sample.
package fulltest

import "os"

// All reports whether tests try all cases.
func All() bool { return os.Getenv("FAILPROOF_TESTS") == "all" }

// Count returns the number of cases that a test tries: all if tests try all cases, and few otherwise.
func Count(few, all int) int {
	if All() {
		return all
	}
	return few
}
