package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Set is what an answer may be labelled with, and which label is expected, reduced so that "Non-Compliant", "not
// compliant" and "does not comply" are one label: a core and a polarity. It is read only.
type Set struct {
	Expected   string          // the label, as the case writes it
	Allowed    []string        // all that are, likewise
	Texts      []*english.Text // what Allowed says, read
	Vocabulary *english.Names  // what an answer has to be read with

	labels   []label
	lemmas   bool // inflections count: "complies" is "compliant"
	lettered bool // a letter is a name like others: C beside Java
	expected int  // index into labels
	cores    [][]string
	begins   [256]bool           // what a word may begin with that is the first of a core
	loud     map[string]bool     // labels such as IT that are everyday words unless they stand in capitals
	named    map[string][]string // words of names, while the set is made and each name is held to all others
}

// Addresses reports labels of which one is the address of a page, so that an address may be one.
func (s *Set) Addresses() bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return strings.Contains(l.name, "://") || strings.Contains(l.name, "www.") })
}

type label struct {
	name     string
	core     []string
	negative bool
	opposite int // the label that denies it, or none
}

// New reduces the labels that a case allows. If it names none, they are expected and what usually stands against it.
func New(expected string, labels []string) *Set {
	s := &Set{Expected: expected, Allowed: labels, lemmas: true, expected: none, named: map[string][]string{}}
	names := append(slices.Clone(labels), expected)
	if len(labels) == 0 {
		names = usual(expected)
	}
	s.Vocabulary = english.NewNames(names)
	for _, name := range labels {
		s.Texts = append(s.Texts, english.Read(name))
	}
	s.lettered = slices.ContainsFunc(names, func(name string) bool { return len(s.words(name)) > 1 || len(english.OneWord(name)) > 1 })
	if s.fill(names); s.collapsed() {
		s.lemmas = false
		s.fill(names)
	}
	s.expected = slices.IndexFunc(s.labels, func(l label) bool { return s.sameName(l.name, expected) })
	for i := range s.labels {
		s.labels[i].opposite = slices.IndexFunc(s.labels, func(l label) bool { return l.name != s.labels[i].name && s.opposed(s.labels[i].name, l.name) })
	}
	s.loud = map[string]bool{}
	for _, l := range s.labels {
		if !slices.ContainsFunc(s.cores, func(core []string) bool { return slices.Equal(core, l.core) }) {
			s.cores = append(s.cores, l.core)
		}
		if len(l.core) == 1 && english.FunctionWords[l.core[0]] && !short[l.core[0]] && english.Capital(l.name) {
			s.loud[l.core[0]] = true
		}
	}
	// The longest core is tried first: "partially compliant" before "compliant".
	for _, core := range s.cores {
		s.begin(core[0])
	}
	slices.SortStableFunc(s.cores, func(a, b []string) int { return len(b) - len(a) })
	s.named = nil
	return s
}

// String names the expected label and all that are allowed.
func (s *Set) String() string { return s.Expected + " of " + strings.Join(s.Allowed, ", ") }

func (s *Set) fill(names []string) {
	s.labels = nil
	for _, name := range names {
		if slices.ContainsFunc(s.labels, func(l label) bool { return s.sameName(l.name, name) }) {
			continue
		}
		if core, negative := s.reduce(name); len(core) > 0 {
			s.labels = append(s.labels, label{name, core, negative, none})
		}
	}
}

// collapsed reports two labels that are one once reduced, such as Applies and Applicable.
func (s *Set) collapsed() bool {
	for i, a := range s.labels {
		for _, b := range s.labels[:i] {
			if a.negative == b.negative && slices.Equal(a.core, b.core) {
				return true
			}
		}
	}
	return false
}

func (s *Set) sameName(a, b string) bool { return slices.Equal(s.words(a), s.words(b)) }

// words are those of a label's name; one whose symbols belong to it is one word.
func (s *Set) words(name string) (w []string) {
	if w, known := s.named[name]; known {
		return w
	}
	if s.named != nil {
		defer func() { s.named[name] = w }()
	}
	if text, ok := english.LiteralName(name); ok {
		return []string{english.OneWord(text)}
	}
	for _, t := range tokenise(s.Vocabulary, name) {
		if t.word {
			w = append(w, t.text)
		}
	}
	return w
}

