package run

import (
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/sides"
)

// Plan has both sides of a run and the checks of the run.
type Plan struct {
	Sides  *sides.Sides
	checks []checks.Check // in the order of allChecks
}

// ReadPlan reads both sides and prepares the checks. Errors in files are in Sides.Faults. With such errors,
// Sides.Selected may be nil, and then there are no checks. ReadPlan returns a fault.Unreachable if a tree cannot be
// read.
func ReadPlan(in sides.Inputs) (Plan, error) {
	s, err := sides.Read(in)
	p := Plan{Sides: s}
	if err != nil || s.Selected == nil {
		return p, err
	}
	for _, prepare := range allChecks {
		c := prepare(s)
		p.checks = append(p.checks, c)
		s.Warnings, s.Faults = append(s.Warnings, c.Warnings...), append(s.Faults, c.Faults...)
	}
	document.Sort(s.Faults)
	return p, in.TreeError()
}
