// Package checks defines checks: optional parts of a run besides calling and comparing.
package checks

import (
	"context"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// New prepares a check before any call. It may change how cases are run. Without a base, Sides.Base and Inputs.Base
// are nil.
type New func(*sides.Sides) Check

// Check holds the functions of a check, called in this order. A nil function does nothing.
type Check struct {
	Warnings []report.Warning
	Faults   []document.Diagnostic // an error ends the run before any call

	Cost        func(*forecast.ExtraCalls)                  // adds possible calls to the forecast
	FirstAnswer func(evaluate.Answer)                       // sees each first answer, in order
	Static      func(*gate.Run)                             // adds findings that need no answer
	After       func(context.Context, Run, *gate.Run) error // adds findings from the compared answers; may make calls
	Last        func(context.Context, Run, gate.Run)        // makes calls that cannot affect the verdict
	Report      func(*report.Report)                        // adds to the report, which has its verdict
}

// Run is a run after the comparison.
type Run struct {
	Plan    evaluate.Plan
	Head    *report.Side
	Results *output.Results // results of the head, to which a check may add
	Sinks   asking.Sinks
}
