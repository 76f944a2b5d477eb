package machine

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
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
			at[id] = &junitSuite{Name: show.Ends(id, junitNameRunes)}
			suites = append(suites, at[id])
		}
		return at[id]
	}
	for _, s := range v.Report.Suites {
		suite := of(s.SuiteID)
		suite.File, suite.Properties = v.junitPath(s.Path), suiteProperties(s)
	}
	cases := map[*junitSuite][]int{} // in the report's changes
	for i, c := range v.Report.Changes {
		suite := of(c.SuiteID)
		cases[suite] = append(cases[suite], i)
		suite.Tests++
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
				if !yield(v.junitCase(v.Report.Changes[i])) {
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
	out := junitCase{Class: show.Ends(c.SuiteID, junitNameRunes), Name: show.Ends(c.CaseID, junitNameRunes),
		File: v.junitPath(c.Path), Line: max(c.Line, 0), Properties: v.caseProperties(c)}
	if c.Head != nil && c.Head.LatencyMS != nil {
		out.Time = strconv.FormatFloat(float64(*c.Head.LatencyMS)/1000, 'f', 3, 64)
	}
	switch standingOf(c) {
	case regresses:
		out.Failure = v.junitResult(c, "regressed: ")
	case wrong:
		out.Failure = v.junitResult(c, "")
	case lacking:
		out.Error = v.junitResult(c, "")
	case gone:
		out.Skipped = &junitResult{Message: "removed; on the base: " + show.Lead(show.PlainOutcome(c.Base), 200)}
	}
	return out
}

func (v printer) junitResult(c report.Change, prefix string) *junitResult {
	return &junitResult{Type: junitType(c.Head), Message: prefix + v.account(c), Text: v.junitText(c)}
}

// junitType is the category of the shown trial.
func junitType(o *report.Outcome) string {
	if o == nil {
		return ""
	}
	return show.Lead(string(o.Primary), show.NameRunes)
}

// junitText shows where the case stands and what was answered.
func (v printer) junitText(c report.Change) string {
	text := v.junitPath(c.Path)
	if c.Line > 0 {
		text += fmt.Sprintf(":%d", c.Line)
	}
	if c.Head != nil && c.Head.Excerpt != "" {
		text += fmt.Sprintf("\n\nAnswer (trial %d of %d):\n%s", c.Head.Trial, c.Head.Trials, block(string(c.Head.Excerpt), junitAnswerRunes))
	}
	if v.Compared && c.Base != nil && c.Base.Excerpt != "" {
		text += "\n\nOn the base:\n" + block(string(c.Base.Excerpt), junitBaseRunes)
	}
	return text
}

func suiteProperties(s report.SuiteSummary) (p junitProperties) {
	p.score("score", s.Score)
	p.score("base_score", s.BaseScore)
	p.score("min_score", s.MinScore)
	return p
}

func (v printer) caseProperties(c report.Change) (p junitProperties) {
	if v.Compared {
		p.put("change", string(c.Change))
	}
	p.put("severity", c.Severity)
	if c.MustPass {
		p.put("must_pass", "true")
	}
	return p
}

func (p *junitProperties) put(name, value string) {
	if value != "" {
		*p = append(*p, struct{ Name, Value string }{name, show.Lead(value, show.NameRunes)})
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
		place := document.Diagnostic{Path: path, Line: d.Line, Column: d.Column}.Place()
		cases = append(cases, junitCase{Class: cmp.Or(path, junitInput), Name: place + " " + show.Lead(d.Rule, show.NameRunes),
			File: path, Line: max(d.Line, 0),
			Error: &junitResult{Type: show.Lead(d.Rule, show.NameRunes), Message: show.Lead(d.Message, show.SentenceRunes)}})
	}
	return (&junitSuite{Name: junitInput}).listed(cases)
}

// junitReasons are the reasons of a verdict that is no pass although no case failed.
func (v printer) junitReasons() *junitSuite {
	var cases []junitCase
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelError {
			name := show.Lead(r.Code, show.NameRunes)
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
	result := &junitResult{Type: show.Lead(string(v.Report.Verdict), show.NameRunes), Message: message}
	if v.Report.Verdict == report.Failed {
		c.Failure = result
	} else {
		c.Error = result
	}
	return c
}
