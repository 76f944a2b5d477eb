package machine

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// Lengths in JUnit, in runes. An id is shown whole: a case's has at most 128 characters, a suite's is made of such parts.
// The report holds no more of an answer.
const (
	junitNameRunes   = 400
	junitAnswerRunes = 1_200
	junitBaseRunes   = 400
)

// junitSuites are the report's suites in its order, then those that only the base has.
func (v printer) junitSuites() (suites []*junitSuite) {
	at := map[string]*junitSuite{}
	of := func(id string) *junitSuite {
		if at[id] == nil {
			at[id] = &junitSuite{Name: junitName(id)}
			suites = append(suites, at[id])
		}
		return at[id]
	}
	for _, s := range v.Report.Suites {
		suite := of(s.SuiteID)
		suite.Properties = v.suiteProperties(s)
	}
	cases := map[*junitSuite][]int{} // in the report's changes
	for i, c := range v.Report.Changes.All() {
		suite := of(c.SuiteID)
		cases[suite] = append(cases[suite], i)
		suite.Tests++
		suite.Time += took(c)
		switch standingOf(c) {
		case regresses, wrong:
			suite.Failures++
		case lacking:
			suite.Errors++
		case gone:
			suite.Skipped++
		}
	}
	for _, suite := range suites {
		suite.Cases = func(yield func(junitCase) bool) {
			for _, i := range cases[suite] {
				if !yield(v.junitCase(v.Report.Changes.At(i))) {
					return
				}
			}
		}
	}
	return suites
}

func (v printer) junitPath(path string) string {
	if path == "" {
		return ""
	}
	return show.Ends(v.Links.Path(path), junitNameRunes)
}

func (v printer) junitCase(c report.Change) junitCase {
	out := junitCase{Class: junitName(c.SuiteID), Name: junitName(c.CaseID), Time: took(c)}
	switch standingOf(c) {
	case regresses:
		out.Failure = v.junitResult(c, "regressed: ")
	case wrong:
		out.Failure = v.junitResult(c, "")
	case lacking:
		out.Error = v.junitResult(c, "")
	case gone:
		out.Skipped = &junitResult{Message: "removed; before: " + show.Lead(show.PlainOutcome(c.Base), 200)}
	}
	return out
}

func (v printer) junitResult(c report.Change, prefix string) *junitResult {
	return &junitResult{Type: junitType(c.Head), Message: prefix + v.account(c), Text: v.junitText(c)}
}

// junitName shows a name; in a report that somebody wrote by hand it may be empty, which the schemas do not allow.
func junitName(name string) string { return cmp.Or(show.Ends(name, junitNameRunes), "unnamed") }

// junitType is the category of the shown trial.
func junitType(o *report.Outcome) string {
	return cmp.Or(show.Lead(string(o.Primary), show.NameRunes), "unnamed")
}

// took is how long the shown answer took.
func took(c report.Change) seconds {
	if c.Head == nil || c.Head.LatencyMS == nil {
		return 0
	}
	return seconds(max(*c.Head.LatencyMS, 0))
}

// junitText shows where the case stands, what was asked, what was expected, and the answer now and before.
func (v printer) junitText(c report.Change) string {
	parts := []string{v.junitPlace(c)}
	if c.Asked != "" {
		parts = append(parts, "Asked:\n"+block(string(c.Asked), junitBaseRunes))
	}
	if label, missed := view.Expectation(c); len(missed) > 0 {
		parts = append(parts, label+":\n"+missed.Plain(show.SentenceRunes))
	}
	if v.Compared && c.Base != nil && c.Base.Excerpt != "" {
		parts = append(parts, "Before:\n"+block(string(c.Base.Excerpt), junitBaseRunes))
	}
	if c.Head.Excerpt != "" {
		parts = append(parts, fmt.Sprintf("Now (answer %d of %d):\n%s", c.Head.Trial, c.Head.Trials, block(string(c.Head.Excerpt), junitAnswerRunes)))
	}
	return strings.Join(parts, "\n\n")
}

// junitPlace is the case's place, and what it weighs.
func (v printer) junitPlace(c report.Change) string {
	text := v.junitPath(c.Path)
	if c.Line > 0 {
		text += fmt.Sprintf(":%d", c.Line)
	}
	if c.Severity != "" {
		text += ", severity " + show.Lead(c.Severity, show.NameRunes)
	}
	if c.MustPass {
		text += ", must pass"
	}
	return text
}

func (v printer) suiteProperties(s report.SuiteSummary) (p junitProperties) {
	p.put("file", v.junitPath(s.Path))
	p.score("score", s.Score)
	p.score("base_score", s.BaseScore)
	p.score("min_score", s.MinScore)
	return p
}

func (p *junitProperties) put(name, value string) {
	if value != "" {
		*p = append(*p, struct{ Name, Value string }{name, show.Lead(value, junitNameRunes)})
	}
}

func (p *junitProperties) score(name string, v *float64) {
	if v != nil {
		p.put(name, strconv.FormatFloat(*v, 'f', -1, 64))
	}
}

// junitFaults are the faults that stopped the run. What is only worth saying of a file is left to SARIF.
func (v printer) junitFaults() *junitSuite {
	var cases []junitCase
	for _, d := range v.Report.Diagnostics {
		if d.Severity == document.Warning {
			continue
		}
		path := v.junitPath(d.Path)
		place := d.At().In(path)
		cases = append(cases, junitCase{Class: cmp.Or(path, junitInput), Name: place + " " + show.Lead(d.Rule, show.NameRunes),
			Error: &junitResult{Type: cmp.Or(show.Lead(d.Rule, show.NameRunes), "fault"), Message: show.Lead(d.Message, show.SentenceRunes)}})
	}
	return (&junitSuite{Name: junitInput}).listed(cases)
}

// junitReasons are the reasons of a verdict that is no pass although no case failed.
func (v printer) junitReasons() *junitSuite {
	var cases []junitCase
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelError {
			name := junitName(r.Code)
			if r.SuiteID != "" {
				name += " " + show.Ends(r.SuiteID, junitNameRunes)
			}
			cases = append(cases, v.junitReason(name, show.Lead(r.Message, show.SentenceRunes)))
		}
	}
	if len(cases) == 0 {
		cases = append(cases, v.junitReason("verdict", v.Title()))
	}
	return (&junitSuite{Name: junitGate}).listed(cases)
}

// junitReason is a failure where the gate failed, and an error where it could not be judged.
func (v printer) junitReason(name, message string) junitCase {
	c := junitCase{Class: junitGate, Name: name}
	result := &junitResult{Type: cmp.Or(show.Lead(string(v.Report.Verdict), show.NameRunes), "unnamed"), Message: message}
	if v.Report.Verdict == report.Failed {
		c.Failure = result
	} else {
		c.Error = result
	}
	return c
}
