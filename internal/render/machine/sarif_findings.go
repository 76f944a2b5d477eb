package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// finding is a remark about a place in a file: a SARIF result, an annotation, or an entry of GitLab's report. Its
// message is one line of inert text.
type finding struct {
	rule, level, message string
	path                 string
	line, column         int // 0: the whole file or line
	suite, id            string
	key                  string // distinguishes findings without a case
	about                string // what the title of an annotation names
}

// findings returns the findings of the report, errors and severe cases first. Those without a file get the place of a
// suite. If the report has no suite either, their path is "".
func findings(v *story.Story) (found []finding) {
	for _, d := range v.Report.Diagnostics {
		found = append(found, finding{
			// any text in an edited report
			rule:    inputRulePrefix + cmp.Or(show.ShortName(d.Rule, show.NameRunes), "fault"),
			level:   show.If(d.Severity == document.Warning, sarifWarning, sarifError),
			message: show.Excerpt(d.Message, sarifMessageRunes),
			path:    d.Path, line: d.Line, column: d.Column, key: d.Path + "\n" + d.Message})
	}
	reported, decided := map[[2]string]bool{}, map[string]bool{} // cases, and rules of SARIF with an error
	cases := show.Filter(v.Report.Changes, func(c report.Change) bool { return caseRule(c) != "" })
	slices.SortStableFunc(cases, story.BySeverity)
	for _, c := range cases {
		f := caseFinding(v, c)
		found = append(found, f)
		reported[[2]string{c.SuiteID, c.CaseID}] = true
		decided[f.rule] = decided[f.rule] || f.level == sarifError
	}
	for _, line := range v.Lines {
		for _, r := range line.Regions {
			found = append(found, finding{rule: ruleCause, level: sarifLevel(v, ruleRegressed), path: r.Path, line: min(r.First, r.Last),
				message: line.Phrase.Plain(show.QuoteRunes), key: r.Path + "\n" + strings.Join(line.Cases, "\n"),
				about: strings.Join(line.Cases, ", ")})
		}
	}
	for _, r := range v.Report.Reasons {
		told := reported[[2]string{r.SuiteID, r.CaseID}] || r.CaseID == "" && decided[gate.RuleFor(r.Code).SARIF]
		if f, ok := reasonFinding(v, r); ok && !told {
			found = append(found, f)
		}
	}
	for _, c := range v.Report.PolicyChanges {
		found = append(found, finding{rule: rulePolicyChange, level: sarifLevel(v, rulePolicyChange), path: c.Path, key: c.Key, about: c.Key,
			message: fmt.Sprintf("the change sets %s from %s to %s, %s", show.Excerpt(c.Key, show.QuoteRunes), setting(c.Base),
				setting(c.Head), show.If(c.Effective, "in force for this run", "not obeyed until merged"))})
	}
	for i := range found {
		if found[i].path == "" {
			found[i].path, found[i].line = suitePlace(v, "")
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return slices.Index(sarifLevels, a.level) - slices.Index(sarifLevels, b.level)
	})
	return found
}

func setting(text string) string {
	return show.If(text == "", "nothing", "“"+show.Excerpt(text, show.QuoteRunes)+"”")
}

// sarifLevel returns the level of a SARIF rule: error if a gate rule that refers to it decided the verdict, or warning.
func sarifLevel(v *story.Story, rule string) string {
	for _, r := range v.Report.Reasons {
		if r.Level == report.LevelError && gate.RuleFor(r.Code).SARIF == rule {
			return sarifError
		}
	}
	return sarifWarning
}

