package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// printResult prints the result to standard output.
func printResult(sys System, o runOptions, rep *report.Report) error {
	switch {
	case o.JSON:
		return rep.Write(show.JSONWriter(sys.Stdout))
	case o.Quiet:
		sayFaults(sys, rep.Diagnostics)
		return nil
	}
	options := tableOptions(sys)
	if rep.Verdict == report.Invalid && o.Head == "" {
		options.Source = sourceOf(sys)
	}
	if err := terminal.Table(sys.Stdout, view.New(rep, show.Links{}), options); err != nil {
		return err
	}
	_, err := fmt.Fprintln(sys.Stderr, placeOfReport(sys, o.Out))
	return err
}

// sayFaults names what is wrong with files: even who wants no table must hear why nothing was judged.
func sayFaults(sys System, faults []document.Diagnostic) {
	for _, d := range faults {
		fmt.Fprintln(sys.Stderr, show.Diagnostic(d))
	}
}

// tableOptions colours the table on a terminal, unless NO_COLOR is set.
func tableOptions(sys System) terminal.TableOptions {
	return terminal.TableOptions{Color: isTerminal(sys.Stdout) && sys.Getenv("NO_COLOR") == "" && sys.Getenv("TERM") != "dumb"}
}

// shownOn is how the progress of a run is shown.
func shownOn(sys System, quiet bool) progress.How {
	switch {
	case quiet:
		return progress.Quiet
	case isTerminal(sys.Stderr):
		return progress.Bar
	}
	return progress.Lines
}

// isTerminal reports whether a stream is a terminal. /dev/null is none, although it is a device.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// placeOfReport says where a run's files are: on a terminal the whole path of the page, as a link where that can be; in a log the folder as it
// was given, which is the same on every machine.
func placeOfReport(sys System, out string) string {
	if !isTerminal(sys.Stderr) {
		return "files: " + out
	}
	return "report: " + terminal.FileLink(sys.Getenv, sys.path(filepath.Join(out, "report.html")))
}
