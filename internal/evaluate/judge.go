// Package evaluate asks the clients, judges what they answer and hands on the results in stable order: suite, case, trial.
// It reads no file and prints nothing; clock and clients are arguments.
package evaluate

import (
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// Judge turns a response into a judgement. It is safe for concurrent use.
type Judge struct {
	Classifier   *classify.Classifier
	Phase        config.Phase
	UnclearScore float64          // document 002's score of an answer without a label
	Redactor     *redact.Redactor // applied to all that is kept, after judging; nil keeps everything
}

// Judgement is what one answer is worth.
type Judgement struct {
	Classification classify.Classification
	Metrics        []score.Metric
	Overall        *float64 // in [0, 1]; nil without metrics
	Bar            *float64 // the case bar that was in force; nil if there was no answer to score
	PassedBar      *bool    // nil without metrics
	Warnings       []string
}

// Judge scores and classifies r as an answer to c.
func (j *Judge) Judge(s *suite.Suite, c *suite.Case, r model.Response) Judgement {
	out := Judgement{}
	var unmet []expect.Unmet
	if r.Failure == nil {
		out.Bar = j.bar(c)
		unmet = j.measure(&out, s, c, r)
	}
	out.Classification = j.Classifier.Classify(classify.Case{
		Expect:   c.Expect,
		Policies: c.Policies,
		Expected: classify.Category(c.Expected),
		Vars:     c.Vars,
		Judged:   len(out.Metrics) > 0,
	}, r, unmet)
	return out
}

func (j *Judge) bar(c *suite.Case) *float64 {
	bar := j.Phase.Bar()
	if c.CaseThreshold != nil {
		bar = *c.CaseThreshold
	}
	return &bar
}

// measure fills in the metrics of an answer and returns the bar it misses, if it does.
func (j *Judge) measure(out *Judgement, s *suite.Suite, c *suite.Case, r model.Response) []expect.Unmet {
	if s.Strategy != suite.Classification || c.ExpectedLabel == "" {
		return nil
	}
	label := score.Label(c.ExpectedLabel, c.Labels, question(c), string(r.Text), j.UnclearScore)
	out.Metrics = []score.Metric{label.Metric}
	if label.Metric.Status != "" {
		out.Warnings = append(out.Warnings, label.Metric.Status)
	}
	overall, warning := score.Overall(out.Metrics)
	if warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	passed := score.Meets(overall, *out.Bar)
	out.Overall, out.PassedBar = &overall, &passed
	if passed {
		return nil
	}
	return []expect.Unmet{{
		Criterion: "overall_score",
		Expected:  fmt.Sprintf("at least %.3f", *out.Bar),
		Actual:    fmt.Sprintf("%.3f", overall),
		Reason:    labelReason(c.ExpectedLabel, label),
	}}
}

func labelReason(expected string, l score.LabelResult) string {
	if l.Predicted == "" {
		return fmt.Sprintf("no label found, expected %q", expected)
	}
	return fmt.Sprintf("label %q, expected %q", l.Predicted, expected)
}

// question is what the answer may echo: the text of the last message.
func question(c *suite.Case) string {
	if n := len(c.Prompt.Messages); n > 0 {
		return c.Prompt.Messages[n-1].Content
	}
	return ""
}

// result makes the stored form of a judged trial.
func (j *Judge) result(s *suite.Suite, c *suite.Case, r model.Response, jd Judgement) report.Result {
	out := report.Result{
		CaseID:             c.ID,
		SuiteID:            s.ID,
		ModelID:            modelID(c, r),
		RawResponse:        j.keep(answerText(r)),
		Classification:     j.keepClassification(jd.Classification),
		Scores:             report.Scores{Accuracy: jd.Classification.Accuracy()},
		Metrics:            jd.Metrics,
		OverallScore:       jd.Overall,
		PhaseThresholdUsed: jd.Bar,
		PassedBar:          jd.PassedBar,
		Warnings:           jd.Warnings,
		Cached:             r.Cached,
		Replayed:           !(config.Target{Provider: c.Prompt.Provider}).Live(),
		RequestKey:         c.RequestKey,
		ExpectationKey:     c.ExpectationKey,
		Path:               c.Path,
		Line:               c.Pos.Line,
		Severity:           c.Severity,
		MustPass:           c.MustPass,
		Tags:               c.Tags,
		ExpectedFail:       c.AgreesWithFail,
		Skipped:            c.Skipped,
	}
	if r.Failure != nil {
		text := j.keep(r.Failure.Message)
		out.Error = &text
	}
	addUsage(&out, r)
	return out
}

// answerText is what came back; a structured refusal without text stands for the answer it is.
func answerText(r model.Response) model.Untrusted {
	if r.Text == "" {
		return r.Refusal
	}
	return r.Text
}

func modelID(c *suite.Case, r model.Response) string {
	switch {
	case r.Model != "":
		return r.Model
	case c.Prompt.Model != "":
		return c.Prompt.Model
	default:
		return c.Prompt.Provider
	}
}

func addUsage(out *report.Result, r model.Response) {
	if r.Latency > 0 {
		ms := r.Latency.Milliseconds()
		out.LatencyMS = &ms
	}
	if r.Usage.TokensIn > 0 || r.Usage.TokensOut > 0 {
		out.Tokens = &report.Tokens{In: r.Usage.TokensIn, Out: r.Usage.TokensOut}
	}
	if r.Usage.CostUSD > 0 {
		cost := r.Usage.CostUSD
		out.CostUSD = &cost
	}
}

func (j *Judge) keep(t model.Untrusted) model.Untrusted {
	return model.Untrusted(j.Redactor.Text(string(t)))
}

// keepClassification redacts the words that details quote.
func (j *Judge) keepClassification(c classify.Classification) classify.Classification {
	d := &c.Details
	d.ErrorDetails, d.Evidence, d.ErrorMessage = j.keep(d.ErrorDetails), j.keep(d.Evidence), j.keep(d.ErrorMessage)
	kept := make([]expect.Unmet, 0, len(d.Unmet))
	for _, u := range d.Unmet {
		u.Actual, u.Reason = j.Redactor.Text(u.Actual), j.Redactor.Text(u.Reason)
		kept = append(kept, u)
	}
	if len(kept) > 0 {
		d.Unmet = kept
	}
	return c
}
