package rendertest

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// LookRun is a pass in which answers got worse that pass all the same, and one that nothing judged.
func LookRun() *report.Report {
	r := PlainRun()
	for i, id := range []string{"warranty", "opening-hours"} {
		before, now := PassOutcome("Two years, by law. Ask us for the form."), PassOutcome("Two years. It is guaranteed @everywhere.")
		before.OverallScore, now.OverallScore = Ptr(0.97), Ptr(0.85-0.1*float64(i))
		Add(r, report.StillPassing, id, before, now).Asked = "How long is the warranty?"
	}
	loose := PassOutcome("Whatever you say, <b>friend</b>.")
	loose.Details = &classify.Details{Unverified: true}
	Add(r, report.New, "small-talk", nil, loose).Asked = "How are you?"
	r.Unverified, r.Suites[0].Unverified = 1, 1
	return r
}
