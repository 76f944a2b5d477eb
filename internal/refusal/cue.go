package refusal

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// A cue is a choice of literals of which every match of a pattern contains at least one. Cues are derived from the
// patterns, so that a sentence without them is passed over without any change of judgement. A pattern that is
// searched for in every sentence costs a hundred times as much as the one pass that finds the cues.

const (
	cueTexts  = 160 // most texts that an expression is spelled out into
	cueChars  = 8   // most characters of a class that is spelled out
	cueMin    = 2   // bytes; single letters stand in every sentence, single marks do not
	cueMax    = 9   // bytes; longer literals are cut, which keeps the scanner small
	cueWide   = 110 // most literals of a cue; wider ones stand in every sentence
	cuesAPart = 4   // most cues kept for one pattern
)

// choice is a set of literals of which a match contains at least one.
type choice []string

// content says what is known of every match of an expression: either all the texts it can be, or what each contains.
type content struct {
	texts   []string // nil: too many
	choices []choice
}

// dull names the phrases that no cue comes from. They are the long ones, which take long to parse.
var dull = []string{"lead", "adv", "serves", "thing"}

// self is the cue of a text that speaks of the model: it holds an "I", or what such a text calls it.
const self = "\x03"

// speakers are the phrases that every text with them has that cue for.
var speakers = []string{"i", "am"}

// cuesOf returns the best cues of a pattern, none if it matches texts with nothing in common.
func cuesOf(pattern string) []choice {
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
	found := contentOf(re).useful()
	if len(found) > cuesAPart {
		found = found[:cuesAPart]
	}
	var out []choice
	for _, c := range found {
		if c = c.shortest(); len(c) <= cueWide {
			out = append(out, c)
		}
	}
	return out
}

func contentOf(re *syntax.Regexp) content {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return content{texts: []string{string(re.Rune)}}
		}
	case syntax.OpCharClass:
		return contentOfClass(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return content{texts: []string{""}}
	case syntax.OpCapture:
		return contentOf(re.Sub[0])
	case syntax.OpConcat:
		return contentOfConcat(re.Sub)
	case syntax.OpAlternate:
		return contentOfAlternate(re.Sub)
	}
	return contentOfRepeat(re)
}

// contentOfClass spells a small class out. Its runes are pairs of bounds.
func contentOfClass(bounds []rune) content {
	var texts []string
	for i := 0; i < len(bounds); i += 2 {
		if len(texts)+int(bounds[i+1]-bounds[i]) >= cueChars {
			return content{}
		}
		for r := bounds[i]; r <= bounds[i+1]; r++ {
			texts = append(texts, string(r))
		}
	}
	return content{texts: texts}
}

func contentOfRepeat(re *syntax.Regexp) content {
	switch {
	case re.Op == syntax.OpQuest:
		if c := contentOf(re.Sub[0]); c.texts != nil {
			return content{texts: append([]string{""}, c.texts...)}
		}
	case re.Op == syntax.OpPlus, re.Op == syntax.OpRepeat && re.Min > 0:
		return content{choices: contentOf(re.Sub[0]).useful()}
	}
	return content{}
}

// contentOfConcat multiplies neighbours out as far as they can be spelled out.
func contentOfConcat(subs []*syntax.Regexp) content {
	run, choices := []string{""}, []choice(nil)
	for _, sub := range subs {
		c := contentOf(sub)
		if c.texts != nil && len(run)*len(c.texts) <= cueTexts {
			run = crossed(run, c.texts)
			continue
		}
		choices = append(append(choices, run), c.choices...)
		run = append([]string(nil), c.texts...)
		if c.texts == nil {
			run = []string{""}
		}
	}
	if choices == nil {
		return content{texts: run}
	}
	return content{choices: append(choices, run)}
}

func crossed(heads, tails []string) []string {
	out := make([]string, 0, len(heads)*len(tails))
	for _, head := range heads {
		for _, tail := range tails {
			out = append(out, head+tail)
		}
	}
	return out
}

func contentOfAlternate(subs []*syntax.Regexp) content {
	var texts []string
	spelled := true
	var each [][]choice
	for _, sub := range subs {
		c := contentOf(sub)
		spelled = spelled && c.texts != nil
		texts = append(texts, c.texts...)
		each = append(each, c.useful())
	}
	if spelled && len(texts) <= cueTexts {
		return content{texts: texts}
	}
	return content{choices: unite(each)}
}

// unite joins one choice of each alternative, as often as there are choices left to take.
func unite(each [][]choice) []choice {
	var out []choice
	for i := range cuesAPart {
		var one choice
		more := false
		for _, choices := range each {
			if len(choices) == 0 {
				return nil
			}
			one = append(one, choices[min(i, len(choices)-1)]...)
			more = more || i < len(choices)
		}
		if !more {
			break
		}
		out = append(out, one)
	}
	return out
}

// useful returns the choices without a short literal, the most telling first.
func (c content) useful() []choice {
	all := c.choices
	if c.texts != nil {
		all = []choice{c.texts}
	}
	var out []choice
	for _, one := range all {
		if one.least() >= cueMin {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.least(), a.least()), cmp.Compare(len(a), len(b)))
	})
	return out
}

// least returns the length of the shortest literal, in bytes. Marks that are rare in sentences do not count as short.
func (c choice) least() int {
	least := cueMax
	for _, s := range c {
		if s != ":" && s != self && s != string(english.Coded) {
			least = min(least, len(s))
		}
	}
	return least
}

// shortest cuts long literals and drops those that contain another.
func (c choice) shortest() choice {
	cut := make(choice, 0, len(c))
	for _, s := range c {
		cut = append(cut, s[:min(len(s), cueMax)])
	}
	slices.SortFunc(cut, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	var out choice
	for _, s := range cut {
		if !slices.ContainsFunc(out, func(short string) bool { return strings.Contains(s, short) }) {
			out = append(out, s)
		}
	}
	return out
}
