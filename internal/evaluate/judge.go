// Package evaluate asks the clients, judges what they answer and hands on the results in stable order: suite, case, trial.
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
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// Judge turns a response into a judgement. It is safe for concurrent use.
type Judge struct {
	Classifier *classify.Classifier
	Phase      config.Phase
	Scoring    config.Scoring
	Semantic   config.Semantic
	Corpora    map[string]*likeness.Corpus // by suite; a suite without one is compared by what is known of English alone
	Meaning    *Meaning                    // compares answers by what they mean; nil: nothing does
	Panel      *Panel                      // grades answers by the criteria of their cases; nil: no case has any
	Risk       *risk.Scorer                // judges probes; nil: there are none
	Announced  []*expect.Policy            // those that only the head has and that are to apply to all cases: they judge nothing yet
	Redactor   *redact.Redactor            // applied to all that is kept, after judging; nil keeps everything
}

// Judgement is what one answer is worth.
type Judgement struct {
	Classification classify.Classification
	Metrics        []score.Metric
	Overall        *float64        // in [0, 1]; nil without metrics
	Content        *float64        // without grounding, where that was measured beside others
	Bar            *float64        // the case bar that was in force; nil if there was no answer to score
	PassedBar      *bool           // nil without metrics, and where the bar was not applied
	Risk           *risk.CaseScore // of a probe
	Grades         Grades
	Warnings       []string

	delivers bool // this and stated: see score.AnswerMetrics
	stated   []string
}

// Judge scores and classifies r as an answer to c, by what a judge said of it. Its error is the context's, or the embedder's where the configuration takes
// nothing in its place.
func (j *Judge) Judge(ctx context.Context, s *suite.Suite, c *suite.Case, r model.Response, graded Grades) (Judgement, error) {
	out := Judgement{Grades: graded}
	var unmet []expect.Unmet
	review := false
	if r.Failure == nil {
		out.Bar = cmp.Or(c.CaseThreshold, new(j.Phase.Bar()))
		var err error
		if unmet, review, err = j.measure(ctx, &out, s, c, r); err != nil {
			return out, err
		}
	}
	failing, counts := graded.unmet(), j.heeds()
	if !counts && len(failing) > 0 {
		out.Warnings, failing = append(out.Warnings, report.WarnJudge), nil
	}
	unmet = slices.Concat(unmet, failing, j.probe(&out, c, r))
	rubric, verdicts := graded.metric()
	if verdicts {
		out.Metrics = append(out.Metrics, rubric)
	}
	out.Classification = j.Classifier.Classify(classify.Case{
		Expect:   c.Expect,
		Policies: c.Policies,
		Expected: classify.Category(c.Expected),
		Vars:     c.Vars,
		Judged:   len(out.Metrics) > 0 && (!review || verdicts && counts) || out.Risk != nil,
		Probe:    out.Risk != nil,
		Delivers: out.delivers,
	}, r, unmet)
	if out.Classification.Details.RefusalUnread {
		out.Warnings = append(out.Warnings, classify.WarnUnread)
	}
	if out.Classification.Primary == classify.Pass {
		out.Classification.Details.StatedClaims = out.stated
	}
	if review {
		out.Warnings = append(out.Warnings, score.WarnNeedsReview)
		d := &out.Classification.Details
		d.NeedsReview = true
		d.Unverified = out.Classification.Primary == classify.Pass
	}
	if d := out.Classification.Details; d.Reason == classify.ReasonTruncated && out.Classification.Primary == classify.Pass && forbids(c, r) {
		out.Warnings = append(out.Warnings, score.WarnCut)
	}
	if lost := graded.firstLost(); lost != nil && counts {
		return j.lacking(ctx, s, c, r, out, lost)
	}
	return out, nil
}

// forbids reports an answer that passes its case by what it does not say. Assertions of that form are not met by an answer that was cut.
func forbids(c *suite.Case, r model.Response) bool {
	text, _ := answer.Of(string(r.Text))
	return c.Expect.Forbids(text) || len(c.Policies) > 0 || c.Probe != nil || c.Measured != nil && len(c.Measured.Forbidden) > 0
}

