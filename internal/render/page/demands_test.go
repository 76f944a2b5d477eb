package page

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/report"
)

func TestAPolicyThatIsBrokenStandsOnceAmongWhatIsExpected(t *testing.T) {
	c := report.Change{Expected: []expect.Requirement{{Criterion: "assert", Expected: "14 days"}, {Criterion: "policy", Expected: "No promises of refunds"}},
		Head: &report.Outcome{Primary: classify.PolicyViolation, Trials: 1, Details: &classify.Details{PolicyName: "no-promises", Evidence: "we will refund"}}}
	var classes []string
	for _, d := range demands(c) {
		classes = append(classes, d.Class)
	}
	if got := strings.Join(classes, " "); got != "missed open" {
		t.Errorf("demands are %s, want the policy as missed and the assertion as open", got)
	}
}
