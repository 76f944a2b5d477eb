package fact

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// term is one thing that a fact or claim says: an amount, or a word or phrase in any of the forms that mean the same.
type term struct {
	forms    [][]string // stems of words in a row; any of them will do
	capitals bool       // the word is a function word unless it is written in capitals: IT, US
	initials string     // of an acronym, lower case, which may be written out: "mfa"
	amount   *english.Amount
	negative bool // in the fact's own words it is denied
	either   bool // what it is done to is denied: "pays no taxes", which "does not pay taxes" says too
	number   bool // an amount or the number of something, and so never left out
	light    bool // a verb that says little beside the others: lasts, takes
	text     string
	address  string // of a page or a mailbox, as it is written, without what all of them begin with
	wholes   []whole
	person   bool            // one who may be spoken to: a customer
	bounds   *english.Amount // the amount of which it says how far it goes: maximum
	kind     [][]string      // of a letter or numeral that tells things of a kind apart, the forms of that kind; nil of all others
}

// terms returns what a text says, each thing once, and the term of each word, or none.
func (s *Synonyms) terms(p *english.Text) (out []*term, of []int) {
	urls := addresses(p)
	seen := map[string]int{}
	of = make([]int, len(p.Words))
	for i := range of {
		of[i] = english.NoWord
	}
	for i := 0; i < len(p.Words); i++ {
		t, used := urls.term(p, i)
		if t == nil {
			t, used = s.term(p, i)
		}
		first := i
		i += used - 1
		if t == nil || len(out) == mostTerms {
			continue
		}
		t.negative, t.either = p.Denies(i), t.either || deniesObject(p, i)
		if w := p.Words[first]; t.negative && (w.Is(english.IsDuty) || needing[w.Text]) {
			t.forms = append(slices.Clip(t.forms), []string{"without", "a"}, []string{"without", "an"}, []string{"without", "any"}) // what is not needed, one does without
		} else if t.negative && permitting[w.Text] {
			t.forms = append(slices.Clip(t.forms), forbidding...)
		}
		at, known := seen[t.key()]
		if !known {
			at = len(out)
			seen[t.key()] = at
			out = append(out, t)
		}
		for k := first; k <= i; k++ {
			of[k] = at
		}
	}
	out = designated(p, out, of)
	gather(p, out, of)
	bounded(p, out, of)
	for i, t := range of {
		if t != english.NoWord && addressees[p.Words[i].Stem] {
			out[t].person = true
		}
	}
	return out, of
}

var permitting = english.Set("allowed permitted possible permissible")

var needing = english.Set("needed necessary")

// forbidding are the words for what is not allowed.
var forbidding = phrases("forbidden prohibited banned disallowed")

// deniesObject reports a word with the verb of a clause behind which a "no" begins what it is done to.
func deniesObject(p *english.Text, i int) bool {
	c := p.Clauses[p.Words[i].Clause]
	return c.Last < len(p.Words) && p.Words[c.Last].Text == "no" && !p.Parted(c.Last) && p.Sentence(c.Last) == c.Sentence
}

func (s *Synonyms) term(p *english.Text, i int) (t *term, used int) {
	w := p.Words[i]
	if a := w.Quantity; a != nil && (a.Exact || a.Last == i && i+1 < len(p.Words) && p.Content(i+1) && !p.Parted(i+1) && !p.Hyphened(i+1)) {
		return &term{amount: a, number: true}, a.Last - i + 1
	}
	if p.Currency(i) {
		return nil, 1
	}
	if w.Text == "only" && !p.Denies(i) && i+1 < len(p.Words) && !p.Words[i+1].Amount && (i == 0 || p.Words[i-1].Text != "not") {
		return &term{forms: restricting, either: true, number: true}, 1
	}
	if groups, n := s.find(p.Words, i); n > 0 && !functional(p.Words[i:i+n]) {
		t := &term{forms: [][]string{stemsOf(p.Words[i : i+n])}, initials: initialsOf(w, n)}
		for _, g := range groups {
			for _, form := range s.groups[g] {
				if !slices.ContainsFunc(t.forms, func(f []string) bool { return slices.Equal(f, form) }) {
					t.forms = append(t.forms, form)
				}
			}
		}
		return t, n
	}
	if w.Is(english.IsFunction) && !w.Capitals || w.Is(english.IsDenier) || w.Text == "" {
		return nil, 1
	}
	return &term{forms: [][]string{{w.Stem}}, capitals: w.Is(english.IsFunction), initials: initialsOf(w, 1), number: strings.ContainsAny(w.Text, "0123456789"), light: lightVerbs[w.Text], text: w.Text}, 1
}

// restricting say that nobody and nothing else is meant.
var restricting = phrases("only solely exclusively nobody_else no_one_else nothing_else none_but nobody_but no_one_but nothing_but nobody_except no_one_except none_except nothing_except reserved restricted limited alone")

var lightVerbs = english.Set("lasts lasted lasting take takes took taken need needs needed get gets happens happened occurs occurred located situated")

// functional reports words that are all function words: "have to" is none of a fact's terms, and a form of "required".
func functional(words []english.Word) bool {
	return !slices.ContainsFunc(words, func(w english.Word) bool { return !w.Is(english.IsFunction) && w.Text != "need" && w.Text != "needs" })
}

