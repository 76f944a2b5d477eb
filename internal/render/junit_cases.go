package render

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/failproof/failproof/internal/document"
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
func (v *view) junitSuites() (suites []*junitSuite) {
	at := map[string]*junitSuite{}
	of := func(id string) *junitSuite {
		if at[id] == nil {
			at[id] = &junitSuite{Name: ends(id, junitNameRunes)}
			suites = append(suites, at[id])
		}
		return at[id]
	}
	for _, s := range v.r.Suites {
		suite := of(s.SuiteID)
		suite.File, suite.Properties = v.junitPath(s.Path), suiteProperties(s)
	}
	cases := map[*junitSuite][]int{} // in the report's changes
	for i, c := range v.r.Changes {
		suite := of(c.SuiteID)
		cases[suite] = append(cases[suite], i)
		suite.Tests++
		switch v.standingOf(c) {
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
				if !yield(v.junitCase(v.r.Changes[i])) {
					return
				}
			}
		}
	}
	return suites
}

func (v *view) junitPath(path string) string {
	if path == "" {
		return ""
	}
	return ends(v.l.Path(path), junitNameRunes)
}

func (v *view) junitCase(c report.Change) junitCase {
	out := junitCase{Class: ends(c.SuiteID, junitNameRunes), Name: ends(c.CaseID, junitNameRunes),
		File: v.junitPath(c.Path), Line: max(c.Line, 0), Properties: v.caseProperties(c)}
	switch v.standingOf(c) {
	case regresses:
		out.Failure = v.junitResult(c, "regressed: ")
	case wrong:
		out.Failure = v.junitResult(c, "")
	case lacking:
		out.Error = v.junitResult(c, "")
	case gone:
		out.Skipped = &junitResult{Message: "removed; on the base: " + lead(plainOutcome(c.Base), 200)}
	}
	return out
}

func (v *view) junitResult(c report.Change, prefix string) *junitResult {
	return &junitResult{Type: junitType(c.Head), Message: prefix + v.account(c), Text: v.junitText(c)}
}

// junitType is the category of the shown trial.
func junitType(o *report.Outcome) string {
	if o == nil {
		return ""
	}
	return lead(string(o.Primary), nameRunes)
}

// junitText shows where the case stands and what was answered.
func (v *view) junitText(c report.Change) string {
	text := v.junitPath(c.Path)
	if c.Line > 0 {
		text += fmt.Sprintf(":%d", c.Line)
	}
	if c.Head != nil && c.Head.Excerpt != "" {
		text += fmt.Sprintf("\n\nAnswer (trial %d of %d):\n%s", c.Head.Trial, c.Head.Trials, block(string(c.Head.Excerpt), junitAnswerRunes))
	}
	if v.compared && c.Base != nil && c.Base.Excerpt != "" {
		text += "\n\nOn the base:\n" + block(string(c.Base.Excerpt), junitBaseRunes)
	}
	return text
}

func suiteProperties(s report.SuiteSummary) *junitProperties {
	var p junitProperties
	p.score("score", s.Score)
	p.score("base_score", s.BaseScore)
	p.score("min_score", s.MinScore)
	return p.orNil()
}

func (v *view) caseProperties(c report.Change) *junitProperties {
	var p junitProperties
	if v.compared {
		p.put("change", string(c.Change))
	}
	p.put("severity", c.Severity)
	if c.MustPass {
		p.put("must_pass", "true")
	}
	return p.orNil()
}

func (p *junitProperties) put(name, value string) {
	if value != "" {
		p.List = append(p.List, junitProperty{name, lead(value, nameRunes)})
	}
}

func (p *junitProperties) score(name string, v *float64) {
	if v != nil {
		p.put(name, strconv.FormatFloat(*v, 'f', -1, 64))
	}
}

func (p *junitProperties) orNil() *junitProperties {
	if len(p.List) == 0 {
		return nil
	}
	return p
}

// junitFaults are the faults that stopped the run. What is only worth saying of a file is left to SARIF.
func (v *view) junitFaults() *junitSuite {
	var cases []junitCase
	for _, d := range v.r.Diagnostics {
		if d.Severity == document.Warning {
			continue
		}
		path := v.junitPath(d.Path)
		place := document.Diagnostic{Path: path, Line: d.Line, Column: d.Column}.Place()
		cases = append(cases, junitCase{Class: cmp.Or(path, junitInput), Name: place + " " + lead(d.Rule, nameRunes),
			File: path, Line: max(d.Line, 0),
			Error: &junitResult{Type: lead(d.Rule, nameRunes), Message: lead(d.Message, sentenceRunes)}})
	}
	return (&junitSuite{Name: junitInput}).listed(cases)
}

// junitReasons are the reasons of a verdict that is no pass although no case failed.
func (v *view) junitReasons() *junitSuite {
	var cases []junitCase
	for _, r := range v.r.Reasons {
		if r.Level == report.LevelError {
			name := lead(r.Code, nameRunes)
			if r.SuiteID != "" {
				name += " " + ends(r.SuiteID, junitNameRunes)
			}
			cases = append(cases, v.junitReason(name, lead(r.Message, sentenceRunes)))
		}
	}
	if len(cases) == 0 {
		cases = append(cases, v.junitReason("verdict", v.title()))
	}
	return (&junitSuite{Name: junitGate}).listed(cases)
}

// junitReason is a failure where the gate failed, and an error where it could not be judged.
func (v *view) junitReason(name, message string) junitCase {
	c := junitCase{Class: junitGate, Name: name}
	result := &junitResult{Type: lead(string(v.r.Verdict), nameRunes), Message: message}
	if v.r.Verdict == report.Failed {
		c.Failure = result
	} else {
		c.Error = result
	}
	return c
}
