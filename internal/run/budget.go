package run

import (
	"cmp"
	"os"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// forecast returns the expected cost of questions, and of reruns if they are possible. No case is rerun with a stored
// base or when measuring noise.
func (p Plan) forecast(questions evaluate.Plan) forecast.Forecast {
	more := forecast.ExtraCalls{Reruns: !p.Sides.MeasuresNoise() && p.Sides.Inputs.Stored == nil}
	for _, c := range p.checks {
		if c.Cost != nil {
			c.Cost(&more)
		}
	}
	return forecast.New(questions, more, p.Sides.Rules)
}

// DryRun returns the forecast of the plan, with warnings. It makes no call and creates no folder.
func (p Plan) DryRun() (f forecast.Forecast, warnings []report.Warning) {
	open := asking.Session{Live: p.Sides.Live}
	if info, err := os.Stat(sides.PathIn(p.Sides.Inputs.Dir,
		cmp.Or(p.Sides.Inputs.Cache, output.DefaultCache))); err == nil && info.IsDir() {
		open, warnings = asking.OpenSession(p.Sides)
	}
	f = p.forecast(asking.NewPlan(p.Sides, nil, open))
	if warnings = append(warnings, open.Close()...); p.Sides.Live.HasTargets() {
		return f, slices.Concat(p.Sides.Warnings, warnings)
	}
	return f, nil
}
