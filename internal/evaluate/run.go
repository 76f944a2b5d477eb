package evaluate

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/together"
)

// Run calls every trial of the plan, evaluates the answers if the plan has an Evaluator, and passes each answer to
// sink. A side's answers come in the order of the head's suites, cases and trials. Removed cases come last. Base and
// head of a trial run in sequence. If both send a live target the same request, they share one call.
//
// Run stops at the first error of a client, of sink or of ctx. A panic in an evaluated trial is an error of that trial
// (model.ReasonInternal) and is passed to p.OnBug. Any other panic is returned as a *fault.Bug.
func Run(ctx context.Context, p Plan, sink func(Answer) error) error {
	return p.process(ctx, newQuestionBuilder(&p).all(), sink)
}

// newAnswer returns the Answer to the question with the given response, not yet evaluated. It is a new value, because
// an evaluation that takes too long goes on in the background after another Answer was made.
func (q *question) newAnswer(response model.Response) Answer {
	out := Answer{HeadName: q.trial.name, Side: q.side, Suite: q.own.suite, Case: q.own.c, Request: q.own.c.Prompt, Response: response}
	out.Request.Trial, out.Request.Rerun = q.number, q.rerun
	if q.isAsked() && q.own.target.Live {
		out.TargetName = q.targetName()
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
// can continue. Rerun passes the answers to sink in the order of Run. It returns an error for a case that no side has.
func Rerun(ctx context.Context, p Plan, wants []report.RerunRequest, sink func(Answer) error) error {
	trials, err := p.reruns(wants)
	if err != nil {
		return err
	}
	return p.process(ctx, trials, sink)
}

// reruns returns the requested reruns, or an error for a case that no side has.
func (p *Plan) reruns(wants []report.RerunRequest) (iter.Seq[*trial], error) {
	wanted := map[suiteid.Name]casePair{}
	for _, w := range wants {
		wanted[w.Name()] = casePair{}
	}
	for pair := range p.pairs() {
		if _, ok := wanted[pair.name]; ok {
			wanted[pair.name] = pair
		}
	}
	for name, pair := range wanted {
		if !pair.base.exists() && !pair.head.exists() {
			return nil, fmt.Errorf("ask case %s of suite %s again: there is no such case", name.Case, name.Suite)
		}
	}
	b := newQuestionBuilder(p)
	return func(yield func(*trial) bool) {
		for _, w := range wants {
			pair := wanted[w.Name()]
			for number := w.FirstNumber; number < w.FirstNumber+w.Rounds; number++ {
				if !yield(b.newRerun(pair, number, w)) {
					return
				}
			}
		}
	}, nil
}

// Questions yields the questions that Run asks live targets, in order.
func Questions(p Plan) iter.Seq[Question] { return liveQuestions(newQuestionBuilder(&p).all()) }

// RerunQuestions yields the questions that Rerun asks live targets, in order. If no side has one of the cases, it
// yields no question at all.
func RerunQuestions(p Plan, wants []report.RerunRequest) iter.Seq[Question] {
	trials, err := p.reruns(wants)
	if err != nil {
		return func(func(Question) bool) {}
	}
	return liveQuestions(trials)
}

// liveQuestions yields the questions of the trials to live targets.
func liveQuestions(trials iter.Seq[*trial]) iter.Seq[Question] {
	return func(yield func(Question) bool) {
		for t := range trials {
			for _, q := range t.asked() {
				if q.own.target.Live && !yield(Question{Target: q.targetName(), Request: q.request,
					Cached: q.cached != nil, Compared: q.compared}) {
					return
				}
			}
		}
	}
}

// pipeline processes a run's questions. Each target has its own workers, and other workers evaluate. The field
// maxPending limits how many questions are in progress or wait for an earlier one. Below that limit, no target and no
// evaluation delays the others.
type pipeline struct {
	plan       *Plan
	queues     map[string]chan *question // queues of questions, by name of the target
	answered   chan *trial               // trials whose questions are all answered
	order      chan *question            // questions in the order of the answers
	maxPending int                       // limit of questions in progress or waiting for an earlier one
}

// process asks the questions of the trials, evaluates the answers, and passes them to sink in the order of the
// questions. It returns the first error, or ctx's error.
func (p *Plan) process(ctx context.Context, trials iter.Seq[*trial], sink func(Answer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	widths := p.concurrency()
	c := &pipeline{plan: p, queues: map[string]chan *question{}, maxPending: 16 * p.EvaluationConcurrency}
	for _, width := range widths {
		c.maxPending += 16 * width
	}
	c.answered, c.order = make(chan *trial, c.maxPending), make(chan *question, c.maxPending)

	var askers, judges sync.WaitGroup
	for name, width := range widths {
		queue := make(chan *question, c.maxPending+2) // room for all in progress, so that no queue blocks another
		c.queues[name] = queue
		for range width {
			askers.Go(func() { c.ask(ctx, queue) })
		}
	}
	for range p.EvaluationConcurrency {
		judges.Go(func() { c.evaluateAnswers(ctx) })
	}
	var feedErr error
	askers.Go(func() {
		feedErr = fault.CallRecovering("preparing the request", func() error {
			c.feed(ctx, trials)
			return nil
		})
	})
	go func() {
		askers.Wait()
		close(c.answered)
	}()
	err := c.passInOrder(sink, cancel)
	judges.Wait()
	switch {
	case feedErr != nil:
		return feedErr
	case err == nil:
		return ctx.Err()
	}
	return err
}

func (p *Plan) concurrency() map[string]int {
	out := map[string]int{}
	for _, side := range p.sides() {
		for _, s := range side.Suites {
			for _, name := range s.Targets() {
				if _, known := out[name]; !known {
					out[name] = max(side.Target(name).Concurrency, 1)
				}
			}
		}
	}
	return out
}

// feed queues the questions of every trial. It first queues them in the order of results. Then it hands each question
// that is asked to the workers of its target, unless its answer is cached.
func (p *pipeline) feed(ctx context.Context, trials iter.Seq[*trial]) {
	defer close(p.order)
	defer func() {
		for _, queue := range p.queues {
			close(queue)
		}
	}()
	for t := range trials {
		if ctx.Err() != nil {
			return
		}
		asked := t.asked()
		t.unanswered.Store(int32(len(asked)))
		for _, q := range t.questions {
			p.order <- q
		}
		for _, q := range asked {
			if q.cached != nil {
				q.response = *q.cached
				p.deliver(q)
			} else {
				p.queues[q.targetName()] <- q
			}
		}
	}
}

// ask answers the questions of queue, which are for one target. After ctx ends, each question gets ctx's error.
func (p *pipeline) ask(ctx context.Context, queue <-chan *question) {
	for q := range queue {
		q.ask(ctx)
		p.deliver(q)
	}
}

// deliver passes on the trial of the answered question q, if all its questions are answered.
func (p *pipeline) deliver(q *question) {
	if q.trial.unanswered.Add(-1) > 0 {
		return
	}
	if p.plan.Journal != nil {
		q.trial.cache(p.plan.Journal)
	}
	p.answered <- q.trial
}

// targetName returns the name of the question's target.
func (q *question) targetName() string { return q.own.suite.TargetOf(q.own.c) }

// ask calls the target.
func (q *question) ask(ctx context.Context) {
	q.bug, q.err = q.callRecovering("asking for an answer", func() (err error) {
		q.response, err = q.own.target.Client.Answer(ctx, q.request)
		return err
	})
	if q.err != nil {
		q.err = fmt.Errorf("ask target %s for case %s of suite %s: %w", q.targetName(), q.own.c.ID, q.own.suite.ID, q.err)
	}
}

// evaluateAnswers evaluates the answers of each trial until all have come.
func (p *pipeline) evaluateAnswers(ctx context.Context) {
	var w together.Worker[*Answer]
	defer w.Stop()
	for t := range p.answered {
		p.grade(ctx, t.questions)
		for _, q := range t.questions {
			q.done <- q.evaluateInTime(ctx, &w)
		}
	}
}

// usedAnswers has answers that sink got, to be overwritten: an Answer is large, and a run makes one for each question.
var usedAnswers = sync.Pool{New: func() any { return new(Answer) }}

// passInOrder passes the answers to sink in order. After the first error it cancels the run, waits for the workers, and
// returns that error.
func (p *pipeline) passInOrder(sink func(Answer) error, cancel func()) error {
	var first error
	for q := range p.order {
		a := <-q.done
		if first != nil {
			continue
		}
		if first = a.err; first == nil {
			if a.bug != nil && p.plan.OnBug != nil {
				p.plan.OnBug(a.bug)
			}
			first = sink(*a)
		}
		usedAnswers.Put(a)
		if first != nil {
			cancel()
		}
	}
	return first
}

// Variation is a case of the head with another request and the same expectation.
type Variation struct {
	Suite *suite.Suite
	Case  *suite.Case // with its Body, which has the other request and its key
	Round int         // number of the answer to this request, from 1
}

// RunVariations runs variations of the head's cases in order, evaluates the answers, and passes them to sink. Cached
// answers are only used for the same request, round and name, so that an interrupted run can continue.
func RunVariations(ctx context.Context, p Plan, name string, all []Variation, sink func(Answer) error) error {
	return p.process(ctx, p.variations(name, all), sink)
}

func (p *Plan) variations(name string, all []Variation) iter.Seq[*trial] {
	b := &questionBuilder{plan: p}
	return func(yield func(*trial) bool) {
		for _, v := range all {
			t := &trial{name: suiteid.Name{Suite: v.Suite.ID, Case: v.Case.ID}}
			number := max(v.Case.Trials, 1) + v.Round // as for a rerun
			q := b.addQuestion(t, suite.Head, p.Head.caseOf(v.Suite, new(v.Case.Open())), number, name)
			q.request.Rerun, q.rerun = v.Round, v.Round
			if b.addCached(t); !yield(t) {
				return
			}
		}
	}
}
