package fact

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// term is one thing that a fact says: an amount, an address, or a word or phrase in any form that means the same.
type term struct {
	forms         [][]string // ways to write the term, also as one word with a neighbor: stems of adjacent words
	initials      string     // the letters of an acronym that may be written out: "mfa"
	text          string     // the text of a single word
	sign          string     // the sign that gives a single word another meaning: C++
	address       string     // the address of a page or a mailbox, without scheme and "www."
	amount        *english.Amount
	needsCapitals bool // a function word unless it is written in capitals: IT, US
	negative      bool // denied in the fact's own words
	ignoresDenial bool // the term's clause may be denied or not: "pays no taxes", "does not pay taxes"
	required      bool // must not be missing
	optional      bool // may be missing: lasts, takes, a customer whom the answer calls "you"
}

// termSet is a set of a fact's terms.
type termSet uint64

func (s termSet) has(term int) bool { return s&(1<<term) != 0 }

func (s termSet) size() int { return bits.OnesCount64(uint64(s)) }

// setOf returns the set of the terms for which is returns true.
func setOf(terms []*term, is func(t *term) bool) (s termSet) {
	for i, t := range terms {
		if is(t) {
			s |= 1 << i
		}
	}
	return s
}

// terms returns the distinct terms of a text, and for each word the index of its term, or english.NoWord.
func (s *Synonyms) terms(p *english.Text) (out []*term, indices []int) {
	seen, addresses := map[string]int{}, [][]int(nil)
	if strings.Contains(p.Source, ".") {
		addresses = addressPattern.FindAllStringIndex(p.Source, -1)
	}
	indices = slices.Repeat([]int{english.NoWord}, len(p.Words))
	for i, used := 0, 1; i < len(p.Words); i += used {
		var t *term
		if t, used = addressTerm(p, addresses, i); t == nil {
			t, used = s.term(p, i)
		}
		if t == nil || len(out) == maxTerms {
			continue
		}
		t.negative, t.ignoresDenial = p.Denies(i), t.ignoresDenial || deniesObject(p, i)
		if t.negative {
			t.forms = append(slices.Clip(t.forms), deniedForms[p.Words[i].Text]...)
		}
		key := t.key()
		at, known := seen[key]
		if !known {
			at = len(out)
			seen[key], out = at, append(out, t)
		}
		for k := i; k < i+used; k++ {
			indices[k] = at
		}
	}
	joinWords(p, out, indices)
	for i, t := range indices {
		if t == english.NoWord {
			continue
		}
		if isProperName(p, i) {
			out[t].required = true
		}
		if addressees[p.Words[i].Stem] || boundWords[p.Words[i].Text] {
			out[t].optional = true
		}
	}
	return out, indices
}

// isProperName reports whether the word at i is a name: it has a capital. At the beginning of a sentence, the word must
// be all capitals, or the next word must be capitalized too.
func isProperName(p *english.Text, i int) bool {
	starts := i == 0 || p.SentenceOf(i) != p.SentenceOf(i-1)
	return p.IsCapitalized(i) &&
		(!starts || p.Words[i].AllCaps || i+1 < len(p.Words) && p.IsCapitalized(i+1) && p.IsContent(i+1))
}

// deniesObject reports whether the clause of the word at i denies its object: "pays no taxes".
func deniesObject(p *english.Text, i int) bool {
	behind := p.Clauses[p.Words[i].Clause].Last
	return behind < len(p.Words) && p.Words[behind].Text == "no" && !isBoundary(p, behind)
}

// term reads the term that begins with the word at i. It returns nil if no term begins there. used is the number of
// words read.
func (s *Synonyms) term(p *english.Text, i int) (t *term, used int) {
	w := &p.Words[i]
	next := i+1 < len(p.Words) && p.IsContent(i+1) && !p.HasMarkBefore(i+1) && !p.Words[i+1].Hyphenated
	switch a := w.Quantity; {
	case a != nil && (a.Exact || a.LastWord == i && next):
		return &term{amount: a, required: true}, a.LastWord - i + 1
	case english.IsCurrency(p, i):
		return nil, 1
	case w.Text == "only" && i+1 < len(p.Words) && !p.Words[i+1].InAmount:
		return &term{forms: onlyPhrases, ignoresDenial: true, required: true}, 1
	}
	return s.wordTerm(p, i)
}

