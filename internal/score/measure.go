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
	WarnUnavailable = "semantic_unavailable"
	WarnUnsupported = "unsupported_obligation"
	WarnNoReference = "expected_response_missing"
	WarnNotALabel   = "label_not_listed"
	WarnBelowFloor  = "score_below_grounding_floor"
	WarnNeedsReview = "needs_review"
	// the answer passes, but the part that was cut off may have had forbidden content
	WarnCut      = "cut_before_the_end"
	StatusCapped = "capped"
)

// Expected is what the answers to one case are measured against. It is read-only.
type Expected struct {
	Plan      Plan
	Labels    *label.Set   // nil: no label is expected
	LabelIn   *label.In    // where to read the label; nil: anywhere
	OffLabel  bool         // the case allows a list of labels, and the expected label is not among them
	Reference string       // the expected answer; "" if there is none
	Facts     []*fact.Fact // key facts
	Sentences []*fact.Fact // the sentences of the expected answer, if there are no key facts
	Forbidden []*fact.Claim
	Allowed   []string // regulatory terms that the answer may use
	Prompt    string   // all messages of the request
	Question  string   // the last message; it may name the options and keys that an answer uses
	Own       string   // the case's own part of the prompt, which an answer may echo
}

// Settings are the run's settings that affect measurements.
type Settings struct {
	UnclearScore     float64          // the accuracy of an answer without a label
	CountUnsupported bool             // unsupported obligations are violations; otherwise they only warn
	Corpus           *likeness.Corpus // rarity of words in the case's suite; nil: in general English only

	// Compare compares two texts by meaning. It returns false if it cannot. It is nil without an embedding model. Model
	// is the fingerprint of that model.
	Compare func(expected, answer string) (Likeness, bool)
	Model   string

	Judged map[string]Verdict // verdicts of a judge on key facts that were not found, by the text of the fact
}

// Verdict is a judge's verdict on whether an answer states a key fact. Why may quote the answer.
type Verdict struct {
	Said bool
	Why  string
}

// AnswerMetrics holds the measurements of one answer.
type AnswerMetrics struct {
	Metrics  []Metric // in the order of MetricNames
	Warnings []string
	Why      string   // the expected label and what was found; "" if no label is expected
	Label    string   // the label of the answer; "" if there is none
	Stated   []string // forbidden claims in the answer, as the case writes them
	// the answer clearly gives one label, right or wrong, or it equals the expected answer
	Delivers bool
}

// Degraded reports whether the accuracy comes from a fallback method.
func (m AnswerMetrics) Degraded() bool {
	return slices.ContainsFunc(m.Metrics, func(x Metric) bool { return x.Degraded })
}

// Content returns the weighted mean of all metrics except grounding. It returns false if none of them has a weight.
func (m AnswerMetrics) Content() (float64, bool) {
	var mean Mean
	for _, x := range m.Metrics {
		if x.Name != Grounding {
			mean.Add(x.Value, x.Weight)
		}
	}
	return mean.Value()
}

// Ungrounded returns the metric grounding if the answer has a violation, and otherwise nil.
func (m AnswerMetrics) Ungrounded() *Metric {
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
	m := e.measurement(sent, s)
	m.Delivers = m.Reference != "" && strings.TrimSpace(m.answer) == strings.TrimSpace(m.Reference)
	m.accuracy()
	m.completeness()
	m.grounding()
	m.jaccard()
	return m.AnswerMetrics
}

// ReadFacts looks for the key facts in the text that a model sent, and computes no metric.
func (e *Expected) ReadFacts(sent string) []FactRead {
	m := e.measurement(sent, Settings{})
	return m.covered(e.Facts, "key facts").Facts
}

func (e *Expected) measurement(sent string, s Settings) measurement {
	m := measurement{Expected: e, settings: s, sent: sent}
	m.answer, _ = answer.Of(sent)
	m.seen = answer.Seen(m.answer)
	if m.linked = m.answer; m.seen != m.answer {
		m.linked = answer.Linked(m.answer)
	}
	if m.Labels != nil && m.Labels.Addresses() {
		m.seen = m.linked
	}
	return m
}

// Measures reports whether Measure returns any metric for this case.
func (e *Expected) Measures() bool {
	return e.accuracyMethod() != "" || len(e.Facts)+len(e.Sentences) > 0 || e.grounded()
}

// Semantic reports whether the metric accuracy of this case compares meanings.
func (e *Expected) Semantic() bool { return e.accuracyMethod() == MethodSemantic }

func (e *Expected) accuracyMethod() string {
	method := e.Plan.Accuracy
	if method == MethodLabel && (e.Labels == nil || e.OffLabel) {
		method = e.Plan.Otherwise
	}
	if method == MethodSemantic && e.Reference == "" {
		return ""
	}
	return method
}

func (e *Expected) grounded() bool {
	return e.Plan.Grounding || len(e.Forbidden) > 0 || len(e.Allowed) > 0
}

