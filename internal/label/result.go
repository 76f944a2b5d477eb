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

// attributed reports what somebody else calls it: "the customer called it critical".
func (r *reading) attributed(m mention) bool {
	if r.saidBy(m.end) || r.wordAt(m.start-1, "as", "a", "an") && (r.wordAt(m.start-2, touted...) || r.wordAt(m.start-3, touted...)) {
		return true
	}
	for i := m.start - 1; i > max(0, m.start-wideWords) && r.sameClause(i-1, m.start); i-- {
		by, w := r.tokens[i-1].text, r.tokens[i].text
		somebody := !english.FunctionWords[by] || r.wordAt(i-1, "he", "she", "they", "you", "one")
		if somebody && (calls[w] || m.start-i == 2 && r.wordAt(i+1, "it", "this") && !english.FunctionWords[w] && !transparent[w] && !makes[w] && !evident[w] && !changes[w]) {
			return !r.saysSo(r.clauseStart(i), i) // "is best described as"
		}
	}
	return false
}

// Words before "it is" that leave no doubt that it is.
var evident = english.Set("shows show means proves confirms indicates demonstrates suggests clear certain obvious evident fact doubt sure confident say conclude given because since as so")

// saidBy reports what ends the clause at i and is somebody else's words: "low, says the vendor", "\"deny it,\" she noted".
func (r *reading) saidBy(i int) bool {
	for end := i + 3; i > 0 && i < min(len(r.tokens), end) && r.tokens[i].word && r.tokens[i].clause == r.tokens[i-1].clause; {
		i++
	}
	next := r.skipMarks(i)
	by := func(i int) bool { return r.wordAt(i, "says", "said", "noted", "wrote", "claims") }
	return next > i && next < len(r.tokens) && r.tokens[next].sentence == r.tokens[i-1].sentence && !r.wordAt(next, "i", "we") && (by(next) || by(next+1) || by(next+2))
}

var touted = []string{"billed", "touted", "marketed", "advertised", "sold", "posing", "dressed"}

var calls = english.Set("expect expects expected billed calls called guess guessed named assume assumes assumed believe believes believed think thinks thought describes described mentions mentioned flags flagged tags tagged marks marked lists listed scores scored labels labelled labeled rates rated says said considers considered asks asked wants wanted requests requested quotes quoted cites cited noted notes insists insisted maintains maintained argues argued swears")

// ofStatement reports "it is true that …", which judges what it goes on to say, and "that is right: …", which agrees.
func (r *reading) ofStatement(m mention) bool {
	if !r.wordAt(m.start-1, "is") || m.end == len(r.tokens) {
		return false
	}
	return r.wordAt(m.end, "that") && r.wordAt(m.start-2, "it") || r.tokens[m.end].text == ":" && r.wordAt(m.start-2, "that")
}

// without drops the mentions that are beside the point, unless all are.
func without(said []mention, aside func(mention) bool) []mention {
	if len(said) < 2 || !slices.ContainsFunc(said, aside) {
		return said
	}
	if left := slices.DeleteFunc(slices.Clone(said), aside); len(left) > 0 {
		return left
	}
	return said
}

// ofConfidence reports a label that says how sure the answer is: "my confidence is high", "with high confidence".
func (r *reading) ofConfidence(m mention) bool {
	if r.wordAt(m.end, "confidence", "certainty", "probability", "likelihood") {
		return true
	}
	i := m.start - 1
	for r.sameSentence(i, m.start) && (copulas[r.tokens[i].text] || degree[r.tokens[i].text] || r.wordAt(i, "very", "fairly", "quite")) {
		i--
	}
	return i < m.start-1 && r.sameSentence(i, m.start) && r.wordAt(i, "confidence", "certainty", "probability", "likelihood")
}

// explained returns the place of the colon behind a label: "both: IT for the logs and OT for the pumps"; else a place
// behind all.
func (r *reading) explained(m mention) int {
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
func (r *reading) itself(m mention) bool {
	l := r.set.labels[m.label]
	return slices.ContainsFunc(r.set.words(l.name), func(w string) bool { return w == r.tokens[m.end-1].text || participle(r.tokens[m.end-1].text, w) })
}

// conditional reports a label behind "whether" or in a question, which says nothing at all.
func (r *reading) conditional(m mention) bool {
	if r.tokens[m.start].asks {
		return true
	}
	for i := m.start - 1; i >= max(0, m.start-verdictReach) && r.tokens[i].sentence == r.tokens[m.start].sentence; i-- {
		if r.wordAt(i, "whether", "if", "none", "neither") || r.tokens[i].denial && choices[r.tokens[i+1].text] {
			return true
		}
	}
	return false
}

// Verbs of a choice that is not made: "I cannot pick between high and low".
var choices = english.Set("pick choose decide select tell say determine distinguish")

var unsurePhrases = table(rows{text: `it depends; can not determine|say|tell; can not be determined; not enough information; insufficient information; hard to say; i am not sure;
	none of the options|labels|categories|choices; no conclusion can`})

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
