package recorded

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// MaxBytes bounds all recordings of a revision together, in bytes. Each file is bounded by the tree, but not how many there are, and what is
// made of them grows with all of them: memory, time and the files of the run.
const MaxBytes = 2 << 30

// TooMuch is the fault of files that hold more than most bytes together, by what their tree says of their sizes; nil for none. It names the first
// that is too many, in the order of their names.
func TooMuch(fsys fs.FS, files []string, most int64) []document.Diagnostic {
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	var all int64
	for i, name := range files {
		info, err := fs.Stat(fsys, name)
		if err != nil || !info.Mode().IsRegular() {
			continue // whoever reads it says what is wrong
		}
		if all += info.Size(); all > most {
			return []document.Diagnostic{fault(name, 0, "size", fmt.Sprintf(
				"the recordings up to this file hold %.1f MiB, and %d more follow; expected at most %d MiB in all: run fewer suites, or record fewer answers",
				float64(all)/(1<<20), len(files)-1-i, most>>20))}
		}
	}
	return nil
}
