package comparetest

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Caller takes the place of a run in a comparison. Without the function Rerun, the sides hold all answers.
type Caller struct {
	Rerun       func([]report.RerunRequest) error // adds the requested answers to the sides
	RunOneSided func() error                      // adds the cases that only one side has; nil: there are none
	// returns why the run's limits forbid the requested reruns, or ""; nil: they do not
	LimitReason func([]report.RerunRequest) string
	HasFailed   func(config.Gate, compare.Comparison) bool // reports whether the run has failed; nil: it has not
}

// Compare compares the sides, and makes the reruns that the comparison needs.
func (c Caller) Compare(g config.Gate, sides compare.Sides) (out compare.Comparison, err error) {
	r := compare.Begin(g, sides)
	if c.Rerun != nil {
		for wants, err := range r.Reruns() {
			if err == nil {
				err = c.Rerun(wants)
			}
			if err != nil {
				return out, err
			}
		}
		if c.RunOneSided != nil {
			if err := c.RunOneSided(); err != nil {
				return out, err
			}
		}
	}
	if found := r.Settle(); found.NoiseTest != nil && c.HasFailed != nil && c.HasFailed(g, found) {
		r.SkipAfterFailure()
	}
	if c.Rerun == nil {
		return r.Comparison()
	}
	if whole := r.PlannedRecheck(); len(whole) > 0 && c.LimitReason != nil {
		if why := c.LimitReason(whole); why != "" {
			r.SkipRecheck(why)
		}
	}
	for wants := range r.Recheck() {
		if err := c.Rerun(wants); err != nil {
			return out, err
		}
	}
	return r.Comparison()
}
