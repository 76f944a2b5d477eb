package evaluate

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// Plan is one side's work.
type Plan struct {
	Suites []*suite.Suite                         // in order; every one is run in full
	Client func(target string) model.Client       // never nil for a suite's target
	Base   func(suiteID, caseID string) *BaseCase // the base's form of a redefined case; nil func or nil result: none
	Judge  *Judge

	RunID   string
	Now     func() time.Time
	Workers int // how many answers are asked for and judged at once, at least 1
}

// BaseCase is a case as the base defines it: what a redefined case's answer is also judged by.
type BaseCase struct {
	Suite *suite.Suite
	Case  *suite.Case
}

// Bug is a panic of ours, caught at the trial where it happened.
type Bug struct {
	SuiteID, CaseID string
	Value           any
	Stack           []byte
}

func (b *Bug) Error() string {
	return fmt.Sprintf("case %s of suite %s: %v", b.CaseID, b.SuiteID, b.Value)
}

// Run asks and judges every trial of the plan and hands the results to sink in suite, case, trial order, whatever
// finished first. It stops at the first error: of a client, of sink, of ctx, or a *Bug.
func Run(ctx context.Context, p Plan, sink func(report.Result) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := make(chan *job, p.Workers)
	order := make(chan *job, orderWindow(p.Workers))

	var workers sync.WaitGroup
	for range p.Workers {
		workers.Go(func() {
			for j := range jobs {
				j.done <- p.trial(ctx, j)
			}
		})
	}
	go p.feed(ctx, jobs, order)

	err := drain(order, sink, cancel)
	workers.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// orderWindow is how many trials may be under way or finished ahead of the one that sink waits for.
func orderWindow(workers int) int { return 16 * workers }

// job is one trial; done receives its outcome once.
type job struct {
	suite *suite.Suite
	c     *suite.Case
	trial int
	done  chan outcome
}

type outcome struct {
	result report.Result
	err    error
}

// feed queues every trial, first in order and then for the workers, until ctx ends.
func (p Plan) feed(ctx context.Context, jobs, order chan<- *job) {
	defer close(jobs)
	defer close(order)
	for _, s := range p.Suites {
		for i := range s.Cases {
			for trial := 1; trial <= s.Trials; trial++ {
				j := &job{suite: s, c: &s.Cases[i], trial: trial, done: make(chan outcome, 1)}
				select {
				case <-ctx.Done():
					return
				case order <- j:
				}
				jobs <- j // a worker always takes it: after a cancel it answers with the error
			}
		}
	}
}

// drain hands outcomes to sink in order. After the first error it cancels and only waits for what is under way.
func drain(order <-chan *job, sink func(report.Result) error, cancel func()) error {
	var first error
	for j := range order {
		o := <-j.done
		if first != nil {
			continue
		}
		if first = o.err; first == nil {
			first = sink(o.result)
		}
		if first != nil {
			cancel()
		}
	}
	return first
}

func (p Plan) trial(ctx context.Context, j *job) (out outcome) {
	defer func() {
		if v := recover(); v != nil {
			out.err = &Bug{SuiteID: j.suite.ID, CaseID: j.c.ID, Value: v, Stack: debug.Stack()}
		}
	}()
	request := j.c.Prompt
	request.Trial = j.trial
	response, err := p.Client(j.suite.Target).Answer(ctx, request)
	if err != nil {
		return outcome{err: fmt.Errorf("ask target %s for case %s of suite %s: %w", j.suite.Target, j.c.ID, j.suite.ID, err)}
	}
	judged := p.Judge.Judge(j.suite, j.c, response)
	result := p.Judge.result(j.suite, j.c, response, judged)
	result.RunID, result.Trial = p.RunID, j.trial
	result.TimestampUTC = p.Now().UTC().Format(time.RFC3339)
	p.judgeUnderBase(&result, j, response)
	return outcome{result: result}
}

// judgeUnderBase says what a redefined case's answer would have been by the base's expectation.
func (p Plan) judgeUnderBase(result *report.Result, j *job, response model.Response) {
	if p.Base == nil {
		return
	}
	base := p.Base(j.suite.ID, j.c.ID)
	if base == nil || base.Case.ExpectationKey == j.c.ExpectationKey {
		return
	}
	judged := p.Judge.Judge(base.Suite, base.Case, response)
	under := p.Judge.keepClassification(judged.Classification)
	result.UnderBase = &under
}
