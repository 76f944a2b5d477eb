package evaluate

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// showsWords maps the right verdict on a control question to a description of a judge that gives the opposite verdict.
// These control questions ask what text can show.
var showsWords = map[bool]string{
	true:  `it says that the text of an answer cannot show a word in it`,
	false: `it says that the text of an answer shows that a file was saved`,
}

// controlsOf returns the control questions about what text can show if shows is true, and otherwise those about
// criteria.
func controlsOf(shows bool) []judge.Control {
	if shows {
		return judge.ShowsControls()
	}
	return judge.Controls()
}

// askWhatShows asks the judge which criteria the text of an answer can show. It returns the verdicts by the text of the
// criterion. It asks once for each text, whatever the answers are. If text can show a criterion on one side, the
// criterion is judged on both.
func (p *Panel) askWhatShows(ctx context.Context, all []*grading) (map[string]*Grade, error) {
	var items []*item
	for _, g := range all {
		for _, c := range g.c.Rubric.Criteria {
			if one := g.showsItem(c); one != nil {
				items = append(items, one)
			}
		}
	}
	out := map[string]*Grade{}
	for _, group := range byCriterion(items) {
		got, err := p.shownBy(ctx, group)
		if err != nil {
			return nil, err
		}
		out[group[0].grade.Text] = &got
	}
	return out, nil
}

// all returns the questions to the judge about an answer, as if text could show every criterion.
func (g *grading) all() (out []*item) {
	for _, c := range g.c.Rubric.Criteria {
		if one := g.showsItem(c); one != nil {
			out = append(out, one)
		}
		if c.Needs != skilleval.Run {
			out = append(out, g.item(c))
		}
	}
	return out
}

// showsItem returns an item that asks whether text can show the criterion c. It returns nil if that is known already,
// or if the rerun is about other criteria.
func (g *grading) showsItem(c suite.Criterion) *item {
	if c.Needs != skilleval.Asked || g.regrading.only != nil && !slices.Contains(g.regrading.only, c.Text) {
		return nil
	}
	return &item{grading: &grading{suite: g.suite, c: g.c, response: g.response}, shows: true, grade: Grade{Criterion: c}}
}

// shownBy returns the verdict whether text can show the one criterion of items. It uses a recorded verdict of any item.
// If there is none, it asks the judge.
func (p *Panel) shownBy(ctx context.Context, items []*item) (out Grade, err error) {
	var asked []*item
	for _, one := range items {
		if !p.put(one) {
			out = one.grade
			continue
		}
		asked = append(asked, one)
	}
	slices.SortStableFunc(asked, func(a, b *item) int { return rank(b.kept) - rank(a.kept) })
	for _, one := range asked {
		got, err := p.once(ctx, one)
		if err != nil {
			return out, err
		}
		one.take(got)
		if out = one.grade; out.Lost == nil && out.Met {
			break
		}
	}
	return out, nil
}

// rank orders recorded verdicts. It returns 2 for yes, 1 for no, and 0 for no verdict.
func rank(kept *Grade) int {
	switch {
	case kept == nil:
		return 0
	case kept.Met:
		return 2
	}
	return 1
}

// showable stores in the item whether text can show its criterion, and reports whether the criterion is to be judged.
// verdict is the judge's verdict on what text can show.
func (one *item) showable(verdict *Grade) bool {
	switch one.grade.Needs {
	case skilleval.Run:
		one.settled, one.grade.NeedsRun = true, true
	case skilleval.Asked:
		one.grade.shows = new(*verdict)
		verdict.use = use{cached: 1} // later items do not count the call again
		one.settled = verdict.Lost != nil || !verdict.Met
		one.grade.Lost, one.grade.NeedsRun = verdict.Lost, verdict.Lost == nil && !verdict.Met
	}
	return !one.settled
}
