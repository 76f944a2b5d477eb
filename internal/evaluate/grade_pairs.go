package evaluate

import (
	"context"

	"github.com/failproof/failproof/internal/suite"
)

// grade lets the judge grade the answers of one trial by the criteria of their own side. If the case is redefined, the
// judge also grades the head's answer by the base's criteria. An error or a bug is stored in each question.
func (p *pipeline) grade(ctx context.Context, all []*question) {
	panel := p.plan.panel()
	if panel == nil {
		return
	}
	bug, err := all[0].callRecovering("asking the judge", func() error {
		var gradings []*grading
		for _, q := range all {
			if asked := q.asked; asked.err == nil && asked.bug == nil && hasTextToGrade(asked.response) {
				gradings = append(gradings, q.gradings()...)
			}
		}
		linkSides(all)
		return panel.gradeTrial(ctx, gradings)
	})
	for _, q := range all {
		if q.err == nil && q.bug == nil {
			q.err, q.bug = err, bug
		}
	}
}

// linkSides links the gradings of both sides of a trial that have the same criteria: the head's answer by the base's
// criteria if the case is redefined, otherwise by its own.
func linkSides(all []*question) {
	var own, under, base *grading
	for _, q := range all {
		if q.side == suite.Base {
			base = q.ownGrading
		} else {
			own, under = q.ownGrading, q.baseGrading
		}
	}
	switch {
	case under != nil:
		under.other = base
	case base != nil:
		base.other = own
	}
}

// gradings returns the gradings of the answer: one by the case's own criteria and, if the case is redefined, one by the
// base's criteria.
func (q *question) gradings() (out []*grading) {
	answer := q.asked.response
	if q.own.c.Rubric != nil {
		q.ownGrading = &grading{suite: q.own.suite, c: q.own.c, response: answer, regrading: q.regrading}
		if q.side == suite.Base {
			q.ownGrading.as = basesOwn
		}
		out = append(out, q.ownGrading)
	}
	if q.baseCase.exists() && q.baseCase.c.Graded() && suite.Redefined(q.baseCase.c, q.own.c) {
		q.baseGrading = &grading{suite: q.baseCase.suite, c: new(q.baseCase.c.Open()), response: answer,
			regrading: q.regrading, as: underBase}
		out = append(out, q.baseGrading)
	}
	return out
}
