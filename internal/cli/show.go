package cli

import (
	"fmt"
	"os"

	"golang.org/x/term"

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
		return sayFaults(sys, rep)
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

// sayFaults names what is wrong with the files of an invalid run: even who wants no table must hear why nothing was judged.
func sayFaults(sys System, rep *report.Report) error {
	for _, d := range rep.Diagnostics {
		if _, err := fmt.Fprintln(sys.Stderr, show.Diagnostic(d)); err != nil {
			return err
		}
	}
	return nil
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

// isTerminal reports whether w is a terminal. /dev/null is none, although it is a device.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
