package fact

import (
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// whole is one word that says what several words of a fact say together: the acronym of their initials, or two of them
// written as one.
type whole struct {
	stem     string
	capitals bool // it counts only in capitals
}

// gather gives terms the words that may stand for them together with their neighbours. The word i belongs to the term
// out[of[i]], or to none.
func gather(p *english.Text, out []*term, of []int) {
	for i := range p.Words {
		if of[i] != english.NoWord {
			acronyms(p, i, out, of)
		}
		if i > 0 && !p.Parted(i) {
			joint(out, of[i-1:i+1], whole{english.WordStem(p.Words[i-1].Text + p.Words[i].Text), false})
			if particles[p.Words[i].Text] { // backed up, for backups
				joint(out, of[i-1:i+1], whole{english.WordStem(p.Words[i-1].Stem + p.Words[i].Text), false})
			}
		}
	}
}

// acronyms joins the words from i on under their initials. A word without content counts behind a hyphen: single sign-on.
func acronyms(p *english.Text, i int, out []*term, of []int) {
	initials := p.Words[i].Text[:1]
	for to := i + 1; to < min(len(p.Words), i+longestAcronym) && !p.Parted(to) && (of[to] != english.NoWord || p.Hyphened(to)); to++ {
		initials += p.Words[to].Text[:1]
		joint(out, of[i:to+1], whole{english.Stem(initials), true})
	}
}

var particles = english.Set("up in out on off down over back")

func joint(out []*term, of []int, w whole) {
	for _, i := range of {
		if i != english.NoWord {
			out[i].wholes = append(out[i].wholes, w)
		}
	}
}

// findWhole calls yield with every place of a word that stands for the term and its neighbours, or of two words that make up
// its one, as long as yield returns true.
func (t *term) findWhole(p *english.Text, yield func(place) bool) bool {
	for _, w := range t.wholes {
		for at := range occurrences(p, []string{w.stem}) {
			if (!w.capitals || p.Words[at].Capitals) && !yield(place{at, at + 1}) {
				return false
			}
		}
	}
	if len(t.text) < shortestCompound {
		return true
	}
	for i := 0; i+1 < len(p.Words); i++ {
		rest, ok := strings.CutPrefix(t.text, p.Words[i].Stem)
		if next := p.Words[i+1]; ok && rest != "" && rest[0] == next.Text[0] && next.Stem == english.WordStem(rest) && !p.Parted(i+1) && !yield(place{i, i + 2}) {
			return false
		}
	}
	return true
}

// shortestCompound is the fewest letters of a word that is looked for as two: e-mail.
const shortestCompound = 5
