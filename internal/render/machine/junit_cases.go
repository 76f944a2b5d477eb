package machine

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

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
			at[id] = &junitSuite{Name: junitName(id), Counts: map[string]int{}}
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
		suite.Counts[junitResults[standingOf(c)]]++
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

var junitResults = map[standing]string{regresses: failure, wrong: failure, lacking: fault, gone: skipped}

func (v printer) junitCase(c report.Change) junitCase {
	at := standingOf(c)
	out := junitCase{Class: junitName(c.SuiteID), Name: junitName(c.CaseID), Time: took(c), Result: junitResults[at]}
	switch at {
	case regresses, wrong, lacking:
		out.Type, out.Message, out.Text = junitType(string(c.Head.Primary)), v.account(c), v.junitText(c)
		if at == regresses {
			out.Message = "regressed: " + out.Message
		}
	case gone:
		out.Message = "removed; before: " + show.Lead(show.PlainOutcome(c.Base), 200)
	}
	return out
}

// junitName shows a name; in a report that somebody wrote by hand it may be empty, which the schemas do not allow.
func junitName(name string) string { return cmp.Or(show.Ends(name, junitNameRunes), "unnamed") }

// junitType is the category of the shown trial, or the verdict.
func junitType(name string) string { return cmp.Or(show.Lead(name, show.NameRunes), "unnamed") }

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

func (v printer) suiteProperties(s report.SuiteSummary) (all []struct{ Name, Value string }) {
	put := func(name, value string) {
		if value != "" {
			all = append(all, struct{ Name, Value string }{name, show.Lead(value, junitNameRunes)})
		}
	}
	put("file", v.junitPath(s.Path))
	for i, score := range []*float64{s.Score, s.BaseScore, s.MinScore} {
		if score != nil {
			put([]string{"score", "base_score", "min_score"}[i], strconv.FormatFloat(*score, 'f', -1, 64))
		}
	}
	return all
}

// junitFaults are the faults that stopped the run. What is only worth saying of a file is left to SARIF.
func (v printer) junitFaults() *junitSuite {
	var cases []junitCase
	for _, d := range v.Faults() {
		path := v.junitPath(d.Path)
		place := d.At().In(path)
		cases = append(cases, junitCase{Class: cmp.Or(path, junitInput), Name: place + " " + show.Lead(d.Rule, show.NameRunes),
			Result: fault, Type: cmp.Or(show.Lead(d.Rule, show.NameRunes), "fault"), Message: show.Lead(d.Message, show.SentenceRunes)})
	}
	return listed(junitInput, cases)
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
	return listed(junitGate, cases)
}

// junitReason is a failure where the gate failed, and an error where it could not be judged.
func (v printer) junitReason(name, message string) junitCase {
	c := junitCase{Class: junitGate, Name: name, Result: fault, Type: junitType(string(v.Report.Verdict)), Message: message}
	if v.Report.Verdict == report.Failed {
		c.Result = failure
	}
	return c
}
