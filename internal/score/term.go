package score

import "unicode/utf8"

// functionWords carry no content of their own and are no terms.
var functionWords = set(`non a an the this that these those it its they them their he she his her we us our you your i my me one
	and or but nor so as than then if whether while when where who whom which whose what how why because since until
	of to in on at by for with from into onto over under about between within during through per via against upon across after before
	is are was were be been being am do does did doing has have had having will would shall should can could may might must
	not no never also only just very too quite both each any some all such same other another more most less least much many few
	there here up down out off again further once own s t re ve d ll v eg ie etc let been ought`)

// term is one thing that a fact or claim says: an amount, or a word or phrase in any of the forms that mean the same.
type term struct {
	forms    [][]string // stems of words in a row; any of them will do
	capitals bool       // the word is a function word unless it is written in capitals: IT, US
	initials string     // of an acronym, lower case, which may be written out: "mfa"
	amount   *amount
	negative bool // in the fact's own words it is denied
	number   bool // an amount or the number of something, and so never left out
	text     string
	wholes   []whole
}

// terms returns what a text says, each thing once.
func (s *Synonyms) terms(p *prose) []term {
	var out []term
	seen := map[string]int{}
	of := make([]int, len(p.words))
	for i := range of {
		of[i] = none
	}
	for i := 0; i < len(p.words); i++ {
		t, used := s.term(p, i)
		first := i
		i += used - 1
		if t == nil {
			continue
		}
		t.negative = p.denies(i)
		at, known := seen[t.key()]
		if !known {
			at = len(out)
			seen[t.key()] = at
			out = append(out, *t)
		}
		for k := first; k <= i; k++ {
			of[k] = at
		}
	}
	gather(p, out, of)
	return out
}

func (s *Synonyms) term(p *prose, i int) (t *term, used int) {
	w := p.words[i]
	if a := w.quantity; a != nil && a.exact {
		return &term{amount: a, number: true}, a.last - i + 1
	}
	if groups, n := s.find(p.words, i); n > 0 && !functional(p.words[i:i+n]) {
		t := &term{forms: [][]string{stemsOf(p.words[i : i+n])}, initials: initialsOf(w, n)}
		for _, g := range groups {
			t.forms = append(t.forms, s.groups[g]...)
		}
		return t, n
	}
	if w.is(isFunction) && !w.capitals || w.is(isDenier) && denying[w.text] || w.text == "" {
		return nil, 1
	}
	return &term{forms: [][]string{{w.stem}}, capitals: w.is(isFunction), initials: initialsOf(w, 1), number: w.digits, text: w.text}, 1
}

// functional reports words that are all function words: "have to" is none of a fact's terms, and a form of "required".
func functional(words []word) bool {
	for _, w := range words {
		if !w.is(isFunction) && w.text != "need" && w.text != "needs" {
			return false
		}
	}
	return true
}

func stemsOf(words []word) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.stem
	}
	return stems
}

// Acronyms of these lengths in letters may be written out.
const shortestAcronym, longestAcronym = 2, 6

func initialsOf(w word, n int) string {
	if n != 1 || !w.capitals || utf8.RuneCountInString(w.text) < shortestAcronym || len(w.text) > longestAcronym {
		return ""
	}
	return w.text
}

func (t term) key() string {
	if t.amount != nil {
		return "#" + t.amount.String()
	}
	key := ""
	for _, s := range t.forms[0] {
		key += s + " "
	}
	return key
}

// place is where a term stands in a text: its words, half open.
type place struct{ from, to int }

// find calls yield with every place where the term stands, until yield returns false.
func (t term) find(p *prose, yield func(place) bool) {
	if t.amount != nil {
		t.findAmount(p, yield)
		return
	}
	for _, form := range t.forms {
		for i := p.firstOf(form[0]); i != none; i = p.next[i] {
			at := int(i)
			if stands(p.words, at, form) && (!t.capitals || p.words[at].capitals) && !yield(place{at, at + len(form)}) {
				return
			}
		}
	}
	if t.initials != "" {
		t.findWrittenOut(p, yield)
	}
}

func (t term) findAmount(p *prose, yield func(place) bool) {
	for i, w := range p.words {
		if w.quantity != nil && t.amount.same(*w.quantity) && !yield(place{i, w.quantity.last + 1}) {
			return
		}
	}
}

// functionFree is the length in letters up to which no function word may stand in a written-out acronym.
const functionFree = 3

// findWrittenOut finds words in a row whose initials are the acronym: multi-factor authentication for MFA.
func (t term) findWrittenOut(p *prose, yield func(place) bool) {
	n := len(t.initials)
	for i := 0; i+n <= len(p.words); i++ {
		k := 0
		for k < n && p.words[i+k].text[0] == t.initials[k] && (p.content(i+k) || n > functionFree || p.hyphened(i+k)) {
			k++
		}
		if k == n && !yield(place{i, i + n}) {
			return
		}
	}
}

// standsAt returns how many words the term takes at i; 0 if it does not stand there.
func (t term) standsAt(p *prose, i int) int {
	w := p.words[i]
	if t.amount != nil {
		if w.quantity != nil && t.amount.same(*w.quantity) {
			return w.quantity.last + 1 - i
		}
		return 0
	}
	for _, form := range t.forms {
		if stands(p.words, i, form) && (!t.capitals || w.capitals) {
			return len(form)
		}
	}
	return 0
}
