package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// resultRedactor redacts and truncates the texts that a result keeps.
type resultRedactor struct{ redactor *redact.Redactor }

// completeResult returns what is kept of the response r: judged, which Evaluate returned, redacted and with the answer,
// the case, the cost and the grades.
func (e *Evaluator) completeResult(k resultRedactor, m sideCase, r model.Response, judged report.Result,
	graded Grades) report.Result {
	c, out := m.c, judged
	keys := c.Keys()
	out.CaseID, out.SuiteID = c.ID, m.suite.ID
	out.ModelID = cmp.Or(r.Model, c.Prompt.Model, c.Prompt.Provider)
	out.Description, out.Input = k.redactBeginning(c.Description), k.redactBeginning(caseInput(m, c.Vars))
	out.Expected = k.shownRequirements(c, judged.Classification)
	out.RawResponse = k.redactText(answerText(r))
	for _, call := range r.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: k.redactText(call.Name), Arguments: k.redactText(call.Arguments)})
	}
	out.Classification = k.redactClassification(judged.Classification)
	out.Scores = e.scores(judged.Classification, r)
	out.Metrics, out.Risk = k.redactMetrics(judged.Metrics), k.redactRisk(judged.Risk)
	out.Warnings = slices.Clip(judged.Warnings) // both sides may share this slice
	out.Cached, out.Sampled, out.KeptByHand = r.Cached, r.Sampled, r.Unchanged
	out.Replayed = !(config.Target{Provider: c.Prompt.Provider}).Live()
	out.RequestKey, out.ExpectationKey = keys.RequestKey.String(), keys.ExpectationKey.String()
	out.InputKey = c.InputKey().String()
	out.Path, out.Line, out.Severity, out.MustPass, out.Tags = c.Path, c.Pos.Line, c.Severity, c.MustPass, c.Tags
	out.ExpectedFail, out.Skipped = c.AgreesWithFail, c.SkippedEvaluators
	if !out.Replayed && !r.Cached {
		out.Attempts = new(r.Attempts)
	}
	if r.Failure != nil {
		out.Error = new(k.redactText(r.Failure.Message))
	}
	if r.Latency > 0 {
		out.LatencyMS = new(r.Latency.Milliseconds())
	}
	if r.Usage.TokensIn > 0 || r.Usage.TokensOut > 0 {
		out.Tokens = &model.Tokens{In: r.Usage.TokensIn, Out: r.Usage.TokensOut}
	}
	out.CostUSD, out.Estimated = r.Usage.Cost.Dollars(), r.Usage.Cost.Estimated
	if len(graded) > 0 {
		k.addGrades(&out, graded)
		out.Judge.Judge = e.Panel.fingerprint
	}
	return out
}

// scores returns the accuracy of an answer. It adds the penalty score and the latency score if the configuration asks
// for them.
func (e *Evaluator) scores(c classify.Classification, r model.Response) report.Scores {
	out := report.Scores{Accuracy: c.Accuracy()}
	if e.Scoring.Penalties != nil {
		out.Penalty = new(score.PenaltyScore(e.Scoring.Penalties, string(c.Primary), c.Primary == classify.Pass))
	}
	if l := e.Scoring.Latency; l != nil && r.Latency > 0 {
		out.Latency = new(score.LatencyScore(l.Good, l.Bad, float64(r.Latency.Milliseconds())))
	}
	return out
}

// redactMetrics returns a copy of metrics with redacted texts, because these may quote the answer or a secret.
func (r resultRedactor) redactMetrics(metrics []score.Metric) []score.Metric {
	kept := slices.Clone(metrics)
	for i := range kept {
		kept[i].Description = r.redactor.Text(kept[i].Description)
		kept[i].Facts = slices.Clone(kept[i].Facts)
		for at := range kept[i].Facts {
			f := &kept[i].Facts[at]
			f.Fact, f.Sentence = r.redactor.Text(f.Fact), r.redactor.Text(f.Sentence)
		}
	}
	return kept
}

