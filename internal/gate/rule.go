// Package gate decides the verdict of a run by a list of rules. A rule fails a run, suspends it, or only warns. A
// suspended run is undecided. The package never calls a model or reads a file.
//
// Each rule has a file, which says what the rule finds in a run, how that affects the verdict, who may accept it, and
// the texts for people. A new rule needs a file, a test, and a line of Rules.
package gate

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Rule is one condition of the gate.
type Rule struct {
	// Code is the name of the rule in reasons, in `/failproof accept SHA rule:CODE`, and in the reference. If the
	// configuration has a key with this name below `gate`, the key sets the level of the rule, and its figure if any.
	Code string

	// Level is the level if no key sets it. A finding may have a level of its own.
	Level config.Level

	// LevelOf is the code of another rule, whose key sets the level of this rule too. It is "" for most rules.
	LevelOf string

	// MayBeAccepted reports whether an approving review, or a command of somebody with write access, may overrule the
	// rule. Nobody overrules a regression, a missed threshold or a missing answer.
	MayBeAccepted bool

	// Title returns a few words about the findings for the first line of the comment. If it is nil, the title is made
	// elsewhere.
	Title func(TitleInput) string

	// NextStep tells the author what to do if the rule decided the verdict. It is "" if the rule alone does not
	// determine the step.
	NextStep string

	// ReviewStep tells a reviewer what to do before approving if the rule warns. It completes "Before you approve, …".
	ReviewStep string

	// SARIF is the id of the SARIF rule whose results have the level of this rule; "" for none.
	SARIF string

	// IfOff tells users of `failproof doctor` what a pull request can do if the rule is off. It is "" if that is
	// the choice of the team.
	IfOff string

	// Doc explains the rule in the reference, as Markdown.
	Doc string

	check func(*Run) []finding // finds the breaches in a run; nil: the action adds the reason
}

// TitleInput is the input of Rule.Title.
type TitleInput struct {
	Count  int            // reasons with the rule's code and one level
	Report *report.Report // the report with these reasons
}

// Rules has all rules, in the order of their reasons.
var Rules = []Rule{
	NoMerge, BaseMoved,
	Cancelled, Budget, Shard, Internal,
	MustPass, MustPassChange, Regressions, Pooled,
	RunScore, SuiteScore,
	Drop, PossibleDrop, UnprovenFlips,
	UnsettledFlips, ConfirmIncomplete, AnswersLost, RecheckIncomplete, HeadErrors, Unscored,
	Cases, Unverified, KeptByHand, ResampledRecordings, StaleRecording, Verify,
	Exposure, WeightedRate, HighStakes, CostIncrease,
	ResultsPaired, Removed, ExpectationRemoved, Redefined,
	AnswersTruncated, ForbiddenClaims, ParseRepairs,
	JudgeControls, JudgeWarns, NeedsRun, Drift,
	BypassedPrompt, PolicyChange, UntestedPrompt, UnjudgedFiles, AnswerLeaked,
	BaseFault, FirstRun, NoBase,
}

// RuleFor returns the rule with the given code, or the zero Rule if there is none. A hand-written report may have any
// code.
func RuleFor(code string) Rule {
	if i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Code == code }); i >= 0 {
		return Rules[i]
	}
	return Rule{}
}

// Key returns the key of the configuration's gate that has the rule's name, or false if there is none.
func (r Rule) Key() (config.Key, bool) {
	at := slices.IndexFunc(config.Keys(), func(k config.Key) bool { return k.String() == r.Code })
	return config.Key(at), at >= 0
}

// levelIn returns the level of the rule in the gate g.
func (r Rule) levelIn(g config.Gate) config.Level {
	if key, ok := (Rule{Code: cmp.Or(r.LevelOf, r.Code)}).Key(); ok {
		return g.Setting(key).Level
	}
	return r.Level
}

// fixedTitle returns a function for Rule.Title that always returns text.
func fixedTitle(text string) func(TitleInput) string { return func(TitleInput) string { return text } }