func stemsOf(words []english.Word) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.Stem
	}
	return stems
}

// Acronyms of these lengths in letters may be written out.
const shortestAcronym, longestAcronym = 2, 6

func initialsOf(w english.Word, n int) string {
	if n != 1 || !w.Capitals || utf8.RuneCountInString(w.Text) < shortestAcronym || len(w.Text) > longestAcronym {
		return ""
	}
	return w.Text
}

func (t *term) key() string {
	switch {
	case t.amount != nil:
		return "#" + t.amount.String()
	case t.address != "":
		return t.address
	}
	key := ""
	for _, s := range t.forms[0] {
		key += s + " "
	}
	return key
}

// place is where a term stands in a text: its words, half open.
type place struct{ from, to int }

// find are the places where the term stands.
func (t *term) find(p *english.Text) iter.Seq[place] {
	return func(yield func(place) bool) {
		for _, form := range t.forms {
			for at := range occurrences(p, form) {
				if (!t.capitals || p.Words[at].Capitals) && t.tells(p, at) && !yield(place{at, at + len(form)}) {
					return
				}
			}
			if len(form) == 2 && particles[form[1]] && !findParted(p, form, yield) {
				return
			}
		}
		if t.forms == nil {
			each(p, t.standsAt, yield)
		} else if t.initials != "" {
			each(p, t.writtenOutAt, yield)
		}
	}
}

// each calls yield with the places at which so many words stand, as long as yield returns true.
func each(p *english.Text, words func(p *english.Text, i int) int, yield func(place) bool) bool {
	for i := range p.Words {
		if n := words(p, i); n > 0 && !yield(place{i, i + n}) {
			return false
		}
	}
	return true
}

// partedReach bounds in words what a verb has between itself and its particle: get the whole deposit back.
const partedReach = 4

// findParted finds a verb whose particle stands behind what it is done to: send it back.
func findParted(p *english.Text, form []string, yield func(place) bool) bool {
	for i := range occurrences(p, form[:1]) {
		for k := i + 2; k <= i+partedReach && k < len(p.Words) && !border(p, k-1); k++ {
			if p.Words[k].Text == form[1] && !border(p, k) && (border(p, k+1) || !p.Content(k+1) || adverb(p.Words[k+1])) && !yield(place{i, i + 1}) {
				return false
			}
		}
	}
	return true
}

// bounded gives the words that only name the bound of an amount that amount: the maximum is 5, it must not exceed 5.
func bounded(p *english.Text, out []*term, of []int) {
	for _, t := range out {
		if t.amount == nil || !t.amount.Bounded() {
			continue
		}
		for i, term := range of {
			if term != english.NoWord && bounding[p.Words[i].Text] {
				out[term].bounds = t.amount
			}
		}
	}
}

// addressees are the stems of those whom an answer may call "you".
var addressees = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range phrases(`customer client user guest visitor tenant renter employee worker staff member subscriber passenger traveller applicant
		candidate student patient participant buyer shopper borrower cardholder policyholder holder driver resident taxpayer player owner`) {
		m[s[0]] = true
	}
	return m
}()

var bounding = english.Set("maximum max minimum min limit limited exceed exceeds exceeding cap capped below above beyond")

// boundAt returns how many words at i are an amount that is the term's bound.
func (t *term) boundAt(p *english.Text, i int) int {
	if q := p.Words[i].Quantity; q != nil && q.Bounded() && (t.bounds.Same(*q) || t.bounds.Opposed(*q) && p.Denies(i)) {
		return q.Last + 1 - i
	}
	return 0
}

// beyondAt returns how many words at i are the term's amount, denied from its other side: not above 25, of below 25.
func (t *term) beyondAt(p *english.Text, i int) int {
	if q := p.Words[i].Quantity; q != nil && t.amount.Opposed(*q) && p.Denies(i) {
		return q.Last + 1 - i
	}
	return 0
}

// functionFree is the length in letters up to which no function word may stand in a written-out acronym.
const functionFree = 3

// writtenOutAt returns how many words from i on write the acronym out: multi-factor authentication for MFA.
func (t *term) writtenOutAt(p *english.Text, i int) int {
	n, k := len(t.initials), 0
	for k < n && i+n <= len(p.Words) && p.Words[i+k].Text[0] == t.initials[k] && (p.Content(i+k) || n > functionFree || p.Hyphened(i+k)) {
		k++
	}
	if k < n {
		return 0
	}
	return n
}

// standsAt returns how many words the term takes at i; 0 if it does not stand there.
func (t *term) standsAt(p *english.Text, i int) int {
	w := p.Words[i]
	if t.address != "" {
		return t.addressAt(p, i)
	}
	if t.amount != nil {
		if w.Quantity != nil && t.amount.Same(*w.Quantity) {
			return w.Quantity.Last + 1 - i
		}
		return 0
	}
	for _, form := range t.forms {
		if stands(p.Words, i, form) && (!t.capitals || w.Capitals) && t.tells(p, i) {
			return len(form)
		}
	}
	return t.writtenOutAt(p, i)
}
