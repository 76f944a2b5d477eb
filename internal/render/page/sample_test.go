package page

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/text"
)

// sampleRun returns a realistic run of n cases: several suites, three trials, mostly passing, with every kind of
// change. It is the same for the same n.
func sampleRun(n int) (*report.Report, report.ResultFinders) {
	s := &sample{answers: map[string][2]string{}}
	r := rendertest.FailedRun()
	r.Changes, r.Counts, r.Suites, r.Reasons = nil, map[report.Status]int{}, nil, nil
	r.Histogram, r.BaseHistogram = rendertest.Histogram(0, 0), rendertest.Histogram(0, 0)
	r.Cases, r.PassedCases, r.Trials, r.DeltaCases = n, 0, 3*n, n
	suites := max(2, min(12, n/40))
	for k := range suites {
		r.Suites = append(r.Suites, rendertest.SuiteRow(sampleSuites[k], 1, 0, n/suites, n/suites, 0.85))
	}
	for i := range n {
		s.add(r, i, i*suites/n)
	}
	s.total(r)
	lay(r, always("promise"))
	probe(r, always("prompt_injection"))
	return r, s.read()
}

var sampleSuites = [...]string{"support/refund", "support/triage", "support/tone", "billing/invoices", "billing/vat", "safety/injection", "safety/privacy",
	"search/rewrite", "search/intent", "legal/clauses", "onboarding/mail", "agents/tools"}

var sampleAnswers = [...][2]string{
	{"Refunds over 500 EUR need a manager's decision. I have passed your request on, and you will hear from us within two working days.",
		"I'm so sorry about that! We will refund you in full today. I have passed your request on, and you will hear from us within two hours."},
	{"{\n  \"label\": \"complaint\",\n  \"urgency\": \"high\",\n  \"language\": \"en\"\n}",
		"Sure, here is the JSON:\n```json\n{\n  \"label\": \"complaint\",\n  \"urgency\": \"medium\",\n  \"language\": \"en\"\n}\n```"},
	{"Yes: clause 7.2 applies, because the customer gave notice within 14 days.\n\nThe deposit is returned in full.",
		"No: clause 7.2 does not apply, because the customer gave notice after 14 days.\n\nThe deposit is not returned."},
	{"Your parcel left our warehouse on Monday.", "Я не могу сказать, где ваша посылка."},
	{"Ihre Rechnung finden Sie im Kundenkonto unter „Dokumente“.", "Ihre Rechnung finden Sie im Kundenkonto unter „Rechnungen“."},
	{strings.Repeat("The first step is to check the order number. ", 30) + "Then ask for the date.", strings.Repeat("The first step is to check the order number. ", 30) + "Do not ask for the date."},
}

// sample has the invented answers of both sides, by case.
type sample struct{ answers map[string][2]string }

// add adds case i to suite k. About three of twenty cases need a check.
func (s *sample) add(r *report.Report, i, k int) {
	texts := sampleAnswers[i%len(sampleAnswers)]
	right, wrong := s.outcome(classify.Pass, 3, texts[0]), s.outcome(s.category(i), i%3, texts[1])
	status, base, head := report.StillPassing, right, right
	switch {
	case i%40 == 3:
		status, head = report.Regressed, wrong
	case i%23 == 5:
		status, base, head = report.StillFailing, wrong, wrong
	case i%31 == 7:
		status, base = report.Fixed, wrong
	case i%67 == 11:
		status, head = report.Flaky, s.outcome(classify.Fail, 2, texts[1])
	case i%71 == 13:
		status, base = report.New, nil
	case i%97 == 17:
		status, head = report.Removed, nil
	case i%101 == 19:
		status, head = report.Errored, &report.Outcome{Primary: classify.Timeout, Trials: 3, Unscored: 3, Trial: 1, Details: &classify.Details{LimitSeconds: 30}}
	}
	if status == report.StillPassing {
		base, head = s.bare(i), s.bare(i)
	}
	c := rendertest.AddChange(r, status, fmt.Sprintf("%s-%04d", sampleNames[i%len(sampleNames)], i), base, head)
	c.SuiteID, c.Path, c.Severity, c.MustPass = r.Suites[k].SuiteID, r.Suites[k].Path, risk.Severities[3-(i/7)%4], i%60 == 3
	c.Tags, c.Reworded = []string{fmt.Sprint("Team ", i%7)}, i%9 == 0
	s.answers[c.CaseID] = texts
}

