package score

import (
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/likeness"
)

// Methods of the metric accuracy.
const (
	MethodLabel    = "label"       // the label is read at the place that the suite sets
	MethodGuess    = "label_guess" // the label is searched for in the whole answer
	MethodSemantic = "semantic"
	MethodLexical  = "lexical_fallback"
)

// MethodJudge is the method of the metric rubric: a model judges each criterion.
const MethodJudge = "judge"

// Warnings of a measurement.
const (
	WarnSemanticUnavailable   = "semantic_unavailable"
	WarnUnsupportedObligation = "unsupported_obligation"
	WarnNoReference           = "expected_response_missing"
	WarnLabelNotListed        = "label_not_listed"
	WarnBelowFloor            = "score_below_grounding_floor"
	WarnNeedsReview           = "needs_review"
	// the answer passes, but the part that was cut off may have had forbidden content
	WarnAnswerTruncated = "cut_before_the_end"
	StatusCapped        = "capped"
)

// Expected is what the answers to one case are measured against. It is read-only.
type Expected struct {
	Plan           Plan
	Labels         *label.Set   // nil: no label is expected
	LabelPlace     *label.Place // where to read the label; nil: anywhere
	LabelNotListed bool         // the case allows a list of labels, and the expected label is not among them
	Reference      string       // the expected answer; "" if there is none
	Facts          []*fact.Fact // key facts
	Sentences      []*fact.Fact // the sentences of the expected answer, if its meaning is compared
	Forbidden      []*fact.Claim
	Allowed        []string // regulatory terms that the answer may use
	Prompt         string   // all messages of the request
	Question       string   // the last message; it may name the options and keys that an answer uses
	CaseText       string   // the case's own part of the prompt, which an answer may echo
}

// Settings are the run's settings that affect measurements.
type Settings struct {
	UnclearScore     float64          // the accuracy of an answer without a label
	CountUnsupported bool             // unsupported obligations are violations; otherwise they only warn
	Corpus           *likeness.Corpus // rarity of words in the case's suite; nil: in general English only

	// Compare compares two texts by meaning. It returns false if it cannot. It is nil without an embedding model. Model
	// is the fingerprint of that model.
	Compare func(expected, answer string) (Similarity, bool)
	Model   string

	FactVerdicts map[string]FactVerdict // verdicts of a judge on key facts that were not found, by the text of the fact
}

// FactVerdict is a judge's verdict on whether an answer states a key fact. Why may quote the answer.
type FactVerdict struct {
	Said bool
	Why  string
}

// AnswerMetrics holds the measurements of one answer.
type AnswerMetrics struct {
	Metrics      []Metric // in the order of MetricNames
	Warnings     []string
	LabelFinding string   // the expected label and what was found; "" if no label is expected
	Label        string   // the label of the answer; "" if there is none
	StatedClaims []string // forbidden claims in the answer, as the case writes them
	// the answer clearly gives one label, right or wrong, or it equals the expected answer
	Complies bool
}

// Degraded reports whether the accuracy comes from a fallback method.
func (m AnswerMetrics) Degraded() bool {
	return slices.ContainsFunc(m.Metrics, func(x Metric) bool { return x.Degraded })
}

// ContentScore returns the weighted mean of all metrics except grounding. It returns false if none of them has a
// weight.
func (m AnswerMetrics) ContentScore() (float64, bool) {
	var mean Mean
	for _, x := range m.Metrics {
		if x.Name != Grounding {
			mean.Add(x.Value, x.Weight)
		}
	}
	return mean.Value()
}

// FailedGrounding returns the metric grounding if the answer has a violation, and otherwise nil.
func (m AnswerMetrics) FailedGrounding() *Metric {
	for i := range m.Metrics {
		if x := &m.Metrics[i]; x.Name == Grounding && x.Value < groundedScore {
			return x
		}
	}
	return nil
}

// Measure returns the metrics of the text that a model sent. It measures the visible answer, but looks for forbidden
// content in hidden parts too.
func (e *Expected) Measure(sent string, s Settings) AnswerMetrics {
	m := &measurement{expected: e, settings: s, answer: newReading(e, sent)}
	m.out.Complies = e.Reference != "" && strings.TrimSpace(m.answer.said) == strings.TrimSpace(e.Reference)
	m.addAccuracy()
	m.addCompleteness()
	m.addGrounding()
	m.addJaccard()
	return m.out
}

// SearchFacts looks for the key facts in the text that a model sent, and computes no metric.
func (e *Expected) SearchFacts(sent string) []FactResult {
	m := &measurement{expected: e, answer: newReading(e, sent)}
	return m.completenessMetric(e.Facts, "key facts").Facts
}

