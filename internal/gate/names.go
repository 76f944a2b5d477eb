package gate

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
)

// Names that one reason lists, and cases that get a reason of their own; the rest is counted. The changes name them
// all.
const (
	namesListed = 10
	casesListed = 50
)

// names collects the cases that a reason is about, and lists as many as there is room for.
type names struct {
	n      int
	listed []string
	cases  []string // all of them, as SUITE/CASE
	suite  string   // of the first
	id     string
}

// namesOf returns the names of the cases of a sort.
func namesOf(c compare.Comparison, is func(compare.Case) bool) (out names) {
	for p := range c.All() {
		if is(p) {
			out.add(p.SuiteID(), p.ID(), "")
		}
	}
	return out
}

// listOf returns a list of texts.
func listOf(all []string) (out names) {
	for _, name := range all {
		out.put(name)
	}
	return out
}

// add adds a case by its names. note is said behind its name.
func (l *names) add(suite, id, note string) {
	if l.n == 0 {
		l.suite, l.id = suite, id
	}
	name := suite + "/" + id
	if l.put(called(suite, id) + note); l.n <= casesListed {
		l.cases = append(l.cases, name)
	}
}

// called returns a case's name within a reason: in backticks if it has spaces, as another runner's may.
func called(suite, id string) string {
	name := suite + "/" + id
	if strings.Contains(name, " ") && !strings.Contains(name, "`") {
		return "`" + name + "`"
	}
	return name
}

func (l *names) put(name string) {
	if l.n++; l.n <= namesListed {
		l.listed = append(l.listed, name)
	}
}

func (l *names) text() string {
	text := strings.Join(l.listed, ", ")
	if more := l.n - len(l.listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// asFindings returns one finding whose message ends with the names, or nil if there are no names.
func (l names) asFindings(does effect, message string) []finding {
	if l.n == 0 {
		return nil
	}
	return []finding{l.about(breach(does, message+": "+l.text()))}
}

// about sets the case that a finding is about, or all of them if there are few.
func (l names) about(f finding) finding {
	switch {
	case l.n == 1:
		f.SuiteID, f.CaseID = l.suite, l.id
	case l.n == len(l.cases):
		f.Cases = l.cases
	}
	return f
}

// atLevel sets the level of all findings.
func atLevel(level config.Level, all []finding) []finding {
	for i := range all {
		all[i].level = level
	}
	return all
}
