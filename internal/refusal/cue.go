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

// dull names the phrases that no cue comes from. They are the long ones, which take long to parse.
var dull = []string{"lead", "adv", "serves", "thing", "gap", "tells", "domain"}

// self is the cue of a text that speaks of the model: it holds an "I", or what such a text calls it.
const self = "\x03"

// speakers are the phrases that every text with them has that cue for.
var speakers = []string{"i", "am", "myself"}

// cuesOf returns the best cues of a pattern, none if it matches texts with nothing in common.
func cuesOf(pattern string) []literal.Choice {
	for _, name := range speakers {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", `(?s:.*)`+self+`(?s:.*)`)
	}
	for _, name := range dull {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", `(?s:.*)`)
	}
	re, err := syntax.Parse(expand(pattern), syntax.Perl)
	if err != nil {
		return nil
	}
	found := literal.Rules{Rare: ":" + self + string(english.Coded)}.Of(re)
	var out []literal.Choice
	for _, c := range found[:min(len(found), cuesKept)] {
		if c = c.Shortest(); len(c) <= cueWide {
			out = append(out, c)
		}
	}
	return out
}
