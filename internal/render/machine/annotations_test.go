package machine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestAnnotations(t *testing.T) {
	r := rendertest.FailedRun()
	r.Diagnostics = []document.Diagnostic{{Severity: document.Warning, Path: "a.yaml", Rule: "always-true", Message: "the pattern\nmatches"}}
	var got []string
	for _, a := range Annotations(storyOf(r, show.Links{})) {
		got = append(got, strings.Join([]string{a.Level, a.Path, a.Title, a.Message}, " | "))
	}
	want := []string{
		"failure | suites/support/refund.yaml | A case regressed: refund-over-limit | support/refund refund-over-limit: right 5 of 5 → policy_violation (right 0 of 5): policy “no-promises” forbids “We will refund you in full”",
		"failure | suites/support/refund.yaml | A case regressed: angry-customer | support/refund angry-customer: right 5 of 5 → wrong_format (right 1 of 5): Unexpected token 'S' in JSON at position 0",
		"failure | suites/support/refund.yaml | The gate does not pass: min_run_score | run score 0.874 is below min_run_score 0.900",
		"failure | suites/support/refund.yaml | A suite is below its bar: min_score support/refund | suite support/refund: score 0.810 is below min_score 0.850",
		"warning | a.yaml | A problem in a file: always-true | the pattern matches",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Annotations differ (-want +got):\n%s", diff)
	}
}

func TestTheLinesThatDidItAreAnnotatedInThePrompt(t *testing.T) {
	r := rendertest.ExplainedRun()
	r.Explanation.Hunks[0].Regions[0] = report.Region{Path: "prompts/refund.md", First: 1, Last: 0, BaseFirst: 1, BaseLast: 2}
	r.Explanation.Cases = append(r.Explanation.Cases, rendertest.ExplainedCase("late", 0))
	var got []Annotation
	for _, a := range Annotations(storyOf(r, show.Links{})) {
		if a.Path == "prompts/refund.md" {
			got = append(got, a)
		}
	}
	want := []Annotation{
		{Path: "prompts/refund.md", Line: 4, Level: "failure", Title: "A changed line broke cases: refund-policy, too-late",
			Message: "Lines 4–5 of “prompts/refund.md” broke “refund-policy” and “too-late”: without this change 8 of 8 right, with it alone 0 of 8."},
		{Path: "prompts/refund.md", Line: 1, Level: "failure", Title: "A changed line broke cases: late",
			Message: "The removal of 2 lines before line 1 of “prompts/refund.md” broke “late”: without this change 8 of 8 right, with it alone 0 of 8."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
