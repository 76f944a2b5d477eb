package page

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

func TestAPolicyThatIsBrokenStandsOnceAmongWhatIsExpected(t *testing.T) {
	c := report.Change{Expected: []expect.Requirement{{Criterion: "assert", Expected: "14 days"}, {Criterion: "policy", Expected: "No promises of refunds"}},
		Head: &report.Outcome{Primary: classify.PolicyViolation, Trials: 1, Details: &classify.Details{PolicyName: "no-promises", Evidence: "we will refund"}}}
	var classes []string
	for _, d := range demands(&story.Story{Report: &report.Report{}}, c) {
		classes = append(classes, d.Class)
	}
	if got := strings.Join(classes, " "); got != "missed open" {
		t.Errorf("demands are %s, want the policy as missed and the assertion as open", got)
	}
}

func TestARefusalIsNoExpectation(t *testing.T) {
	c := report.Change{Expected: []expect.Requirement{{Criterion: "assert", Expected: "14 days"}},
		Head: &report.Outcome{Primary: classify.Refusal, Trials: 1, Details: &classify.Details{Evidence: "I can't help"}}}
	if got := demands(&story.Story{Report: &report.Report{}}, c); len(got) != 1 || got[0].Class != "open" {
		t.Errorf("demands are %v, want the assertion alone", got)
	}
}

func TestAVariableIsNoExpectationThatAnAnswerMeets(t *testing.T) {
	c := report.Change{Expected: []expect.Requirement{{Criterion: "assert", Expected: "output === context.vars.want"}, {Criterion: "vars.want", Expected: "deny"}},
		Head: &report.Outcome{Primary: classify.Fail, Trials: 1, Details: &classify.Details{Unmet: []expect.Unmet{{Criterion: "assert", Expected: "output === context.vars.want"}}}}}
	if got := demands(&story.Story{Report: &report.Report{}}, c); len(got) != 2 || got[0].Class != "missed" || got[1].Class != "open" {
		t.Errorf("demands are %v, want the assertion as missed and the variable as open", got)
	}
}
