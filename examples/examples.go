// Package examples embeds the example repository that the README shows, `failproof demo` gates and the tests run.
package examples

import "embed"

// Repository is a small team's repository: folder repository/main as it is on main, and beside it a folder for each of
// two branches, with the files that it changes: warmer-tone, which breaks answers, and shorter-reasons, which breaks
// none.
//
//go:embed all:repository
var Repository embed.FS
