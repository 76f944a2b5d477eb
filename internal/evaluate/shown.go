package evaluate

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// askSufficiency asks the judge for which criteria the text of an answer suffices. It returns the verdicts by the text
// of the criterion. It asks once for each text, whatever the answers are. If text suffices for a criterion on one side,
// the criterion is judged on both.
func (p *Panel) askSufficiency(ctx context.Context, all []*grading) (map[string]*Grade, error) {
	var items []*item
	for _, g := range all {
		for _, c := range g.c.Rubric.Criteria {
			if one := g.sufficiencyItem(c); one != nil {
				items = append(items, one)
			}
		}
	}
	out := map[string]*Grade{}
	for _, group := range byCriterion(items) {
		got, err := p.gradeSufficiency(ctx, group)
		if err != nil {
			return nil, err
		}
		out[group[0].grade.Text] = &got
	}
	return out, nil
}

// allItems returns the questions to the judge about an answer, as if text sufficed for every criterion.
func (g *grading) allItems() (out []*item) {
	for _, c := range g.c.Rubric.Criteria {
		if one := g.sufficiencyItem(c); one != nil {
			out = append(out, one)
		}
		if c.Needs != skilleval.NeedsRun {
			out = append(out, g.newItem(c))
		}
	}
	return out
}

// sufficiencyItem returns an item that asks whether text suffices for the criterion c. It returns nil if that is known
// already, or if the rerun is about other criteria.
func (g *grading) sufficiencyItem(c suite.Criterion) *item {
	if c.Needs != skilleval.NeedsAsking || g.regrading.criteria != nil &&
		!slices.Contains(g.regrading.criteria, c.Text) {
		return nil
	}
	return &item{grading: &grading{suite: g.suite, c: g.c, response: g.response}, asksSufficiency: true, grade: Grade{Criterion: c}}
}

// gradeSufficiency returns the verdict whether text suffices for the one criterion of items. It uses a recorded verdict
// of any item, first one that text suffices. If there is none, it asks the judge.
func (p *Panel) gradeSufficiency(ctx context.Context, items []*item) (out Grade, err error) {
	var asked []*item
	for _, one := range items {
		if !p.prepare(one) {
			out = one.grade
			continue
		}
		asked = append(asked, one)
	}
	slices.SortStableFunc(asked, func(a, b *item) int { return b.known.rank() - a.known.rank() })
	for _, one := range asked {
		if one.grade.verdict, err = p.askOnce(ctx, one); err != nil {
			return out, err
		}
		if out = one.grade; out.Failure == nil && out.Met {
			break
		}
	}
	return out, nil
}

// rank orders verdicts: 2 for met, 1 for unmet, and 0 for none.
func (v *verdict) rank() int {
	switch {
	case v == nil:
		return 0
	case v.Met:
		return 2
	}
	return 1
}

// applySufficiency stores in the item whether text suffices for its criterion, and reports whether the criterion is to
// be judged. verdict is the judge's answer to whether text suffices.
func (i *item) applySufficiency(verdict *Grade) bool {
	switch i.grade.Needs {
	case skilleval.NeedsRun:
		i.decided, i.grade.NeedsRun = true, true
	case skilleval.NeedsAsking:
		i.grade.sufficiency = new(*verdict)
		verdict.calls = report.Calls{Cached: 1} // later items do not count the call again
		i.decided = verdict.Failure != nil || !verdict.Met
		i.grade.Failure, i.grade.NeedsRun = verdict.Failure, verdict.Failure == nil && !verdict.Met
	}
	return !i.decided
}
