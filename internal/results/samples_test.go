package results_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sharedtest"
)

// Real files of promptfoo 0.123.1 and pytest 9.2.0, of which it is known what they hold.
func TestRealFilesArePaired(t *testing.T) {
	tree := os.DirFS(sharedtest.Path(t, "data/results-dev/made-here"))
	runs := results.Options{Runs: regexp.MustCompile(`-(\d+)\]$`)}
	for _, c := range []struct {
		rule, base, head string
		want             []string // of the head
		joined, of       int
	}{
		{"promptfoo, with another prompt file and every row moved", "promptfoo-base.json", "promptfoo-head.json", promptfooHead, 5, 5},
		{"its lines", "promptfoo-base.json", "promptfoo-head.jsonl", promptfooHead, 5, 5},
		{"pytest", "pytest-base.xml", "pytest-head.xml", []string{
			"results/evals.test_refunds::test_decision[within-30-days-approve] 3 of 3", "results/evals.test_refunds::test_decision[after-40-days-reject] 0 of 3",
			"results/evals.test_refunds::test_decision[no-receipt-ask] 2 of 3", "results/evals.test_refunds.TestTone::test_polite 1 of 1", "results/evals.test_refunds::test_live 0 of 0!"}, 5, 5},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := side(t, tree, c.base, runs), side(t, tree, c.head, runs)
			p := results.Pair(results.Rules{}, base, head)
			if p.PairedCases != c.joined || p.BaseCases != c.of {
				t.Errorf("%d of %d cases pair, want %d of %d", p.PairedCases, p.BaseCases, c.joined, c.of)
			}
			equal(t, told(t, p, head), c.want...)
		})
	}
}

var promptfooHead = []string{"results/greeting 3 of 3", "results/refund window 3 of 3", "results/late refund 0 of 3", "results/Who pays for the parcel? 3 of 3",
	"results/hours 0 of 0!!!", "results/promise 2 of 3"}
