package score

import "strings"

// whole is one word that says what several words of a fact say together: the acronym of their initials, or two of them
// written as one.
type whole struct {
	stem     string
	capitals bool // it counts only in capitals
}

// gather gives the terms of words in a row, out[run[k]] being the word texts[k], the words that may stand for several of them.
func gather(out []term, run []int, texts []string) {
	for from := range run {
		initials := ""
		for to := from; to < min(len(run), from+longestAcronym); to++ {
			initials += texts[to][:1]
			if to == from {
				continue
			}
			joint(out, run[from:to+1], whole{stem(initials), true})
			if to == from+1 {
				joint(out, run[from:to+1], whole{stem(american(texts[from] + texts[to])), false})
			}
		}
	}
}

func joint(out []term, run []int, w whole) {
	for _, i := range run {
		out[i].wholes = append(out[i].wholes, w)
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
		first := p.words[i].text
		if len(first) < len(t.text) && strings.HasPrefix(t.text, first) && p.words[i+1].stem == stem(t.text[len(first):]) && !p.parted(i+1) &&
			!yield(place{i, i + 2}) {
			return
		}
	}
}

// shortestCompound is the fewest letters of a word that is looked for as two: e-mail.
const shortestCompound = 5
