package evaluate

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Run calls every trial of the plan, judges the answers if the plan has a Judge, and passes each answer to the function
// take. A side's answers come in the order of the head's suites, cases and trials. Removed cases come last. Base and
// head of a trial run in sequence. If both send a live target the same request, they share one call.
//
// Run stops at the first error of a client, of take or of ctx. A panic in a judged trial is an error of that trial
// (model.ReasonInternal) and is passed to p.Broke. Any other panic is returned as a *Bug.
func Run(ctx context.Context, p Plan, take func(Answer) error) error {
	return p.work(ctx, newQuestioner(&p).all(), take)
}

// answer returns the Answer of the reading with the given response, not yet judged.
func (r *reading) answer(response model.Response) Answer {
	out := Answer{At: r.at, Suite: r.member.suite, Case: r.member.c, Request: r.member.c.Prompt, Response: response}
	out.Request.Trial, out.Request.Fresh = r.trial, r.fresh
	if !r.copy && r.member.target.Live {
		out.Asked = targetName(r.member.suite, r.member.c)
	}
	return out
}

// RerunVotes is the smallest number of the judge's votes on the rerun of a flipped case.
const RerunVotes = 3

// RegradeVotes is the number of the judge's votes that can clear an unmet criterion of a flipped case. If one in ten
// votes is wrong, 5 votes clear one broken case in sixty by mistake. RerunVotes would clear one in twenty.
const RegradeVotes = 5

// Rerun runs the requested reruns in order, base and head of each trial in sequence. The sides share no answer, even if
// their requests are equal. Cached answers are only used for the same comparison and trial, so that an interrupted run
// can continue. Rerun passes the answers to the function take in the order of Run. It returns an error for a case that
// no side has.
func Rerun(ctx context.Context, p Plan, wants []report.Want, take func(Answer) error) error {
	questions, err := p.reruns(wants)
	if err != nil {
		return err
	}
	return p.work(ctx, questions, take)
}

// reruns returns the questions of the requested reruns, or an error for a case that no side has.
func (p *Plan) reruns(wants []report.Want) (iter.Seq[*question], error) {
	wanted := map[suiteid.Name]casePair{}
	for _, w := range wants {
		wanted[suiteid.Name{Suite: w.SuiteID, Case: w.CaseID}] = casePair{}
	}
	for pair := range p.pairs() {
		if _, ok := wanted[pair.name()]; ok {
			wanted[pair.name()] = pair
		}
	}
	for name, pair := range wanted {
		if !pair.base.present() && !pair.head.present() {
			return nil, fmt.Errorf("ask case %s of suite %s again: there is no such case", name.Case, name.Suite)
		}
	}
	q := newQuestioner(p)
	return func(yield func(*question) bool) {
		for _, w := range wants {
			for trial := w.First; trial < w.First+w.Rounds; trial++ {
				for _, one := range q.rerun(wanted[suiteid.Name{Suite: w.SuiteID, Case: w.CaseID}], trial, w) {
					if !yield(one) {
						return
					}
				}
			}
		}
	}, nil
}

// Questions yields the questions that Run asks live targets, in order.
func Questions(p Plan) iter.Seq[Question] { return liveQuestions(newQuestioner(&p).all()) }

// RerunQuestions yields the questions that Rerun asks live targets, in order. If no side has one of the cases, it
// yields no question at all.
func RerunQuestions(p Plan, wants []report.Want) iter.Seq[Question] {
	questions, err := p.reruns(wants)
	if err != nil {
		return func(func(Question) bool) {}
	}
	return liveQuestions(questions)
}

// liveQuestions yields those of the questions that are to live targets.
func liveQuestions(questions iter.Seq[*question]) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		for one := range questions {
			if one.target.Live && !yield(Question{Target: one.name, Request: one.request, Kept: one.kept != nil,
				Compared: one.compared}) {
				return
			}
		}
	}
}

// crew processes a run's questions. Each target has its own workers, and other workers judge. The field ahead limits
// how many readings are in progress or wait for an earlier one. Below that limit, no target and no judging delays the
// others.
type crew struct {
	plan     *Plan
	lanes    map[string]chan *question // queues of questions, by name of the target
	answered chan *question
	order    chan *reading // readings in the order of the answers
	ahead    int           // limit of readings in progress or waiting for an earlier one
	load     load

	parked  parked       // answers that wait for the other side's answer
	judging atomic.Int64 // workers that may still add to parked
}

