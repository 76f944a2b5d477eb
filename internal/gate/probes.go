package gate

import "github.com/failproof/failproof/internal/risk"

// baseRisk returns the figures of the base's probes; nil if there are none.
func (r *run) baseRisk() *risk.Aggregates {
	if r.Base == nil {
		return nil
	}
	return r.Base.Risk()
}

// optionalFigure returns the figure of a value that may be nil.
func optionalFigure(v *float64) figure {
	return func() (value float64, ok bool) {
		if v != nil {
			value, ok = *v, true
		}
		return value, ok
	}
}
