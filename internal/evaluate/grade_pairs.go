package evaluate

import (
	"context"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suite"
)

// grade lets the judge grade the answers of one trial by the criteria of their own side. If the case is redefined, the
// judge also grades the head's answer by the base's criteria. An error or a bug is stored in each question.
func (c *pipeline) grade(ctx context.Context, all []*question) {
	panel := c.plan.panel()
	if panel == nil {
		return
	}
	bug, err := all[0].uses[0].callRecovering("asking the judge", func() error {
		var gradings []*grading
		for _, q := range all {
			if q.err == nil && q.bug == nil && hasTextToGrade(q.response) {
				for _, r := range q.uses {
					gradings = append(gradings, r.gradings(q.response)...)
				}
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
		for _, r := range q.uses {
			if r.side == suite.Base {
				base = r.ownGrading
			} else {
				own, under = r.ownGrading, r.baseGrading
			}
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
func (r *answerUse) gradings(answer model.Response) (out []*grading) {
	if r.own.c.Rubric != nil {
		r.ownGrading = &grading{suite: r.own.suite, c: r.own.c, response: answer, regrading: r.regrading}
		if r.side == suite.Base {
			r.ownGrading.as = basesOwn
		}
		out = append(out, r.ownGrading)
	}
	if r.baseCase.exists() && r.baseCase.c.Graded() && suite.Redefined(r.baseCase.c, r.own.c) {
		r.baseGrading = &grading{suite: r.baseCase.suite, c: new(r.baseCase.c.Open()), response: answer,
			regrading: r.regrading, as: underBase}
		out = append(out, r.baseGrading)
	}
	return out
}
