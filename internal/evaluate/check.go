package evaluate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// CheckedLabel holds a judge's two verdicts on one label.
type CheckedLabel struct {
	judge.Label
	Grades [2]Grade
}

// gradesPerLabel is the number of verdicts for each label. The second verdict shows how often the judge contradicts
// itself.
const gradesPerLabel = 2

// CheckLabels lets the judge grade every label twice, with at most concurrency calls at a time. It calls progress after
// each verdict. It returns the first error of the client.
func (p *Panel) CheckLabels(ctx context.Context, labels []judge.Label, concurrency int,
	progress func()) ([]CheckedLabel, error) {
	out, errs := make([]CheckedLabel, len(labels)), make([]error, len(labels)*gradesPerLabel)
	var mu sync.Mutex
	together.Each(len(errs), concurrency, func(index int) {
		i, attempt := index/gradesPerLabel, index%gradesPerLabel
		out[i].Grades[attempt], errs[index] = gradeLabel(ctx, p, labels[i], attempt)
		mu.Lock()
		progress()
		mu.Unlock()
	})
	for index, err := range errs {
		if out[index/gradesPerLabel].Label = labels[index/gradesPerLabel]; err != nil {
			return nil, err
		}
	}
	return out, nil
}

func gradeLabel(ctx context.Context, p *Panel, l judge.Label, attempt int) (Grade, error) {
	vars := map[string]string{}
	maps.Copy(vars, l.Vars)
	maps.Copy(vars, l.Context)
	rubric := &suite.Rubric{Reference: l.Reference, ContextVars: slices.Collect(maps.Keys(l.Context))}
	g := &grading{suite: &suite.Suite{ID: "labels"}, regrading: regrading{name: fmt.Sprint("check ", attempt)},
		c: &suite.Case{ID: fmt.Sprintf("line-%d", l.Line), Body: &suite.Body{Vars: vars, Judging: suite.Judging{Rubric: rubric}}}}
	g.response.Text = l.Answer
	it := &item{grading: g, grade: Grade{Criterion: suite.Criterion{Text: l.Criterion}}}
	if !p.prepare(it) {
		return it.grade, nil
	}
	var err error
	it.grade.verdict, err = p.jury.ask(ctx, it)
	return it.grade, err
}

// CountAgreement counts how often the first verdicts agree with the labels, and how often the second verdicts
// contradict the first.
func CountAgreement(all []CheckedLabel) (a judge.Agreement) {
	for _, c := range all {
		first, second := c.Grades[0], c.Grades[1]
		if first.Failure == nil && second.Failure == nil {
			a.Twice++
			if first.Met != second.Met {
				a.Contradicted++
			}
		}
		counts := &a.Unmet
		if c.Met {
			counts = &a.Met
		}
		switch {
		case first.Failure != nil:
			a.Errors++
			continue
		case first.Met == c.Met:
			counts.Agreed++
		}
		counts.Labels++
	}
	return a
}
