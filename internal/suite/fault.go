package suite

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// maxListed is the most faults of one file of JSON lines that are listed. A file can hold a million of them.
const maxListed = 1000

// faults collects what is wrong with one file. A fault that stands in the defaults comes up in every case and is kept
// once.
type faults struct {
	path   string
	data   string // the suite's file of cases, which places behind dataLine are in; "" for none
	list   []document.Diagnostic
	known  map[document.Diagnostic]bool
	unsaid int // errors beyond the limit
	limit  int // 0: none
}

// broken reports whether the file has an error.
func (f *faults) broken() bool { return f.unsaid > 0 || document.HasErrors(f.list) }

func (f *faults) errorAt(at document.Position, rule, format string, args ...any) {
	f.add(document.NewFault(f.path, at, rule, format, args...))
}

func (f *faults) warnAt(at document.Position, rule, format string, args ...any) {
	f.add(document.NewWarning(f.path, at, rule, format, args...))
}

// add keeps ds, each once.
func (f *faults) add(ds ...document.Diagnostic) {
	for _, d := range ds {
		d.Path, d.Line = f.place(d.Path, d.Line)
		switch {
		case f.known[d]:
		case f.limit > 0 && len(f.list) >= f.limit:
			f.unsaid++
		default:
			if f.known == nil {
				f.known = map[document.Diagnostic]bool{}
			}
			f.known[d] = true
			f.list = append(f.list, d)
		}
	}
}

// place is the file and the line of a place.
func (f *faults) place(path string, line int) (string, int) {
	if line > dataLine {
		return f.data, line - dataLine
	}
	return path, line
}

// all returns the faults in file order, with a last one for those that were not listed.
func (f *faults) all() []document.Diagnostic {
	document.Sort(f.list)
	if f.unsaid > 0 {
		return append(f.list, document.NewFault(f.path, document.Position{}, "too-many-faults", "%d more faults are not listed", f.unsaid))
	}
	return f.list
}

// names lists ids for a message: all of up to three, else two and how many more.
func names(ids []string) string {
	switch n := len(ids); {
	case n == 1:
		return "case " + ids[0]
	case n == 2, n == 3:
		return "cases " + strings.Join(ids[:n-1], ", ") + " and " + ids[n-1]
	default:
		return fmt.Sprintf("cases %s, %s and %d more", ids[0], ids[1], n-2)
	}
}

// listed joins names for a message, at most five of them.
func listed(all []string) string {
	var quoted []string
	for _, name := range all[:min(len(all), 5)] {
		quoted = append(quoted, document.Quote(name))
	}
	if len(all) > 5 {
		quoted = append(quoted, fmt.Sprintf("%d more", len(all)-5))
	}
	return strings.Join(quoted, ", ")
}
