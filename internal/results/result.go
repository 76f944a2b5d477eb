package results

import (
	"crypto/sha256"
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// RunInfo has the values of a run that all its results share.
type RunInfo struct {
	RunID, Time string
	Hide        func(string) string // removes secrets from a text
}

// askedBytes is the largest number of bytes of an input in a result. whyRunes is the largest number of runes of a
// reason.
const (
	askedBytes = 800
	whyRunes   = 2000
)

// Plans returns a side's suites in the order of the report, and for the base the names of its cases on the head.
func (p *Pairing) Plans(s *Side) (out []report.SuitePlan, matches suiteid.Matches) {
	plans := map[string]*report.SuitePlan{}
	for _, c := range s.cases {
		plan := plans[c.suiteID]
		if plan == nil {
			plan = &report.SuitePlan{ID: c.suiteID, Target: p.targets[c.suiteID], Weight: 1}
			plans[c.suiteID] = plan
		}
		plan.Cases++
		plan.Planned += len(c.runs)
		plan.Trials = max(plan.Trials, len(c.runs))
	}
	for _, id := range p.suites {
		if plan := plans[id]; plan != nil {
			out = append(out, *plan)
		}
	}
	if s == p.Base {
		matches.Names = p.Names
	}
	return out, matches
}

// Each passes every result of a side to the function take, suite by suite. It stops at the first error of take.
func (p *Pairing) Each(s *Side, m RunInfo, take func(report.Result) error) error {
	bySuite := grouped(s.cases, func(c *testCase) string { return c.suiteID })
	for _, id := range p.suites {
		for _, c := range bySuite[id] {
			for i, r := range c.sortedRuns() {
				result := c.result(r, m)
				result.Trial, result.MustPass = i+1, c.mustPass
				result.ModelID = p.targets[id]
				if err := take(result); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (c *testCase) result(r run, m RunInfo) report.Result {
	input := m.Hide(c.input)
	out := report.Result{CaseID: c.id, SuiteID: c.suiteID, RunID: m.RunID, TimestampUTC: m.Time, Runner: c.format, Replayed: c.strict,
		Input: model.Untrusted(text.FirstBytes(input, askedBytes)), RawResponse: model.Untrusted(m.Hide(r.output)), OverallScore: r.score,
		RequestKey: hash(""), ExpectationKey: hash(c.expected + "\n" + c.pairName), InputKey: hash(c.input), Path: c.path, Line: c.line, Severity: "medium",
		Classification: classify.Classification{Primary: classify.Pass}}
	why := text.FirstRunes(m.Hide(r.reason), whyRunes)
	switch {
	case r.noAnswer:
		out.Error = new(model.Untrusted(why))
		out.OverallScore = nil
		out.Classification = classify.Classification{Primary: classify.Error, Details: classify.Details{ErrorDetails: model.Untrusted(why)}}
	case r.passed:
		out.Classification.Details.Unverified = r.unjudged
	default:
		out.Classification.Primary = classify.Fail
		out.Classification.Details.Unmet = []expect.Unmet{{Criterion: expect.CriterionRunner, Reason: why}}
	}
	out.Scores.Accuracy = out.Classification.Accuracy()
	return out
}

func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