// HasMetrics reports whether Measure returns any metric for this case.
func (e *Expected) HasMetrics() bool {
	return e.accuracyMethod() != "" || len(e.Facts)+len(e.Sentences) > 0 || e.measuresGrounding()
}

// IsSemantic reports whether the metric accuracy of this case compares meanings.
func (e *Expected) IsSemantic() bool { return e.accuracyMethod() == MethodSemantic }

func (e *Expected) accuracyMethod() string {
	method := e.Plan.AccuracyMethod
	if method == MethodLabel && (e.Labels == nil || e.LabelNotListed) {
		method = e.Plan.FallbackMethod
	}
	if method == MethodSemantic && e.Reference == "" {
		return ""
	}
	return method
}

func (e *Expected) measuresGrounding() bool {
	return e.Plan.Grounding || len(e.Forbidden) > 0 || len(e.Allowed) > 0
}

// measurement is the measurement of one answer in progress.
type measurement struct {
	expected  *Expected
	settings  Settings
	answer    reading
	reference *english.Text // the expected answer, parsed on first use
	// the share of words that answer and expected answer have in common; nil if the lexical comparison has not run
	wordOverlap *float64
	out         AnswerMetrics
}

// referenceText returns the expected answer as parsed English.
func (m *measurement) referenceText() *english.Text {
	if m.reference == nil {
		m.reference = english.Parse(m.expected.Reference)
	}
	return m.reference
}

func (m *measurement) add(x Metric) { m.out.Metrics = append(m.out.Metrics, x) }

func (m *measurement) warn(code string) { m.out.Warnings = append(m.out.Warnings, code) }

func (m *measurement) addAccuracy() {
	e := m.expected
	if e.LabelNotListed {
		m.warn(WarnLabelNotListed)
	}
	switch e.accuracyMethod() {
	case MethodLabel:
		m.addLabelAccuracy()
	case MethodSemantic:
		m.addSemanticAccuracy()
	default:
		if e.Plan.AccuracyMethod == MethodSemantic || e.Plan.FallbackMethod == MethodSemantic &&
			e.Plan.AccuracyMethod == MethodLabel {
			m.warn(WarnNoReference)
		}
	}
}

func (m *measurement) addLabelAccuracy() {
	e := m.expected
	var l label.Result
	method := MethodGuess
	switch {
	case e.LabelPlace != nil:
		l, method = label.FindAt(e.Labels, e.LabelPlace, m.answer.said), MethodLabel
	case len(m.answer.said) > label.MaxBytes:
		l = e.Labels.Find(e.CaseText, e.Question, e.Labels.ParseAnswer(m.answer.visible))
	default:
		l = e.Labels.Find(e.CaseText, e.Question, m.answer.text)
	}
	switch {
	case m.answer.isBlank():
		l.Value = 0
	case l.Status == label.StatusNoLabel:
		l.Value = m.settings.UnclearScore
	}
	m.add(Metric{Name: Accuracy, Value: l.Value, Weight: AccuracyWeight, Method: method,
		Status: l.Status, Description: l.Description})
	if l.Status != "" {
		m.warn(l.Status)
	}
	m.out.LabelFinding, m.out.Label, m.out.Complies = labelFinding(e, l), l.Predicted, m.out.Complies || l.StandsAlone
}

// LabelFindingPrefix begins the text that says which label was expected and what was found instead.
const LabelFindingPrefix = "expected label "

// labelFinding returns a text with the expected label and what was found. If the answer gives no label or two, and the
// case has no `label_in`, the text suggests `label_in`.
func labelFinding(e *Expected, l label.Result) string {
	why := LabelFindingPrefix + strconv.Quote(e.Labels.Expected) + ", got "
	switch {
	case l.Status == label.StatusTwoLabels:
		why += "two labels and no verdict (" + strings.Join(l.Found, ", ") + ")"
	case l.Predicted != "":
		return why + strconv.Quote(l.Predicted)
	case e.LabelPlace != nil:
		return why + "none in " + e.LabelPlace.Description
	default:
		why += "none"
	}
	if e.LabelPlace == nil {
		why += "; `label_in` can say where the label stands"
	}
	return why
}

// addJaccard adds the diagnostic metric of shared words if there is an expected answer. Its weight is 0.
func (m *measurement) addJaccard() {
	e := m.expected
	if e.Reference == "" || e.Plan.AccuracyMethod == "" {
		return
	}
	if m.wordOverlap == nil {
		m.wordOverlap = new(likeness.Jaccard(e.Reference, m.answer.linked))
	}
	m.add(Metric{Name: DiagnosticJaccard, Value: *m.wordOverlap, Weight: JaccardWeight,
		Description: "the share of words that answer and expected answer share"})
}