// work asks the questions, judges the answers, and passes them to sink in the order of the questions. It returns the
// first error, or ctx's error.
func (p *Plan) work(ctx context.Context, questions iter.Seq[*question], sink func(Answer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	widths := p.widths()
	c := &crew{plan: p, lanes: map[string]chan *question{}, ahead: 16 * p.Judges}
	c.load.news.L = &c.load.mu
	for _, width := range widths {
		c.ahead += 16 * width
	}
	c.answered, c.order = make(chan *question, c.ahead), make(chan *reading, c.ahead)

	var askers, judges sync.WaitGroup
	for name, width := range widths {
		lane := make(chan *question, c.ahead+2) // room for all in progress, so that no lane blocks another
		c.lanes[name] = lane
		for range width {
			askers.Go(func() { c.ask(ctx, lane) })
		}
	}
	c.judging.Store(int64(p.Judges))
	for range p.Judges {
		judges.Go(func() { c.judge(ctx) })
	}
	var unfed *Bug
	askers.Go(func() { unfed = c.feed(ctx, questions) })
	go func() {
		askers.Wait()
		close(c.answered)
	}()
	err := c.drain(sink, cancel)
	judges.Wait()
	switch {
	case unfed != nil:
		return unfed
	case err == nil:
		return ctx.Err()
	}
	return err
}

func (p *Plan) widths() map[string]int {
	out := map[string]int{}
	for _, side := range p.sides() {
		for _, s := range side.Suites {
			for _, name := range s.Targets() {
				if _, known := out[name]; !known {
					out[name] = max(side.Target(name).Width, 1)
				}
			}
		}
	}
	return out
}

// feed queues every question. It first queues the readings of the question, which fixes the order of results. Then it
// hands the question to the workers of its target or, if the answer is cached, to those who judge. It returns a panic
// as a bug.
func (c *crew) feed(ctx context.Context, questions iter.Seq[*question]) (bug *Bug) {
	defer func() {
		if v := recover(); v != nil {
			bug = NewBug(v, "preparing the request")
		}
	}()
	defer close(c.order)
	defer func() {
		for _, lane := range c.lanes {
			close(lane)
		}
	}()
	number := 0
	for q := range questions {
		for i, r := range q.readings {
			r.number = number
			number++
			select {
			case <-ctx.Done():
				if i == 0 {
					return nil
				}
				c.order <- r // a question that was queued in part is still answered
			case c.order <- r:
			}
		}
		if q.kept != nil {
			c.load.enter(ctx, q.readings[0].number)
			q.response = *q.kept
			c.hand(q)
		} else {
			c.lanes[q.name] <- q
		}
	}
	return nil
}

// ask answers the questions of one lane: the queue of a target. After ctx ends, each question gets ctx's error.
func (c *crew) ask(ctx context.Context, lane <-chan *question) {
	for q := range lane {
		c.load.enter(ctx, q.readings[0].number)
		q.ask(ctx, c.plan.Journal)
		c.hand(q)
	}
}

func (c *crew) hand(q *question) {
	c.load.came(sizeOf(q.response), len(q.readings))
	c.answered <- q
}

// ask calls the target and caches the answer.
func (q *question) ask(ctx context.Context, j model.Journal) {
	q.bug, q.err = q.readings[0].guarded("asking for an answer", func() (err error) {
		q.response, err = q.target.Client.Answer(ctx, q.request)
		if err == nil && q.target.Live && j != nil {
			q.keep(j)
		}
		return err
	})
	if q.err != nil {
		m := q.readings[0].member
		q.err = fmt.Errorf("ask target %s for case %s of suite %s: %w", q.name, m.c.ID, m.suite.ID, q.err)
	}
}

// judge judges the answers until all have come. If a model grades them, it judges both sides of a trial together.
// Answers whose other side never came are judged last.
func (c *crew) judge(ctx context.Context) {
	for q := range c.answered {
		c.conclude(ctx, c.parked.together(q))
	}
	if c.judging.Add(-1) > 0 {
		return
	}
	for _, q := range c.parked.waiting { // no other worker is left
		c.conclude(ctx, []*question{q})
	}
}

func (c *crew) conclude(ctx context.Context, all []*question) {
	c.grade(ctx, all)
	for _, q := range all {
		for _, r := range q.readings {
			r.plan, r.question, r.response = c.plan, q, q.response
			if r.copy {
				r.response.Cached, r.response.Attempts = true, 0
			}
			r.size = sizeOf(r.response)
			r.done <- new(r.inTime(ctx))
		}
	}
}

// drain passes the answers to sink in order. After the first error it cancels the run, waits for the workers, and
// returns that error.
func (c *crew) drain(sink func(Answer) error, cancel func()) error {
	var first error
	for r := range c.order {
		a := <-r.done
		c.load.release(r.size)
		if first != nil {
			continue
		}
		if first = a.err; first == nil {
			c.plan.announce(*a)
			first = sink(*a)
		}
		if first != nil {
			cancel()
		}
	}
	return first
}

// announce passes a judged answer to the listeners of the plan. It passes an internal error of the answer to p.Broke.
func (p *Plan) announce(a Answer) {
	if a.bug != nil && p.Broke != nil {
		p.Broke(a.bug)
	}
	if p.Judge != nil {
		for _, listen := range p.listeners {
			listen(a)
		}
	}
}

// Variation is a case of the head with another request and the same expectation.
type Variation struct {
	Suite *suite.Suite
	Case  *suite.Case // with its Body, which has the other request and its key
	Round int         // number of the answer to this request, from 1
}

// Vary runs variations of the head's cases in order, judges the answers, and passes them to the function take. Cached
// answers are only used for the same request, round and name, so that an interrupted run can continue.
func Vary(ctx context.Context, p Plan, name string, all []Variation, take func(Answer) error) error {
	p.listeners = nil // these are no answers to the plan's cases
	return p.work(ctx, p.variations(name, all), take)
}

func (p *Plan) variations(name string, all []Variation) iter.Seq[*question] {
	q := &questioner{plan: p}
	return func(yield func(*question) bool) {
		for _, v := range all {
			trial := max(v.Case.Trials, 1) + v.Round // as for a rerun
			one := q.question(suite.Head, p.Head.member(v.Suite, v.Case), trial, name)
			one.request.Fresh, one.readings[0].fresh = v.Round, v.Round
			if !yield(q.addCached(one)[0]) {
				return
			}
		}
	}
}
