package machine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
)

// Rules of SARIF: one for each thing that can be said of a case, a suite or a setting.
const (
	ruleRegressed    = "regressed"
	ruleMustPass     = "must_pass"
	ruleFailing      = "failing"
	ruleNoAnswer     = "no_answer"
	ruleRedefined    = "redefined"
	ruleRemoved      = "removed"
	ruleFlaky        = "flaky"
	ruleMinScore     = "min_score"
	rulePolicyChange = "policy_change"

	// rulesOfFaults begins the names of the rules of files; what follows is the fault's own: input/unknown-key.
	rulesOfFaults = "input/"
)

// described are the rules with their texts, in the order in which they are written.
var described = [...]struct{ id, level, short, full, help string }{
	{ruleRegressed, sarifError, "A case regressed",
		"The answer was right before and is wrong now.",
		"Compare both answers in the comment. If the change is meant, edit the case's expectation: it is then shown as redefined, for a reviewer to see."},
	{ruleMustPass, sarifError, "A must-pass case fails",
		"A case with must_pass has a wrong answer, or the change removed it, unmarked it, or asks or expects something else of it. Such a case fails the gate by itself and is never averaged away.",
		"Correct the prompt. That a case need not pass any longer is for a reviewer to accept."},
	{ruleFailing, sarifWarning, "A case fails",
		"The answer is wrong, and that is no regression: the case is new, was redefined, was wrong before as well, or nothing was compared.",
		"The message names the criterion that is not met. A note stands for a case that was wrong before as well."},
	{ruleNoAnswer, sarifWarning, "An answer is missing",
		"The target gave no answer to judge: an error, a timeout or a crash. It counts 0, and apart, since it says nothing of the prompt.",
		"Run again when the target answers. If a recording is stale, record the answers anew and commit them with the change."},
	{ruleRedefined, sarifWarning, "An expectation was edited",
		"The case's expectation is another than before. Where the answer passes the new one and fails the old one, the edit may hide a regression.",
		"A reviewer decides whether the new expectation is right. gate.on_redefined says whether it blocks."},
	{ruleRemoved, sarifWarning, "A case was removed",
		"The case was there before and is not now.",
		"A reviewer decides whether the case may go. gate.on_removed says whether it blocks if it passed before."},
	{ruleFlaky, sarifNote, "A case moved within noise",
		"Some of the case's trials pass and some do not, on at least one side, and the difference is no more than chance would make.",
		"More trials tell more. A prompt that leaves less room makes answers steadier."},
	{ruleMinScore, sarifError, "A suite is below its bar",
		"The suite's score is below its min_score.",
		"The message has both numbers; the suite's failing cases are results of their own."},
	{rulePolicyChange, sarifWarning, "A setting of the gate is changed",
		"The change sets what the gate is read from: bars, policies, targets or scoring. The settings before it hold until the change is merged; the message says where one holds already.",
		"A reviewer decides whether the new setting is right. gate.on_policy_change says whether it blocks."},
}

// rulesOf returns every described rule and those of the faults that were found, by name.
func rulesOf(found []finding) []sarifRule {
	var rules []sarifRule
	for _, d := range described {
		rules = append(rules, newRule(d.id, d.level, d.short, d.full, d.help))
	}
	var names []string
	for _, f := range found {
		if strings.HasPrefix(f.rule, rulesOfFaults) {
			names = append(names, f.rule)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		rules = append(rules, newRule(name, sarifError, "A fault in a suite, the configuration or an input: "+strings.TrimPrefix(name, rulesOfFaults),
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

// faultRule is the name of a fault's rule; in a report that somebody wrote by hand it may be any text.
func faultRule(rule string) string {
	return rulesOfFaults + cmp.Or(show.Ends(rule, show.NameRunes), "fault")
}
