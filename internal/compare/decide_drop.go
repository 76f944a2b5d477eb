package compare

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/text"
)

// drops holds the score of answers that count as they are to max_drop: no chance is in them.
func (j *judgement) drops() {
	for _, reason := range j.fallen() {
		j.add(j.gate.Drop(true).Level, fails, reason)
	}
}

// fallen tells which scores of answers that count as they are fell by more than max_drop, the run's first: by the suites as the head has them and,
// where none did and cases moved, by those in which the base has them. So a case that goes wrong weighs no less for where it was moved to.
func (j *judgement) fallen() []report.Reason {
	r := j.gate.Drop(true)
	if r.Level == config.Off {
		return nil
	}
	c, of := j.in.Comparison, literal(j.gate)
	var run deltas
	var suites []report.Reason
	tell := func(id string, d *float64, where string) {
		if d != nil && !score.Meets(*d, -r.Value) {
			fell, most := score.Figures(-*d, r.Value)
			suites = append(suites, report.Reason{Code: report.CodeDrop, SuiteID: id,
				Message: fmt.Sprintf("suite %s%s: score fell by %s, max_drop is %s", id, where, fell, most)})
		}
	}
	for _, s := range c.pairs {
		tell(s.id, run.add(s, of), "")
	}
	if reasons := c.runFell(r, run, suites, ""); len(reasons) > 0 || !c.moved() {
		return reasons
	}
	const before = " before cases moved"
	run = deltas{}
	for _, s := range c.atHome(of) {
		tell(s.of.HeadID(), run.join(s.mean, s.cases, s.of.Weight), before)
	}
	return c.runFell(r, run, suites, before)
}

// moved reports whether a case stands in another suite than on the base.
func (c Comparison) moved() bool {
	return slices.ContainsFunc(c.pairs, func(s *suitePair) bool { return s.from != nil })
}

// atHome gathers the cases of a sort by the suites in which the base has them, in the order in which these are met.
func (c Comparison) atHome(of func(casePair) bool) (all []*homely) {
	known := map[*report.SuiteSide]*homely{}
	for s, p := range c.all() {
		if p.base == nil || !p.enters() || !of(p) {
			continue
		}
		home := s.home(p)
		if known[home] == nil {
			known[home] = &homely{of: home}
			all = append(all, known[home])
		}
		known[home].mean.Add(delta(p.base, p.head), 1)
		known[home].cases++
	}
	return all
}

// homely is a suite of the base, and by how much the cases moved that it has there.
type homely struct {
	of    *report.SuiteSide
	mean  score.Mean
	cases int
}

// runFell puts the fall of the run before those of suites, where it is one.
func (c Comparison) runFell(r config.Rule, run deltas, suites []report.Reason, where string) []report.Reason {
	if d, ok := run.run.Value(); ok && !score.Meets(stats.Settled(d), -r.Value) {
		fell, most := score.Figures(-d, r.Value)
		which := "common case"
		if run.cases < c.DeltaCases {
			which = "recorded case"
		}
		all := report.Reason{Code: report.CodeDrop,
			Message: fmt.Sprintf("run score fell by %s over %s%s, max_drop is %s", fell, text.Count(run.cases, which), where, most)}
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
		j.add(j.gate.Drop(true).Level, fails, gotWorse(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: "))
	case f.Suspected:
		j.suspicion(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: ", f.Numbers)
	}
}
