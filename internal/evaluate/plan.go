package evaluate

import (
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// Plan is what a run asks and how it is judged.
type Plan struct {
	Head    Side
	Base    *Side // nil: the head alone
	Judge   *Judge
	Grader  *Panel                                                                // grades the answers of a plan without a Judge; nil: nobody does
	Heard   func(at suite.Side, c *suite.Case, q model.Request, r model.Response) // told of every answer as it comes to the sink; nil: nobody is
	Part    Part                                                                  // what of it is asked
	Share   func(place int) bool                                                  // which of the cases that ask a live target, by their place among these; nil: all cases
	Journal model.Journal                                                         // keeps the answers of live targets; nil: nothing is kept

	RunID  string
	Now    func() time.Time
	Judges int // how many answers are judged at once, at least 1

	Broke func(*Bug) // hears of every trial that failproof broke on, before its result is handed on; nil: nobody does
}

// panel grades the answers; nil: nobody does.
func (p *Plan) panel() *Panel {
	if p.Judge != nil {
		return p.Judge.Panel
	}
	return p.Grader
}

// Part says which cases of a plan are asked. What a change adds is asked last, so that it cannot use up what the cases need that
// are compared.
type Part int

const (
	Whole Part = iota
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

// Sink takes one result. Results of a side come in the order of the head's suites, cases and trials, the base's own suites
// and cases behind them.
type Sink func(at suite.Side, r report.Result) error

// Answer is what a live target answered to a question of a plan, or why it did not.
type Answer struct {
	At       suite.Side // who asked; the head where both ask the same
	Target   string
	Request  model.Request
	Response model.Response
}

// Question is one request of a plan to a live target.
type Question struct {
	Target  string
	Request model.Request
	Kept    bool // the journal has its answer

	// Compared is the case on both sides, as the head has it, where the sides are asked each for itself: if they differ, both
	// may be asked again. Zero: there is nothing to compare with, or both ask the same.
	Compared CaseAt
}

// CaseAt is a case of a suite, by its Place. The zero CaseAt is none.
type CaseAt struct {
	Suite *suite.Suite
	Place int
}
