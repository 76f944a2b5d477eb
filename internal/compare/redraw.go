package compare

import (
	"math"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// Redrawn says what fresh answers the head's recordings hold for a case that flipped: how many a side, and in which file.
type Redrawn func(suiteID, caseID string) (rounds int, file string)

// redraw brings the fresh answers into both sides that were recorded beside recorded cases which flipped.
func (r *rerun) redraw(again func([]report.Want) error) error {
	wants, files := wantsOf(r.c.flips(r.gate), r.sides.Redrawn)
	if len(wants) == 0 || again == nil {
		return nil
	}
	r.redrawn = files
	return again(wants)
}

// redraw decides recorded cases that flipped by fresh answers that the sides hold, as a live case is decided: each flip
// shares in the chance of a false alarm, whether or not it has such answers. A flip without them is unsettled if both sides
// are one draw of a model, else it counts. One with so few that they could prove nothing counts. files brought the answers.
func (c Comparison) redraw(g config.Gate, files []string) Comparison {
	c.suspects = map[string]report.Suspect{}
	flips := c.flips(g)
	if len(flips) == 0 {
		return c
	}
	level := c.settings(g).Alpha / float64(len(flips))
	told := []report.Suspect{}
	for _, f := range flips {
		s, known := f.decided(level)
		f.last, f.unsettled = f.first, !known && f.kind == strict && f.Draws()
		switch {
		case f.unsettled:
			s.State, f.last = report.SuspectUnprovable, short(report.Flaky)
		case !known:
			continue
		}
		told = append(told, s)
		c.suspects[f.key()] = s
		switch s.State {
		case report.SuspectCleared:
			f.redrawn, f.last = true, short(report.Flaky)
		case report.SuspectConfirmed:
			f.redrawn = true
		}
	}
	if len(told) > 0 || len(files) > 0 {
		c.Redrawn = &report.RedrawnLook{Flips: len(flips), Level: level, Suspects: told, Files: append([]string{}, files...)}
	}
	return c
}

// flips returns the recorded cases that passed on the base and do not here; none if the gate takes all answers as they are.
func (c Comparison) flips(g config.Gate) (out []Case) {
	if g.Mode == config.ModeStrict {
		return nil
	}
	for p := range c.All() {
		if (p.Status() == report.Regressed || p.redrawn || p.unsettled) && p.kind != noisy && !p.quarantined {
			out = append(out, p)
		}
	}
	return out
}

func wantsOf(flips []Case, stored Redrawn) (wants []report.Want, files []string) {
	if stored == nil {
		return nil, nil
	}
	for _, f := range flips {
		n, file := stored(f.SuiteID(), f.ID())
		if n == 0 {
			continue
		}
		next := max(f.Base.Last(), f.Head.Last()) + 1
		wants = append(wants, report.Want{Look: report.LookConfirm, SuiteID: f.SuiteID(), CaseID: f.ID(), First: next, Last: next + n - 1})
		files = append(files, file)
	}
	slices.Sort(files)
	return wants, slices.Compact(files)
}

// decided is what the fresh answers to a case come to, at a level; false if there are none.
func (p Case) decided(level float64) (report.Suspect, bool) {
	out := report.Suspect{SuiteID: p.SuiteID(), CaseID: p.ID()}
	for _, round := range rounds(p, report.LookConfirm, 0, math.MaxInt) {
		base, head := round[0], round[1]
		if base.Loss != classify.NoLoss || head.Loss != classify.NoLoss {
			continue
		}
		out.Rounds++
		out.BasePasses += int(base.Value)
		out.HeadPasses += int(head.Value)
	}
	if out.Rounds == 0 {
		return out, false
	}
	switch region := stats.Prove(out.Rounds, level); {
	case region.Empty():
		out.State = report.SuspectUnprovable
	case region.Has(out.BasePasses, out.HeadPasses):
		chance := stats.Fisher(stats.Count{Passed: out.BasePasses, Trials: out.Rounds}, stats.Count{Passed: out.HeadPasses, Trials: out.Rounds})
		out.State, out.P = report.SuspectConfirmed, &chance
	default:
		out.State = report.SuspectCleared
	}
	return out, true
}
