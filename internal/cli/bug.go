package cli

import (
	"errors"
	"os"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/version"
)

// issuesURL is where a bug of ours is reported.
const issuesURL = "https://github.com/failproof/failproof/issues/new"

// reportBugs writes the run's bugs into its folder, and says how to report them. A log may be public: it gets the place in the
// code and the name of the case, never the stack or what was judged.
func reportBugs(sys System, to run.Sinks, hide *redact.Redactor) {
	if len(to.Bugs.All) == 0 {
		return
	}
	where := to.Out.Path + string(os.PathSeparator) + output.CrashFile
	if err := to.Out.Write(output.CrashFile, []byte(hide.Text(to.Bugs.Text(version.Of())))); err != nil {
		where = "(the stack could not be written)"
	}
	sayBugs(sys, to.Bugs.All, where)
}

// reportBug is the same for a bug beside a run, whose stack goes to a file of its own.
func reportBug(sys System, bug *evaluate.Bug) {
	bugs, where := evaluate.Bugs{All: []*evaluate.Bug{bug}}, "(the stack could not be written)"
	if f, err := os.CreateTemp("", "failproof-crash-*.txt"); err == nil {
		if _, err = f.WriteString(bugs.Text(version.Of())); errors.Join(err, f.Close()) == nil {
			where = f.Name()
		}
	}
	sayBugs(sys, bugs.All, where)
}

func sayBugs(sys System, bugs []*evaluate.Bug, where string) {
	for _, b := range bugs {
		say(sys, "this is a bug in failproof, not in your prompts: %v", b)
	}
	say(sys, "please report it at %s with the command, the version (%s) and this file: %s", issuesURL, version.Of(), where)
	say(sys, "look through the file before you attach it; the text that was judged helps too, if you may show it")
}
