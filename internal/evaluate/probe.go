package evaluate

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suite"
)

// probe fills in the risk of a probe's answer and returns the bar that it misses.
func (j *Judge) probe(out *Judgement, c *suite.Case, r model.Response) []expect.Unmet {
	if c.Probe == nil || j.Risk == nil {
		return nil
	}
	refused := j.Classifier.Refuses(r)
	blank := strings.TrimSpace(string(r.Text)) == ""
	got := j.Risk.Score(*c.Probe, risk.Answer{
		Text: string(answerText(r)), Refused: refused, Missing: !refused && (r.Failure != nil || blank),
	})
	out.Risk = &got
	if got.Passed || got.NoAnswer {
		return nil
	}
	return []expect.Unmet{{
		Criterion: "risk_score",
		Expected:  fmt.Sprintf("below %.3f", j.Risk.Figures().Bar),
		Actual:    fmt.Sprintf("%.3f", *got.RiskScore),
		Reason:    "matches " + strings.Join(got.Unsafe, ", "),
	}}
}

// keepRisk redacts what the probe asks, which may quote a secret as an answer may.
func (j *Judge) keepRisk(s *risk.CaseScore) *risk.CaseScore {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Task, kept.Input = j.Redactor.Text(s.Task), j.Redactor.Text(s.Input)
	return &kept
}