// measure fills in the metrics of an answer and returns the bars it misses. An accuracy that only stands in for another one
// is not held to a bar, unless the configuration says so: then the answer needs a review.
func (j *Judge) measure(ctx context.Context, out *Judgement, s *suite.Suite, c *suite.Case, r model.Response) (missed []expect.Unmet, review bool, err error) {
	if c.Measured == nil {
		return nil, false, nil
	}
	m, err := j.metrics(ctx, s, c, r, out.Grades)
	if err != nil {
		return nil, false, err
	}
	out.Metrics, out.Warnings, out.delivers, out.stated = m.Metrics, m.Warnings, m.Delivers, m.Stated
	overall, warning := score.Overall(m.Metrics)
	if warning != "" {
		out.Warnings = append(out.Warnings, warning)
	}
	out.Overall = &overall
	content, hasContent := m.Content()
	hasContent = hasContent && slices.ContainsFunc(m.Metrics, func(x score.Metric) bool { return x.Name == score.Grounding })
	if hasContent {
		out.Content = &content
	}
	if x := m.Ungrounded(); x != nil && j.Scoring.GroundingRequired {
		missed = []expect.Unmet{{Criterion: score.Grounding, Expected: "no violation", Actual: score.Figure(x.Value), Reason: x.Description}}
	}
	if m.Degraded() && !j.Semantic.AppliesLexical() {
		return missed, true, nil
	}
	passed := score.Meets(overall, *out.Bar)
	out.PassedBar = &passed
	switch {
	case !passed:
		missed = []expect.Unmet{belowBar(m, overall, *out.Bar)}
	case hasContent && !score.Meets(content, *out.Bar):
		out.Warnings = append(out.Warnings, score.WarnBelowFloor)
	}
	return append(missed, j.belowThreshold(m)...), false, nil
}

func (j *Judge) metrics(ctx context.Context, s *suite.Suite, c *suite.Case, r model.Response, graded Grades) (m score.AnswerMetrics, err error) {
	settings := score.Settings{UnclearScore: j.Scoring.LabelUnclearScore, CountUnsupported: j.Scoring.CountUnsupported, Corpus: j.Corpora[s.ID]}
	if j.heeds() {
		settings.Judged = graded.facts()
	}
	if j.Meaning != nil {
		settings.Model = j.Meaning.Fingerprint()
		settings.Compare = func(expected, answer string) (l score.Likeness, ok bool) {
			// An embedder may be somebody else's server: what must not be kept must not be sent.
			l, ok, err = j.Meaning.compare(ctx, expected, j.Redactor.Text(answer))
			return l, ok
		}
	}
	m = c.Measured.Measure(string(r.Text), settings)
	if err == nil && j.Meaning != nil && m.Degraded() && j.Semantic.FailsWithout() {
		if fault := j.Meaning.Fault(); fault != nil {
			err = fault
		}
	}
	return m, err
}

// belowThreshold is the miss of an answer whose meaning is not enough like what was expected, where the configuration has a
// figure for that.
func (j *Judge) belowThreshold(m score.AnswerMetrics) []expect.Unmet {
	if j.Semantic.Threshold == nil {
		return nil
	}
	for _, x := range m.Metrics {
		if x.Method == score.MethodSemantic && !score.Meets(x.Value, *j.Semantic.Threshold) {
			got, bar := score.Figures(x.Value, *j.Semantic.Threshold)
			return []expect.Unmet{{Criterion: "semantic_threshold", Expected: "at least " + bar, Actual: got,
				Reason: "the meaning is not enough like that of the expected answer"}}
		}
	}
	return nil
}

