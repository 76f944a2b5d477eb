package run

import (
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/sides"
)

// Plan is what a run asks and how it judges. Read makes it in three steps, and each adds what it finds out to the value of the one before: bothSides,
// inScope, Plan. Where an error among the faults leaves nothing to go on with, what follows is not known.
type Plan struct {
	Sides  *sides.Sides
	checks []checks.Check
}

// ReadPlan reads both sides and settles whose rules hold and what is asked. The error is fault.Unreachable where a tree could not be
// read; what is wrong in files is in the plan's Faults.
func ReadPlan(in sides.Inputs) (Plan, error) {
	s, err := sides.Read(in)
	p := Plan{Sides: s}
	if err != nil || s.Asked == nil {
		return p, err
	}
	for _, prepare := range list {
		c := prepare(s)
		p.checks = append(p.checks, c)
		s.Warnings, s.Faults = append(s.Warnings, c.Warnings...), append(s.Faults, c.Faults...)
	}
	document.Sort(s.Faults)
	return p, nil
}