// reduce takes the negation off a label: "Does not apply" is the negative of "apply".
func (s *Set) reduce(name string) (core []string, negative bool) {
	for _, w := range s.words(name) {
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

// Inflections of words that labels are often made of.
var lemmas = inflections("apply applies applicable applying", "comply complies compliant complying", "pass passes passed",
	"fail fails failed", "approve approves approved", "reject rejects rejected", "accept accepts accepted",
	"information info", "satisfy satisfies satisfied", "qualify qualifies qualified", "violate violates violated")

func inflections(families ...string) map[string]string {
	m := map[string]string{}
	for _, f := range families {
		forms := strings.Fields(f)
		for _, w := range forms {
			m[w] = forms[0]
		}
	}
	return m
}

func (s *Set) lemma(word string) string {
	if l, ok := lemmas[word]; ok && s.lemmas {
		return l
	}
	return english.Spelling(word)
}

// begin notes what a label's first word begins with, and what does that it denies.
func (s *Set) begin(word string) {
	s.begins[word[0]] = true
	if affirmed := english.Affirmed(word); affirmed != "" {
		s.begins[affirmed[0]] = true
	}
	if english.MayDeny(word) {
		for _, prefix := range []int{len("un"), len("non")} {
			s.begins[word[prefix]] = true
		}
	}
}

// mayName reports a word that may be the first of a label, or deny it. Most words are told by their first letter.
func (s *Set) mayName(t *token) bool {
	return t.base != "" || s.begins[t.text[0]] || english.MayDeny(t.text)
}

// denies reports a word that denies a label's one, noncompliant or ineligible, and is not a label itself.
func (s *Set) denies(t *token, core string) bool {
	return (t.base != "" && s.lemma(t.base) == core || english.Opposite(t.text, core)) && !s.opens(t.text)
}

// Alike returns two labels that the reading of an answer cannot tell apart, or one without anything that could be found in an
// answer; ok is false if there are none.
func (s *Set) Alike() (a, b string, ok bool) {
	plain := &Set{Vocabulary: s.Vocabulary}
	for i, name := range s.Allowed {
		core, negative := plain.reduce(name)
		if len(core) == 0 {
			return name, "", true
		}
		for _, other := range s.Allowed[:i] {
			if c, n := plain.reduce(other); n == negative && slices.Equal(c, core) {
				return other, name, true
			}
		}
	}
	return "", "", false
}

// opens reports the first word of a label.
func (s *Set) opens(word string) bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return l.core[0] == word })
}

// Labels that usually stand beside each other, for cases that name none. The first two of opposites deny each other, where no third
// one is allowed; those of scales do not.
var (
	opposites = [][]string{
		{"yes", "no"}, {"true", "false"}, {"pass", "fail"}, {"safe", "unsafe"}, {"valid", "invalid"}, {"legal", "illegal"},
		{"correct", "incorrect"}, {"positive", "negative", "neutral"}, {"allowed", "prohibited", "forbidden"},
		{"permitted", "prohibited", "forbidden"}, {"approve", "reject"}, {"accept", "reject"}, {"relevant", "irrelevant"},
		{"supported", "unsupported", "refuted"}, {"in scope", "out of scope"}, {"lawful", "unlawful"}, {"sufficient", "insufficient"},
		{"entailment", "contradiction", "neutral"}, {"adequate", "inadequate"}, {"eligible", "ineligible"}, {"spam", "ham"},
		{"approved", "rejected"}, {"accepted", "rejected"}, {"met", "unmet", "partially met"},
	}
	scales = [][]string{{"high", "medium", "low"}, {"compliant", "partially compliant"}}
)

// usual returns the expected label, its negation, and the labels that usually stand against it.
func usual(expected string) []string {
	s := &Set{Vocabulary: english.NewNames([]string{expected})}
	names := []string{expected}
	core, negative := s.reduce(expected)
	plain := strings.Join(core, " ")
	switch {
	case negative:
		names = append(names, plain)
	case len(core) == 1 && len(plain) > 2:
		names = append(names, "not "+plain)
	}
	for _, group := range slices.Concat(opposites, scales) {
		if slices.Contains(group, plain) {
			names = append(names, group...)
		}
	}
	return names
}

// pick returns the label with this core and polarity; where there is none, the label that the negation of the core leaves over:
// its opposite, or, where there are two labels, the other one. That one is only implied: what is no emergency need not be routine.
func (s *Set) pick(core []string, negative bool) (label int, implied bool) {
	sameCore := none
	for i, l := range s.labels {
		switch {
		case slices.Equal(l.core, core) && l.negative == negative:
			return i, false
		case slices.Equal(l.core, core):
			sameCore = i
		}
	}
	if opposite := s.labels[sameCore].opposite; opposite != none {
		return opposite, false
	}
	return s.other(sameCore), true
}

// opposed reports two labels of which one denies the other: Safe and Unsafe, Pass and Fail.
func (s *Set) opposed(a, b string) bool {
	x, y := strings.Join(s.words(a), " "), strings.Join(s.words(b), " ")
	return english.Opposite(x, y) || slices.ContainsFunc(opposites, func(group []string) bool {
		return len(s.labels) == 2 && slices.Contains(group[:2], x) && slices.Contains(group[:2], y)
	})
}

// none is the index of no label.
const none = -1
