package compare

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// BaseFault is what is wrong with a file by which, or with which, the head is compared.
type BaseFault struct {
	Path      string
	Line      int // 0 for the whole file
	Message   string
	Mended    bool // the head has the file without a fault
	Elsewhere bool // what the base commits is a link, a submodule or a pointer: whether the file was right, nobody can say here
}

// place is path:line, or the path alone.
func (f BaseFault) place() string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// baseFaults leaves a run undecided whose base has a file with a fault: what that was to judge, nobody can say. A head that
// mends the file is judged by the rest; what could not be compared counts as new. One reason a file.
func (j *judgement) baseFaults() {
	more := map[string]int{}
	var files []BaseFault
	for _, f := range j.in.BaseFaults {
		if more[f.Path]++; more[f.Path] == 1 {
			files = append(files, f)
		}
	}
	for i, f := range files {
		if i == casesListed {
			j.moreBaseFaults(files[i:])
			break
		}
		what := f.Message
		if n := more[f.Path] - 1; n > 0 {
			what += fmt.Sprintf(" (and %s there)", text.Count(n, "more fault"))
		}
		reason := report.Reason{Code: report.CodeBaseFault, Path: f.Path, Line: f.Line}
		if f.Mended {
			reason.Message = fmt.Sprintf("mends the base's %s: %s; what could not be compared counts as new", f.place(), what)
			j.add(config.Warn, warns, reason)
			continue
		}
		reason.Message = fmt.Sprintf("the base's %s has a fault: %s; what hangs on it cannot be judged until that is mended", f.place(), what)
		if f.Elsewhere {
			reason.Message = fmt.Sprintf("the base's %s is not held by its commit: %s; what hangs on it cannot be compared: "+
				"let the base branch hold the file itself, or name a folder that has it with --base", f.place(), what)
		}
		j.add(config.Err, suspends, reason)
	}
}

// moreBaseFaults counts the files that are not listed.
func (j *judgement) moreBaseFaults(files []BaseFault) {
	level, w := config.Warn, warns
	if slices.ContainsFunc(files, func(f BaseFault) bool { return !f.Mended }) {
		level, w = config.Err, suspends
	}
	j.add(level, w, report.Reason{Code: report.CodeBaseFault, Message: "and " + text.Count(len(files), "more file") + " of the base with a fault"})
}
