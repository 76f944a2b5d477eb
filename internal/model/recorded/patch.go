package recorded

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/failproof/failproof/internal/suiteid"
)

// Edit holds the new lines of a case.
type Edit struct {
	SuiteID, CaseID string
	Lines           []byte
}

func (e Edit) name() suiteid.Name {
	return suiteid.Name{Suite: suiteid.AuthorID(e.SuiteID), Case: e.CaseID}
}

// Patch returns a unified diff that replaces all lines of some cases in a recording, including reruns. It appends the
// lines of new cases. If there is no file yet, old is nil. `git apply` accepts the diff in the folder that name is
// relative to.
func Patch(name string, old []byte, edits []Edit) []byte {
	from, to := "a/"+name, "b/"+name
	if strings.ContainsFunc(name, unicode.IsControl) { // it could break out of its line
		from, to = strconv.Quote(from), strconv.Quote(to)
	}
	if old == nil {
		from = "/dev/null"
	}
	return diff.Diff(from, old, to, replaceCases(old, edits))
}

// replaceCases returns a recording with the lines of each edit in place of its case's old lines.
func replaceCases(old []byte, edits []Edit) (out []byte) {
	linesOf, done := map[suiteid.Name][]byte{}, map[suiteid.Name]bool{}
	for _, e := range edits {
		linesOf[e.name()] = e.Lines
	}
	for l := range bytes.Lines(old) {
		name, _ := nameOf(l)
		lines, changes := linesOf[name]
		switch {
		case !changes:
			out = append(out, l...)
		case !done[name]:
			out, done[name] = append(out, lines...), true
		}
	}
	for _, e := range edits {
		if n := len(out); !done[e.name()] && n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
		if !done[e.name()] {
			out = append(out, e.Lines...)
		}
	}
	return out
}
