package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// RecordedReruns returns how many recorded reruns a flipped recorded case has on each side, and the file that contains
// them.
type RecordedReruns func(suiteID, caseID string) (rounds int, file string)

// redraw adds the recorded reruns of flipped cases to both sides.
func (r *rerun) redraw(rerunCases func([]report.Want) error) error {
	wants, files := wantsOf(flips(r.c, r.gate), r.sides.RecordedReruns)
	if len(wants) == 0 || rerunCases == nil {
		return nil
	}
	r.redrawn = files
	return rerunCases(wants)
}

// FreshRounds is the largest number of recorded reruns of a case on each side.
const FreshRounds = 8

// redraw decides the flipped recorded cases of c by their recorded reruns. files lists the files with these reruns, for
// the report. All flips share the accepted chance of a false alarm, even those without reruns. A flip that reruns do
// not decide counts, unless both answers were sampled, or only earlier reruns of the base were right: then the case is
// flaky.
func redraw(c Comparison, g config.Gate, files []string) Comparison {
	c.candidates = map[string]report.Candidate{}
	flips := flips(c, g)
	if len(flips) == 0 {
		return c
	}
	level := c.FlipLevel(g)
	candidates := []report.Candidate{}
	for _, f := range flips {
		s, known := decided(f, level)
		open := s.State == report.CandidateUnprovable
		f.ByRecordedReruns, f.Status, f.SampledFlip = !open, f.first, open && (f.kind == strict && f.Sampled() || rightEarlier(f))
		if f.SampledFlip || s.State == report.CandidateCleared {
			f.Status = report.Flaky
		}
		if known || f.SampledFlip {
			candidates = append(candidates, s)
			c.candidates[key(f)] = s
		}
	}
	if len(candidates) > 0 || len(files) > 0 {
		c.RecordedReruns = &report.RecordedReruns{Flips: len(flips), Level: level, Candidates: candidates, Files: append([]string{}, files...)}
	}
	return c
}

// FlipLevel returns the chance of a false alarm that the gate accepts for each flipped recorded case. The flips share
// the gate's alpha evenly.
func (c Comparison) FlipLevel(g config.Gate) float64 {
	return c.settings(g).Alpha / float64(max(len(flips(c, g)), 1))
}

// flips returns the recorded cases that passed on the base and fail now. It returns nil in mode strict.
func flips(c Comparison, g config.Gate) (out []*Case) {
	if g.Mode == config.ModeStrict {
		return nil
	}
	for p := range c.All() {
		if (p.Status == report.Regressed || p.ByRecordedReruns || p.SampledFlip) && p.kind != noisy && !p.Quarantined {
			out = append(out, p)
		}
	}
	return out
}

// wantsOf returns requests for the recorded reruns of the cases in flips, and the files that contain these reruns.
func wantsOf(flips []*Case, stored RecordedReruns) (wants []report.Want, files []string) {
	if stored == nil {
		return nil, nil
	}
	for _, f := range flips {
		n, file := stored(f.SuiteID(), f.ID())
		if n == 0 {
			continue
		}
		wants = append(wants, report.Want{Reason: report.RerunConfirm, SuiteID: f.SuiteID(), CaseID: f.ID(), Rounds: n, First: max(f.Base.Last(), f.Head.Last()) + 1, Recorded: true})
		files = append(files, file)
	}
	slices.Sort(files)
	return wants, slices.Compact(files)
}

// decided returns what the recorded reruns of p prove at the given level of significance. ok is false if there are
// none. Fewer than FreshRounds reruns clear a case only if the missing ones could not confirm it.
func decided(p *Case, level float64) (s report.Candidate, ok bool) {
	s = report.Candidate{SuiteID: p.SuiteID(), CaseID: p.ID(), State: report.CandidateUnprovable}
	if rightEarlier(p) {
		reruns := earlier(p)
		s.EarlierPasses, s.EarlierRounds = reruns.Passed, reruns.Trials
	}
	for _, round := range rounds(p, report.RerunConfirm) {
		base, head := round[0], round[1]
		if base.Loss != classify.NoLoss || head.Loss != classify.NoLoss {
			continue
		}
		s.Rounds++
		if base.Passed {
			s.BasePasses++
		}
		if head.Passed {
			s.HeadPasses++
		}
	}
	if s.Rounds == 0 {
		return s, false
	}
	all := stats.Prove(max(s.Rounds, FreshRounds), level)
	_, certain := all.Certain(s.Rounds, s.BasePasses, s.HeadPasses)
	switch {
	case stats.Prove(s.Rounds, level).Has(s.BasePasses, s.HeadPasses):
		chance := stats.Fisher(stats.Count{Passed: s.BasePasses, Trials: s.Rounds}, stats.Count{Passed: s.HeadPasses, Trials: s.Rounds})
		s.State, s.P = report.CandidateConfirmed, &chance
	case certain && !all.Empty():
		s.State = report.CandidateCleared
	}
	return s, true
}