type measurement struct {
	*Expected
	AnswerMetrics
	settings Settings
	sent     string
	answer   string        // the answer in sent, without reasoning
	seen     string        // the visible text of answer; with link targets only if labels may be addresses
	linked   string        // the visible text with its link targets
	read     *english.Text // seen, parsed on first use
	followed *english.Text // linked, parsed on first use
	wanted   *english.Text
	work     int // work done so far, limited by mostWork
	// the share of words that answer and expected answer have in common; nil if the lexical comparison has not run
	shared *float64
}

// text returns the visible answer as parsed English. The parser knows the names of the labels. text parses only once.
func (m *measurement) text() *english.Text {
	if m.read == nil {
		var names *english.Names
		if m.Labels != nil {
			names = m.Labels.Vocabulary
		}
		m.read = english.ReadWith(m.seen, names)
	}
	return m.read
}

// addressed returns the answer, including the targets of its links, as parsed English. Facts with an address are looked
// for in this text.
func (m *measurement) addressed() *english.Text {
	if m.followed == nil {
		if m.followed = m.prose(); m.linked != m.seen {
			m.followed = english.Read(m.linked)
		}
	}
	return m.followed
}

func (m *measurement) prose() *english.Text { return m.text().Stemmed() }

func (m *measurement) reference() *english.Text {
	if m.wanted == nil {
		m.wanted = english.Read(m.Reference)
	}
	return m.wanted
}

func blank(m *measurement) bool { return len(m.text().Words) == 0 && len(m.addressed().Words) == 0 }

func (m *measurement) warn(code string) { m.Warnings = append(m.Warnings, code) }

func (m *measurement) accuracy() {
	if m.OffLabel {
		m.warn(WarnNotALabel)
	}
	switch m.accuracyMethod() {
	case MethodLabel:
		m.label()
	case MethodSemantic:
		m.semantic()
	default:
		if m.Plan.Accuracy == MethodSemantic || m.Plan.Otherwise == MethodSemantic && m.Plan.Accuracy == MethodLabel {
			m.warn(WarnNoReference)
		}
	}
}

func (m *measurement) label() {
	var l label.Result
	method := MethodGuess
	switch {
	case m.LabelIn != nil:
		l, method = label.At(m.Labels, m.LabelIn, m.answer), MethodLabel
	case len(m.answer) > label.MaxBytes:
		l = m.Labels.Find(m.Own, m.Question, m.Labels.Text(m.seen))
	default:
		l = m.Labels.Find(m.Own, m.Question, m.text())
	}
	switch {
	case blank(m):
		l.Value = 0
	case l.Status == label.StatusNoLabel:
		l.Value = m.settings.UnclearScore
	}
	m.Metrics = append(m.Metrics, Metric{Name: Accuracy, Value: l.Value, Weight: AccuracyWeight, Method: method,
		Status: l.Status, Description: l.Description})
	if l.Status != "" {
		m.warn(l.Status)
	}
	m.Why, m.Label, m.Delivers = m.whyLabel(l), l.Predicted, m.Delivers || l.Apart
}

// LabelExpected begins the text that says which label was expected and what was found instead.
const LabelExpected = "expected label "

// whyLabel returns a text with the expected label and what was found. If the answer gives no label or two, and the case
// has no `label_in`, the text suggests `label_in`.
func (m *measurement) whyLabel(l label.Result) (why string) {
	why = LabelExpected + strconv.Quote(m.Labels.Expected) + ", got "
	switch {
	case l.Status == label.StatusTwoLabels:
		why += "two labels and no verdict (" + strings.Join(l.Found, ", ") + ")"
	case l.Predicted != "":
		return why + strconv.Quote(l.Predicted)
	case m.LabelIn != nil:
		return why + "none in " + m.LabelIn.Where
	default:
		why += "none"
	}
	if m.LabelIn == nil {
		why += "; `label_in` can say where the label stands"
	}
	return why
}

func (m *measurement) completeness() {
	switch {
	case len(m.Facts) > 0:
		m.Metrics = append(m.Metrics, m.covered(m.Facts, "key facts"))
	case len(m.Sentences) > 0:
		x := m.covered(m.Sentences, "sentences of the expected answer")
		x.Facts = nil // these are not the suite's facts
		m.Metrics = append(m.Metrics, x)
		m.warn(WarnNoFacts)
	}
}

func (m *measurement) grounding() {
	if !m.grounded() {
		return
	}
	if blank(m) {
		m.Metrics = append(m.Metrics, Metric{Name: Grounding, Weight: GroundingWeight,
			Description: "the answer is empty"})
		return
	}
	found := m.ground()
	m.Metrics = append(m.Metrics, found.metric())
	if len(found.unsupported) > 0 {
		m.warn(WarnUnsupported)
	}
}

// jaccard adds the diagnostic metric of shared words if there is an expected answer. Its weight is 0.
func (m *measurement) jaccard() {
	if m.Reference == "" || m.Plan.Accuracy == "" {
		return
	}
	if m.shared == nil {
		m.shared = new(likeness.Jaccard(m.Reference, m.linked))
	}
	m.Metrics = append(m.Metrics, Metric{Name: DiagnosticJaccard, Value: *m.shared, Weight: JaccardWeight,
		Description: "the share of words that answer and expected answer share"})
}
