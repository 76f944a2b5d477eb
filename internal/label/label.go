// Package label finds which of the labels that a case allows an English answer settles on, how clearly it does so, and
// whether the label is the expected one. It knows no metric and no suite.
//
// The decision is a line of small steps. An answer becomes tokens with their lines, sentences and clauses (token.go,
// text.go). Every place that names a label becomes a mention (mention.go, sense.go), with the effects of the words
// around it (around.go) and the list that it stands in (list.go). Each mention gets one stance from its words
// (stance.go), the layout (layout.go) and the cues (cue.go). The highest stance decides (decision.go). Constructions
// are rows of tables (construction.go) that share lists of words (words.go).
package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// Result is the label accuracy of an answer and how it came about.
type Result struct {
	Value       float64 // 1 if the label is right, 0.7 if it is unclear and may be right, else 0
	Status      string  // one of the statuses below; "" if none applies
	Description string  // one sentence, which may quote the answer
	Predicted   string  // the label the answer settles on, as the case writes it; "" if none
	Hedged      bool
	StandsAlone bool     // Predicted is not hedged and stands alone: after a key, on a line, in bold, or at the start
	Found       []string // the labels that the answer settles on; several if it does not decide
}

// Statuses of a result.
const (
	StatusNoLabel   = "no_label"
	StatusHedged    = "hedged"
	StatusTwoLabels = "two_labels"
)

// Values of label accuracy.
const (
	valueRight   = 1.0
	valueUnclear = 0.7
	valueWrong   = 0.0
)

// Read returns the label that answer gives to question, compared with the expected one.
func Read(s *Set, question, answer string) Result {
	return s.Find(question, question, s.ParseAnswer(answer))
}

// ParseAnswer returns the parsed answer for Find. It leaves out the middle of an answer that is longer than MaxBytes. A
// name with a symbol in it, such as the label C++, is one word.
func (s *Set) ParseAnswer(answer string) *english.Text {
	return english.ParseWith(text.CutMiddle(answer, MaxBytes/2, MaxBytes/2), s.Vocabulary)
}

// Find compares the label that the answer gives with the expected one. The value is 1 if the label is right, 0.7 if it
// is right but unclear, and 0 otherwise. A label is unclear if it is hedged, or one of several.
//
// caseText is the case's own text, and prompt is the whole prompt. Both explain options and keys. The prompt is read
// only if the answer is not sure with caseText alone. A sentence that the answer repeats from one of these texts counts
// as the answer's own.
func (s *Set) Find(caseText, prompt string, answer *english.Text) Result {
	words := tokensOf(answer)
	if r := s.find(caseText, answer, words); caseText == prompt || r.sure() {
		return r
	}
	return s.find(prompt, answer, words)
}

// find does the work of Find for an answer, which has these words, with one text, asked, that explains its options and
// keys.
func (s *Set) find(asked string, answer *english.Text, words tokens) Result {
	question := s.ParseAnswer(asked)
	asking := s.read(question, tokensOf(question), map[string]int{})
	r := s.read(answer, words, asking.options)
	r.question = question
	v := r.decide()
	out := s.result(v)
	out.StandsAlone = out.sure() && slices.ContainsFunc(r.mentions, func(m mention) bool {
		return m.label == v.labels[0] && m.stance > unsaid && r.standsAlone(&m)
	})
	return out
}

// sure reports whether the answer settles on one label without a hedge.
func (r *Result) sure() bool { return r.Predicted != "" && !r.Hedged }

// result compares the labels of the answer's verdict with the expected label.
func (s *Set) result(v verdict) Result {
	out := Result{Hedged: v.hedged, Value: valueWrong}
	for _, l := range v.labels {
		out.Found = append(out.Found, s.labels[l].name)
	}
	if len(v.labels) == 1 {
		out.Predicted = out.Found[0]
	}
	unclear, given := valueUnclear, ", the answer gives "+out.Predicted
	switch {
	case len(v.labels) == 0:
		out.Status, given = StatusNoLabel, ", no label found in the answer"
	case len(v.labels) > 1:
		out.Status, given = StatusTwoLabels, ", the answer gives "+strings.Join(out.Found, " and ")
	case v.hedged:
		given = ", the answer hedges " + out.Predicted
	default:
		unclear = valueRight
	}
	if slices.Contains(v.labels, s.expected) {
		if out.Value = unclear; out.Status == "" && v.hedged {
			out.Status = StatusHedged
		}
	}
	out.Description = "label " + s.Expected + " expected" + given
	return out
}
