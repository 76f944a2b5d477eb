package cli

import (
	"fmt"
	"io/fs"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/run"
)

// sourceBytes is how long a file may be whose lines are shown below its faults.
const sourceBytes = 1 << 20

// sourceOf reads files of the working tree, so that a fault is shown with its line; "" for what is not at hand.
func sourceOf(sys System) func(path string) string {
	tree, err := run.OpenHead(sys.Dir, "")
	if err != nil {
		return func(string) string { return "" }
	}
	read := map[string]string{}
	return func(path string) string {
		text, known := read[path]
		if info, err := fs.Stat(tree, path); !known && err == nil && info.Mode().IsRegular() && info.Size() <= sourceBytes {
			data, _ := fs.ReadFile(tree, path) // else there is nothing to show
			text = string(data)
			read[path] = text
		}
		return text
	}
}

// printFaults prints faults, each with the line that it is about.
func printFaults(sys System, faults []document.Diagnostic) {
	source := sourceOf(sys)
	for _, f := range faults {
		fmt.Fprintln(sys.Stderr, show.Diagnostic(f))
		if line := show.Source(f, source(f.Path)); line != "" {
			fmt.Fprintln(sys.Stderr, line)
		}
	}
}