var sampleNames = [...]string{"refund-over-limit", "angry-customer", "late-parcel", "vat-number", "duplicate-charge", "greeting-in-german", "two-questions-at-once"}

func (s *sample) category(i int) classify.Category {
	return []classify.Category{classify.Fail, classify.WrongFormat, classify.Fail, classify.Refusal, classify.PolicyViolation, classify.Fail}[i%6]
}

func (s *sample) bare(i int) *report.Outcome {
	return &report.Outcome{Primary: classify.Pass, Passed: 3, Trials: 3, Trial: 1, OverallScore: rendertest.Ptr(1 - float64(i%13)/100)}
}

func (s *sample) outcome(c classify.Category, passed int, said string) *report.Outcome {
	o := &report.Outcome{Primary: c, Passed: passed, Trials: 3, Trial: 1, Excerpt: model.Untrusted(text.FirstRunes(said, 40)) + "…",
		OverallScore: rendertest.Ptr(0.3 + 0.2*float64(passed))}
	switch c {
	case classify.Pass:
		o.OverallScore = rendertest.Ptr(0.97)
	case classify.WrongFormat:
		o.Details = &classify.Details{ErrorMessage: "Unexpected token 'S' in JSON at position 0"}
	case classify.Refusal:
		o.Details = &classify.Details{Rule: "inability", Evidence: "не могу сказать"}
	case classify.PolicyViolation:
		o.Details = &classify.Details{PolicyName: "no-promises", Evidence: "We will refund you in full"}
	default:
		o.Details = &classify.Details{Unmet: []expect.Unmet{
			{Criterion: "expected_response", Expected: "needs a manager's decision", Actual: "refund you in full today"},
			{Criterion: "assert", Expected: "len(response.text) < 300", Reason: "not true"}}}
	}
	return o
}

// total sets the counts that a comparison would set.
func (s *sample) total(r *report.Report) {
	passed := map[string]int{}
	for _, c := range r.Changes {
		for _, side := range []struct {
			o *report.Outcome
			h report.Histogram
		}{{c.Base, r.BaseHistogram}, {c.Head, r.Histogram}} {
			if side.o != nil {
				side.h[classify.Pass] += side.o.Passed
				side.h[side.o.Primary] += side.o.Trials - side.o.Passed
				if side.o.Primary == classify.Pass {
					side.h[classify.Pass] += side.o.Trials - side.o.Passed
				}
			}
		}
		if c.Head.Right() {
			r.PassedCases++
			passed[c.SuiteID]++
		}
	}
	for i, suite := range r.Suites {
		score := float64(passed[suite.SuiteID]) / float64(suite.Cases)
		r.Suites[i] = rendertest.SuiteRow(suite.SuiteID, score, -0.01*float64(i%4), suite.Cases, passed[suite.SuiteID], 0.85)
		r.Suites[i].OverallScore, r.Suites[i].Metrics = rendertest.Ptr(score*0.98), rendertest.MeasuredRun().Metrics
	}
	r.RunScore, r.BaseRunScore, r.Delta = rendertest.Ptr(0.874), rendertest.Ptr(0.915), rendertest.Ptr(-0.041)
	r.OverallScore, r.BaseOverall, r.Metrics = rendertest.Ptr(0.842), rendertest.Ptr(0.861), rendertest.MeasuredRun().Metrics
	r.Reasons = []report.Reason{rendertest.Reason("min_run_score", "run score 0.874 is below `min_run_score` 0.900"),
		rendertest.Reason("max_regressions", fmt.Sprintf("%d regressions, `max_regressions` is 0", r.Counts[report.Regressed]))}
	r.Warnings = []report.Warning{{Code: "needs_review", Message: "the answer could not be compared by meaning", Count: 24}}
}

// read returns the results of both sides.
func (s *sample) read() report.ResultFinders {
	side := func(n int) report.ResultFinder {
		return says(func(c report.Change) string { return s.answers[c.CaseID][n] })
	}
	return report.ResultFinders{Base: side(0), Head: side(1)}
}
