// Package label reads which label an answer gives: in go the labels that a case allows and an answer, out come the one that it settles
// on, how, and whether it is the expected one. It knows no metric and no suite. English.
//
// An answer becomes tokens with their lines, sentences and clauses (token.go); every place that names a label becomes a mention (mention.go,
// sense.go), with what the constructions around it come to (manner.go) or the list that it stands in (list.go); each mention has one stance by its words,
// by the layout and by what announces it (stance.go, layout.go, cue.go); and the highest stance decides (decision.go). Constructions are rows of
// tables (construction.go) that share lists of words (words.go).
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
	Apart       bool     // one label is given for sure, and by itself: where it has to stand, behind a key, on a line, in bold, at the very beginning
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
	return s.Find(question, question, s.Text(answer))
}

// Text is an answer read for Find; of one beyond MaxBytes the middle is left out.
func (s *Set) Text(answer string) *english.Text {
	return english.ReadWith(middleCut(answer), s.Vocabulary)
}

// Find is Read for an answer that has been read, with the names of the set's Vocabulary, for a case's own words and all that it is asked, the prompt
// around them. Where the answer settles on a label by itself, no prompt turns it. Where it does not, the prompt says what the options and keys mean that
// the answer names; a sentence that it repeats of the prompt is its own.
func (s *Set) Find(own, asked string, answer *english.Text) Result {
	words := tokenise(s.Vocabulary, own)
	if r := s.find(words, words, answer); own == asked || r.Predicted != "" && !r.Hedged {
		return r
	}
	return s.find(words, tokenise(s.Vocabulary, asked), answer)
}

// find is Find for what the answer may echo, and for what says what its options and keys mean.
func (s *Set) find(echoed, asked []token, answer *english.Text) Result {
	said := tokensOf(answer)
	options := s.options(said)
	maps.Copy(options, s.options(asked)) // the question's names come first
	r := s.readWith(s.maskEcho(said, echoed), options)
	r.question = asked
	v, final := r.decide()
	if final {
		r.contradict(&v)
	}
	v.hedged = v.hedged || r.retracted > v.at
	var found []string
	for _, m := range r.mentions {
		if name := s.labels[m.label].name; (m.asserted || m.listed) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	out := s.result(found, v, final)
	out.Apart = out.sure() && slices.ContainsFunc(r.mentions, func(m mention) bool { return m.label == v.labels[0] && m.stance > unsaid && r.apart(&m) })
	return out
}

// sure reports one label that is given without a doubt.
func (r *Result) sure() bool { return r.Predicted != "" && !r.Hedged }

// result holds what the answer settles on against the expected label.
func (s *Set) result(found []string, v verdict, final bool) Result {
	out := Result{Final: final && len(v.labels) == 1, Hedged: v.hedged, Found: found, Value: valueWrong}
	if len(v.labels) == 1 {
		out.Predicted = s.labels[v.labels[0]].name
	}
	unclear, given := valueUnclear, "gives "+out.Predicted
	switch {
	case len(v.labels) == 0:
		out.Status = StatusNoLabel
	case len(v.labels) > 1:
		out.Status, given = StatusTwoLabels, "gives "+strings.Join(found, " and ")
	case v.hedged:
		given = "hedges " + out.Predicted
	default:
		unclear = valueRight
	}
	if slices.Contains(v.labels, s.expected) {
		if out.Value = unclear; out.Status == "" && v.hedged {
			out.Status = StatusHedged
		}
	}
	want := "the expected label"
	if s.expected != none {
		want = "label " + s.labels[s.expected].name
	}
	if out.Description = want + " expected, the answer " + given; out.Status == StatusNoLabel {
		out.Description = want + " expected, no label found in the answer"
	}
	return out
}

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	tokens    []token
	question  []token
	asked     map[string]bool // words of the question; made when first needed
	mentions  []mention
	prior     mention        // the last one, which may be denied and leave no label over
	retracted int            // the last place where something is taken back and nothing put in its place
	options   map[string]int // labels by the names that the question, or the answer, gives them
}

func (s *Set) read(tokens []token) *reading { return s.readWith(tokens, nil) }

func (s *Set) readWith(tokens []token, options map[string]int) *reading {
	r := &reading{set: s, tokens: tokens, options: options}
	r.doubts()
	for i := 0; i < len(tokens); i++ {
		m, ok := r.mentionAt(i)
		if !ok {
			continue
		}
		m.negated, m.asserted = m.denials%2 == 1, !m.is(unsays)
		if i, r.prior = m.end-1, m; m.label != none {
			r.mentions = append(r.mentions, m)
		}
	}
	r.markLists()
	r.settleRows()
	r.setAside()
	r.hedgeImplied()
	return r
}

// hedgeImplied takes what is only implied for hedged, unless it is said as well.
func (r *reading) hedgeImplied() {
	said := make([]bool, len(r.set.labels))
	for _, m := range r.mentions {
		said[m.label] = said[m.label] || m.asserted && !m.implied
	}
	for i := range r.mentions {
		if m := &r.mentions[i]; m.implied && !said[m.label] {
			m.how |= hedges
		}
	}
}

// text is the word or mark at a place, "" outside of the answer.
func (r *reading) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].text
}

func (r *reading) wordAt(i int, any ...string) bool {
	return r.word(i) && slices.Contains(any, r.tokens[i].text)
}

func (r *reading) word(i int) bool { return i >= 0 && i < len(r.tokens) && r.tokens[i].word }

func (r *reading) skipMarks(i int) int {
	for i < len(r.tokens) && !r.tokens[i].word {
		i++
	}
	return i
}

// sentenceEnd returns the end of the sentence that the first word from i on belongs to.
func (r *reading) sentenceEnd(i int) int {
	if i = r.skipMarks(i); i < len(r.tokens) {
		return min(int(r.tokens[i].sentence.to), i+verdictReach)
	}
	return i
}

// within returns the mentions between two places.
func (r *reading) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.end - 1 - at })
	for i := first; i < len(r.mentions) && r.mentions[i].end <= to; i++ {
		out = append(out, &r.mentions[i])
	}
	return out
}

// clauseStart finds the first word of the clause that i is in; one far away is not looked for.
func (r *reading) clauseStart(i int) int { return r.clauseFrom(i, verdictReach) }

func (r *reading) clauseFrom(i, reach int) int { return max(int(r.tokens[i].clause.from), i-reach, 0) }

func (r *reading) sentenceFrom(i, reach int) int {
	return max(int(r.tokens[i].sentence.from), i-reach, 0)
}
