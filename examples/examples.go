// Package examples embeds the example repository that the README shows, `failproof demo` gates and the tests run.
package examples

import "embed"

// Repository is the repository of a small team. Folder repository/main has the files of its main branch. Two folders
// beside it have the files that a branch changes: warmer-tone breaks answers, and shorter-reasons breaks none.
//
//go:embed all:repository
var Repository embed.FS
