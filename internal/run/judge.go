package run

import (
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// warnJudge is the code of a warning that the judge's verdicts do not count, and why.
const warnJudge = "judge_unchecked"

// grader is the judge of the configuration in force.
func grader(c *config.Config) judge.Judge {
	return judge.Judge{Target: c.Targets[c.Judge.Target], Votes: c.Judge.Votes}
}

// openJudge makes a client of the judge where a suite that is asked has criteria. It is asked by the configuration in force alone.
func (p *Plan) openJudge() (faults []document.Diagnostic) {
	if p.rules.Judge == nil || !graded(p.asked[suite.Head]) && !graded(p.asked[suite.Base]) {
		return nil
	}
	p.judgeClient, faults = p.live.open(p.rules, p.rules.Judge.Target)
	return faults
}

// standingIn is what the judge is worth by the files of the tree whose rules hold.
func standingIn(tree fs.FS, c *config.Config) judge.Standing {
	if c.Judge == nil || c.Judge.Labelled == "" {
		return judge.Unlabelled()
	}
	labels, err := fs.ReadFile(tree, c.Judge.Labelled)
	if err != nil {
		return judge.Standing{Words: "not checked: " + c.Judge.Labelled + " cannot be read"}
	}
	agreement, err := fs.ReadFile(tree, judge.AgreementPath(c.Judge.Labelled))
	if err != nil {
		agreement = nil
	}
	return judge.ReadStanding(grader(c), c.Judge.MinAgreement, labels, agreement)
}

// graded reports whether a case of suites has criteria.
func graded(suites []*suite.Suite) bool {
	return slices.ContainsFunc(suites, func(s *suite.Suite) bool { return s.Cases.Any((*suite.Case).Graded) })
}

// panel has the judge grade what is asked; nil where there is nothing to grade. What becomes of stale verdicts is one of config's words for stale answers.
func (p Plan) panel(open asking, stale string) *evaluate.Panel {
	if p.judgeClient == nil {
		return nil
	}
	j := grader(p.rules)
	return evaluate.NewPanel(j, p.judgeClient, evaluate.PanelOptions{Where: where(j.Target), Journal: open.keeper(), Redactor: p.redactor(), AskStale: stale == config.StaleAsk, Standing: p.standing})
}

// controlled is what the judge made of the controls, with what there is to say of that.
func controlled(panel *evaluate.Panel, warnings []report.Warning) (evaluate.Controls, []report.Warning) {
	if panel == nil {
		return evaluate.Controls{}, warnings
	}
	told := panel.Controls()
	if told.Obeyed {
		warnings = append(warnings, report.Warning{Code: "judge_obeys", Message: "the judge called an answer met that ordered it to: an answer may talk it round; take another model as judge"})
	}
	return told, warnings
}

// judgeInfo says who graded, and what that took.
func (p Plan) judgeInfo(sides Sides) *report.JudgeInfo {
	if p.judgeClient == nil {
		return nil
	}
	j := grader(p.rules)
	calls := sides.Head.JudgeCalls.Plus(sides.Controls.Calls).Plus(sides.Explained.judging)
	if sides.Base != nil && p.Stored == nil {
		calls = calls.Plus(sides.Base.JudgeCalls)
	}
	return &report.JudgeInfo{Target: j.Target.Name, Model: j.Target.Model, Version: judge.Version, Votes: j.Votes, Fingerprint: j.Fingerprint(),
		Counts: p.standing.Counts, Standing: p.standing.Words, Calls: calls}
}
