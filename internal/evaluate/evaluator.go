// Package evaluate calls the clients, judges their answers and returns the results ordered by suite, case and trial.
// It reads no file and prints nothing; clock and clients are arguments.
package evaluate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// Evaluator scores and classifies answers. It is safe for concurrent use.
type Evaluator struct {
	Classifier *classify.Classifier
	Phase      config.Phase
	Scoring    config.Scoring
	Semantic   config.Semantic
	// corpora by the head's suite id; other suites are compared by general English
	Corpora    map[string]*likeness.Corpus
	Similarity *Similarity  // compares answers by meaning; nil: no embedding model
	Panel      *Panel       // grades answers by criteria; nil: no case has any
	Risk       *risk.Scorer // judges probes; nil: there are none
	// the head's proposed policies, as they are after the merge: they judge nothing yet
	ProposedPolicies []expect.Proposed
	Redactor         *redact.Redactor // redacts everything that is kept, after the evaluation; nil: redacts nothing
}

// Evaluate returns a result with the scores and the classification of the answer r to the case c, not redacted and
// without the answer and the case; see completeResult. suiteID is the head's id of the case's suite, whose corpus
// counts. graded has the verdicts of the judging model. Evaluate fails if ctx ends. It returns the embedder's error if
// the configuration allows no fallback.
func (e *Evaluator) Evaluate(ctx context.Context, suiteID string, c *suite.Case, r model.Response,
	graded Grades) (out report.Result, err error) {
	var m score.AnswerMetrics
	var unmet []expect.Unmet
	review := false
	if r.Failure == nil {
		out.PhaseThresholdUsed = cmp.Or(c.CaseThreshold, new(e.Phase.Threshold()))
		if c.Measured != nil {
			if m, err = e.measure(ctx, suiteID, c, r, graded); err != nil {
				return out, err
			}
			unmet, review = e.applyThresholds(&out, m)
		}
	}
	unmet = slices.Concat(unmet, e.addUnmetCriteria(&out, graded), e.addRisk(&out, c, r))
	if rubric, ok := graded.rubricMetric(); ok {
		out.Metrics = append(out.Metrics, rubric)
	}
	out.Classification = e.Classifier.Classify(classify.Case{
		Expect:   c.Expect,
		Policies: c.Policies,
		Expected: c.ExpectedCategory,
		Vars:     c.Vars,
		Judged:   len(out.Metrics) > 0 || out.Risk != nil,
		Probe:    out.Risk != nil,
		Complies: m.Complies,
	}, r, unmet)
	if out.Classification.Primary == classify.Pass && review {
		if fault := e.Similarity.Fault(); fault != nil {
			out.Classification = classify.UnscoredError(model.Failure{Reason: model.ReasonSimilarity,
				Message: model.Untrusted(fault.Text)})
			return out, nil
		}
	}
	addDetails(&out, c, r, m.StatedClaims, review)
	if lost := graded.firstMissing(); lost != nil && e.verdictsCount() {
		return e.resultWithoutVerdict(ctx, suiteID, c, r, out, graded, lost)
	}
	return out, nil
}

// addUnmetCriteria returns the unmet criteria that fail the case. If verdicts do not count, it adds a warning instead.
func (e *Evaluator) addUnmetCriteria(out *report.Result, graded Grades) []expect.Unmet {
	unmet := graded.unmet()
	if len(unmet) > 0 && !e.verdictsCount() {
		out.Warnings, unmet = append(out.Warnings, report.WarnJudge), nil
	}
	return unmet
}

// addDetails adds to out the details and warnings that depend on the classification in out.
func addDetails(out *report.Result, c *suite.Case, r model.Response, stated []string, review bool) {
	d, passes := &out.Classification.Details, out.Classification.Primary == classify.Pass
	if d.UnsupportedLanguage {
		out.Warnings = append(out.Warnings, classify.WarnUnsupportedLanguage)
	}
	if passes {
		d.StatedClaims = stated
	}
	if review {
		out.Warnings = append(out.Warnings, score.WarnNeedsReview)
		d.NeedsReview, d.Unverified = true, passes
	}
	if passes && d.Reason == classify.ReasonTruncated && forbidsContent(c, r) {
		out.Warnings = append(out.Warnings, score.WarnAnswerTruncated)
	}
}

// forbidsContent reports whether the case c forbids some content. If the answer r is truncated, the missing text may
// have that content.
func forbidsContent(c *suite.Case, r model.Response) bool {
	text, _ := answer.StripReasoning(string(r.Text))
	return c.Expect.MatchesByTruncation(text) || len(c.Policies) > 0 || c.Probe != nil || c.Measured != nil &&
		len(c.Measured.Forbidden) > 0
}

