package evaluate

import (
	"context"
	"sync"

	"github.com/failproof/failproof/internal/suite"
)

// mate stands for the two questions of one trial whose answers are graded together.
type mate struct{ _ byte } // of a size, so that no two have one address

// parked are the answers that wait for their mate's. It is safe for concurrent use.
type parked struct {
	mu      sync.Mutex
	waiting map[*mate]answered
}

// together returns the answers that can be judged now that a has come: none while its mate's is awaited.
func (p *parked) together(a answered) []answered {
	with := a.question.mate
	if with == nil {
		return []answered{a}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if other, waits := p.waiting[with]; waits {
		delete(p.waiting, with)
		return []answered{other, a}
	}
	if p.waiting == nil {
		p.waiting = map[*mate]answered{}
	}
	p.waiting[with] = a
	return nil
}

// left are the answers whose mate never came.
func (p *parked) left() (all []answered) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for with, a := range p.waiting {
		all = append(all, a)
		delete(p.waiting, with)
	}
	return all
}

// grade has the answers of one trial graded, by their own criteria and, of a redefined case, by the base's. What goes wrong is told of
// each of them.
func (p *Plan) grade(ctx context.Context, all []answered) {
	panel := p.panel()
	if panel == nil || len(all) == 0 {
		return
	}
	bug, err := all[0].question.readings[0].guarded("asking the judge", func() error {
		var gradings []*grading
		for _, a := range all {
			if a.err == nil && a.bug == nil && gradeable(a.response) {
				for _, r := range a.question.readings {
					gradings = append(gradings, r.gradings(a)...)
				}
			}
		}
		return panel.hear(ctx, gradings)
	})
	for i := range all {
		if all[i].err == nil && all[i].bug == nil {
			all[i].err, all[i].bug = err, bug
		}
	}
}

// gradings are what a reading of an answer is graded by.
func (r *reading) gradings(a answered) (out []*grading) {
	if r.of.c.Rubric != nil {
		r.graded = &grading{suite: r.of.suite, c: r.of.c, response: a.response, again: r.again}
		out = append(out, r.graded)
	}
	if r.under.present() && r.under.c.Graded() && suite.Redefined(r.under.c, r.of.c) {
		under := r.under.c.Open()
		r.gradedUnder = &grading{suite: r.under.suite, c: &under, response: a.response, again: r.again}
		out = append(out, r.gradedUnder)
	}
	return out
}
