package score

import "strings"

// whole is one word that says what several words of a fact say together: the acronym of their initials, or two of them
// written as one.
type whole struct {
	stem     string
	capitals bool // it counts only in capitals
}

// gather gives terms the words that may stand for them together with their neighbours. The word i belongs to the term
// out[of[i]], or to none.
func gather(p *prose, out []term, of []int) {
	for i := range p.words {
		if of[i] != none {
			acronyms(p, i, out, of)
		}
		if i > 0 && !p.parted(i) && p.compound(i, of) {
			joint(out, of[i-1:i+1], whole{wordStem(p.words[i-1].text + p.words[i].text), false})
		}
	}
}

// acronyms joins the words from i on under their initials. A word without content counts behind a hyphen: single sign-on.
func acronyms(p *prose, i int, out []term, of []int) {
	initials := p.words[i].text[:1]
	for to := i + 1; to < min(len(p.words), i+longestAcronym) && !p.parted(to) && (of[to] != none || p.hyphened(to)); to++ {
		initials += p.words[to].text[:1]
		joint(out, of[i:to+1], whole{stem(initials), true})
	}
}

// compound reports that the words i-1 and i are often written as one: a word without content is behind a hyphen, or a
// particle as in "log in".
func (p *prose) compound(i int, of []int) bool {
	return of[i-1] != none && (of[i] != none || particles[p.words[i].text]) || of[i] != none && p.hyphened(i)
}

var particles = set("up in out on off down over")

// hyphened reports that a hyphen joins the word at i to the one before.
func (p *prose) hyphened(i int) bool {
	return i > 0 && p.words[i-1].end+1 == p.words[i].start && p.text[p.words[i-1].end] == '-'
}

func joint(out []term, of []int, w whole) {
	for _, i := range of {
		if i != none {
			out[i].wholes = append(out[i].wholes, w)
		}
	}
}

// findWhole calls yield with every place of a word that stands for the term and its neighbours, or of two words that make up
// its one, until yield returns false.
func (t term) findWhole(p *prose, yield func(place) bool) {
	for _, w := range t.wholes {
		for i := p.firstOf(w.stem); i != none; i = p.next[i] {
			if at := int(i); (!w.capitals || p.words[at].capitals) && !yield(place{at, at + 1}) {
				return
			}
		}
	}
	if len(t.text) < shortestCompound {
		return
	}
	for i := 0; i+1 < len(p.words); i++ {
		rest, ok := strings.CutPrefix(t.text, p.words[i].text)
		if next := p.words[i+1]; ok && rest != "" && rest[0] == next.text[0] && next.stem == wordStem(rest) && !p.parted(i+1) && !yield(place{i, i + 2}) {
			return
		}
	}
}

// shortestCompound is the fewest letters of a word that is looked for as two: e-mail.
const shortestCompound = 5
