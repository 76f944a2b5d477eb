package refusal

import (
	"regexp/syntax"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// A cue is a choice of literals of which every match of a pattern contains at least one. Cues are derived from the
// patterns, so that a sentence without them is passed over without any change of judgement. A pattern that is
// searched for in every sentence costs a hundred times as much as the one pass that finds the cues.

const (
	cueWide  = 130 // most literals of a cue; wider ones stand in every sentence
	cuesKept = 4   // most cues kept for one pattern
)

// dull names the phrases that no cue comes from: the long ones, which take long to parse, and who speaks, which is in most answers.
var dull = []string{"i", "am", "myself", "lead", "adv", "serves", "thing", "gap", "tells", "domain"}

// cuesOf returns the best cues of a pattern, none if it matches texts with nothing in common.
func cuesOf(pattern string) []literal.Choice {
	for _, name := range dull {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", `(?s:.*)`)
	}
	re, err := syntax.Parse(expand(pattern), syntax.Perl)
	if err != nil {
		return nil
	}
	found := literal.Rules{Rare: ":" + string(english.Coded)}.Of(re)
	var out []literal.Choice
	for _, c := range found[:min(len(found), cuesKept)] {
		if c = c.Shortest(); len(c) <= cueWide {
			out = append(out, c)
		}
	}
	return out
}

// cueSet is a set of cues, one bit each.
type cueSet [4]uint64

func (s *cueSet) add(cue int) { s[cue/64] |= 1 << (cue % 64) }

// hold reports whether all of the needed cues are in the set.
func (s *cueSet) hold(needs *cueSet) bool {
	return s[0]&needs[0] == needs[0] && s[1]&needs[1] == needs[1] && s[2]&needs[2] == needs[2] && s[3]&needs[3] == needs[3]
}

// scan returns the cues of a sentence, found in one pass.
func scan(f *literal.Finder, sentence string) (out cueSet) {
	f.In(sentence, func(cue int) { out.add(cue) })
	return out
}

// cueBook collects the cues of all patterns before a finder is built of them.
type cueBook struct {
	literal.Book
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
		c.needs.add(b.Add(choice))
	}
	if b.known == nil {
		b.known = map[string]cued{}
	}
	b.known[pattern] = c
	return c
}
