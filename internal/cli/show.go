package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/version"
)

func printResult(sys System, o runOptions, rep *report.Report) error {
	switch {
	case o.JSON:
		return rep.Write(show.JSONWriter(sys.Stdout))
	case o.Quiet:
		printFaultsOnly(sys, rep.Diagnostics)
		return nil
	}
	options := tableOptions(sys)
	if rep.Verdict == report.Invalid && o.Head == "" {
		options.Source = sourceReader(sys)
	}
	if err := terminal.Write(sys.Stdout, story.New(rep, show.Links{}), options); err != nil {
		return err
	}
	_, err := fmt.Fprintln(sys.Stderr, reportLocation(sys, o.Out))
	return err
}

// printFaultsOnly prints faults without quoting lines of the files. Commands that print no table use it, because the
// faults explain why nothing was judged.
func printFaultsOnly(sys System, faults []document.Diagnostic) {
	fmt.Fprint(sys.Stderr, show.Diagnostics(faults, nil))
}

// tableOptions returns the options for printing the table. Colors are used on a terminal, unless NO_COLOR is set or
// TERM is dumb.
func tableOptions(sys System) terminal.Options {
	return terminal.Options{Color: isTerminal(sys.Stdout) && sys.Getenv("NO_COLOR") == "" && sys.Getenv("TERM") != "dumb"}
}

func progressForm(sys System, quiet bool) progress.Form {
	switch {
	case quiet:
		return progress.Quiet
	case isTerminal(sys.Stderr):
		return progress.Bar
	}
	return progress.Lines
}

// isTerminal reports whether a stream is a terminal. The device /dev/null is not a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// reportLocation returns a line that says where a run's files are. On a terminal, the line has the full path of the
// page, as a link if possible. In a log, it has the folder as given, which is the same on every machine.
func reportLocation(sys System, out string) string {
	if !isTerminal(sys.Stderr) {
		return "files: " + out
	}
	return "report: " + terminal.FileLink(sys.Getenv, sys.path(filepath.Join(out, "report.html")))
}

// sourceBytes is the size limit of files that sourceReader reads. Larger files are not quoted in errors.
const sourceBytes = 1 << 20

// sourceReader returns a function that returns the text of a file of the working tree, from which an error quotes a
// line. The function returns "" for a file that cannot be read or is larger than sourceBytes.
func sourceReader(sys System) func(path string) string {
	tree, err := sides.OpenHead(sys.Dir, "")
	if err != nil {
		return func(string) string { return "" }
	}
	read := map[string]string{}
	return func(path string) string {
		text, known := read[path]
		if info, err := fs.Stat(tree, path); !known && err == nil && info.Mode().IsRegular() && info.Size() <= sourceBytes {
			data, _ := fs.ReadFile(tree, path) // after an error, there is nothing to quote
			text = string(data)
			read[path] = text
		}
		return text
	}
}

// printFaultsWithLines prints faults, each with the line of the file that it is about.
func printFaultsWithLines(sys System, faults []document.Diagnostic) {
	fmt.Fprint(sys.Stderr, show.Diagnostics(faults, sourceReader(sys)))
}

// issuesURL is the page for reporting a bug in failproof.
const issuesURL = "https://github.com/failproof/failproof/issues/new"

// reportBugs writes the bugs of the run, with their stacks, into the run's folder, and logs how to report them. A log
// may be public, so it gets only the place in the code and the name of the case. It gets no stack and no judged text.
func reportBugs(sys System, to asking.Sinks, hide *redact.Redactor) {
	if len(to.Bugs.All) == 0 {
		return
	}
	where := to.Out.Path + string(os.PathSeparator) + output.CrashFile
	if err := to.Out.Write(output.CrashFile, []byte(hide.Text(to.Bugs.Text(version.Current())))); err != nil {
		where = "(the stack could not be written)"
	}
	logBugs(sys, to.Bugs.All, where)
}

// reportBug reports a bug that ended a command before it had a run's folder. It writes the stack to a new temporary
// file.
func reportBug(sys System, bug *fault.Bug) {
	bugs, where := fault.Bugs{All: []*fault.Bug{bug}}, "(the stack could not be written)"
	if f, err := os.CreateTemp("", "failproof-crash-*.txt"); err == nil {
		if _, err = f.WriteString(bugs.Text(version.Current())); errors.Join(err, f.Close()) == nil {
			where = f.Name()
		}
	}
	logBugs(sys, bugs.All, where)
}

func logBugs(sys System, bugs []*fault.Bug, where string) {
	for _, b := range bugs {
		logf(sys, "this is a bug in failproof, not in your prompts: %v", b)
	}
	logf(sys, "please report it at %s with the command, the version (%s) and this file: %s", issuesURL, version.Current(), where)
	logf(sys, "read the file before you attach it; the answer that was judged helps too, if you may share it")
}
