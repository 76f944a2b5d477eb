package recorded

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/failproof/failproof/internal/suiteid"
)

// Patch returns a unified diff that replaces all lines of some cases in a recording, including reruns. cases has the
// new lines of each case, by the id that the author of its suite wrote and the case's id. Patch appends the lines of
// new cases. If there is no file yet, old is nil. `git apply` accepts the diff in the folder that name is relative to.
func Patch(name string, old []byte, cases map[suiteid.Name][]byte) []byte {
	from, to := "a/"+name, "b/"+name
	if strings.ContainsFunc(name, unicode.IsControl) { // it could break out of its line
		from, to = strconv.Quote(from), strconv.Quote(to)
	}
	if old == nil {
		from = "/dev/null"
	}
	return diff.Diff(from, old, to, replaceCases(old, cases))
}

// replaceCases returns a recording with new lines in place of the old lines of cases.
func replaceCases(old []byte, cases map[suiteid.Name][]byte) (out []byte) {
	pending := maps.Clone(cases)
	for l := range bytes.Lines(old) {
		name, _ := nameOf(l)
		if _, changes := cases[name]; changes {
			l = pending[name] // nothing after the first line of the case
			delete(pending, name)
		}
		out = append(out, l...)
	}
	if n := len(out); len(pending) > 0 && n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	for _, name := range slices.SortedFunc(maps.Keys(pending), suiteid.Name.Compare) {
		out = append(out, pending[name]...)
	}
	return out
}
