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
	Base    *Side             // nil: the head alone
	Renamed map[string]string // id of a base's suite → id that the head has for it
	Judge   *Judge
	Journal model.Journal // keeps the answers of live targets; nil: nothing is kept

	RunID  string
	Now    func() time.Time
	Judges int // how many answers are judged at once, at least 1
}

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

// Question is one request of a plan to a live target.
type Question struct {
	Target  string
	Request model.Request
	Kept    bool // the journal has its answer
}
