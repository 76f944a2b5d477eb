package label

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Set has the labels that an answer may have, and the expected one. It reduces each label to a core and a polarity, so
// that "Non-Compliant", "not compliant" and "does not comply" are one label. It is read-only.
type Set struct {
	Expected   string          // the expected label, as the case writes it
	Allowed    []string        // all allowed labels, as the case writes them
	Texts      []*english.Text // the labels of Allowed, parsed
	Vocabulary *english.Names  // names with which an answer must be parsed

	labels   []label
	lemmas   bool // inflections count as the same word: "complies" and "compliant"
	lettered bool // a label that is a single letter is an ordinary name, as C is if Java is a label too
	expected int  // index into labels
	cores    [][]string
	loud     map[string]bool // labels such as IT that, in lower case, are everyday words
}

type label struct {
	name     string
	words    []string // words of the name, in lower case
	core     []string
	negative bool
	opposite int // index of the label that denies this one, or none
}

// none is the index that means no label, no word or no token.
const none = -1

// New returns the set of the labels that a case allows. The expected label is one of them, unless the set is only read.
func New(expected string, labels []string) *Set {
	s := &Set{Expected: expected, Allowed: labels, lemmas: true, loud: map[string]bool{}}
	s.Vocabulary = english.NewNames(labels)
	_, _, collapsed := s.Indistinguishable()
	s.lemmas = !collapsed
	for _, name := range labels {
		s.Texts = append(s.Texts, english.Parse(name))
		l := label{name: name, words: s.words(name), opposite: none}
		if l.core, l.negative = s.reduce(l.words); len(l.core) > 0 && s.named(name) == none {
			s.labels = append(s.labels, l)
		}
	}
	s.expected = s.named(expected)
	for i := range s.labels {
		l := &s.labels[i]
		l.opposite = slices.IndexFunc(s.labels, func(o label) bool { return o.name != l.name && opposed(s, l, &o) })
		s.lettered = s.lettered || len(l.words) > 1 || len(l.words[0]) > 1
		if !slices.ContainsFunc(s.cores, func(core []string) bool { return slices.Equal(core, l.core) }) {
			s.cores = append(s.cores, l.core)
		}
		if w := l.core[0]; len(l.core) == 1 && english.FunctionWords[w] && !short[w] && english.IsAllCaps(l.name) {
			s.loud[w] = true
		}
	}
	// The longest core is tried first: "partially compliant" before "compliant".
	slices.SortStableFunc(s.cores, func(a, b []string) int { return len(b) - len(a) })
	return s
}

// HasAddress reports whether a label is the address of a page. Answers are then read with their addresses.
func (s *Set) HasAddress() bool {
	return slices.ContainsFunc(s.labels, func(l label) bool {
		return strings.Contains(l.name, "://") || strings.Contains(l.name, "www.")
	})
}

// named returns the index of the label with the given name, or none. It ignores letter case and punctuation.
func (s *Set) named(name string) int {
	words := s.words(name)
	return slices.IndexFunc(s.labels, func(l label) bool { return slices.Equal(l.words, words) })
}

// words returns the words of name, which is the name of a label. A name with a symbol in it, such as C++, is one word.
func (s *Set) words(name string) (w []string) {
	if text, ok := english.LiteralName(name); ok {
		return []string{english.NonBreaking(text)}
	}
	for _, t := range tokensOf(s.ParseAnswer(name)) {
		if t.word {
			w = append(w, t.text)
		}
	}
	return w
}

// reduce returns the lemmas of words, the words of a label, without a negation. negative reports whether there was one:
// "Does not apply" is the negative of "apply".
func (s *Set) reduce(words []string) (core []string, negative bool) {
	for _, w := range words {
		core = append(core, s.lemma(w))
	}
	if len(core) == 1 {
		if rest, ok := strings.CutPrefix(core[0], "non"); ok && len(rest) >= 4 {
			return []string{s.lemma(rest)}, true
		}
		return core, false
	}
	i := 0
	for i < len(core)-1 && english.Auxiliary[core[i]] {
		i++
	}
	if i < len(core)-1 && (core[i] == "no" || labelNegations[core[i]]) {
		return core[i+1:], true
	}
	return core, false
}

func (s *Set) lemma(word string) string {
	if l, ok := lemmas[word]; ok && s.lemmas {
		return l
	}
	return english.Spelling(word)
}

// opens reports whether the core of a label begins with word.
func (s *Set) opens(word string) bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return l.core[0] == word })
}

// Indistinguishable returns two allowed labels that cannot be told apart in an answer. If a label has no words to
// search for, Indistinguishable returns that label and "". ok is false if there is no such label.
func (s *Set) Indistinguishable() (a, b string, ok bool) {
	seen := map[string]string{}
	for _, name := range s.Allowed {
		core, negative := s.reduce(s.words(name))
		key := fmt.Sprint(negative, core)
		if len(core) == 0 {
			return name, "", true
		}
		if other, found := seen[key]; found {
			return other, name, true
		}
		seen[key] = name
	}
	return "", "", false
}

// otherOf returns the label other than label in a set of two. It returns none if the set has more or fewer labels.
func otherOf(s *Set, label int) int {
	if len(s.labels) != 2 {
		return none
	}
	return 1 - label
}

// opposed reports whether one of a and b denies the other: Safe and Unsafe, Pass and Fail.
func opposed(s *Set, a, b *label) bool {
	x, y := strings.Join(a.words, "_"), strings.Join(b.words, "_")
	return english.AreOpposites(x, y) || len(s.labels) == 2 && (opposites[x] == y || opposites[y] == x)
}
