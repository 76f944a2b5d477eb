package gate

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Limits of what reasons list. The rest is counted; the changes of the report name every case.
const (
	namesListed = 10 // names in the message of a reason
	casesListed = 50 // cases with a reason of their own, or in the field of a reason
)

// names collects the cases or other names that a reason is about.
type names struct {
	n      int
	listed []string // at most namesListed, and one more; see text.Named
	cases  []string // as SUITE/CASE, at most casesListed
	suite  string   // suite of the first case
	id     string   // the first case
}

// namesOf returns the names of the cases that the filter accepts.
func namesOf(c compare.Comparison, match func(*compare.Case) bool) (out names) {
	for p := range c.All() {
		if match(p) {
			out.add(p.SuiteID(), p.ID(), "")
		}
	}
	return out
}

// namesOfTexts returns the names of things other than cases, such as prompts.
func namesOfTexts(all []string) (out names) {
	for _, name := range all {
		out.addText(name)
	}
	return out
}

// add adds the case with the given suite id and case id. In the message, the text of note follows the name of the case.
func (l *names) add(suite, id, note string) {
	if l.n == 0 {
		l.suite, l.id = suite, id
	}
	name := suite + "/" + id
	if l.addText(displayName(name) + note); l.n <= casesListed {
		l.cases = append(l.cases, name)
	}
}

// displayName returns a case's name, SUITE/CASE, for a message. A name with spaces, which other runners allow, is in
// backticks.
func displayName(name string) string {
	if strings.Contains(name, " ") && !strings.Contains(name, "`") {
		return "`" + name + "`"
	}
	return name
}

func (l *names) addText(name string) {
	if l.n++; l.n <= namesListed+1 {
		l.listed = append(l.listed, name)
	}
}

func (l *names) text() string {
	named := text.Named(l.n, namesListed)
	joined := strings.Join(l.listed[:named], ", ")
	if more := l.n - named; more > 0 {
		joined += fmt.Sprintf(" and %d more", more)
	}
	return joined
}

// asFindings returns one finding whose message ends with the names, or nil if there are no names.
func (l names) asFindings(e effect, message string) []finding {
	if l.n == 0 {
		return nil
	}
	return []finding{l.withCases(newFinding(e, "%s: %s", message, l.text()))}
}

// withCases returns the finding f with the case that it is about. If there are several cases, it adds the list of them,
// but no list of more than casesListed cases.
func (l names) withCases(f finding) finding {
	switch {
	case l.n == 1:
		f.SuiteID, f.CaseID = l.suite, l.id
	case l.n == len(l.cases):
		f.Cases = l.cases
	}
	return f
}

// atLevel sets the level of all findings, and returns them.
func atLevel(level config.Level, all []finding) []finding {
	for i := range all {
		all[i].level = level
	}
	return all
}
