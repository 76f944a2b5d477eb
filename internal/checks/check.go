// Package checks says what a check is: a part of a run beside asking and comparing, which can be left out.
package checks

import (
	"context"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// New looks at both sides before anything is asked. It may have their cases asked otherwise. Without a base, Sides.Base
// and Inputs.Base are nil.
type New func(*sides.Sides) Check

// Check is what one part of a run says and does. A function that is nil does nothing. They are called in this order.
type Check struct {
	Warnings []report.Warning
	Faults   []document.Diagnostic // after an error nothing is asked

	Prepare func(*evaluate.Plan)                        // changes how answers are asked and judged
	Cost    func(*forecast.Further)                     // adds what it may ask
	Known   func(*gate.Run)                             // adds facts that need no answer
	After   func(context.Context, Run, *gate.Run) error // adds facts that need the compared answers; it may ask more
	Late    func(context.Context, Run, gate.Run)        // asks when all facts are there: what it finds decides nothing
	Report  func(*report.Report)                        // adds to the report of the verdict
}

// Run is a run whose sides are compared.
type Run struct {
	Plan    evaluate.Plan
	Head    *report.Side
	Results *asking.SideResults // of the head; they take further results
	Sinks   asking.Sinks
}
