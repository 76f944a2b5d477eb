package evaluate

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/together"
)

// Bug is a recovered panic of ours. Its message holds nothing that was judged, so a public log may show it; Value may
// quote an answer.
type Bug struct {
	SuiteID, CaseID string // "" where no case was at hand
	Doing           string // what failproof was at: "judging an answer"
	Place           string // package, file and line of ours: "internal/score/reach.go:97"; "" if none of them is ours
	Value           any    // what panic was called with
	Stack           []byte
}

// NewBug makes a Bug of the value that recover returned. Call it in the deferred function itself, while the panic's
// stack still exists.
func NewBug(value any, doing string) *Bug {
	if elsewhere, ok := value.(*together.Panic); ok {
		return &Bug{Doing: doing, Place: panicPlace(elsewhere.Callers), Value: elsewhere.Value, Stack: elsewhere.Stack}
	}
	callers := make([]uintptr, 64)
	return &Bug{Doing: doing, Place: panicPlace(callers[:runtime.Callers(1, callers)]),
		Value: value, Stack: debug.Stack()}
}

// bugsKept bounds the bugs that a run keeps to report.
const bugsKept = 10

// Bugs are the bugs that a run met and survived, one for each place in the code.
type Bugs struct{ All []*Bug }

// Note keeps a bug, the first of its place.
func (b *Bugs) Note(one *Bug) {
	if len(b.All) < bugsKept && !slices.ContainsFunc(b.All, func(k *Bug) bool { return k.Place == one.Place }) {
		b.All = append(b.All, one)
	}
}

// Text returns what a bug report needs: version, places and stacks. It may quote what was judged.
func (b Bugs) Text(version string) string {
	text := fmt.Sprintf("failproof %s, %s, %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, one := range b.All {
		text += fmt.Sprintf("\n%v\npanic: %v\n\n%s", one, one.Value, one.Stack)
	}
	return text
}

// Guarded runs a step; a panic in it is a *Bug, as an error.
func Guarded(doing string, step func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = NewBug(v, doing)
		}
	}()
	return step()
}

func (b *Bug) Error() string {
	text := "a bug of failproof while " + b.Doing
	if b.CaseID != "" {
		text += fmt.Sprintf(" of case %s of suite %s", b.CaseID, b.SuiteID)
	}
	if b.Place != "" {
		text += ", at " + b.Place
	}
	if fault, ok := b.Value.(runtime.Error); ok { // the runtime's own words quote no text
		text += ": " + fault.Error()
	}
	return text
}

// ownModule is how the names of our functions begin.
const ownModule = "github.com/failproof/failproof/"

// panicPlace returns the innermost function of ours below the panic that is being recovered.
func panicPlace(callers []uintptr) string {
	frames := runtime.CallersFrames(callers)
	for panicked, more := false, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		own, ours := strings.CutPrefix(f.Function, ownModule)
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
