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
	maxTexts   = 160 // largest number of texts that an expression is expanded to
	maxChars   = 8   // largest number of characters of a class that is expanded
	minBytes   = 2   // length of the shortest literal; most single letters occur in every sentence
	tellingMax = 9   // length in bytes from which on a longer literal is not more selective
	apart      = 4   // largest number of choices that unite returns
)

// Choice is a set of literals. Every match of the expression contains at least one of them.
type Choice []string

// Rules says which literals are used.
type Rules struct {
	Rare string // characters that may be literals alone, because few texts contain them
}

// Of returns the choices of an expression, the most selective first. It returns nil if the expression has none.
func (r Rules) Of(re *syntax.Regexp) []Choice { return r.useful(r.content(re)) }

// content has all texts that an expression can match, if these are few. Otherwise it has choices, and every match
// contains a literal of each choice.
type content struct {
	texts   []string // nil if there are too many
	choices []Choice
}

func (r Rules) content(re *syntax.Regexp) content {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return content{texts: []string{string(re.Rune)}}
		}
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return content{texts: []string{""}}
	case syntax.OpCapture:
		return r.content(re.Sub[0])
	case syntax.OpConcat:
		return r.concat(re.Sub)
	case syntax.OpAlternate:
		return r.alternate(re.Sub)
	}
	return r.repeat(re)
}

// class returns the content of a character class, and expands a small class into texts. bounds has the first and last
// character of each range in the class.
func class(bounds []rune) content {
	var texts []string
	for i := 0; i < len(bounds); i += 2 {
		if len(texts)+int(bounds[i+1]-bounds[i]) >= maxChars {
			return content{}
		}
		for c := bounds[i]; c <= bounds[i+1]; c++ {
			texts = append(texts, string(c))
		}
	}
	return content{texts: texts}
}

func (r Rules) repeat(re *syntax.Regexp) content {
	switch {
	case re.Op == syntax.OpQuest:
		if c := r.content(re.Sub[0]); c.texts != nil {
			return content{texts: append([]string{""}, c.texts...)}
		}
	case re.Op == syntax.OpPlus, re.Op == syntax.OpRepeat && re.Min > 0:
		return content{choices: r.Of(re.Sub[0])}
	}
	return content{}
}

// concat returns the content of the expressions subs in sequence. It joins the texts of neighboring expressions as long
// as there are few texts.
func (r Rules) concat(subs []*syntax.Regexp) content {
	run, choices := []string{""}, []Choice(nil)
	for _, sub := range subs {
		c := r.content(sub)
		if c.texts != nil && len(run)*len(c.texts) <= maxTexts {
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

func (r Rules) alternate(subs []*syntax.Regexp) content {
	var texts []string
	spelled := true
	var each [][]Choice
	for _, sub := range subs {
		c := r.content(sub)
		spelled = spelled && c.texts != nil
		texts = append(texts, c.texts...)
		each = append(each, r.useful(c))
	}
	if spelled && len(texts) <= maxTexts {
		return content{texts: texts}
	}
	return content{choices: unite(each)}
}

// unite joins the first choices of all alternatives to one choice, then the second choices, and so on. each has the
// choices of each alternative. An alternative with fewer choices repeats its last one. If an alternative has none,
// unite returns nil.
func unite(each [][]Choice) []Choice {
	var out []Choice
	for i := range apart {
		var one Choice
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

// useful returns the choices of c that have no short literal, the most selective first.
func (r Rules) useful(c content) []Choice {
	all := slices.Clone(c.choices)
	if c.texts != nil {
		all = []Choice{c.texts}
	}
	all = slices.DeleteFunc(all, func(one Choice) bool { return r.least(one) < minBytes })
	slices.SortStableFunc(all, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(r.least(b), r.least(a)), cmp.Compare(len(a), len(b)))
	})
	return all
}

// least returns the length in bytes of the shortest literal of c, and at most tellingMax. It ignores literals that are
// one rare character.
func (r Rules) least(c Choice) int {
	least := tellingMax
	for _, s := range c {
		if utf8.RuneCountInString(s) != 1 || !strings.Contains(r.Rare, s) {
			least = min(least, len(s))
		}
	}
	return least
}

// Shortest returns c with long literals truncated, which keeps a Finder small, and without literals that contain
// another literal.
func (c Choice) Shortest() Choice {
	cut := make(Choice, 0, len(c))
	for _, s := range c {
		cut = append(cut, s[:min(len(s), tellingMax)])
	}
	slices.SortFunc(cut, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	var out Choice
	for _, s := range cut {
		if !slices.ContainsFunc(out, func(short string) bool { return strings.Contains(s, short) }) {
			out = append(out, s)
		}
	}
	return out
}
