package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// UnprovenFlips names the cases of another runner that flipped, and whose runs are too few to prove it.
var UnprovenFlips = Rule{
	Code:  "unproven_flips",
	Title: func(f TitleInput) string { return flippedOf(f.Report) + ", which is not proven" }, Look: LookAtAnswers,
	NextStep: "Run each case more often on both sides, as often as the reason says.",
	Doc: "Cases of another runner's results passed on the base and do not here, and neither the test of each case nor the one of all together proves it. " +
		"The level is that of `on_inconclusive`.",
	check: func(r *run) []finding {
		noise := r.Comparison.Noise
		if noise == nil || noise.Numbers.Repeats == nil {
			return nil
		}
		flipped := namesOf(r.Comparison, func(p compare.Case) bool {
			s, is := r.Comparison.Suspect(p)
			return is && !s.Unanswered && s.State == report.SuspectIncomplete && !p.Quarantined()
		})
		if flipped.n == 0 {
			return nil
		}
		level := r.gate.At(config.OnInconclusive).Level
		return []finding{flipped.about(breach(fails, unproven(noise.Numbers.Repeats)+": "+flipped.text())).at(level)}
	},
}

// unproven says how many cases flipped, and how many runs tell noise from a change.
func unproven(look *report.RepeatsLook) string {
	flipped := fmt.Sprintf("%d of %s flipped; %s a side", look.Flipped, text.Count(look.Compared, "case"), runs(look.Runs))
	if look.Runs >= look.Enough {
		return flipped + " do not tell that from noise"
	}
	return fmt.Sprintf("%s cannot tell noise from a change, %s can", flipped, runs(look.Enough))
}

// flippedOf counts the flips of a report that are not proven.
func flippedOf(rep *report.Report) string {
	n := 0
	if s := rep.Statistics; s != nil && s.Noise != nil && s.Noise.Repeats != nil {
		n = s.Noise.Repeats.Flipped
	}
	return text.Count(n, "case") + " flipped"
}

func runs(n int) string {
	if n == 1 {
		return "one run"
	}
	return text.Count(n, "run")
}