// answerText returns the text of r. If r has no text, answerText returns its structured refusal.
func answerText(r model.Response) model.Untrusted { return cmp.Or(r.Text, r.Refusal) }

func (r resultRedactor) redactText(t model.Untrusted) model.Untrusted {
	return model.Untrusted(r.redactor.Text(string(t)))
}

// redactClassification returns c with redacted quotations in its details.
func (r resultRedactor) redactClassification(c classify.Classification) classify.Classification {
	d := &c.Details
	d.ErrorDetails, d.Evidence, d.ErrorMessage = r.redactText(d.ErrorDetails), r.redactText(d.Evidence),
		r.redactText(d.ErrorMessage)
	d.StatedClaims = slices.Clone(d.StatedClaims)
	for i, claim := range d.StatedClaims {
		d.StatedClaims[i] = r.redactor.Text(claim)
	}
	d.Unmet = slices.Clone(d.Unmet)
	for i := range d.Unmet {
		u := &d.Unmet[i]
		u.Expected, u.Actual, u.Reason = r.redactor.Text(u.Expected), r.redactor.Text(u.Actual), r.redactor.Text(u.Reason)
	}
	return c
}

// Limits, in bytes: how much of a case's input is kept with its answer, and how much is read for that.
const (
	maxInputBytes = 800
	maxInputRead  = 16 << 10
)

// maxRequirementRunes is the largest number of runes of an expectation that are kept with an answer.
const maxRequirementRunes = 300

// caseInput returns the part of the model's input that is the case's own, without a shared prompt. It consists of the
// case's variables or, without variables, of its last message. Variables that are long in order come last, because
// truncation would drop a question after them. If the case is redefined, order has the base's variables on both sides.
func caseInput(m sideCase, order map[string]string) string {
	c := m.c
	var names []string
	if m.suite.PromptKey != "" && !c.OwnTurns { // the prompt is shared
		names = slices.Sorted(maps.Keys(c.SentVars))
	}
	switch {
	case len(names) == 1:
		return c.Vars[names[0]]
	case len(names) > 1:
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(order[a]), len(order[b])) })
		var lines []string
		for _, name := range names {
			lines = append(lines, name+": "+text.FirstBytes(c.Vars[name], maxInputRead/len(names)))
		}
		return strings.Join(lines, "\n")
	case len(c.Prompt.Messages) > 0:
		return c.Prompt.Messages[len(c.Prompt.Messages)-1].Content
	}
	return ""
}

// redactBeginning returns the redacted beginning of words, a text by an author of the suite.
func (r resultRedactor) redactBeginning(words string) model.Untrusted {
	// redact first: half a secret is not recognized
	words = r.redactor.Text(text.FirstBytes(strings.TrimSpace(words), maxInputRead))
	if cut := text.FirstBytes(words, maxInputBytes); cut != words {
		words = cut + "…"
	}
	return model.Untrusted(words)
}

// shownRequirements returns the requirements of the case c if the report shows them with the answer, and otherwise nil.
func (r resultRedactor) shownRequirements(c *suite.Case, got classify.Classification) []expect.Requirement {
	// after an internal error, the case may be the cause
	if got.Primary == classify.Pass && !got.Details.NeedsReview || got.Details.Reason == model.ReasonInternal {
		return nil
	}
	return truncateRequirements(r.requirements(c))
}

// requirements returns all expectations of the case c, in words and redacted.
func (r resultRedactor) requirements(c *suite.Case) []expect.Requirement {
	all := c.Demands()
	for i := range all {
		all[i].Expected = r.redactor.Text(all[i].Expected) // redact first: half a secret is not recognized
	}
	return all
}

// truncateRequirements cuts each of the expectations in all at its end.
func truncateRequirements(all []expect.Requirement) []expect.Requirement {
	for i := range all {
		all[i].Expected = text.Truncate(all[i].Expected, maxRequirementRunes)
	}
	return all
}