// belowBar says by which metrics an answer misses its bar: in words what is wrong with it and then the figures, as a reader cuts long
// sentences at their ends; and what it states wrongly before what it leaves out.
func belowBar(m score.AnswerMetrics, overall, bar float64) expect.Unmet {
	var wrong, missing, figures []string
	for _, x := range m.Metrics {
		value := x.Name + " " + score.Fixed(x.Value, 2, 0, 1)
		switch {
		case x.Weight == 0 || score.Meets(x.Value, 1):
		case x.Method == score.MethodLabel || x.Method == score.MethodGuess:
			wrong = append(wrong, m.Why)
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
	got, needs := score.Figures(overall, bar)
	return expect.Unmet{Criterion: "overall_score", Expected: "at least " + needs, Actual: got, Reason: strings.Join(slices.Concat(wrong, missing, figures), "; ")}
}

func (j *Judge) result(s *suite.Suite, c *suite.Case, r model.Response, jd Judgement) report.Result {
	keys := c.Keys()
	out := report.Result{
		CaseID:             c.ID,
		SuiteID:            s.ID,
		ModelID:            cmp.Or(r.Model, c.Prompt.Model, c.Prompt.Provider),
		Description:        j.cutWords(c.Description),
		Asked:              j.caseInput(s, c),
		Expected:           j.demanded(c, jd.Classification),
		RawResponse:        j.keep(answerText(r)),
		ToolCalls:          j.keepCalls(r.ToolCalls),
		Classification:     j.keepClassification(jd.Classification),
		Scores:             j.scores(jd.Classification, r),
		Metrics:            j.keepMetrics(jd.Metrics),
		OverallScore:       jd.Overall,
		ContentScore:       jd.Content,
		PhaseThresholdUsed: jd.Bar,
		PassedBar:          jd.PassedBar,
		Risk:               j.keepRisk(jd.Risk),
		Warnings:           slices.Clip(jd.Warnings), // both sides' results may have those of one judgement
		Cached:             r.Cached,
		Drawn:              r.Drawn,
		KeptByHand:         r.Kept,
		Replayed:           !(config.Target{Provider: c.Prompt.Provider}).Live(),
		RequestKey:         keys.RequestKey.String(),
		ExpectationKey:     keys.ExpectationKey.String(),
		InputKey:           c.InputKey().String(),
		Path:               c.Path,
		Line:               c.Pos.Line,
		Severity:           c.Severity,
		MustPass:           c.MustPass,
		Tags:               c.Tags,
		ExpectedFail:       c.AgreesWithFail,
		Skipped:            c.Skipped,
	}
	if !out.Replayed && !r.Cached {
		out.Attempts = new(r.Attempts)
	}
	if r.Failure != nil {
		out.Error = new(j.keep(r.Failure.Message))
	}
	if r.Latency > 0 {
		out.LatencyMS = new(r.Latency.Milliseconds())
	}
	if r.Usage.TokensIn > 0 || r.Usage.TokensOut > 0 {
		out.Tokens = &report.Tokens{In: r.Usage.TokensIn, Out: r.Usage.TokensOut}
	}
	out.CostUSD, out.Estimated = r.Usage.Cost.Dollars(), r.Usage.Cost.Estimated
	j.keepGrades(&out, jd.Grades)
	return out
}

// scores are document 000's of one trial: its accuracy, and what the configuration opts into.
func (j *Judge) scores(c classify.Classification, r model.Response) report.Scores {
	out := report.Scores{Accuracy: c.Accuracy()}
	if j.Scoring.Penalties != nil {
		out.Penalty = new(score.Penalised(j.Scoring.Penalties, string(c.Primary), c.Primary == classify.Pass))
	}
	if l := j.Scoring.Latency; l != nil && r.Latency > 0 {
		out.Latency = new(score.Latency(l.Good, l.Bad, float64(r.Latency.Milliseconds())))
	}
	return out
}

// keepMetrics redacts the descriptions, the facts and the sentences, which may quote the answer or a secret.
func (j *Judge) keepMetrics(metrics []score.Metric) []score.Metric {
	kept := slices.Clone(metrics)
	for i := range kept {
		kept[i].Description = j.Redactor.Text(kept[i].Description)
		kept[i].Facts = slices.Clone(kept[i].Facts)
		for k := range kept[i].Facts {
			f := &kept[i].Facts[k]
			f.Fact, f.Sentence = j.Redactor.Text(f.Fact), j.Redactor.Text(f.Sentence)
		}
	}
	return kept
}

// answerText is what came back; a structured refusal without text stands for the answer it is.
func answerText(r model.Response) model.Untrusted { return cmp.Or(r.Text, r.Refusal) }

func (j *Judge) keepCalls(calls []model.ToolCall) (kept []model.ToolCall) {
	for _, c := range calls {
		kept = append(kept, model.ToolCall{Name: j.keep(c.Name), Arguments: j.keep(c.Arguments)})
	}
	return kept
}

func (j *Judge) keep(t model.Untrusted) model.Untrusted {
	return model.Untrusted(j.Redactor.Text(string(t)))
}

// keepClassification redacts the words that details quote, of the answer and of what was expected.
func (j *Judge) keepClassification(c classify.Classification) classify.Classification {
	d := &c.Details
	d.ErrorDetails, d.Evidence, d.ErrorMessage = j.keep(d.ErrorDetails), j.keep(d.Evidence), j.keep(d.ErrorMessage)
	d.StatedClaims = slices.Clone(d.StatedClaims)
	for i, claim := range d.StatedClaims {
		d.StatedClaims[i] = j.Redactor.Text(claim)
	}
	d.Unmet = slices.Clone(d.Unmet)
	for i := range d.Unmet {
		u := &d.Unmet[i]
		u.Expected, u.Actual, u.Reason = j.Redactor.Text(u.Expected), j.Redactor.Text(u.Actual), j.Redactor.Text(u.Reason)
	}
	return c
}

// How many bytes of a case's own words are kept with its answer, and how many of them are read for that.
const (
	askedBytes = 800
	askedRead  = 16 << 10
)

// caseInput returns what the case itself sends to the model, without a prompt that it shares with other cases: its
// variables, or its last message.
func (j *Judge) caseInput(s *suite.Suite, c *suite.Case) model.Untrusted {
	asked := ""
	var said []string
	if s.PromptKey != "" && !c.OwnTurns { // which others share
		said = c.SentVarNames()
	}
	switch {
	case len(said) == 1:
		asked = c.Vars[said[0]]
	case len(said) > 1:
		slices.SortStableFunc(said, func(a, b string) int { return cmp.Compare(long(c.Vars[a]), long(c.Vars[b])) })
		var lines []string
		for _, name := range said {
			lines = append(lines, name+": "+text.Head(c.Vars[name], askedRead/len(said)))
		}
		asked = strings.Join(lines, "\n")
	case len(c.Prompt.Messages) > 0:
		asked = c.Prompt.Messages[len(c.Prompt.Messages)-1].Content
	}
	return j.cutWords(asked)
}

// long is 1 for a text that is a passage rather than a question, and 0 for others: behind a passage, a cut would leave nothing of the question.
func long(text string) int {
	if len(text) > askedBytes/8 {
		return 1
	}
	return 0
}

// cutWords is the start of a text that somebody wrote into a case, as it is kept.
func (j *Judge) cutWords(words string) model.Untrusted {
	words = j.Redactor.Text(text.Head(strings.TrimSpace(words), askedRead)) // before it is cut: of a secret cut in two nothing is known
	if cut := text.Head(words, askedBytes); cut != words {
		words = cut + "…"
	}
	return model.Untrusted(words)
}

// demanded is what an answer to a case is held to, where somebody will ask about the answer.
func (j *Judge) demanded(c *suite.Case, k classify.Classification) []expect.Demand {
	if k.Primary == classify.Pass && !k.Details.NeedsReview || k.Details.Reason == model.ReasonInternal { // of the last, the case may be what broke it
		return nil
	}
	return j.demands(c)
}

// demands are all that an answer to a case is held to, in words.
func (j *Judge) demands(c *suite.Case) []expect.Demand {
	all := c.Expect.Demands()
	if m := c.Measured; m != nil && m.Reference != "" && len(c.Expect.Criteria) == 0 {
		all = append(all, expect.Demand{Criterion: "expected_response", Expected: text.Head(m.Reference, askedBytes)})
	}
	if c.Rubric != nil {
		for _, one := range c.Rubric.Criteria {
			if one.Fact != "" {
				continue
			}
			all = append(all, expect.Demand{Criterion: score.Rubric, Expected: text.Head(one.Text, askedBytes)})
		}
	}
	for _, p := range c.Policies {
		all = append(all, expect.Demand{Criterion: "policy", Expected: cmp.Or(p.Description, p.Name)})
	}
	if c.Expected != "" {
		all = append(all, expect.Demand{Criterion: "expected_classification", Expected: c.Expected})
	}
	for i := range all {
		all[i].Expected = j.Redactor.Text(all[i].Expected)
	}
	return all
}
