// Package examples embeds the example repository that the README shows, `failproof demo` gates and the tests run.
package examples

import "embed"

// Support is a repository with two suites and recorded answers: folder support/base as it is on main, and support/change
// with the files that a pull request changes.
//
//go:embed all:support
var Support embed.FS