// wordTerm reads the word or phrase at i as a term. It returns nil if there is no term. used is the number of words
// read.
func (s *Synonyms) wordTerm(p *english.Text, i int) (t *term, used int) {
	w := &p.Words[i]
	// "have to" alone is no term, but only a form of "required"
	weighs := func(w english.Word) bool { return !w.Is(english.IsFunction) && w.Text != "need" }
	if groups, n := s.findGroups(p.Words, i); n > 0 && slices.ContainsFunc(p.Words[i:i+n], weighs) {
		t = &term{forms: [][]string{stemsOf(p.Words[i : i+n])}}
		for _, g := range groups {
			t.forms = append(t.forms, s.groups[g]...)
		}
		used = n
	} else if w.Is(english.IsFunction) && !w.AllCaps || w.Is(english.IsDenier) {
		return nil, 1
	} else {
		digits := strings.ContainsAny(w.Text, "0123456789")
		t = &term{forms: [][]string{{w.Stem}}, required: digits, optional: lightVerbs[w.Text],
			text: w.Text, sign: signOf(p, i)}
		used = 1
	}
	t.needsCapitals = used == 1 && w.Is(english.IsFunction)
	if n := len(w.Text); used == 1 && w.AllCaps && n >= shortestAcronym && n <= longestAcronym {
		t.initials = w.Text
	}
	return t, used
}

func stemsOf(words []english.Word) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.Stem
	}
	return stems
}

func (t *term) key() string {
	switch {
	case t.amount != nil:
		return "#" + t.amount.String()
	case t.address != "":
		return t.address
	}
	return strings.Join(t.forms[0], " ")
}

// An acronym of shortestAcronym to longestAcronym letters may be written out.
const shortestAcronym, longestAcronym = 2, 6

// joinWords adds to each term the ways to write it and a neighbor as one word.
func joinWords(p *english.Text, out []*term, of []int) {
	for i := 1; i < len(p.Words); i++ {
		joined := []string{english.WordStem(p.Words[i-1].Text + p.Words[i].Text)}
		for _, t := range of[i-1 : i+1] {
			if t != english.NoWord && !p.HasMarkBefore(i) {
				out[t].forms = append(slices.Clip(out[t].forms), joined)
			}
		}
	}
}

// place is the half-open range of words at which a term stands in a text.
type place struct{ from, to int }

// places returns the places where the term stands.
func (t *term) places(p *english.Text) (out []place) {
	out = slices.DeleteFunc(placesOfPhrases(p, t.forms), func(at place) bool { return !t.hasSpelling(p, at.from) })
	if t.initials != "" {
		out = append(out, writtenOut(p, t.initials)...)
	}
	if t.address != "" {
		out = append(out, t.addressPlaces(p)...)
	}
	for i := 0; t.amount != nil && i < len(p.Words); i++ {
		if q := p.Words[i].Quantity; q != nil && t.amount.Matches(*q) {
			out = append(out, place{i, q.LastWord + 1})
		}
	}
	return out
}

// hasSpelling reports whether the word at i has the capitals and the sign that the term requires.
func (t *term) hasSpelling(p *english.Text, i int) bool {
	signed := t.text == "" || !p.Words[i].HasSign && t.sign == "" || t.sign == signOf(p, i)
	return signed && (!t.needsCapitals || p.Words[i].AllCaps)
}

// particleReach is the largest distance in words from a verb to its particle: get the whole deposit back.
const particleReach = 4

// placesOfPhrases returns the places at which the stems of one of the phrases stand. The particle of a verb may come
// after its object: send it back.
func placesOfPhrases(p *english.Text, phrases [][]string) (out []place) {
	for _, phrase := range phrases {
		parts := len(phrase) == 2 && particles[phrase[1]]
		for at := p.FirstOf(phrase[0]); at != english.NoWord; at = p.Next[at] {
			i := int(at)
			if hasStemsAt(p.Words, i, phrase) {
				out = append(out, place{i, i + len(phrase)})
			}
			for k := i + 2; parts && k <= i+particleReach && k < len(p.Words) && !isBoundary(p, k); k++ {
				if p.Words[k].Text == phrase[1] {
					out = append(out, place{i, i + 1})
				}
			}
		}
	}
	return out
}

// functionFree is the length in letters of the longest acronym whose words must not include a function word.
const functionFree = 3

// writtenOut returns the places at which an acronym is written out, such as multi-factor authentication for mfa.
func writtenOut(p *english.Text, initials string) (out []place) {
	n := len(initials)
	for i := 0; i+n <= len(p.Words); i++ {
		k := 0
		for k < n && p.Words[i+k].Text[0] == initials[k] &&
			(p.IsContent(i+k) || n > functionFree || p.Words[i+k].Hyphenated) {
			k++
		}
		if k == n {
			out = append(out, place{i, i + n})
		}
	}
	return out
}

// isBoundary reports whether the word at i follows a mark or begins a sentence, or i is after the last word.
func isBoundary(p *english.Text, i int) bool {
	return p.HasMarkBefore(i) || p.SentenceOf(i) != p.SentenceOf(i-1)
}
