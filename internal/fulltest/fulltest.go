// Package fulltest says how many of its cases a test tries. In `go test ./...`, a test tries a sample. In .ci/run,
// which sets FAILPROOF_TESTS=most, it tries every kind of case. With FAILPROOF_TESTS=all, as every night on GitHub, it
// also repeats what is drawn by chance, and what grows in size is at its largest. README.md lists the tests with a
// sample.
package fulltest

import "os"

var tests = os.Getenv("FAILPROOF_TESTS")

// All reports whether tests try every kind of case.
func All() bool { return tests == "most" || tests == "all" }

// Count returns how many a test tries of what is alike: all with FAILPROOF_TESTS=all, and few otherwise.
func Count(few, all int) int {
	if tests == "all" {
		return all
	}
	return few
}
