// Package label reads which label an answer gives: in go the labels that a case allows and an answer, out come the one that it settles
// on, how, and whether it is the expected one. It knows no metric and no suite. English.
package label

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Result is label accuracy (document 002, step 2) and how it came about.
type Result struct {
	Value       float64 // 1 if the label is right, 0.7 if it is unclear and may be right, else 0
	Status      string  // one of those below; "" where nothing is to be said
	Description string  // in a sentence; it may quote the answer
	Predicted   string  // the label the answer settles on, as the case writes it; "" if none
	Final       bool    // it does so in so many words: a verdict line, JSON, a conclusion, a correction, bold
	Hedged      bool
	Found       []string // every label the answer gives, in order of first mention
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

// Read finds the label that answer gives and holds it against the expected one: 1 if it is right, 0.7 if it is right but hedged
// or if two labels are given without a final verdict and one of them is right, else 0. Without any label it is 0 with
// the status no_label. What the answer repeats of question is not its own. Of an answer beyond MaxBytes the middle is left out.
func Read(s *Set, question, answer string) Result {
	return s.Find(question, english.ReadWith(middleCut(answer), s.Vocabulary))
}

// Find is Read for an answer that has been read, with the names of the set's Vocabulary.
func (s *Set) Find(question string, answer *english.Text) Result {
	asked, said := tokenise(s.Vocabulary, question), tokensOf(answer)
	options := s.options(said)
	maps.Copy(options, s.options(asked)) // the question's names come first
	r := s.readWith(s.maskEcho(said, asked), options)
	r.question = asked
	v, final := r.decide()
	if final {
		v = r.contradicted(v)
		v.hedged = v.hedged || r.retracted > v.at
	}
	return s.result(s.names(r.mentions), v, final)
}

// explained returns the place of the colon behind a label: "both: IT for the logs and OT for the pumps"; else a place
// behind all.
func (r *reading) explained(m *mention) int {
	if m.end < len(r.tokens) && r.tokens[m.end].text == ":" {
		return m.end
	}
	return len(r.tokens) - 1
}

var grounds = english.Set("reason reasons reasoning rationale justification explanation because evidence why basis")

// reasons returns the place of the first "Reasons:" from a place on, or one behind all.
func (r *reading) reasons(from int) int {
	for i := from; i+1 < len(r.tokens); i++ {
		if r.tokens[i+1].text == ":" && grounds[r.tokens[i].text] {
			return i
		}
	}
	return len(r.tokens)
}

// itself reports a label in its own words, which as a duty is what to do: "deny" is, "comply" for Compliant is not.
func (r *reading) itself(m *mention) bool {
	l := r.set.labels[m.label]
	return slices.ContainsFunc(r.set.words(l.name), func(w string) bool { return w == r.tokens[m.end-1].text || participle(r.tokens[m.end-1].text, w) })
}

var unsurePhrases = table(when(passes, `it depends; can not determine|say|tell; can not be determined; not enough information; insufficient information; hard to say; i am not sure;
	none of the options|labels|categories|choices; no conclusion can`))

func (r *reading) unsure() bool {
	for i := range r.tokens {
		if r.tokens[i].word && r.phrase(unsurePhrases, i) > 0 && !slices.ContainsFunc(r.mentions, func(m mention) bool { return i >= m.start && i < m.end }) {
			return true
		}
	}
	return false
}

func (s *Set) result(found []string, v verdict, final bool) Result {
	out := Result{Final: final && len(v.labels) == 1, Hedged: v.hedged, Found: found}
	out.Value, out.Status = s.judge(v)
	if len(v.labels) > 0 && out.Status != StatusTwoLabels {
		out.Predicted = s.labels[v.labels[len(v.labels)-1]].name
	}
	out.Description = s.describe(v, out)
	return out
}

func (s *Set) judge(v verdict) (value float64, status string) {
	right := slices.Contains(v.labels, s.expected)
	switch {
	case len(v.labels) == 0:
		return valueWrong, StatusNoLabel
	case len(v.labels) > 1 && right:
		return valueUnclear, StatusTwoLabels
	case len(v.labels) > 1:
		return valueWrong, StatusTwoLabels
	case right && v.hedged:
		return valueUnclear, StatusHedged
	case right:
		return valueRight, ""
	}
	return valueWrong, ""
}

func (s *Set) names(ms []mention) []string {
	var out []string
	for _, m := range ms {
		if name := s.labels[m.label].name; (m.asserted || m.listed) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (s *Set) describe(v verdict, r Result) string {
	want := "the expected label"
	if s.expected != none {
		want = "label " + s.labels[s.expected].name
	}
	switch {
	case len(v.labels) == 0:
		return want + " expected, no label found in the answer"
	case len(v.labels) > 1:
		return want + " expected, the answer gives " + strings.Join(r.Found, " and ")
	case v.hedged:
		return want + " expected, the answer hedges " + r.Predicted
	}
	return want + " expected, the answer gives " + r.Predicted
}
