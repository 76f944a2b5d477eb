package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Pairing counts the cases in the base of another runner's results. BaseCases is the number of all these cases, and
// PairedCases is the number of those that the head has too.
type Pairing struct{ BaseCases, PairedCases int }

func (p Pairing) isMostlyUnpaired() bool { return 2*p.PairedCases < p.BaseCases }

// ResultsPaired suspends a run if the head lacks most cases of another runner's base, because then the comparison says
// little.
var ResultsPaired = Rule{
	Code: "results_paired", Level: config.Err,
	Title:    fixedTitle("most cases of the base were not found"),
	NextStep: "See that both files are of one set of cases, and that their names stayed.",
	Doc:      "Another runner's results were compared, and under half of the base's cases are among the head's.",
	check: func(r *Run) []finding {
		if p := r.Pairing; p.isMostlyUnpaired() {
			return []finding{newFinding(effectSuspends, "%d of %s pair", p.PairedCases,
				text.Count(p.BaseCases, "case"))}
		}
		return nil
	},
}