// caseFinding returns the finding of a case that has a caseRule.
func caseFinding(v *story.Story, c report.Change) finding {
	f := finding{path: c.Path, line: c.Line, suite: c.SuiteID, id: c.CaseID, about: show.Case(c.SuiteID, c.CaseID),
		rule: caseRule(c)}
	what := caseSummary(v, c)
	switch f.rule {
	case ruleRegressed, ruleNoAnswer:
		f.level = show.If(c.MustPass, sarifError, sarifLevel(v, f.rule))
	case ruleMustPass:
		f.level = sarifError
	case ruleFailing:
		f.level = show.If(v.WrongOnBoth(c), sarifNote, sarifWarning)
	case ruleRemoved:
		f.level = show.If(c.Base.Right() || c.MustPass, sarifLevel(v, ruleRemoved), sarifNote)
		what = "removed; before: " + show.Excerpt(show.PlainOutcome(c.Base), 200)
	case ruleRedefined:
		f.level, what = redefinedLevel(v, c)
	case ruleFell:
		f.level = sarifWarning
	case ruleFlaky:
		f.level = sarifNote
	}
	f.message = fmt.Sprintf("%s %s: %s", show.ShortName(show.Suite(c.SuiteID), 2*show.NameRunes),
		show.ShortName(c.CaseID, 2*show.NameRunes), what)
	return f
}

func redefinedLevel(v *story.Story, c report.Change) (level, what string) {
	switch {
	case c.Kind == report.KindMayHide:
		return sarifLevel(v, ruleRedefined), v.ResultReason(c).Plain(show.NameRunes)
	case c.Head.UnderBase == nil:
		return sarifLevel(v, ruleRedefined), "redefined, and not judged by the expectation before"
	}
	return sarifNote, "redefined; passes the old expectation as well"
}

// reasonFinding returns the finding of a reason: a suite below its threshold, a case that is no longer must_pass, or
// another reason that decided the verdict. It returns false for other reasons.
func reasonFinding(v *story.Story, r report.Reason) (finding, bool) {
	rule := gate.RuleFor(r.Code).SARIF
	f := finding{level: show.If(r.Level == report.LevelError, sarifError, sarifWarning),
		message: show.Excerpt(r.Message, show.SentenceRunes), suite: r.SuiteID, id: r.CaseID,
		about: show.Join(" ", r.Code, show.Suite(r.SuiteID), r.CaseID)}
	if c, ok := v.Find(r.SuiteID, r.CaseID); ok && rule == ruleMustPass {
		f.rule, f.path, f.line = ruleMustPass, c.Path, c.Line
		return f, true
	}
	f.path, f.line = suitePlace(v, r.SuiteID)
	if rule == ruleMinScore && f.path != "" {
		f.rule = ruleMinScore
		return f, true
	}
	f.rule, f.key = ruleGate, r.Code
	return f, r.Level == report.LevelError
}

// notifications returns the warnings about the run as a whole, the findings without a place, and the number of omitted
// results.
func notifications(v *story.Story, unplaced []finding, omitted int) (out []sarifNotification) {
	for _, f := range unplaced {
		out = append(out, sarifNotification{f.level, sarifMessage(f.message)})
	}
	for _, r := range v.Report.Reasons {
		if r.Level != report.LevelError && r.SuiteID == "" && r.CaseID == "" {
			out = append(out, sarifNotification{sarifWarning, sarifMessage(show.Excerpt(r.Message, show.SentenceRunes))})
		}
	}
	out = out[:min(len(out), sarifNotesKept)]
	if omitted > 0 {
		out = append(out, sarifNotification{sarifWarning,
			sarifMessage(show.Count(omitted, "more result") + " left out: " + show.WithCommas(sarifResultsKept) +
				" are the most that are shown")})
	}
	return out
}

// Rules of SARIF, one for each kind of finding.
const (
	ruleRegressed    = "regressed"
	ruleMustPass     = "must_pass"
	ruleFailing      = "failing"
	ruleNoAnswer     = "no_answer"
	ruleRedefined    = "redefined"
	ruleRemoved      = "removed"
	ruleFell         = "fell"
	ruleFlaky        = "flaky"
	ruleMinScore     = "min_score"
	ruleCause        = "cause"
	ruleGate         = "gate"
	rulePolicyChange = "policy_change"

	// inputRulePrefix is the prefix of the names of rules about files. The diagnostic's own rule follows, as in
	// input/unknown-key.
	inputRulePrefix = "input/"
)

