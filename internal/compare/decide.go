package compare

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// Policy is what a run is held to.
type Policy struct {
	Gate  config.Gate
	Phase config.Phase // gives the run bar where the gate sets none
	Fork  bool         // the head is somebody else's: a change of policy is an error unless it is switched off
}

// InForce is the policy with the figures that hold for a comparison of its kind where the gate names none.
func (p Policy) InForce(c Comparison) Policy {
	if c.Noisy {
		p.Gate = p.Gate.Noisy()
	}
	return p
}

// RunBar is the bar of the run score, and false if it is off.
func (p Policy) RunBar() (bar float64, ok bool) {
	rule := p.minRunScore()
	return rule.Value, rule.Level != config.Off
}

// Input is what a run came to.
type Input struct {
	Head          *report.Side
	Base          *report.Side // nil: there is none
	Comparison    Comparison
	BaseState     string // one of report.BaseStates
	PolicyChanges []config.Change
	Measuring     bool // base and head are one revision: its own noise is measured, and nothing can have regressed
	AllCases      int  // cases of the head, those out of scope included; 0: only those that ran
}

// Codes of reasons that are no keys of the gate.
const (
	CodeMustPass   = "must_pass"
	CodeMinScore   = "min_score"
	CodeNoBase     = "no_base"
	CodeConfirm    = "confirm_incomplete" // cases flipped and could not be asked again
	CodeRecheck    = "recheck_incomplete" // the second look at all cases lacks answers
	CodeHeadErrors = "head_errors"        // the head loses answers that the base does not
)

// weight says what a reason does to the verdict.
type weight int

const (
	fails    weight = iota // proven, whatever the missing answers would have said
	suspends               // cannot be decided while answers are missing
	warns
)

// judgement gathers reasons.
type judgement struct {
	policy  Policy
	in      Input
	head    *report.Side // without what is in quarantine
	reasons []weighed
}

type weighed struct {
	weight weight
	reason report.Reason
}

// Decide holds a run to its policy. The verdict is failed if a rule of level error is broken by what is proven,
// undecided if one may be broken by answers that are missing, else passed. Reasons that decide come first.
func Decide(p Policy, in Input) (report.Verdict, []report.Reason) {
	p = p.InForce(in.Comparison)
	j := &judgement{policy: p, in: in, head: in.Comparison.judged(in.Head)}
	if !j.nothingInScope() {
		j.ended()
		j.mustPass()
		j.regressions()
		j.runScore()
		j.suiteScores()
		if in.Comparison.Noisy {
			j.noise()
		} else {
			j.drops()
		}
		j.unscored()
		j.minCases()
		j.unverified()
		j.probes()
		j.removed()
		j.redefined()
	}
	j.policyChanges()
	j.noBase()
	return j.verdict()
}

// nothingInScope reports a run that asked nothing and lost nothing.
func (j *judgement) nothingInScope() bool {
	return len(j.in.Head.Suites) == 0 && len(j.in.Comparison.Changes) == 0
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

// rule returns r, or def where the gate says nothing.
func rule(r, def config.Rule) config.Rule {
	if r.Level == "" {
		return def
	}
	return r
}

func level(l, def config.Level) config.Level {
	if l == "" {
		return def
	}
	return l
}

var off = config.Rule{Level: config.Off}

func (p Policy) minRunScore() config.Rule {
	return rule(p.Gate.MinRunScore, config.Rule{Value: p.Phase.Bar(), Level: config.Err})
}

func (p Policy) maxUnscored() config.Rule {
	return rule(p.Gate.MaxUnscored, config.Rule{Level: config.Err})
}

// missing returns the trials without an answer and whether they are more than the gate allows.
func (j *judgement) missing() (unscored, planned int, beyond bool) {
	unscored, planned = j.head.Unscored(), j.head.Planned()
	return unscored, planned, planned > 0 && !score.Meets(j.policy.maxUnscored().Value, float64(unscored)/float64(planned))
}

// bar holds a score to a bar. A miss decides nothing if the answers that did come meet it, if none came, or if more are
// missing than allowed.
func (j *judgement) bar(r config.Rule, got, answered func() (float64, bool), said func(got string, bar string) report.Reason) {
	value, ok := got()
	if r.Level == config.Off || !ok || score.Meets(value, r.Value) {
		return
	}
	reason := said(figures(value, r.Value))
	rest, some := answered()
	_, _, beyond := j.missing()
	w := fails
	switch {
	case !some:
		reason.Message += "; no answer came"
		w = suspends
	case score.Meets(rest, r.Value):
		reason.Message += fmt.Sprintf("; over the answers that came it is %.3f", rest)
		w = suspends
	case beyond && j.policy.maxUnscored().Level == config.Err:
		reason.Message += "; too many answers are missing to say"
		w = suspends
	}
	j.add(r.Level, w, reason)
}

func (j *judgement) runScore() {
	j.bar(j.policy.minRunScore(), j.head.RunScore, j.head.AnsweredScore, func(got, bar string) report.Reason {
		return report.Reason{Code: "min_run_score", Message: fmt.Sprintf("run score %s is below min_run_score %s", got, bar)}
	})
}

func (j *judgement) suiteScores() {
	for _, s := range j.head.Suites {
		if s.MinScore == nil {
			continue
		}
		j.bar(config.Rule{Value: *s.MinScore, Level: config.Err}, s.Score, s.Answered, func(got, bar string) report.Reason {
			return report.Reason{Code: CodeMinScore, SuiteID: s.ID,
				Message: fmt.Sprintf("suite %s: score %s is below min_score %s", s.ID, got, bar)}
		})
	}
}

func (j *judgement) drops() {
	r := rule(j.policy.Gate.MaxDrop, off)
	if r.Level == config.Off {
		return
	}
	c := j.in.Comparison
	if c.Delta != nil && !score.Meets(*c.Delta, -r.Value) {
		fell, most := figures(-*c.Delta, r.Value)
		j.add(r.Level, fails, report.Reason{Code: "max_drop",
			Message: fmt.Sprintf("run score fell by %s over %s, max_drop is %s", fell, count(c.DeltaCases, "common case"), most)})
	}
	for _, s := range c.Suites {
		if s.Delta != nil && !score.Meets(*s.Delta, -r.Value) {
			fell, most := figures(-*s.Delta, r.Value)
			j.add(r.Level, fails, report.Reason{Code: "max_drop", SuiteID: s.SuiteID,
				Message: fmt.Sprintf("suite %s: score fell by %s, max_drop is %s", s.SuiteID, fell, most)})
		}
	}
}

func (j *judgement) unscored() {
	r := j.policy.maxUnscored()
	unscored, planned, beyond := j.missing()
	if beyond && r.Level != config.Off {
		share, most := figures(float64(unscored)/float64(planned), r.Value)
		j.add(r.Level, suspends, report.Reason{Code: "max_unscored",
			Message: fmt.Sprintf("%d of %s without an answer: share %s is above max_unscored %s", unscored, count(planned, "trial"), share, most)})
	}
	if n := j.in.Comparison.uncompared(); n > 0 {
		j.add(config.Warn, warns, report.Reason{Code: "max_unscored",
			Message: fmt.Sprintf("%s not compared: the base has too few answers", count(n, "case is", "cases are"))})
	}
}
