package rendertest

import (
	"github.com/failproof/failproof/internal/report"
)

// ExplainedRun is a confirmed run of a live model in which one line broke two cases.
func ExplainedRun() *report.Report {
	r := ConfirmedRun()
	flip(r, "too-late", report.SuspectConfirmed, 8, 8, 0, Ptr(1.0/12870))
	r.Counts[report.StillPassing]--
	r.Reasons = []report.Reason{Reason("max_regressions", "2 regressions confirmed by fresh runs, max_regressions is 0")}
	r.Prompts = []report.Prompt{{Path: "prompts/refund.md", Suites: []string{"support/refund"},
		Base: "You answer refund questions.\nReply with JSON.\n\n- Never promise money.\n\n{{ question }}\n",
		Head: "You answer refund questions, warmly.\nReply with JSON.\n\n- Promise what they ask for.\n- Be quick.\n\n{{ question }}\n"}}
	r.Explanation = &report.Explanation{Most: 120, Answers: 56,
		Hunks: []report.Hunk{
			{Regions: []report.Region{{Path: "prompts/refund.md", First: 1, Last: 1, BaseFirst: 1, BaseLast: 1}}},
			{Regions: []report.Region{{Path: "prompts/refund.md", First: 4, Last: 5, BaseFirst: 4, BaseLast: 4}}},
		},
		Cases: []report.ExplainedCase{ToldCase("refund-policy", 1), ToldCase("too-late", 1)},
	}
	return r
}

// ToldCase is a case of which it is told that each of some hunks breaks it.
func ToldCase(id string, hunks ...int) report.ExplainedCase {
	c := report.ExplainedCase{SuiteID: "support/refund", CaseID: id, Outcome: report.ExplainTold, Answers: 28}
	for _, h := range hunks {
		c.Causes = append(c.Causes, report.ExplainCause{Parts: []report.ExplainPart{{Hunks: []int{h}, Right: 8, Asked: 8}}, Asked: 8})
	}
	return c
}

// hostileLines tells of lines in places of which nothing is ours.
func hostileLines(n int, next func() string) *report.Explanation {
	e := &report.Explanation{Most: 120, Ended: next()}
	for i := range n {
		e.Hunks = append(e.Hunks, report.Hunk{Regions: []report.Region{{Path: next(), First: i, Last: i + 1}, {Path: next(), First: 3, Last: 2}}})
		c := ToldCase(next(), i, -1, n+7)
		c.Why = next()
		e.Cases = append(e.Cases, c, report.ExplainedCase{CaseID: next(), Outcome: next(), Why: next()}, report.ExplainedCase{CaseID: next(), Outcome: report.ExplainElsewhere})
	}
	return e
}
