package score

import (
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/answer"
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
	m := e.newMeasurement(sent, s)
	m.Complies = m.Reference != "" && strings.TrimSpace(m.answer) == strings.TrimSpace(m.Reference)
	m.addAccuracy()
	m.addCompleteness()
	m.addGrounding()
	m.addJaccard()
	return m.AnswerMetrics
}

// SearchFacts looks for the key facts in the text that a model sent, and computes no metric.
func (e *Expected) SearchFacts(sent string) []FactResult {
	m := e.newMeasurement(sent, Settings{})
	return m.completenessMetric(e.Facts, "key facts").Facts
}

func (e *Expected) newMeasurement(sent string, s Settings) measurement {
	m := measurement{Expected: e, settings: s, sent: sent}
	m.answer, _ = answer.StripReasoning(sent)
	m.visible = answer.RemoveHidden(m.answer)
	if m.linked = m.answer; m.visible != m.answer {
		m.linked = answer.RemoveHiddenKeepLinks(m.answer)
	}
	if m.Labels != nil && m.Labels.HasAddress() {
		m.visible = m.linked
	}
	return m
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

type measurement struct {
	*Expected
	AnswerMetrics
	settings        Settings
	sent            string
	answer          string        // the answer in sent, without reasoning
	visible         string        // the visible text of answer; with link targets only if labels may be addresses
	linked          string        // the visible text with its link targets
	parsedVisible   *english.Text // visible, parsed on first use
	parsedLinked    *english.Text // linked, parsed on first use
	parsedReference *english.Text
	work            int                             // work done so far, limited by maxWork
	matches         map[*fact.Fact]fact.MatchResult // of facts that were looked for
	// the share of words that answer and expected answer have in common; nil if the lexical comparison has not run
	wordOverlap *float64
}

// text returns the visible answer as parsed English. The parser knows the names of the labels. text parses only once.
func (m *measurement) text() *english.Text {
	if m.parsedVisible == nil {
		var names *english.Names
		if m.Labels != nil {
			names = m.Labels.Vocabulary
		}
		m.parsedVisible = english.ParseWith(m.visible, names)
	}
	return m.parsedVisible
}

// linkedProse returns the answer, including the targets of its links, as parsed English. Facts with an address are
// looked for in this text.
func (m *measurement) linkedProse() *english.Text {
	if m.parsedLinked == nil {
		if m.parsedLinked = m.prose(); m.linked != m.visible {
			m.parsedLinked = english.Parse(m.linked)
		}
	}
	return m.parsedLinked
}

func (m *measurement) prose() *english.Text { return m.text().StemWords() }

func (m *measurement) referenceText() *english.Text {
	if m.parsedReference == nil {
		m.parsedReference = english.Parse(m.Reference)
	}
	return m.parsedReference
}

func isBlank(m *measurement) bool { return len(m.text().Words) == 0 && len(m.linkedProse().Words) == 0 }

func (m *measurement) warn(code string) { m.Warnings = append(m.Warnings, code) }

func (m *measurement) addAccuracy() {
	if m.LabelNotListed {
		m.warn(WarnLabelNotListed)
	}
	switch m.accuracyMethod() {
	case MethodLabel:
		m.addLabelAccuracy()
	case MethodSemantic:
		m.addSemanticAccuracy()
	default:
		if m.Plan.AccuracyMethod == MethodSemantic || m.Plan.FallbackMethod == MethodSemantic &&
			m.Plan.AccuracyMethod == MethodLabel {
			m.warn(WarnNoReference)
		}
	}
}

func (m *measurement) addLabelAccuracy() {
	var l label.Result
	method := MethodGuess
	switch {
	case m.LabelPlace != nil:
		l, method = label.FindAt(m.Labels, m.LabelPlace, m.answer), MethodLabel
	case len(m.answer) > label.MaxBytes:
		l = m.Labels.Find(m.CaseText, m.Question, m.Labels.ParseAnswer(m.visible))
	default:
		l = m.Labels.Find(m.CaseText, m.Question, m.text())
	}
	switch {
	case isBlank(m):
		l.Value = 0
	case l.Status == label.StatusNoLabel:
		l.Value = m.settings.UnclearScore
	}
	m.Metrics = append(m.Metrics, Metric{Name: Accuracy, Value: l.Value, Weight: AccuracyWeight, Method: method,
		Status: l.Status, Description: l.Description})
	if l.Status != "" {
		m.warn(l.Status)
	}
	m.LabelFinding, m.Label, m.Complies = m.labelFinding(l), l.Predicted, m.Complies || l.StandsAlone
}

// LabelFindingPrefix begins the text that says which label was expected and what was found instead.
const LabelFindingPrefix = "expected label "

// labelFinding returns a text with the expected label and what was found. If the answer gives no label or two, and the
// case has no `label_in`, the text suggests `label_in`.
func (m *measurement) labelFinding(l label.Result) (why string) {
	why = LabelFindingPrefix + strconv.Quote(m.Labels.Expected) + ", got "
	switch {
	case l.Status == label.StatusTwoLabels:
		why += "two labels and no verdict (" + strings.Join(l.Found, ", ") + ")"
	case l.Predicted != "":
		return why + strconv.Quote(l.Predicted)
	case m.LabelPlace != nil:
		return why + "none in " + m.LabelPlace.Description
	default:
		why += "none"
	}
	if m.LabelPlace == nil {
		why += "; `label_in` can say where the label stands"
	}
	return why
}

func (m *measurement) addCompleteness() {
	switch {
	case len(m.Facts) > 0:
		m.Metrics = append(m.Metrics, m.completenessMetric(m.Facts, "key facts"))
	case len(m.Sentences) > 0:
		x := m.completenessMetric(m.Sentences, "sentences of the expected answer")
		x.Facts = nil // these are not the suite's facts
		m.Metrics = append(m.Metrics, x)
		m.warn(WarnNoFacts)
	}
}

func (m *measurement) addGrounding() {
	if !m.measuresGrounding() {
		return
	}
	if isBlank(m) {
		m.Metrics = append(m.Metrics, Metric{Name: Grounding, Weight: GroundingWeight,
			Description: "the answer is empty"})
		return
	}
	found := m.checkGrounding()
	m.Metrics = append(m.Metrics, found.metric())
	if len(found.unsupported) > 0 {
		m.warn(WarnUnsupportedObligation)
	}
}

// addJaccard adds the diagnostic metric of shared words if there is an expected answer. Its weight is 0.
func (m *measurement) addJaccard() {
	if m.Reference == "" || m.Plan.AccuracyMethod == "" {
		return
	}
	if m.wordOverlap == nil {
		m.wordOverlap = new(likeness.Jaccard(m.Reference, m.linked))
	}
	m.Metrics = append(m.Metrics, Metric{Name: DiagnosticJaccard, Value: *m.wordOverlap, Weight: JaccardWeight,
		Description: "the share of words that answer and expected answer share"})
}
