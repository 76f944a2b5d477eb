package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// recordedReruns returns the requests for the recorded reruns of flipped cases, and keeps their files.
func (r *Comparer) recordedReruns() (wants []report.RerunRequest) {
	if r.sides.RecordedReruns == nil {
		return nil
	}
	for _, f := range recordedFlips(r.c, r.gate) {
		n, file := r.sides.RecordedReruns(f.SuiteID(), f.ID())
		if n == 0 {
			continue
		}
		wants = append(wants, report.RerunRequest{Reason: report.RerunConfirm, SuiteID: f.SuiteID(), CaseID: f.ID(),
			Rounds: n, FirstNumber: nextTrial(f), Recorded: true})
		r.recordedFiles = append(r.recordedFiles, file)
	}
	slices.Sort(r.recordedFiles)
	r.recordedFiles = slices.Compact(r.recordedFiles)
	return wants
}

// MaxRecordedRounds is the largest number of recorded reruns of a case on each side.
const MaxRecordedRounds = 8

// applyRecordedReruns decides the flipped recorded cases of c by their recorded reruns. files lists the files with
// these reruns, for the report. All flips share the gate's alpha evenly, even those without reruns. A flip that reruns
// do not decide counts, unless both answers were sampled, or only earlier reruns of the base were right: then the case
// is flaky.
func applyRecordedReruns(c *Comparison, g config.Gate, files []string) {
	flips := recordedFlips(*c, g)
	c.FlipLevel = c.settings(g).Alpha / float64(max(len(flips), 1))
	candidates := []report.Candidate{}
	for _, f := range flips {
		s := decideFlip(f, c.FlipLevel)
		open := s.State == report.CandidateUnprovable
		f.ByRecordedReruns = !open
		f.SampledFlip = open && (f.kind == strict && f.Sampled() || rightEarlier(f))
		if s.Rounds > 0 || f.SampledFlip {
			candidates = append(candidates, s)
			f.Candidate = &s
		}
	}
	if len(candidates) > 0 || len(files) > 0 {
		c.RecordedReruns = &report.RecordedReruns{Flips: len(flips), Level: c.FlipLevel, Candidates: candidates, Files: append([]string{}, files...)}
	}
}

// recordedFlips returns the recorded cases that passed on the base and fail now. It returns nil in mode strict.
func recordedFlips(c Comparison, g config.Gate) (out []*Case) {
	if g.Mode == config.ModeStrict {
		return nil
	}
	for p := range c.All() {
		if p.firstStatus == report.Regressed && p.kind != noisy && !p.Quarantined {
			out = append(out, p)
		}
	}
	return out
}

// decideFlip returns what the recorded reruns of p prove at the given level of significance. Fewer than
// MaxRecordedRounds reruns clear a case only if the missing ones could not confirm it.
func decideFlip(p *Case, level float64) (s report.Candidate) {
	s = report.Candidate{SuiteID: p.SuiteID(), CaseID: p.ID(), State: report.CandidateUnprovable}
	if rightEarlier(p) {
		reruns := earlier(p)
		s.EarlierPasses, s.EarlierRounds = reruns.Passed, reruns.Trials
	}
	for _, round := range rerunPairs(p, report.RerunConfirm) {
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
		return s
	}
	region := stats.NewRegion(max(s.Rounds, MaxRecordedRounds), level)
	_, certain := region.Certain(s.Rounds, s.BasePasses, s.HeadPasses)
	switch {
	case stats.NewRegion(s.Rounds, level).Has(s.BasePasses, s.HeadPasses):
		chance := stats.Fisher(stats.Count{Passed: s.BasePasses, Trials: s.Rounds}, stats.Count{Passed: s.HeadPasses, Trials: s.Rounds})
		s.State, s.P = report.CandidateConfirmed, &chance
	case certain && !region.Empty():
		s.State = report.CandidateCleared
	}
	return s
}
