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
	MethodLabel    = "label"       // read where the suite says that it stands
	MethodGuess    = "label_guess" // looked for in the whole answer
	MethodSemantic = "semantic"
	MethodLexical  = "lexical_fallback"
)

// MethodJudge is the method of the metric rubric: a model says whether each criterion is met.
const MethodJudge = "judge"

// Warnings of a measurement.
const (
	WarnUnavailable = "semantic_unavailable"
	WarnUnsupported = "unsupported_obligation"
	WarnNoReference = "expected_response_missing"
	WarnNotALabel   = "label_not_listed"
	WarnBelowFloor  = "score_below_grounding_floor"
	WarnNeedsReview = "needs_review"
	// of an answer that passes: what its case forbids may have come behind the cut
	WarnCut      = "cut_before_the_end"
	StatusCapped = "capped"
)

// Expected is what the answers to one case are measured against. It is read only.
type Expected struct {
	Plan      Plan
	Labels    *label.Set   // nil: no label is expected
	LabelIn   *label.In    // where the label stands; nil: it is looked for
	OffLabel  bool         // the expected label is none that the case allows
	Reference string       // the expected answer; "" if there is none
	Facts     []*fact.Fact // key facts
	Sentences []*fact.Fact // of the expected answer, where there are no key facts
	Forbidden []*fact.Claim
	Allowed   []string // regulatory terms
	Prompt    string   // what was asked, all messages
	Question  string   // its last message, whose options and keys an answer may name
	Own       string   // what of it the case says itself, which an answer may echo
}

// Settings are the figures of a run that measurements depend on.
type Settings struct {
	UnclearScore     float64          // of an answer without a label
	CountUnsupported bool             // unsupported obligations are violations, not only a warning
	Corpus           *likeness.Corpus // of the case's suite; nil: what is known of English alone

	// Compare compares two texts by meaning, and is false where it cannot; nil: nothing can. Model is its fingerprint.
	Compare func(expected, answer string) (Likeness, bool)
	Model   string

	Judged map[string]Verdict // of a judge, on key facts that are not found
}

// Verdict is what a judge said of a key fact. Why may quote the answer.
type Verdict struct {
	Said bool
	Why  string
}

// AnswerMetrics is what was measured of one answer.
type AnswerMetrics struct {
	Metrics  []Metric // in the order of MetricNames
	Warnings []string
	Why      string   // of label accuracy: what was found; "" for others
	Label    string   // of label accuracy: the label that the answer settles on; "" for none
	Stated   []string // the forbidden claims that the answer states, as the case has them
	// what was asked for came: a label for sure and by itself, right or wrong, or the expected answer word for word
	Delivers bool
}

// Degraded reports an accuracy that only stands in for another one.
func (m AnswerMetrics) Degraded() bool {
	return slices.ContainsFunc(m.Metrics, func(x Metric) bool { return x.Degraded })
}

// Content is the weighted mean without grounding, and false where nothing else has a weight.
func (m AnswerMetrics) Content() (float64, bool) {
	var mean Mean
	for _, x := range m.Metrics {
		if x.Name != Grounding {
			mean.Add(x.Value, x.Weight)
		}
	}
	return mean.Value()
}

// Ungrounded is the metric grounding where there is a violation; nil where there is none.
func (m AnswerMetrics) Ungrounded() *Metric {
	for i := range m.Metrics {
		if x := &m.Metrics[i]; x.Name == Grounding && x.Value < groundedScore {
			return x
		}
	}
	return nil
}

// Measure computes the metrics of the case's plan for a model's text. It measures the answer as a reader sees it;
// forbidden content is also looked for in hidden parts. A plan without metrics gives none.
func (e *Expected) Measure(sent string, s Settings) AnswerMetrics {
	m := e.measurement(sent, s)
	m.Delivers = m.Reference != "" && strings.TrimSpace(m.answer) == strings.TrimSpace(m.Reference)
	m.accuracy()
	m.completeness()
	m.grounding()
	m.jaccard()
	return m.AnswerMetrics
}

// ReadFacts reads what a model sent for the key facts, and takes no metric.
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

// Measures reports whether the plan asks for any metric of this case.
func (e *Expected) Measures() bool {
	return e.accuracyMethod() != "" || len(e.Facts)+len(e.Sentences) > 0 || e.grounded()
}

// Semantic reports whether the accuracy of this case is semantic.
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
	answer   string        // of sent, without the thoughts before it
	seen     string        // what a reader sees of answer, with its addresses only where labels are some
	linked   string        // seen, with the addresses that can be followed
	read     *english.Text // what is seen of answer and, below, of the expected answer; made when first needed
	followed *english.Text // linked; made when first needed
	wanted   *english.Text
	work     int // what looking for facts and claims took: see mostWork
	// the share of words that answer and the expected answer have in common, where likeness in words told it
	shared *float64
}

// text returns the visible answer, parsed once for all metrics, with the names of the labels, if there are labels.
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

// addressed is the answer with its addresses, for facts that name one.
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

// LabelExpected begins the description of an answer without the expected label, before anything else that is wrong.
const LabelExpected = "expected label "

// whyLabel names the expected label, and what was found. If the answer leaves it open, it adds that the suite can say
// where to look.
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
		x.Facts = nil // nobody wrote them as facts
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

// jaccard adds the diagnostic where there is something to compare with; its weight is 0.
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
