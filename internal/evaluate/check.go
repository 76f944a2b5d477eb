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

// Checked holds a judge's two verdicts on one label.
type Checked struct {
	judge.Label
	Grades [2]Grade
}

// checkTimes is the number of verdicts for each label. The second verdict shows how often the judge contradicts itself.
const checkTimes = 2

// Check lets the judge grade every label twice, with at most width calls at a time. It calls progress after each
// verdict. It returns the first error of the client.
func (p *Panel) Check(ctx context.Context, labels []judge.Label, width int, progress func()) ([]Checked, error) {
	out, errs := make([]Checked, len(labels)), make([]error, len(labels)*checkTimes)
	var mu sync.Mutex
	together.Each(len(errs), width, func(at int) {
		i, time := at/checkTimes, at%checkTimes
		out[i].Grades[time], errs[at] = check(ctx, p, labels[i], time)
		mu.Lock()
		progress()
		mu.Unlock()
	})
	for at, err := range errs {
		if out[at/checkTimes].Label = labels[at/checkTimes]; err != nil {
			return nil, err
		}
	}
	return out, nil
}

func check(ctx context.Context, p *Panel, l judge.Label, time int) (Grade, error) {
	vars := map[string]string{}
	maps.Copy(vars, l.Asked)
	maps.Copy(vars, l.Context)
	rubric := &suite.Rubric{Reference: l.Reference, Context: slices.Collect(maps.Keys(l.Context))}
	g := &grading{suite: &suite.Suite{ID: "labels"}, regrading: regrading{name: fmt.Sprint("check ", time)},
		c: &suite.Case{ID: fmt.Sprintf("line-%d", l.Line), Body: &suite.Body{Vars: vars, Judging: suite.Judging{Rubric: rubric}}}}
	g.response.Text = l.Answer
	one := &item{grading: g, grade: Grade{Criterion: suite.Criterion{Text: l.Criterion}}}
	if !p.put(one) {
		return one.grade, nil
	}
	got, err := p.ask(ctx, one)
	if err == nil {
		one.take(got)
	}
	return one.grade, err
}

// AgreementOf counts how often the first verdicts agree with the labels, and how often the second verdicts contradict
// the first.
func AgreementOf(all []Checked) (a judge.Agreement) {
	for _, c := range all {
		first, second := c.Grades[0], c.Grades[1]
		if first.Lost == nil && second.Lost == nil {
			a.Twice++
			if first.Met != second.Met {
				a.Contradicted++
			}
		}
		kind := &a.Unmet
		if c.Met {
			kind = &a.Met
		}
		switch {
		case first.Lost != nil:
			a.Errors++
			continue
		case first.Met == c.Met:
			kind.Agreed++
		}
		kind.Labels++
	}
	return a
}