// applyThresholds stores the metrics m in out and returns the missed thresholds. A fallback accuracy has no threshold
// unless the configuration sets one. If there is no threshold for that reason, review is true, and a person has to read
// the answer.
func (e *Evaluator) applyThresholds(out *report.Result, m score.AnswerMetrics) (missed []expect.Unmet, review bool) {
	threshold := *out.PhaseThresholdUsed
	out.Metrics, out.Warnings = m.Metrics, m.Warnings
	overall, warning := score.Overall(m.Metrics)
	if warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	out.OverallScore = &overall
	content, hasContent := m.ContentScore()
	hasContent = hasContent && slices.ContainsFunc(m.Metrics,
		func(x score.Metric) bool { return x.Name == score.Grounding })
	if hasContent {
		out.ContentScore = &content
	}
	if x := m.FailedGrounding(); x != nil && e.Scoring.GroundingRequired {
		missed = []expect.Unmet{{Criterion: score.Grounding, Expected: "no violation",
			Actual: score.FormatScore(x.Value),
			Reason: x.Description}}
	}
	if m.Degraded() && !e.Semantic.AppliesLexical() {
		return missed, true
	}
	passed := score.Meets(overall, threshold)
	out.PassedThreshold = &passed
	switch {
	case !passed:
		missed = []expect.Unmet{missedScoreThreshold(m, overall, threshold)}
	case hasContent && !score.Meets(content, threshold):
		out.Warnings = append(out.Warnings, score.WarnBelowFloor)
	}
	return append(missed, e.missedSemanticThreshold(m)...), false
}

func (e *Evaluator) measure(ctx context.Context, suiteID string, c *suite.Case, r model.Response,
	graded Grades) (m score.AnswerMetrics, err error) {
	settings := score.Settings{UnclearScore: e.Scoring.LabelUnclearScore,
		CountUnsupported: e.Scoring.CountUnsupported, Corpus: e.Corpora[suiteID]}
	if e.verdictsCount() {
		settings.FactVerdicts = graded.factVerdicts()
	}
	if e.Similarity != nil {
		settings.Model = e.Similarity.Fingerprint()
		settings.Compare = func(expected, answer string) (l score.Similarity, ok bool) {
			// The embedder may be a remote server: do not send what must not be kept.
			l, ok, err = e.Similarity.compare(ctx, expected, e.Redactor.Text(answer))
			return l, ok
		}
	}
	m = c.Measured.Measure(string(r.Text), settings)
	if err == nil && m.Degraded() && e.Semantic.FailsWithout() {
		if fault := e.Similarity.Fault(); fault != nil {
			err = fault
		}
	}
	return m, err
}

// missedSemanticThreshold returns one missed criterion if the similarity in meaning misses the configured threshold,
// and otherwise nil.
func (e *Evaluator) missedSemanticThreshold(m score.AnswerMetrics) []expect.Unmet {
	if e.Semantic.Threshold == nil {
		return nil
	}
	for _, x := range m.Metrics {
		if x.Method == score.MethodSemantic && !score.Meets(x.Value, *e.Semantic.Threshold) {
			got, bar := score.FormatWithLimit(x.Value, *e.Semantic.Threshold)
			return []expect.Unmet{{Criterion: "semantic_threshold", Expected: "at least " + bar, Actual: got,
				Reason: "the meaning is not similar enough to the expected answer"}}
		}
	}
	return nil
}

// missedScoreThreshold describes why the overall score is below threshold. What is wrong or missing comes before the
// figures, because long sentences are truncated. Wrong statements come before omissions.
func missedScoreThreshold(m score.AnswerMetrics, overall, threshold float64) expect.Unmet {
	var wrong, missing, figures []string
	for _, x := range m.Metrics {
		value := x.Name + " " + score.FormatDecimals(x.Value, 2, 0, 1)
		switch {
		case x.Weight == 0 || score.Meets(x.Value, 1):
		case x.Method == score.MethodLabel || x.Method == score.MethodGuess:
			wrong = append(wrong, m.LabelFinding)
		case x.Degraded:
			figures = append(figures, value+" by words alone")
		case x.Method == score.MethodSemantic:
			figures = append(figures, value+" by meaning")
		case x.Name == score.Completeness:
			missing = append(missing, x.Description)
			figures = append(figures, value)
		default:
			wrong = append(wrong, x.Description)
			figures = append(figures, value)
		}
	}
	got, needs := score.FormatWithLimit(overall, threshold)
	return expect.Unmet{Criterion: "overall_score", Expected: "at least " + needs, Actual: got,
		Reason: strings.Join(slices.Concat(wrong, missing, figures), "; ")}
}

// TextLeaksAnswer reports whether text passes the case c when it is given as the answer, and none of the texts in
// others does. If a case is graded by a model or compared by meaning, only a text equal to the expected answer passes.
// TextLeaksAnswer returns false for probes.
func (e *Evaluator) TextLeaksAnswer(ctx context.Context, c *suite.Case, text string, others ...string) bool {
	if c.Probe != nil {
		return false
	}
	if c.Semantic() || c.Graded() {
		return c.Measured != nil && equalTrimmedFold(text, c.Measured.Reference) || c.Rubric != nil &&
			equalTrimmedFold(text, c.Rubric.Reference)
	}
	return !c.Unverified() && e.PassesAs(ctx, c, text) &&
		!slices.ContainsFunc(others, func(other string) bool { return e.PassesAs(ctx, c, other) })
}

// PassesAs reports whether text passes the case c when it is given as the answer. It returns false if the evaluation
// fails or panics.
func (e *Evaluator) PassesAs(ctx context.Context, c *suite.Case, text string) (passes bool) {
	err := fault.CallRecovering("judging a text that no model gave", func() error {
		got, err := e.Evaluate(ctx, "", c, model.Response{Text: model.Untrusted(text)}, Grades{})
		passes = got.Classification.Primary == classify.Pass
		return err
	})
	return err == nil && passes
}

func equalTrimmedFold(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return a != "" && strings.EqualFold(a, b)
}
