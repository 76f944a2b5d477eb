package refusal

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/literal"
)

// cueSet is a set of cues, one bit each.
type cueSet [4]uint64

func (s *cueSet) add(cue int) { s[cue/64] |= 1 << (cue % 64) }

// hold reports whether all of the needed cues are in the set.
func (s *cueSet) hold(needs *cueSet) bool {
	return s[0]&needs[0] == needs[0] && s[1]&needs[1] == needs[1] && s[2]&needs[2] == needs[2] && s[3]&needs[3] == needs[3]
}

// scanner finds all cues of a sentence in one pass.
type scanner struct {
	finder *literal.Finder
	self   cueSet // of a text that speaks of the model
}

// speaks reports an "i" that is a word, or "ai", "im", "model" and the like: see the phrases i and am.
func speaks(s string) bool {
	for i := strings.IndexByte(s, 'i'); i >= 0; {
		if (i == 0 || !asciiLetter(s[i-1]) || s[i-1] == 'a' && (i == 1 || !asciiLetter(s[i-2]))) && (i+1 == len(s) || !asciiLetter(s[i+1]) || s[i+1] == 'm') {
			return true
		}
		next := strings.IndexByte(s[i+1:], 'i')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return strings.Contains(s, "this assistant") || strings.Contains(s, "this model") || strings.Contains(s, "this chatbot")
}

// scan returns the cues of a sentence.
func (s *scanner) scan(sentence string) (out cueSet) {
	if speaks(sentence) {
		out = s.self
	}
	s.finder.In(sentence, func(cue int) { out.add(cue) })
	return out
}

// cueBook collects the cues of all patterns before a scanner is built of them.
type cueBook struct {
	literal.Book
	self  cueSet
	known map[string]cued // by pattern
}

// add takes a pattern in.
func (b *cueBook) add(pattern string) cued { return b.addAs(pattern, pattern) }

// addAs takes a pattern in with the cues of another. One that was taken in before is the same again.
func (b *cueBook) addAs(pattern, like string) cued {
	if c, ok := b.known[pattern]; ok {
		return c
	}
	c := newCued(pattern)
	for _, choice := range cuesOf(like) {
		if b.Count() == len(c.needs)*64 {
			break
		}
		others := slices.DeleteFunc(slices.Clone(choice), func(s string) bool { return s == self })
		cue := b.Add(others)
		if c.needs.add(cue); len(others) < len(choice) {
			b.self.add(cue)
		}
	}
	if b.known == nil {
		b.known = map[string]cued{}
	}
	b.known[pattern] = c
	return c
}

func (b *cueBook) scanner() *scanner { return &scanner{b.Finder(), b.self} }
