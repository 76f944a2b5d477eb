package gate

import (
	"fmt"
	"sort"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// UnprovenFlips reports flips in another runner's results that are not proven, because there are too few runs of each
// case. failproof cannot rerun the cases of another runner.
var UnprovenFlips = Rule{
	Code: "unproven_flips", LevelOf: PossibleDrop.Code,
	Title: func(f TitleInput) string {
		test := &report.RepeatsTest{}
		if s := f.Report.Statistics; s != nil && s.Noise != nil && s.Noise.Repeats != nil {
			test = s.Noise.Repeats
		}
		return test.FlippedText() + ", which is not proven"
	},
	ReviewStep: ReviewAnswers,
	NextStep:   "Run each case more often on both sides, as often as the reason says.",
	Doc: "Cases of another runner's results passed on the base and do not here, and neither the test of each " +
		"case nor the one of all together proves it. " +
		"Where the base has enough runs to prove a flip, and the head too few, the run is undecided unless the " +
		"level is `off`.",
	check: func(r *Run) []finding {
		noise := r.Comparison.NoiseTest
		if noise == nil || noise.Numbers.Repeats == nil {
			return nil
		}
		failsByDrop := noise.Drop && r.gate.Setting(config.MaxDrop).Level == config.Err
		if failsByDrop || r.gate.Setting(config.OnInconclusive).Level == config.Off {
			return nil
		}
		test := noise.Numbers.Repeats
		flips := func(p *compare.Case) bool {
			s := p.Candidate
			return s != nil && !s.Unanswered && s.State == report.CandidateIncomplete && !p.Quarantined
		}
		enough := 0
		for p := range r.Comparison.All() {
			if flips(p) {
				enough = max(enough, runsToProve(p, test.Level))
			}
		}
		found := namesOf(r.Comparison, flips).asFindings(effectFails,
			fmt.Sprintf("%s; %s cannot tell noise from a change, %s would",
				test.FlippedText(), test.FewestText(), runsText(enough)))
		provable := func(c *report.Case) bool { // by the test of all cases together
			return !stats.NewRegion(compare.CountsOf(c).Trials, test.Level*float64(test.Compared)).Empty()
		}
		fewer := namesOf(r.Comparison, func(p *compare.Case) bool { return flips(p) && provable(p.Base) && !provable(p.Head) })
		return append(found, atLevel(config.Err, fewer.asFindings(effectSuspends,
			"too few runs are here of a case that flipped, and the base has enough to prove it"))...)
	},
}

// maxRunsToProve is the largest number of runs that runsToProve returns.
const maxRunsToProve = 1000

// runsToProve returns how many runs a side prove at the given level that p flipped, if the shares of right answers stay
// as they are. It returns maxRunsToProve+1 if that takes more.
func runsToProve(p *compare.Case, level float64) int {
	base, head := compare.CountsOf(p.Base), compare.CountsOf(p.Head)
	return sort.Search(maxRunsToProve+1, func(n int) bool {
		passed := stats.Count{Passed: n * base.Passed / base.Trials, Trials: n}
		return stats.AtMost(stats.Fisher(passed,
			stats.Count{Passed: (n*head.Passed + head.Trials - 1) / head.Trials, Trials: n}), level)
	})
}

// runsText returns a result of runsToProve in words.
func runsText(n int) string {
	if n > maxRunsToProve {
		return "more than " + report.Runs(maxRunsToProve)
	}
	return report.Runs(n)
}
