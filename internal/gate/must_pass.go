package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// MustPass fails a run if any answer to a must-pass case is wrong. If noise may explain the wrong answer, reruns
// decide.
var MustPass = Rule{
	Code: "must_pass", Level: config.Err, SARIF: "must_pass",
	Doc: "A case with `must_pass: true` is answered wrong. One wrong answer is enough. If it may be a live " +
		"model's noise, the case is asked again, and the fresh " +
		"answers decide. A missing answer leaves the run undecided.",
	check: func(r *Run) []finding {
		var found caseFindings
		for p := range r.Comparison.All() {
			switch {
			case p.Head == nil || !p.Head.MustPass:
			case p.Head.FailedAnswers() > 0:
				does, text := wrongMustPass(r.Comparison, p)
				found.add(does, p, text)
			case p.Head.Outcome.Unscored > 0:
				does, text := missingMustPass(p)
				found.add(does, p, text)
			}
		}
		return found.all()
	},
}

// missingMustPass returns the effect of a must-pass case that lacks an answer, and a description of the case. Reruns
// may confirm or clear the case.
func missingMustPass(p *compare.Case) (effect, string) {
	candidate := p.Candidate
	switch {
	case candidate != nil && candidate.State == report.CandidateConfirmed:
		return effectFails, "failed: " + confirmedBy(p)
	case candidate != nil && candidate.State == report.CandidateCleared && candidate.HeadPasses > 0:
		return effectWarns, fmt.Sprintf("had no score (%s), and a right one in %d of %s", p.Head.Outcome.CategoryWord(), candidate.HeadPasses, text.Count(candidate.Rounds, candidate.RunNoun()))
	}
	return effectSuspends, "has no score: " + p.Head.Outcome.CategoryWord()
}

// wrongMustPass returns the effect of a wrong answer to a must-pass case, and a description of the case. A noisy case
// that passed on the base is rerun, and fails the run if the reruns confirm the wrong answer. In any other case, one
// wrong answer fails the run.
func wrongMustPass(c compare.Comparison, p *compare.Case) (effect, string) {
	failed := "failed: " + p.Head.Outcome.CategoryWord()
	if p.FromOtherRunner() && p.Noisy() && p.Base != nil && compare.CountsOf(p.Base).Passes() && compare.CountsOf(p.Head).Passes() {
		return effectWarns, fmt.Sprintf("failed in %d of %s, and passed in the others", p.Head.FailedAnswers(), text.Count(answersOf(p.Head), "run"))
	}
	if p.SampledFlip {
		return effectSuspends, failed + "; " + sampledFlipText
	}
	if !p.ByRecordedReruns && (!p.Noisy() || c.NoiseTest == nil) || !p.IsShared() || p.SharesAnswer() {
		return effectFails, failed
	}
	return rerunMustPass(c, p, failed)
}

// rerunMustPass returns what the reruns of a wrong must-pass case decide, as wrongMustPass does. failed describes its
// wrong answer.
func rerunMustPass(c compare.Comparison, p *compare.Case, failed string) (effect, string) {
	candidate, before := p.Candidate, compare.CountsOf(p.Base)
	switch {
	case candidate == nil && 2*before.Passed <= before.Trials:
		return effectFails, failed + ", as before"
	case candidate == nil: // the gate asks nothing again
		return effectFails, failed
	case candidate.State == report.CandidateConfirmed:
		return effectFails, "failed: " + confirmedBy(p)
	case candidate.State == report.CandidateCleared:
		return effectWarns, fmt.Sprintf("answered wrong, and not so when asked %s more: right %[2]d of %[3]d before, "+
			"%[4]d of %[3]d now",
			text.Count(candidate.Rounds, "time"), candidate.BasePasses, candidate.Rounds, candidate.HeadPasses)
	}
	if p.FromOtherRunner() {
		return effectSuspends, failed + ", which too few runs prove; " +
			runsText(runsToProve(p, c.NoiseTest.Numbers.Repeats.Level)) + " a side can"
	}
	return effectSuspends, failed + ", and could not be asked again often enough"
}

// answersOf returns the number of trials of a case that have an answer.
func answersOf(c *report.Case) int { return c.Outcome.Trials - c.Outcome.Unscored }

// confirmedBy says what confirms the wrong answers to the candidate p.
func confirmedBy(p *compare.Case) string {
	s := p.Candidate
	if p.FromOtherRunner() && p.Noisy() {
		return fmt.Sprintf("%s in %d of %s (%d of %d before)", p.Head.Outcome.CategoryWord(), p.Head.FailedAnswers(), text.Count(answersOf(p.Head), "run"),
			p.Base.FailedAnswers(), answersOf(p.Base))
	}
	return fmt.Sprintf("%s, and in %d of %s (%d before)", p.Head.Outcome.CategoryWord(), s.Rounds-s.HeadPasses, text.Count(s.Rounds, s.RunNoun()), s.Rounds-s.BasePasses)
}

// caseFindings collects findings about must-pass cases. For each effect, the first casesListed cases get a finding
// each, and one more finding counts the other cases.
type caseFindings struct {
	findings []finding
	count    [effectWarns + 1]int
}

func (c *caseFindings) add(e effect, p *compare.Case, text string) {
	if c.count[e]++; c.count[e] <= casesListed {
		name := displayName(p.SuiteID() + "/" + p.ID())
		if was := compare.OldName(p); was != "" {
			name += ", which was " + displayName(was) + ","
		}
		f := newFinding(e, "must-pass case %s %s", name, text)
		f.SuiteID, f.CaseID = p.SuiteID(), p.ID()
		c.findings = append(c.findings, f)
	}
}

func (c *caseFindings) all() []finding {
	for does, n := range c.count {
		if more := n - casesListed; more > 0 {
			c.findings = append(c.findings, newFinding(effect(does), "and %s", text.Count(more, "more must-pass case")))
		}
	}
	return c.findings
}
