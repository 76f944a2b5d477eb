package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
)

// sideOf is what a status needs of one side of a case.
func sideOf(c *report.Case) noise.Side {
	return noise.Side{Count: stats.Count{Passed: c.Tally().Passed, Trials: c.Tally().Trials - c.Tally().Unscored}, Planned: c.Tally().Trials}
}

// statusOf decides what happened to a case by its first answers, by the rules of the first that applies: there on both
// sides, judged by the same expectation and the same measure, answered on both sides, and then what its trials say.
func statusOf(p casePair) report.Status {
	switch {
	case p.base == nil:
		return report.New
	case p.head == nil:
		return report.Removed
	case p.redefined() && p.kind != noisy && p.worse():
		return report.Regressed
	case p.redefined():
		return report.Redefined
	case p.kind == noisy:
		return noise.Status(sideOf(p.base), sideOf(p.head))
	}
	return noise.Strict(sideOf(p.base), sideOf(p.head))
}

// redefined reports a case that another thing judges than on the base. One that is to pass from now on is judged as before.
func (p casePair) redefined() bool {
	return p.base != nil && p.head != nil &&
		(p.base.ExpectationKey != p.head.ExpectationKey || p.base.MustPass && !p.head.MustPass || !alike(p.base.Likeness, p.head.Likeness) || !alike(judgeOf(p.base), judgeOf(p.head)))
}

// worse reports a redefined case that passed on the base and whose answers here meet neither the base's expectation nor their
// own: no reading calls that better.
func (p casePair) worse() bool {
	return p.head.UnderBase().Trials > 0 && noise.Strict(sideOf(p.base), eitherSide(p.head)) == report.Regressed
}

// eitherSide is the head's side of a redefined case, where an answer passes that meets one of both expectations.
func eitherSide(c *report.Case) noise.Side {
	s := sideOf(c)
	s.Passed = s.Trials - c.UnderBase().Neither
	return s
}

// judgeOf is who graded the answers to a case; "" for nobody.
func judgeOf(c *report.Case) string {
	if c.Criteria() == nil {
		return ""
	}
	return c.Criteria().Judge
}

// alike reports whether two sides were compared by meaning in one way; a side without an answer was in none.
func alike(base, head string) bool { return base == head || base == "" || head == "" }

// enters reports whether a case is compared like for like, which is by its first answers.
func (p casePair) enters() bool {
	switch p.first.status() {
	case report.New, report.Removed, report.Redefined, report.Errored:
		return false
	}
	return !p.quarantined && !p.redefined()
}

// delta is the head's mean minus the base's, over the trials that have an answer.
func delta(base, head *report.Case) float64 {
	b, _ := base.Tally().Answered()
	h, _ := head.Tally().Answered()
	return h - b
}

// deltas gathers suite deltas into one, suites weighted, over the cases of a sort that enter.
type deltas struct {
	run   score.Mean
	cases int
}

func (d *deltas) add(s *suitePair, of func(casePair) bool) *float64 {
	var m score.Mean
	n := 0
	for p := range s.all() {
		if p.enters() && of(p) {
			m.Add(delta(p.base, p.head), 1)
			n++
		}
	}
	if s.head == nil { // none of its cases enters
		return nil
	}
	return d.join(m, n, s.head.Weight)
}

// join adds the delta of a suite over n cases; nil where it has none.
func (d *deltas) join(m score.Mean, n int, weight float64) *float64 {
	mean, ok := m.Value()
	if !ok {
		return nil
	}
	mean = stats.Settled(mean)
	d.run.Add(mean, weight)
	if weight != 0 {
		d.cases += n
	}
	return &mean
}

// kind says what the answers of a case are, and so what a flip of it proves.
type kind uint8

const (
	strict kind = iota // they count as they are
	drawn              // strict, and recorded several times from a model: a fall of their mean may be chance
	noisy              // the next answer may be another: a flip proves nothing by itself
)

// kindOf tells a case by the gate's mode and its answers on both sides.
func kindOf(mode string, p casePair) kind {
	switch {
	case mode != config.ModeStrict && p.either(func(c *report.Case) bool { return c.Live }), mode == config.ModeNoisy && p.several():
		return noisy
	case p.several() && p.draws():
		return drawn
	}
	return strict
}

// either reports whether the case is so on a side.
func (p casePair) either(is func(*report.Case) bool) bool {
	return p.base != nil && is(p.base) || p.head != nil && is(p.head)
}

// several reports a case with more than one first answer on a side, and draws one whose recorded answers were drawn from a model on a side.
func (p casePair) several() bool {
	return p.either(func(c *report.Case) bool { return c.Tally().Trials > 1 })
}
func (p casePair) draws() bool { return p.either(func(c *report.Case) bool { return c.Drawn }) }

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
