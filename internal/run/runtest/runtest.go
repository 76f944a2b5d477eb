// Package runtest makes whole runs on small folders, for tests of the packages that take part in a run.
package runtest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// Files maps the path of a file to its text.
type Files map[string]string

// Merge returns a copy of f with the files in others added. A file in others replaces the file of the same path.
func (f Files) Merge(others Files) Files {
	merged := Files{}
	for _, files := range []Files{f, others} {
		for name, text := range files {
			merged[name] = text
		}
	}
	return merged
}

// Folder writes files into a new folder and returns its path.
func Folder(t testing.TB, files Files) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Inputs returns the inputs of a run of all suites in head. If base is nil, the run has no base. env holds the
// environment variables.
func Inputs(t testing.TB, head, base Files, env map[string]string) sides.Inputs {
	t.Helper()
	in := sides.Inputs{Dir: Folder(t, head), Scope: sides.ScopeAll, Bootstrap: true, Cache: sides.NoCache, Now: time.Now,
		Progress: progress.New(io.Discard, progress.Quiet),
		Getenv:   func(name string) string { return env[name] }}
	in.Head = tree(t, in.Dir)
	if base != nil {
		in.Base = tree(t, Folder(t, base))
	}
	return in
}

func tree(t testing.TB, dir string) *source.Tree {
	t.Helper()
	out, err := source.Worktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Result is a finished run.
type Result struct {
	Report   *report.Report
	Messages string // the messages that were printed
	Folder   string // the folder with the output files
}

// Run makes the run that in describes, and writes its output files to a folder below in.Dir.
func Run(t testing.TB, in sides.Inputs) (Result, error) {
	t.Helper()
	out, err := output.Open(in.Dir, "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var messages strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&messages, format+"\n", args...) }
	result, err := run.Judge(t.Context(), in, asking.Sinks{Out: out, Say: say, Bugs: &fault.Bugs{}})
	if err != nil {
		return Result{}, err
	}
	if len(result.Report.Diagnostics) > 0 {
		t.Logf("faults: %v", result.Report.Diagnostics)
	}
	done := Result{Report: result.Report, Messages: messages.String(), Folder: filepath.Join(in.Dir, "out")}
	return done, run.Write(out, result.Report, show.Links{}, result.Answers)
}
