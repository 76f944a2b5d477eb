package cli

import (
	"errors"
	"io/fs"
	"iter"
	"os"

	"github.com/failproof/failproof/internal/report"
)

// resultsIn reads the results in a file of a folder, as they are asked for; where there is no file there are none.
func resultsIn(folder, name string) iter.Seq2[report.Result, error] {
	return readResults(name, func() (fs.File, error) { return os.DirFS(folder).Open(name) })
}

// results reads the results that were written.
func (o *outFolder) results(name string) iter.Seq2[report.Result, error] {
	return readResults(name, func() (fs.File, error) { return o.root.Open(name) })
}

func readResults(name string, open func() (fs.File, error)) iter.Seq2[report.Result, error] {
	return func(yield func(report.Result, error) bool) {
		f, err := open()
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(report.Result{}, inputErrorf("read the results: %w", err))
			return
		}
		defer f.Close()
		for r, err := range report.Results(f) {
			if err != nil {
				err = inputErrorf("read %s: %w", name, err)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
