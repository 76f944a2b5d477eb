package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// drops holds the score of answers that count as they are to max_drop: no chance is in them.
func (j *judgement) drops() {
	for _, reason := range j.fallen() {
		j.add(j.policy.Gate.Drop(true).Level, fails, reason)
	}
}

// fallen tells which scores of answers that count as they are fell by more than max_drop, the run's first.
func (j *judgement) fallen() []report.Reason {
	r := j.policy.Gate.Drop(true)
	if r.Level == config.Off {
		return nil
	}
	c, of := j.in.Comparison, literal(j.policy.Gate)
	var run deltas
	var suites []report.Reason
	for _, s := range c.pairs {
		if d := run.add(s, of); d != nil && !score.Meets(*d, -r.Value) {
			fell, most := score.Figures(-*d, r.Value)
			suites = append(suites, report.Reason{Code: report.CodeDrop, SuiteID: s.id,
				Message: fmt.Sprintf("suite %s: score fell by %s, max_drop is %s", s.id, fell, most)})
		}
	}
	if d, ok := run.run.Value(); ok && !score.Meets(settled(d), -r.Value) {
		fell, most := score.Figures(-d, r.Value)
		which := "common case"
		if run.cases < c.DeltaCases {
			which = "recorded case"
		}
		all := report.Reason{Code: report.CodeDrop,
			Message: fmt.Sprintf("run score fell by %s over %s, max_drop is %s", fell, count(run.cases, which), most)}
		return append([]report.Reason{all}, suites...)
	}
	return suites
}

// draws holds what was recorded several times from a model to max_drop: its stored answers are draws, so a fall counts if
// chance hardly explains it.
func (j *judgement) draws() {
	f := j.in.Comparison.Draws
	switch {
	case f == nil:
	case f.Drop:
		j.add(j.policy.Gate.Drop(true).Level, fails, gotWorse(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: "))
	case f.Suspected:
		j.suspicion(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: ", f.Numbers)
	}
}
