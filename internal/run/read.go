package run

import (
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/sides"
)

// Plan is what a run asks and how it judges. Read makes it in three steps, and each adds what it finds out to the value of the one before: bothSides,
// inScope, Plan. Where an error among the faults leaves nothing to go on with, what follows is not known.
type Plan struct {
	*sides.Sides

	desertedPrompts []string                 // prompts that the change edits and takes its suites away from
	unaskedPrompts  []string                 // prompts that the change edits or adds, and no suite asks
	telling         []compare.Told           // variables that the change begins to send, and that tell the answer
	stale           map[[2]string]*staleCase // recorded cases that are asked live, by suite and case
}

// ReadPlan reads both sides and settles whose rules hold and what is asked. The error is fault.Unreachable where a tree could not be
// read; what is wrong in files is in the plan's Faults.
func ReadPlan(in sides.Inputs) (Plan, error) {
	s, err := sides.Read(in)
	p := Plan{Sides: s}
	if err != nil || s.Asked == nil {
		return p, err
	}
	deserted, left := bypassedPrompts(s)
	p.desertedPrompts, p.unaskedPrompts, p.telling = deserted, untestedPrompts(s), answerLeaks(s)
	gone := gone(s)
	stale, notAsked, faults := askRecorded(s)
	p.stale = stale
	s.Warnings = slices.Concat(s.Warnings, left, gone, notAsked)
	s.Faults = append(s.Faults, faults...)
	document.Sort(s.Faults)
	return p, nil
}
