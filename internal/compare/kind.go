package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// kind says what the answers of a case are, and so what a flip of it proves.
type kind uint8

const (
	strict kind = iota // they count as they are
	drawn              // strict, and recorded several times from a model: a fall of their mean may be chance
	noisy              // the next answer may be another: a flip proves nothing by itself
)

// kindOf tells a case by the gate's mode and its answers on both sides, one of which may be nil.
func kindOf(mode string, base, head *report.Case) kind {
	several, live, draws := false, false, false
	for _, c := range []*report.Case{base, head} {
		if c != nil {
			several, live, draws = several || c.Tally().Trials > 1, live || c.Live, draws || c.Drawn
		}
	}
	switch {
	case live && mode != config.ModeStrict, several && mode == config.ModeNoisy:
		return noisy
	case several && draws:
		return drawn
	}
	return strict
}

// several reports a case with more than one first answer on a side.
func (p casePair) several() bool {
	return p.base != nil && p.base.Tally().Trials > 1 || p.head != nil && p.head.Tally().Trials > 1
}

func everyCase(casePair) bool { return true }

// isNoisy and isDrawn pick the cases of a procedure.
func (p casePair) isNoisy() bool { return p.kind == noisy }
func (p casePair) isDrawn() bool { return p.kind == drawn }

// isRedrawn reports a case whose flip fresh answers decide.
func (p casePair) isRedrawn() bool { return p.kind == noisy || p.redrawn }

// literal are the cases whose fall is held to max_drop as it is. One trial a side is judged flip by flip, unless the gate
// names a figure.
func literal(g config.Gate) func(casePair) bool {
	single := g.Drop(false).Level != config.Off
	return func(p casePair) bool { return p.kind == strict && !p.redrawn && (single || p.several()) }
}
