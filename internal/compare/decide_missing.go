package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// loss is what is missing of the head's answers to strict or to noisy cases.
type loss struct {
	rule              config.Rule
	unscored, planned int
	noun              string // of one trial
}

func (l loss) beyond() bool {
	return l.rule.Level != config.Off && l.planned > 0 && !score.Meets(l.rule.Value, l.share())
}

func (l loss) share() float64 { return float64(l.unscored) / float64(l.planned) }

// losses counts the head's trials without an answer, of the strict cases and of the noisy ones. A trial that was planned and
// has no result at all is of no known kind: it counts as noisy only where no case is strict.
func (j *judgement) losses(m measured) [2]loss {
	all := loss{unscored: m.side.Unscored(), planned: m.side.Planned()}
	var live loss
	recorded := false
	for _, p := range j.in.Comparison.all() {
		switch {
		case p.head == nil || p.quarantined || m.held && p.base == nil:
		case p.kind == noisy:
			live.unscored, live.planned = live.unscored+p.head.Tally().Unscored, live.planned+p.head.Tally().Trials
		default:
			recorded = true
		}
	}
	gate := j.gate
	switch {
	case live.planned == 0:
		return [2]loss{{gate.Unscored(false), all.unscored, all.planned, "trial"}}
	case !recorded:
		return [2]loss{{gate.Unscored(true), all.unscored, all.planned, "trial"}}
	}
	return [2]loss{
		{gate.Unscored(false), all.unscored - live.unscored, all.planned - live.planned, "recorded trial"},
		{gate.Unscored(true), live.unscored, live.planned, "live trial"},
	}
}

// tooMuchMissing reports that more answers are missing than the gate allows: then a missed bar proves nothing.
func (j *judgement) tooMuchMissing(m measured) bool {
	for _, l := range j.losses(m) {
		if l.beyond() && l.rule.Level == config.Err {
			return true
		}
	}
	return false
}

func (j *judgement) unscored() {
	said := [2]bool{}
	for _, m := range j.held {
		for i, l := range j.losses(m) {
			if said[i] || !l.beyond() {
				continue
			}
			said[i] = true
			share, most := score.Figures(l.share(), l.rule.Value)
			j.add(l.rule.Level, suspends, report.Reason{Code: "max_unscored",
				Message: fmt.Sprintf("%d of %s%s without an answer: share %s is above max_unscored %s", l.unscored, text.Count(l.planned, l.noun), m.over, share, most)})
		}
	}
	if n := j.in.Comparison.uncompared(); n > 0 {
		j.add(config.Warn, warns, report.Reason{Code: "max_unscored",
			Message: fmt.Sprintf("%s not compared: too few answers came before", text.Count(n, "case is", "cases are"))})
	}
}
