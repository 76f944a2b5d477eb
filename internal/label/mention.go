package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// mention is one place where an answer names a label.
type mention struct {
	at, end int // token indices
	start   int // of the words of denial that belong to it
	label   int
	denials int
	within  int    // denials that "fully" reaches over: one in "fully non-compliant", none in "not fully compliant"
	how     effect // what the constructions around it come to
	implied bool   // only as what is left over: "not an emergency", of Emergency and Routine

	asserted bool // said of the thing in question: no condition, duty, question or list of choices
	listed   bool // one of the choices in "compliant or non-compliant"
	negated  bool
	words    stance // by the words around it alone
	stance   stance
	cue      int // the place of what announces it; mentions with one are settled together
}

func (m *mention) is(e effect) bool { return m.how&e != 0 }

// mentionAt reads the label at i: by its own words, by the name of an option that stands for it, or by "the latter".
func (r *reading) mentionAt(i int) (mention, bool) {
	t := &r.tokens[i]
	if !t.word || t.struck {
		return mention{}, false
	}
	var cores [][]string
	first := t.text
	if r.set.mayName(t) {
		cores, first = r.set.cores, r.set.lemma(first)
	}
	for _, core := range cores {
		if flipped, ok := r.matches(i, first, core); ok && r.stands(i, core) {
			m := r.around(i, i+len(core))
			r.deny(&m, i, flipped)
			m.label, m.implied = r.set.resolve(core, &m)
			return m, true
		}
	}
	if label, ok := r.options[t.text]; ok && !t.signed && r.chosen(i) {
		m := r.around(i, i+1)
		if m.label = label; m.denials%2 == 1 {
			m.label = r.set.other(label)
		}
		return m, true
	}
	return r.latter(i)
}

// deny adds the denials of a label's own words, and that of the label before it.
func (r *reading) deny(m *mention, i int, flipped bool) {
	if flipped {
		m.denials++
		m.within++
	} else if m.start == i && labelNegations[r.text(i-1)] && !r.sameClause(i-1, i) { // "Not given": "given" may begin a clause
		m.denials++
		m.start--
	}
	if m.denials == 0 && r.alsoDenied(m.start) {
		m.denials++
	}
}

// latter reads "the latter" of two labels.
func (r *reading) latter(i int) (mention, bool) {
	if n := len(r.mentions); r.text(i) == "latter" && r.text(i-1) == "the" && n > 1 {
		m := r.around(i, i+1)
		m.label = r.mentions[n-1].label
		return m, true
	}
	return mention{}, false
}

// other is the label that is left where one is denied; none if there are several.
func (s *Set) other(label int) int {
	if len(s.labels) != 2 {
		return none
	}
	return 1 - label
}

// alsoDenied reports a label that "or" joins to one which is denied: "not a bug or a question". A label that is a denial
// by name denies nothing else.
func (r *reading) alsoDenied(at int) bool {
	if !r.prior.negated || r.set.isNegative(r.prior.label) {
		return false
	}
	or, plain := false, 0 // "or plain C"
	out := r.wordAt(r.prior.start-1, "out", "exclude", "excludes")
	for _, t := range r.tokens[r.prior.end:max(r.prior.end, at)] {
		if or = or || t.text == "or" || out && t.text == "and"; out && t.text == "and" { // "that rules out A and B"
			continue
		}
		if or && t.word && !english.FunctionWords[t.text] {
			plain++
		} else if !links[t.text] {
			plain = 2
		}
		if plain > 1 || t.sentence != r.tokens[at].sentence {
			return false
		}
	}
	return or
}

// isNegative reports a label that denies by its name.
func (s *Set) isNegative(label int) bool { return label != none && s.labels[label].negative }

// matches reports whether core stands at i, where first is the lemma; flipped if its first word carries "non" in front of it.
func (r *reading) matches(i int, first string, core []string) (flipped, ok bool) {
	if i+len(core) > len(r.tokens) {
		return false, false
	}
	for k, want := range core {
		t := &r.tokens[i+k]
		if !t.word || t.struck || t.signed || t.sentence != r.tokens[i].sentence {
			return false, false
		}
		got := first
		if k > 0 {
			got = r.set.lemma(t.text)
		}
		switch {
		case got == want, k == 0 && len(core) == 1 && r.inflects(i, want):
		case k == 0 && r.set.denies(t, want):
			flipped = true
		default:
			return false, false
		}
	}
	return flipped, true
}

// inflects reports a verb in the form of what is done, or of what is advised: "should be escalated", "I recommend escalating".
func (r *reading) inflects(i int, verb string) bool {
	word := r.tokens[i].text
	return (done[r.text(i-1)] || r.framed(bare, i, i+1) != nil) && participle(word, verb) || urged[r.text(i-1)] && gerund(word, verb)
}

func gerund(word, verb string) bool {
	stem, ok := strings.CutSuffix(word, "ing")
	return ok && (stem == verb || stem+"e" == verb || stem == verb+verb[len(verb)-1:])
}

// participle reports the form of a verb for what is done to a thing: escalated, denied.
func participle(word, verb string) bool {
	stem, ok := strings.CutSuffix(word, "d")
	return ok && (stem == verb || stem == verb+"e" || strings.HasSuffix(verb, "y") && stem == verb[:len(verb)-1]+"ie")
}

// resolve turns a core and what stands around it into a label, which may only be implied.
func (s *Set) resolve(core []string, m *mention) (label int, implied bool) {
	negative := m.denials%2 == 1
	if negative && m.is(ousts) && len(s.labels) > 2 {
		return none, false
	}
	if m.is(completes) && m.denials > m.within {
		for i, l := range s.labels {
			if len(l.core) == len(core)+1 && degree[l.core[0]] && slices.Equal(l.core[1:], core) {
				return i, false // "not fully compliant" is partially compliant, where there is such a label
			}
		}
	}
	return s.pick(core, negative)
}