// describedRules are the rules with their texts, in output order.
var describedRules = []sarifRule{
	newRule(ruleRegressed, sarifError, "A case regressed",
		"The answer was right before and is wrong now.",
		"Compare both answers in the comment. If the change is meant, edit the case's expectation: it is then shown as redefined, for a reviewer to see."),
	newRule(ruleMustPass, sarifError, "A must-pass case fails",
		"A case with must_pass has a wrong answer, or the change removed it, unmarked it, or asks or expects something else of it. Such a case fails the gate by itself and is never averaged away.",
		"Correct the prompt. That a case need not pass any longer is for a reviewer to accept."),
	newRule(ruleFailing, sarifWarning, "A case fails",
		"The answer is wrong, and that is no regression: the case is new, was redefined, was wrong before as well, or nothing was compared.",
		"The message names the criterion that is not met. A note stands for a case that was wrong before as well."),
	newRule(ruleNoAnswer, sarifWarning, "An answer has no score",
		"The target gave no answer, or the judge no verdict: an error, a timeout or a crash. It counts 0, and apart, since it says nothing of the prompt.",
		"Run again when the target answers. If a recording is stale, record the answers again and commit them with the change."),
	newRule(ruleRedefined, sarifWarning, "An expectation was edited",
		"The case's expectation is another than before. Where the answer passes the new one and fails the old one, the edit may hide a regression.",
		"A reviewer decides whether the new expectation is right. gate.on_redefined says whether it blocks."),
	newRule(ruleRemoved, sarifWarning, "A case was removed",
		"The case was there before and is not now.",
		"A reviewer decides whether the case may go. gate.on_removed says whether it blocks if it passed before."),
	newRule(ruleFell, sarifWarning, "A case got worse with others",
		"The case's answers are right less often than before. Alone that may be chance; of the cases together, or of the suite as a whole, it hardly is.",
		"The comment says how likely chance is. Compare the answers of these cases: often one edit explains them."),
	newRule(ruleFlaky, sarifNote, "A case moved within noise",
		"Some of the case's trials pass and some do not, on at least one side, and the difference is no more than chance would make.",
		"More trials tell more. A prompt that leaves less room makes answers steadier."),
	newRule(ruleCause, sarifError, "A changed line broke cases",
		"Each case that the message names is right without this change and wrong with it alone.",
		"Take the change back, or write it so that these cases stay right."),
	newRule(ruleMinScore, sarifError, "A suite is below its bar",
		"The suite's score is below its min_score.",
		"The message has both numbers; the suite's failing cases are results of their own."),
	newRule(ruleGate, sarifError, "The gate does not pass",
		"A condition on a suite or the run as a whole is not met, or the run came to no verdict.",
		"The message says which condition. The comment has the figures, and what to do next."),
	newRule(rulePolicyChange, sarifWarning, "A setting of the gate is changed",
		"The change sets what the gate is read from: bars, policies, targets or scoring. The settings before it hold until the change is merged; the message says where one holds already.",
		"A reviewer decides whether the new setting is right. gate.on_policy_change says whether it blocks."),
}

// rulesOf returns all described rules, and those of the diagnostics that were found, by name.
func rulesOf(found []finding) []sarifRule {
	rules := slices.Clip(describedRules)
	var names []string
	for _, f := range found {
		if strings.HasPrefix(f.rule, inputRulePrefix) {
			names = append(names, f.rule)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		rules = append(rules, newRule(name, sarifError, "A problem in a file: "+strings.TrimPrefix(name, inputRulePrefix),
			"A file that the run needs is not valid, so nothing was run and nothing was scored.",
			"The message says what is wrong and what was expected. `failproof validate` lists all faults of all files at once."))
	}
	return rules
}

func newRule(id, level, short, full, help string) sarifRule {
	r := sarifRule{ID: id, Short: sarifText{short}, Full: sarifText{full}, HelpURI: rulesPage, Help: sarifText{help}}
	r.Default.Level = level
	return r
}
