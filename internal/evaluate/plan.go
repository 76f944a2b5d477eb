package evaluate

import (
	"context"
	"iter"
	"time"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Plan holds the cases that a run calls, and the settings for evaluating the answers.
type Plan struct {
	Head      Side
	Base      *Side           // nil: head only
	Matches   suiteid.Matches // which suites and cases of both sides are the same
	Evaluator *Evaluator
	Panel     *Panel // for a plan without an Evaluator; nil: no grading
	Part      Part   // which cases to run
	// reports whether to run the live case with the index place; nil: run all
	InShard func(place int) bool
	Skip    func(model.Request) bool // reports whether to leave out the trial of a request; nil: all trials run
	Journal model.Journal            // cache of live answers; nil: none

	RunID                 string
	Now                   func() time.Time
	EvaluationConcurrency int // answers evaluated at once, at least 1

	TimeLimit context.Context // after its end answers are not evaluated, and its cause is the reason; nil: no limit

	// called for each trial with an internal error, before its result; nil: not called
	OnBug func(*fault.Bug)
}

// panel returns the panel that grades the answers, or nil if they are not graded.
func (p *Plan) panel() *Panel {
	if p.Evaluator != nil {
		return p.Evaluator.Panel
	}
	return p.Panel
}

// Part is the part of a plan to run. Cases on one side only are run last, so that they cannot use up the budget of the
// compared cases.
type Part int

const (
	PartAll      Part = iota
	PartMain          // everything except PartOneSided
	PartOneSided      // live cases on one side only
)

// Side is the suites of one revision.
type Side struct {
	Suites []*suite.Suite           // all cases of each are run
	Target func(name string) Target // returns the named target; both sides share it
}

// Target answers requests.
type Target struct {
	Client      model.Client // never nil
	Concurrency int          // concurrent calls, at least 1; the head's applies to both sides
	Live        bool         // a model or a command: it costs something and may answer differently each time
	Address     string       // address or command, which distinguishes targets in the cache
}

// Answer is a target's answer to a question of a plan, or the reason why there is none.
type Answer struct {
	HeadName   suiteid.Name // the head's name of the case
	Side       suite.Side
	Suite      *suite.Suite
	Case       *suite.Case
	TargetName string // name of the live target; "" if the answer is recorded or shared by the other side
	Request    model.Request
	Response   model.Response
	Result     report.Result // zero without an Evaluator

	bug *fault.Bug // internal error before Result
	err error
}

// Question is a request to a live target or to the judge.
type Question struct {
	Target  string
	Request model.Request
	Cached  bool // the cache has its answer

	// Compared is the case on the head if both sides are called separately, so that both may be rerun if they differ;
	// otherwise zero.
	Compared CaseRef
}

// CaseRef identifies a case of a suite by its Index. The zero CaseRef is no case.
type CaseRef struct {
	Suite *suite.Suite
	Index int
}

// casePair is one case on both sides. If a side lacks the case, its sideCase is zero.
type casePair struct {
	name       suiteid.Name // the head's name of the case
	base, head sideCase
}

// sideCase is a case with its suite and its target.
type sideCase struct {
	suite  *suite.Suite
	c      *suite.Case
	target Target
}

func (s sideCase) exists() bool { return s.c != nil }

func (s sideCase) ref() CaseRef { return CaseRef{s.suite, s.c.Index()} }

// caseOf returns the case c of the suite owner with its target. It is zero if c is nil.
func (s *Side) caseOf(owner *suite.Suite, c *suite.Case) sideCase {
	if c == nil {
		return sideCase{}
	}
	return sideCase{owner, c, s.Target(owner.TargetOf(c))}
}

// isLive reports whether the case exists and has a live target.
func (s sideCase) isLive() bool { return s.exists() && s.target.Live }

// requestHash returns a hash of the case's request and the target's address.
func (s sideCase) requestHash() string {
	return hash(s.target.Address+"\x00", s.c.Keys().RequestKey.String())
}

// sharesRequest reports whether both sides send the same request to a live target. One call then answers both, so that
// their scores differ by exactly 0.
func (p casePair) sharesRequest() bool {
	return p.base.isLive() && p.head.isLive() && p.base.requestHash() == p.head.requestHash()
}

// callsBoth reports whether both sides call a live target separately.
func (p casePair) callsBoth() bool { return p.base.isLive() && p.head.isLive() && !p.sharesRequest() }

// isOneSided reports whether only one side of the case calls a live target.
func (p *Plan) isOneSided(pair casePair) bool {
	return p.Base != nil && (pair.base.isLive() && !pair.head.exists() || pair.head.isLive() && !pair.base.exists())
}

// sides returns the plan's one or two sides.
func (p *Plan) sides() []*Side {
	if p.Base == nil {
		return []*Side{&p.Head}
	}
	return []*Side{&p.Head, p.Base}
}

// CaseIndexes returns, for each side, the index of every case among all results. The keys of the inner maps are
// suite/case with the ids of that side. If no case is moved to the end, the results are in the order of the suites, and
// CaseIndexes returns nil.
func (p Plan) CaseIndexes() map[suite.Side]map[string]int {
	if !p.hasOneSided() {
		return nil
	}
	n, out := 0, map[suite.Side]map[string]int{suite.Base: {}, suite.Head: {}}
	for pair := range p.pairs() {
		for side, m := range map[suite.Side]sideCase{suite.Base: pair.base, suite.Head: pair.head} {
			if m.exists() {
				out[side][m.suite.ID+"/"+m.c.ID] = n
			}
		}
		n++
	}
	return out
}

// hasOneSided reports whether only one side of some case calls a live target.
func (p *Plan) hasOneSided() bool {
	for pair := range p.pairs() {
		if p.isOneSided(pair) {
			return true
		}
	}
	return false
}

// pairs yields the cases in the order of the calls. For each suite, it yields the head's cases, each paired with the
// base's case, and then the removed cases.
func (p *Plan) pairs() iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
		both := suite.Pairing{Matches: p.Matches, Heads: p.Head.Suites}
		if p.Base != nil {
			both.Bases = p.Base.Suites
		}
		for c := range both.Pairs() {
			if !yield(casePair{both.NameOf(c), p.Base.caseOf(c.BaseSuite, c.Base), p.Head.caseOf(c.HeadSuite, c.Head)}) {
				return
			}
		}
	}
}
