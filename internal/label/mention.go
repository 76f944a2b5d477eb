package label

import (
	"slices"
	"strings"
)

// mention is one place where an answer names a label.
type mention struct {
	at, end int // token indices
	start   int // of the words of denial that belong to it
	label   int
	denials int
	how     effect // what the constructions around it come to
	implied bool   // only as what is left over: "not an emergency", of Emergency and Routine

	asserted bool   // said of the thing in question: no condition, duty, question or list of choices
	listed   bool   // one of the choices in "compliant or non-compliant"
	words    stance // by the words around it alone
	stance   stance
	cue      int // the place of what announces it; mentions with one are settled together
}

func (m *mention) is(e effect) bool { return m.how&e != 0 }

// sure reports a label that is said without a doubt.
func (m *mention) sure() bool { return m.asserted && !m.is(hedges) }

func (m *mention) negated() bool { return m.denials%2 == 1 }

// mentions finds the labels that an answer names, with what stands around each.
func (r *reading) find() {
	for i := 0; i < len(r.tokens); i++ {
		m, ok := r.mentionAt(i)
		if !ok {
			continue
		}
		m.asserted = !m.is(unsays)
		if i, r.prior = m.end-1, m; m.label != none {
			r.mentions = append(r.mentions, m)
		}
	}
}

// mentionAt reads the label at i: by its own words, by the name of an option that stands for it, or by "the latter".
func (r *reading) mentionAt(i int) (mention, bool) {
	t := &r.tokens[i]
	if !t.word || t.struck {
		return mention{}, false
	}
	if r.set.mayName(t) {
		first := r.set.lemma(t.text)
		for _, core := range r.set.cores {
			if flipped, ok := r.matches(i, first, core); ok && r.stands(i, core) {
				m := r.around(i, i+len(core))
				r.deny(&m, flipped)
				m.label, m.implied = r.set.resolve(core, &m)
				return m, true
			}
		}
	}
	label, named := r.options[t.text]
	switch n := len(r.mentions); {
	case named && !t.signed && chosen(r.tokens, i):
	case n > 1 && t.text == "latter" && r.tokens.text(i-1) == "the":
		label = r.mentions[n-1].label
	default:
		return mention{}, false
	}
	m := r.around(i, i+1)
	if m.label = label; m.negated() {
		m.label = r.set.other(label)
	}
	return m, true
}

// matches reports whether core stands at i, where first is the lemma; flipped if its first word denies that of the core.
func (r *reading) matches(i int, first string, core []string) (flipped, ok bool) {
	if i+len(core) > len(r.tokens) {
		return false, false
	}
	for k, want := range core {
		t := &r.tokens[i+k]
		if !t.word || t.struck || t.signed || t.sentence != r.tokens[i].sentence {
			return false, false
		}
		if k > 0 {
			first = r.set.lemma(t.text)
		}
		switch {
		case first == want, len(core) == 1 && inflects(r.tokens, i, want):
		case k == 0 && r.set.denies(t, want):
			flipped = true
		default:
			return false, false
		}
	}
	return flipped, true
}

// inflects reports a verb in the form of what is done, or of what is advised: "should be escalated", "I recommend escalating".
func inflects(t tokens, i int, verb string) bool {
	word := t.text(i)
	return participle(word, verb) && (t.is(i-1, done) || t.framed(bare, i, i+1) != nil) || t.is(i-1, urged) && gerund(word, verb)
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

// deny adds the denials of a label's own words, and that of the label before it.
func (r *reading) deny(m *mention, flipped bool) {
	switch t := r.tokens; {
	case flipped:
		m.denials++
	case m.start == m.at && in(t.text(m.at-1), labelNegations) && !t.sameClause(m.at-1, m.at):
		m.denials++ // "Not given", where "given" begins a clause
		m.start--
	}
	if m.denials == 0 && r.alsoDenied(m.start) {
		m.denials++
	}
}

// alsoDenied reports a label that "or" joins to one which is denied, "not a bug or a question", or "and" to one that is ruled
// out. A label that is a denial by name denies nothing else.
func (r *reading) alsoDenied(at int) bool {
	t, p := r.tokens, &r.prior
	if !p.negated() || p.label != none && r.set.labels[p.label].negative || !t.sameSentence(p.end-1, at) {
		return false
	}
	joined, plain := false, 0 // "or plain C"
	out := t.wordAt(p.start-1, "out", "exclude", "excludes")
	for i := p.end; i < at; i++ {
		switch and := out && t[i].text == "and"; {
		case and || t[i].text == "or":
			joined = true
		case joined && t[i].word && !t.common(i):
			plain++
		case !t.is(i, links):
			return false
		}
	}
	return joined && plain <= 1
}

// resolve turns a core and what stands around it into a label, which may only be implied.
func (s *Set) resolve(core []string, m *mention) (label int, implied bool) {
	if m.is(partly) {
		for i, l := range s.labels {
			if len(l.core) == len(core)+1 && in(l.core[0], degree) && slices.Equal(l.core[1:], core) {
				return i, false // "not fully compliant" is partially compliant, where there is such a label
			}
		}
	}
	return s.pick(core, m.negated())
}
