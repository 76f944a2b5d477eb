package evaluate

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Plan is what a run asks and how it is judged.
type Plan struct {
	Head   Side
	Base   *Side // nil: the head alone
	Judge  *Judge
	Grader *Panel       // grades the answers of a plan without a Judge; nil: nobody does
	Heard  func(Answer) // told of every answer as it comes to the sink; nil: nobody is
	Turn   Turn         // what of it is asked
	// which of the cases that ask a live target, by their place among these; nil: all cases
	Share   func(place int) bool
	Journal model.Journal // keeps the answers of live targets; nil: nothing is kept

	RunID  string
	Now    func() time.Time
	Judges int // how many answers are judged at once, at least 1

	Time context.Context // once it is over no answer is judged, for the cause that it tells; nil: there is time for all

	Given RegradeAnswers // answers that a judge looks at again; nil: none
	// hears of every trial that failproof broke on, before its result is handed on; nil: nobody does
	Broke func(*Bug)
}

// RegradeAnswers are answers to grade again, AcquitVotes times each, by suite and case as the head names them. The
// answers themselves stay.
type RegradeAnswers map[[2]string]map[suite.Side]model.Untrusted

// panel grades the answers; nil: nobody does.
func (p *Plan) panel() *Panel {
	if p.Judge != nil {
		return p.Judge.Panel
	}
	return p.Grader
}

// Turn says which cases of a plan are asked. The cases that a change adds come last, so that they cannot use up what
// the compared ones need.
type Turn int

const (
	Whole Turn = iota
	First      // all but the last
	Last       // what only one of both sides asks a live target
)

// Side is one revision's work.
type Side struct {
	Suites []*suite.Suite           // in order; every one is run in full
	Target func(name string) Target // who answers a suite's target; base and head ask one target of a name together
}

// Target is who answers.
type Target struct {
	Client model.Client // never nil
	Width  int          // questions asked at once, at least 1; the head's holds for both sides
	Live   bool         // a model or a command is asked: its answers cost something, and differ from time to time
	Where  string       // what makes equal requests to two live targets differ: address, command
}

// Sink takes one result. A side's results come in the order of the head's suites, cases and trials, followed by the
// base's own.
type Sink func(at suite.Side, r report.Result) error

// Answer is a target's answer to a question of a plan, or why there is none.
type Answer struct {
	At       suite.Side
	Suite    *suite.Suite
	Case     *suite.Case
	Asked    string // the live target that was asked for it; "" where the answer is recorded, or the other side's
	Request  model.Request
	Response model.Response

	result report.Result // zero without a judge
	bug    *Bug          // failproof broke on the way to result
	err    error
}

// Question is one request of a plan to a live target.
type Question struct {
	Target  string
	Request model.Request
	Kept    bool // the journal has its answer

	// Compared is the case on both sides, as the head has it, where the sides are asked each for itself: if they
	// differ, both may be asked again. Zero: there is nothing to compare with, or both ask the same.
	Compared CaseAt
}

// CaseAt is a case of a suite, by its Place. The zero CaseAt is none.
type CaseAt struct {
	Suite *suite.Suite
	Place int
}

// casePair is one case on both sides; a side that lacks it is zero.
type casePair struct{ base, head member }

// member is a case with its suite and who answers it.
type member struct {
	suite  *suite.Suite
	c      *suite.Case
	target Target
}

func (m member) present() bool { return m.c != nil }

func (m member) at() CaseAt { return CaseAt{m.suite, m.c.Place()} }

func targetName(s *suite.Suite, c *suite.Case) string { return cmp.Or(c.Target, s.Target) }

// member is a case of a side; zero where there is none.
func (s *Side) member(of *suite.Suite, c *suite.Case) member {
	if c == nil {
		return member{}
	}
	return member{of, c, s.Target(targetName(of, c))}
}

// live reports whether the case exists and a model or command is asked for it.
func (m member) live() bool { return m.present() && m.target.Live }

// request identifies what is sent, and where to.
func (m member) request() string {
	return hashed(m.target.Where+"\x00", m.c.Keys().RequestKey.String())
}

// shared reports whether both sides ask a live target the same question. It is then asked once, so that the delta is
// exactly 0.
func (p casePair) shared() bool {
	return p.base.live() && p.head.live() && p.base.request() == p.head.request()
}

// bothAsked reports whether both sides call the model, each for itself.
func (p casePair) bothAsked() bool { return p.base.live() && p.head.live() && !p.shared() }

// oneSided reports a case that costs something on one of two sides alone.
func (p *Plan) oneSided(pair casePair) bool {
	return p.Base != nil && (pair.base.live() && !pair.head.present() || pair.head.live() && !pair.base.present())
}

// asksLive reports whether a case may ask a live target.
func (p *Plan) asksLive() bool {
	for _, side := range p.sides() {
		for _, s := range side.Suites {
			if slices.ContainsFunc(s.Targets(), func(name string) bool { return side.Target(name).Live }) {
				return true
			}
		}
	}
	return false
}

// sides are the one or two that the plan has.
func (p *Plan) sides() []*Side {
	if p.Base == nil {
		return []*Side{&p.Head}
	}
	return []*Side{&p.Head, p.Base}
}

// Places returns the position of each side's cases among all results, by suite/case in the side's names; nil if no case
// is asked last, since results then come in order.
func (p Plan) Places() map[suite.Side]map[string]int {
	if !p.asksLive() {
		return nil
	}
	last, n, out := false, 0, map[suite.Side]map[string]int{suite.Base: {}, suite.Head: {}}
	for pair := range p.pairs() {
		last = last || p.oneSided(pair)
		for at, m := range map[suite.Side]member{suite.Base: pair.base, suite.Head: pair.head} {
			if m.present() {
				out[at][m.suite.ID+"/"+m.c.ID] = n
			}
		}
		n++
	}
	if !last {
		return nil
	}
	return out
}

// pairs yields the cases in the order in which they are asked: for each suite the head's cases with their form on the
// base, then the base's own.
func (p *Plan) pairs() iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
		var bases []*suite.Suite
		if p.Base != nil {
			bases = p.Base.Suites
		}
		for one := range suite.Pairs(bases, p.Head.Suites) {
			if !yield(casePair{p.Base.member(one.BaseSuite, one.Base), p.Head.member(one.HeadSuite, one.Head)}) {
				return
			}
		}
	}
}

// name is what the head calls a case.
func (p casePair) name() suiteid.Name {
	if p.head.present() {
		return suiteid.Name{Suite: p.head.suite.ID, Case: p.head.c.ID}
	}
	return p.base.suite.Head(p.base.c.ID)
}
