package machine

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// finding is a result of SARIF before it is written. Its message is one line of inert text.
type finding struct {
	rule, level, message string
	path                 string
	line, column         int // 0: the whole file, the whole line
	suite, id            string
	key                  string // tells findings apart that are of no case
}

// findings are those of the report, errors first.
func (v printer) findings() (found []finding) {
	for _, d := range v.Report.Diagnostics {
		found = append(found, ofFault(d))
	}
	named := map[[2]string]bool{}
	for _, c := range v.Report.Changes.All() {
		if f, ok := v.ofCase(c); ok {
			found = append(found, f)
			named[[2]string{c.SuiteID, c.CaseID}] = true
		}
	}
	for _, r := range v.Report.Reasons {
		if f, ok := v.ofReason(r); ok && !named[[2]string{r.SuiteID, r.CaseID}] {
			found = append(found, f)
		}
	}
	for _, c := range v.Report.PolicyChanges {
		found = append(found, finding{rule: rulePolicyChange, level: v.sarifLevel("on_policy_change"), path: c.Path, key: c.Key,
			message: policyMessage(c)})
	}
	slices.SortStableFunc(found, func(a, b finding) int { return slices.Index(sarifLevels, a.level) - slices.Index(sarifLevels, b.level) })
	return found
}

func policyMessage(c config.Change) string {
	when := "not obeyed until merged"
	if c.InForce {
		when = "in force for this run"
	}
	return fmt.Sprintf("the change sets %s from %s to %s, %s", show.Lead(c.Key, show.QuoteRunes), setting(c.Base), setting(c.Head), when)
}

func setting(text string) string {
	if text == "" {
		return "nothing"
	}
	return "“" + show.Lead(text, show.QuoteRunes) + "”"
}

func ofFault(d document.Diagnostic) finding {
	level := sarifError
	if d.Severity == document.Warning {
		level = sarifWarning
	}
	return finding{rule: faultRule(d.Rule), level: level, message: show.Lead(d.Message, sarifMessageRunes), path: d.Path, line: d.Line,
		column: d.Column, key: d.Path + "\n" + d.Message}
}

// sarifLevel is error if a reason of that code decided the verdict.
func (v printer) sarifLevel(code string) string {
	if v.Has(code, report.LevelError) {
		return sarifError
	}
	return sarifWarning
}

// ofCase returns what is to be said of a case; false if it is well.
func (v printer) ofCase(c report.Change) (finding, bool) {
	f := finding{path: c.Path, line: c.Line, suite: c.SuiteID, id: c.CaseID}
	var what string
	f.rule, f.level, what = v.judged(c)
	if f.rule == "" {
		return f, false
	}
	if c.MustPass && (f.rule == ruleRegressed || f.rule == ruleNoAnswer) {
		f.level = sarifError
	}
	f.message = fmt.Sprintf("%s %s: %s", show.Ends(show.Suite(c.SuiteID), 2*show.NameRunes), show.Ends(c.CaseID, 2*show.NameRunes), what)
	return f, true
}

func (v printer) judged(c report.Change) (rule, level, what string) {
	switch at := standingOf(c); {
	case at == regresses:
		return ruleRegressed, v.sarifLevel("max_regressions"), v.account(c)
	case at == wrong && c.MustPass:
		return ruleMustPass, sarifError, v.account(c)
	case at == wrong && v.AlsoOnBase(c):
		return ruleFailing, sarifNote, v.account(c)
	case at == wrong:
		return ruleFailing, sarifWarning, v.account(c)
	case at == lacking:
		return ruleNoAnswer, v.sarifLevel("max_unscored"), v.account(c)
	case at == gone:
		return v.judgedGone(c)
	case c.Change == report.Redefined:
		return v.judgedRedefined(c)
	case c.Change == report.Flaky:
		return ruleFlaky, sarifNote, v.account(c)
	}
	return "", "", ""
}

func (v printer) judgedGone(c report.Change) (rule, level, what string) {
	what = "removed; before: " + show.Lead(show.PlainOutcome(c.Base), 200)
	if c.Base.Right() || c.MustPass {
		return ruleRemoved, v.sarifLevel("on_removed"), what
	}
	return ruleRemoved, sarifNote, what
}

func (v printer) judgedRedefined(c report.Change) (rule, level, what string) {
	switch {
	case c.Kind == report.KindHidden:
		return ruleRedefined, v.sarifLevel("on_redefined"),
			fmt.Sprintf("passes the new expectation, fails the old one (%s)", show.Lead(string(*c.Head.UnderBase), show.NameRunes))
	case c.Head.UnderBase == nil:
		return ruleRedefined, v.sarifLevel("on_redefined"), "redefined, and not judged by the expectation before"
	}
	return ruleRedefined, sarifNote, "redefined; passes the old expectation as well"
}

// ofReason is a reason with a place of its own: a suite below its bar, or a case that is no longer must_pass.
func (v printer) ofReason(r report.Reason) (finding, bool) {
	f := finding{level: levelOfReason(r), message: show.Lead(r.Message, show.SentenceRunes), suite: r.SuiteID, id: r.CaseID}
	if c, ok := v.Find(r.SuiteID, r.CaseID); ok && r.Code == ruleMustPass {
		f.rule, f.path, f.line = ruleMustPass, c.Path, c.Line
		return f, true
	}
	i := slices.IndexFunc(v.Report.Suites, func(s report.SuiteSummary) bool { return s.SuiteID == r.SuiteID })
	if r.Code == ruleMinScore && i >= 0 {
		f.rule, f.path, f.line = ruleMinScore, v.Report.Suites[i].Path, v.Report.Suites[i].Line
		return f, true
	}
	return f, false
}

func levelOfReason(r report.Reason) string {
	if r.Level == report.LevelError {
		return sarifError
	}
	return sarifWarning
}

// notifications are the reasons that are about the run as a whole, and what was left out.
func (v printer) notifications(left int) (out []sarifNotification) {
	for _, r := range v.Report.Reasons {
		if r.SuiteID != "" || r.CaseID != "" || len(out) == sarifNotesKept {
			continue
		}
		out = append(out, sarifNotification{levelOfReason(r), message(show.Lead(r.Message, show.SentenceRunes))})
	}
	if left > 0 {
		out = append(out, sarifNotification{sarifWarning,
			message(show.Count(left, "more result") + " left out: " + show.Grouped(sarifResultsKept) + " are the most that are shown")})
	}
	return out
}
