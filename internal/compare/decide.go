package compare

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Input is what a run came to.
type Input struct {
	Head          *report.Side
	Base          *report.Side // nil: there is none
	Comparison    Comparison
	BaseState     string // one of report.BaseStates
	PolicyChanges []config.Change
	Deserted      []string // paths of prompts that the base's suites ask, the head has, changed, and asks no more
	Unasked       []string // paths of prompts that the change edits or adds, and no suite asks
	Told          []Told   // variables that the change begins to send
	BaseFaults    []BaseFault
	Measuring     bool    // base and head are one revision: its own noise is measured, and nothing can have regressed
	Redrawn       Redrawn // fresh answers in the head's recordings; nil: the sides hold what there is
	AllCases      int     // cases of the head as they are written, those out of scope included: a target more is not a case more; 0: only those that ran
	Verified      Verified
	JudgeWrong    string // the control that the judge got wrong every time, in words; "": it can be trusted so far
	Patched       int    // cases that were asked live in place of their recordings, and whose new recordings were written
	Drifted       []report.DriftedCase
}

// Told is a variable that a change begins to send to the cases of a suite, and whose value alone passes them.
type Told struct {
	Variable, Suite string
	Cases, Looked   int // that it passes, of those that were looked at
}

// Verified is how far recorded cases were asked live, to see whether the model still says what is recorded.
type Verified struct {
	Wanted   int    // cases that were to be
	Answered int    // of them, those that it is known of
	Why      string // the others are not; "" where there are none
}

// weight says what a reason does to the verdict.
type weight int

const (
	fails    weight = iota // proven, whatever the missing answers would have said
	suspends               // cannot be decided while answers are missing
	warns
)

// judgement gathers reasons.
type judgement struct {
	gate    config.Gate
	in      Input
	head    *report.Side // without what is in quarantine
	held    []measured   // what every bar is held by
	reasons []weighed
}

type weighed struct {
	weight weight
	reason report.Reason
}

// Decide holds a run to a gate. The verdict is failed if a rule of level error is broken by what is proven,
// undecided if one may be broken by answers that are missing, else passed. Reasons that decide come first.
func Decide(g config.Gate, in Input) (report.Verdict, []report.Reason) {
	j := &judgement{gate: g, in: in, head: in.Comparison.judged(in.Head)}
	j.held = in.Comparison.measures(j.head)
	if !j.nothingInScope() {
		j.ended()
		j.broken()
		j.mustPass()
		j.mustPassChanges()
		j.regressions()
		j.runScore()
		j.suiteScores()
		j.drops()
		j.draws()
		j.noise()
		j.unscored()
		j.minCases()
		j.unverified()
		j.stale()
		j.verified()
		j.probes()
		j.removed()
		j.redefined()
		j.cutShort()
		j.claims()
		j.repairs()
		j.judge()
	}
	j.drifted()
	j.policyChanges()
	j.unasked()
	j.told()
	j.baseFaults()
	j.noBase()
	return j.verdict()
}

// nothingInScope reports a run that asked nothing and lost nothing.
func (j *judgement) nothingInScope() bool {
	return len(j.in.Head.Suites) == 0 && j.in.Comparison.cases() == 0
}

func (j *judgement) verdict() (report.Verdict, []report.Reason) {
	slices.SortStableFunc(j.reasons, func(a, b weighed) int { return int(a.weight - b.weight) })
	reasons := make([]report.Reason, len(j.reasons))
	for i, r := range j.reasons {
		reasons[i] = r.reason
	}
	switch {
	case j.cancelled():
		return report.Undecided, reasons
	case len(reasons) == 0 || j.reasons[0].weight == warns:
		return report.Passed, reasons
	case j.reasons[0].weight == suspends:
		return report.Undecided, reasons
	}
	return report.Failed, reasons
}

// add files a reason. A rule of level warn never decides.
func (j *judgement) add(level config.Level, w weight, r report.Reason) {
	r.Level = report.LevelError
	switch {
	case level == config.Off:
		return
	case level != config.Err:
		w = warns
	}
	if w == warns {
		r.Level = report.LevelWarn
	}
	j.reasons = append(j.reasons, weighed{w, r})
}

// bar holds a score to a bar. A miss decides nothing if the answers that did come meet it, if none came, or if more are
// missing than allowed.
func (j *judgement) bar(r config.Rule, m measured, got, answered func() (float64, bool), said func(got string, bar string) report.Reason) {
	value, ok := got()
	if r.Level == config.Off || !ok || score.Meets(value, r.Value) {
		return
	}
	reason := said(score.Figures(value, r.Value))
	rest, some := answered()
	w := fails
	switch {
	case !some:
		reason.Message += "; no answer came"
		w = suspends
	case score.Meets(rest, r.Value):
		reason.Message += fmt.Sprintf("; over the answers that came it is %s", score.Figure(rest))
		w = suspends
	case j.tooMuchMissing(m):
		reason.Message += "; too many answers are missing to say"
		w = suspends
	default:
		if why, ok := j.excuse(r, m.side, value); ok {
			reason.Message += why
			r.Level = j.doubt()
		}
	}
	j.add(r.Level, w, reason)
}

func (j *judgement) runScore() {
	for _, m := range j.held {
		j.bar(j.gate.MinRunScore, m, m.side.RunScore, m.side.AnsweredScore, func(got, bar string) report.Reason {
			return report.Reason{Code: report.CodeMinRunScore, Message: fmt.Sprintf("run score%s %s is below min_run_score %s", m.over, got, bar)}
		})
	}
}

func casesOf(s *report.SuiteSide) []*report.Case {
	if s == nil {
		return nil
	}
	return s.Cases
}

// suiteScores holds each suite that has one to its bar. A suite is told twice only where its cases are not the base's.
func (j *judgement) suiteScores() {
	for _, m := range j.held {
		for _, s := range m.side.Suites {
			if s.MinScore == nil || m.over != "" && slices.Equal(s.Cases, casesOf(j.head.Suite(s.ID))) {
				continue
			}
			over := ""
			if m.over != "" {
				over = " over the base's " + text.Count(len(s.Cases), "case")
			}
			j.bar(config.Rule{Value: *s.MinScore, Level: config.Err, Set: true}, m, s.Score, s.Answered, func(got, bar string) report.Reason {
				return report.Reason{Code: report.CodeMinScore, SuiteID: s.ID,
					Message: fmt.Sprintf("suite %s: score%s %s is below min_score %s", s.ID, over, got, bar)}
			})
		}
	}
}
