package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// FaultyFile is an error in a file of the base that the comparison depends on.
type FaultyFile struct {
	Path        string
	Line        int // 0 for the whole file
	Message     string
	FixedByHead bool // the head has the file without an error
	Elsewhere   bool // the base commits a link, a submodule or a pointer, so the content is unknown
}

// location returns path:line, or the path alone.
func (f FaultyFile) location() string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// BaseFault suspends a run if a file of the base has an error, because the rules of the base are then unknown. If the
// head fixes the file, the rest of the base decides, and cases that cannot be compared count as new. Each file has one
// reason.
var BaseFault = Rule{
	Code: "base_fault", Level: config.Err,
	NextStep: "Fix the file on the base branch and update this one, or fix it in this pull request: that is judged by " +
		"the rest.",
	Doc: "A file of the base that the verdict depends on has a fault. There is no verdict until that is fixed. A " +
		"change that fixes it is judged by the rest, and warned.",
	check: func(r *Run) (found []finding) {
		count := map[string]int{}
		var files []FaultyFile
		for _, f := range r.BaseFaults {
			if count[f.Path]++; count[f.Path] == 1 {
				files = append(files, f)
			}
		}
		for _, f := range files[:min(len(files), casesListed)] {
			found = append(found, f.asFinding(count[f.Path]-1))
		}
		if more := files[min(len(files), casesListed):]; len(more) > 0 {
			rest := newFinding(effectWarns, "and %s of the base with a fault", text.Count(len(more), "more file"))
			if slices.ContainsFunc(more, func(f FaultyFile) bool { return !f.FixedByHead }) {
				rest.effect = effectSuspends
			}
			found = append(found, rest)
		}
		return found
	},
}

// asFinding returns the finding about a file with an error. The parameter more is the number of further errors in the
// file.
func (f FaultyFile) asFinding(more int) finding {
	what := f.Message
	if more > 0 {
		what += fmt.Sprintf(" (and %s there)", text.Count(more, "more fault"))
	}
	out := newFinding(effectSuspends, "the base's %s has a fault: %s; what depends on it cannot be judged",
		f.location(), what)
	switch {
	case f.FixedByHead:
		out = newFinding(effectWarns, "fixes the base's %s: %s; cases that could not be compared count as new",
			f.location(), what)
	case f.Elsewhere:
		out = newFinding(effectSuspends,
			"the base's %s is not in its commit: %s; what depends on it cannot be compared", f.location(), what)
	}
	out.Path, out.Line = f.Path, f.Line
	return out
}
