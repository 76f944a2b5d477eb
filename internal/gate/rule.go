// Package gate decides the verdict of a run. It holds a list of rules, one a file: each says what it finds in a run,
// what that does to the verdict, who may accept it, and what people are told of it. The verdict is a fold over the
// list.
//
// Everything that is true of one rule alone stands in its file. A rule that is new is a file, a test, and a line of
// Rules.
package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Rule is one condition that a run is held to.
type Rule struct {
	// Code names the rule: in reasons, in `/failproof accept SHA rule:CODE`, and in the reference. If the configuration
	// has a key of that name below `gate`, that key holds the level of the rule, and its figure if it has one.
	Code string

	// Level is what the rule does if no key holds it, unless a finding has a level of its own.
	Level config.Level

	// Accepts reports whether an approving review, or a command of somebody with write access, may overrule the rule.
	// Nobody overrules a regression, a missed threshold or a missing answer.
	Accepts bool

	// Title says in a few words what was found, for the first line of the comment; nil if the title says it otherwise.
	Title func(TitleInput) string

	// NextStep tells the author what to do if the rule decided the verdict; "" if that depends on more than the rule.
	NextStep string

	// Look tells a reviewer what to do before approving if the rule warns. It completes "Before you approve, …".
	Look string

	// SARIF is the id of the SARIF rule whose results have the level of this rule; "" for none.
	SARIF string

	// IfOff says what a pull request can do if the rule is off, for `failproof doctor`; "" if that is the team's
	// choice.
	IfOff string

	// Doc explains the rule in the reference, as Markdown.
	Doc string

	check func(*run) []finding // nil: the reason is given where the run ends
}

// TitleInput is what a title is made of.
type TitleInput struct {
	Count  int            // of reasons with the rule's code and one level
	Report *report.Report // that holds them
}

// Rules are all rules, in the order in which their reasons are told.
var Rules = []Rule{
	NoMerge, BaseMoved,
	Cancelled, Budget, Shard, Internal,
	MustPass, MustPassChange, Regressions, Pooled,
	RunScore, SuiteScore,
	Drop, Inconclusive, UnprovenFlips,
	Unsettled, ConfirmIncomplete, AnswersLost, RecheckIncomplete, HeadErrors, Unscored,
	Cases, Unverified, KeptByHand, Redrawn, StaleRecording, Verify,
	Exposure, WeightedRate, HighStakes, CostIncrease,
	ResultsPaired, Removed, ExpectationRemoved, Redefined,
	AnswersCut, ForbiddenClaims, ParseRepairs,
	JudgeControls, JudgeWarns, NeedsRun, Drift,
	DesertedPrompt, PolicyChange, UnaskedPrompt, UnjudgedFiles, AnswerTold,
	BaseFault, FirstRun, NoBase,
}

// Of returns the rule with a code; a Rule without a Code if there is none, as in a report written by hand.
func Of(code string) Rule {
	if i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Code == code }); i >= 0 {
		return Rules[i]
	}
	return Rule{}
}

// Key returns the key of the gate that holds the rule; false if none does.
func (r Rule) Key() (config.Key, bool) {
	for _, k := range config.Keys() {
		if k.String() == r.Code {
			return k, true
		}
	}
	return 0, false
}

// fixedTitle returns a title that is the same for all findings.
func fixedTitle(text string) func(TitleInput) string { return func(TitleInput) string { return text } }
