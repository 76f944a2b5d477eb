package fault

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/together"
)

// Bug is a recovered panic of failproof. Its message quotes no text that was judged, so public logs may show the
// message. The field Value may quote such text.
type Bug struct {
	SuiteID, CaseID string // "" if no case was being processed
	Activity        string // what failproof was doing: "judging an answer"
	Place           string // package, file and line in failproof: "internal/score/reach.go:97"; "" if unknown
	Value           any    // the argument of panic
	Stack           []byte
}

// NewBug returns the Bug for value, a result of recover. doing says what failproof was doing. Call NewBug in the
// deferred function itself, while the stack of the panic exists.
func NewBug(value any, doing string) *Bug {
	if forwarded, ok := value.(*together.Panic); ok {
		return &Bug{Activity: doing, Place: panicPlace(forwarded.Callers), Value: forwarded.Value,
			Stack: forwarded.Stack}
	}
	callers := make([]uintptr, 64)
	return &Bug{Activity: doing, Place: panicPlace(callers[:runtime.Callers(1, callers)]),
		Value: value, Stack: debug.Stack()}
}

// maxBugs limits the bugs that a run keeps.
const maxBugs = 10

// Bugs holds the bugs of a run, one for each place in the code.
type Bugs struct{ All []*Bug }

// Add adds a bug, unless the run already has one from the same place in the code.
func (b *Bugs) Add(bug *Bug) {
	if len(b.All) < maxBugs && !slices.ContainsFunc(b.All, func(k *Bug) bool { return k.Place == bug.Place }) {
		b.All = append(b.All, bug)
	}
}

// Text returns the text for a bug report: the version, and the place and stack of each bug. The text may quote what was
// judged.
func (b Bugs) Text(version string) string {
	text := fmt.Sprintf("failproof %s, %s, %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, one := range b.All {
		text += fmt.Sprintf("\n%v\npanic: %v\n\n%s", one, one.Value, one.Stack)
	}
	return text
}

// CallRecovering calls step and returns its error, or its panic as a *Bug. doing says what step does.
func CallRecovering(doing string, step func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = NewBug(v, doing)
		}
	}()
	return step()
}

func (b *Bug) Error() string {
	text := "a bug of failproof while " + b.Activity
	if b.CaseID != "" {
		text += fmt.Sprintf(" of case %s of suite %s", b.CaseID, b.SuiteID)
	}
	if b.Place != "" {
		text += ", at " + b.Place
	}
	if fault, ok := b.Value.(runtime.Error); ok { // a runtime error quotes no text of a user
		text += ": " + fault.Error()
	}
	return text
}

// modulePrefix is the prefix of the names of failproof's functions.
const modulePrefix = "github.com/failproof/failproof/"

// panicPlace returns the package, file and line of failproof's innermost function on the stack of a panic. callers has
// the program counters of the stack.
func panicPlace(callers []uintptr) string {
	frames := runtime.CallersFrames(callers)
	for panicked, more := false, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		own, ours := strings.CutPrefix(f.Function, modulePrefix)
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && ours:
			pkg, _, _ := strings.Cut(own, ".")
			return fmt.Sprintf("%s/%s:%d", pkg, path.Base(f.File), f.Line)
		}
	}
	return ""
}
