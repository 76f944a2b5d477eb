package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	text      *english.Text
	tokens    tokens
	mentions  mentions
	options   map[string]int // labels by the names of options, such as B, that the question or the answer gives them
	question  *english.Text
	retracted int     // index of the last word that takes something back and puts nothing in its place
	prior     mention // the last mention that find read, even if it is denied and means no label
}

// read returns a text, which has these words, with the labels that it names, and with the effects of the words and
// lists around each label. options are labels by the names of options; those that the text names are added.
func (s *Set) read(text *english.Text, words tokens, options map[string]int) *reading {
	r := &reading{set: s, text: text, question: &english.Text{}, tokens: words, options: options}
	r.find()
	r.mentions.markLists(s, words)
	r.mentions.settleRows(words)
	return r
}

// nameOption notes the letter or number that the text gives to the label m: "A) Compliant", "2. Non-Compliant". A name
// with two labels means none.
func (a *reading) nameOption(m *mention) {
	t, i := a.tokens, m.start-1
	for i >= 0 && !t[i].word && t[i].text != "\n" && t[i].text != "?" {
		i--
	}
	name := t.text(i)
	if !t.word(i) || i == m.start-1 || len(name) != 1 || name > "h" || a.set.opens(name) {
		return
	}
	if old, ok := a.options[name]; ok && old != m.label {
		a.options[name] = none
		return
	}
	a.options[name] = m.label
}

// mentions are the mentions of labels in a text, in order.
type mentions []mention

// within returns the mentions in tokens[from:to].
func (ms mentions) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(ms, from+1, func(m mention, i int) int { return m.end - i })
	for i := first; i < len(ms) && ms[i].end <= to; i++ {
		out = append(out, &ms[i])
	}
	return out
}
