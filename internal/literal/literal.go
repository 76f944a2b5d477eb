// Package literal finds texts of which every match of a regular expression contains one. Searching for these literals
// first takes a hundredth of the time of trying the expression, and does not change the result.
package literal

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxTexts       = 160 // largest number of texts that an expression is expanded to
	maxChars       = 8   // largest number of characters of a class that is expanded
	minBytes       = 2   // length of the shortest literal; most single letters occur in every sentence
	maxUsefulBytes = 9   // length in bytes from which on a longer literal is not more selective
	maxUnited      = 4   // largest number of choices that uniteAlternatives returns
)

// LiteralSet is a choice of literals: every match of the expression contains at least one of them.
type LiteralSet []string

// Extractor extracts literals from expressions.
type Extractor struct {
	Rare string // characters that may be literals alone, because few texts contain them
}

// Extract returns the choices of an expression, the most selective first. It returns nil if the expression has none.
func (e Extractor) Extract(re *syntax.Regexp) []LiteralSet { return e.selective(e.expand(re)) }

// expansion has all texts that an expression can match, if these are few. Otherwise it has choices, and every match
// contains a literal of each choice.
type expansion struct {
	texts   []string // nil if there are too many
	choices []LiteralSet
}

func (e Extractor) expand(re *syntax.Regexp) expansion {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return expansion{texts: []string{string(re.Rune)}}
		}
	case syntax.OpCharClass:
		return expandClass(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return expansion{texts: []string{""}}
	case syntax.OpCapture:
		return e.expand(re.Sub[0])
	case syntax.OpConcat:
		return e.expandConcat(re.Sub)
	case syntax.OpAlternate:
		return e.expandAlternate(re.Sub)
	}
	return e.expandRepeat(re)
}

// expandClass returns the expansion of a character class, which is empty for a large class. bounds has the first and
// last character of each range in the class.
func expandClass(bounds []rune) expansion {
	var texts []string
	for i := 0; i < len(bounds); i += 2 {
		if len(texts)+int(bounds[i+1]-bounds[i]) >= maxChars {
			return expansion{}
		}
		for c := bounds[i]; c <= bounds[i+1]; c++ {
			texts = append(texts, string(c))
		}
	}
	return expansion{texts: texts}
}

func (e Extractor) expandRepeat(re *syntax.Regexp) expansion {
	switch {
	case re.Op == syntax.OpQuest:
		if c := e.expand(re.Sub[0]); c.texts != nil {
			return expansion{texts: append([]string{""}, c.texts...)}
		}
	case re.Op == syntax.OpPlus, re.Op == syntax.OpRepeat && re.Min > 0:
		return expansion{choices: e.Extract(re.Sub[0])}
	}
	return expansion{}
}

// expandConcat returns the expansion of the expressions subs in sequence. It joins the texts of neighboring expressions
// as long as there are few texts.
func (e Extractor) expandConcat(subs []*syntax.Regexp) expansion {
	texts, choices := []string{""}, []LiteralSet(nil)
	for _, sub := range subs {
		c := e.expand(sub)
		if c.texts != nil && len(texts)*len(c.texts) <= maxTexts {
			var joined []string
			for _, head := range texts {
				for _, tail := range c.texts {
					joined = append(joined, head+tail)
				}
			}
			texts = joined
			continue
		}
		choices = append(append(choices, texts), c.choices...)
		texts = append([]string(nil), c.texts...)
		if c.texts == nil {
			texts = []string{""}
		}
	}
	if choices == nil {
		return expansion{texts: texts}
	}
	return expansion{choices: append(choices, texts)}
}

func (e Extractor) expandAlternate(subs []*syntax.Regexp) expansion {
	var texts []string
	finite := true
	var choices [][]LiteralSet
	for _, sub := range subs {
		c := e.expand(sub)
		finite = finite && c.texts != nil
		texts = append(texts, c.texts...)
		choices = append(choices, e.selective(c))
	}
	if finite && len(texts) <= maxTexts {
		return expansion{texts: texts}
	}
	return expansion{choices: uniteAlternatives(choices)}
}

// uniteAlternatives joins the first choices of all alternatives to one choice, then the second choices, and so on. each
// has the choices of each alternative. An alternative with fewer choices repeats its last one. If an alternative has
// none, uniteAlternatives returns nil.
func uniteAlternatives(each [][]LiteralSet) []LiteralSet {
	var out []LiteralSet
	for i := range maxUnited {
		var united LiteralSet
		more := false
		for _, choices := range each {
			if len(choices) == 0 {
				return nil
			}
			united = append(united, choices[min(i, len(choices)-1)]...)
			more = more || i < len(choices)
		}
		if !more {
			break
		}
		out = append(out, united)
	}
	return out
}

// selective returns the choices of c that have no short literal, the most selective first.
func (e Extractor) selective(c expansion) []LiteralSet {
	all := slices.Clone(c.choices)
	if c.texts != nil {
		all = []LiteralSet{c.texts}
	}
	all = slices.DeleteFunc(all, func(one LiteralSet) bool { return e.shortestBytes(one) < minBytes })
	slices.SortStableFunc(all, func(a, b LiteralSet) int {
		return cmp.Or(cmp.Compare(e.shortestBytes(b), e.shortestBytes(a)), cmp.Compare(len(a), len(b)))
	})
	return all
}

// shortestBytes returns the length in bytes of the shortest literal of c, and at most maxUsefulBytes. It ignores
// literals that are one rare character.
func (e Extractor) shortestBytes(c LiteralSet) int {
	least := maxUsefulBytes
	for _, s := range c {
		if utf8.RuneCountInString(s) != 1 || !strings.Contains(e.Rare, s) {
			least = min(least, len(s))
		}
	}
	return least
}

// Minimal returns l with long literals truncated, which keeps a Finder small, and without literals that contain
// another literal.
func (l LiteralSet) Minimal() LiteralSet {
	truncated := make(LiteralSet, 0, len(l))
	for _, s := range l {
		truncated = append(truncated, s[:min(len(s), maxUsefulBytes)])
	}
	slices.SortFunc(truncated,
		func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	var out LiteralSet
	for _, s := range truncated {
		if !slices.ContainsFunc(out, func(short string) bool { return strings.Contains(s, short) }) {
			out = append(out, s)
		}
	}
	return out
}
