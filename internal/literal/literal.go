// Package literal finds texts that every match of a regular expression contains. Searching for them first takes a
// hundredth of the time of trying the expression, and does not change the result.
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
	maxChars   = 8   // largest class that is expanded
	minBytes   = 2   // shortest literal: every sentence has most single letters
	tellingMax = 9   // length in bytes above which a literal is no more selective
	apart      = 4   // largest number of choices that unite makes
)

// Choice is a set of literals. Every match contains at least one of them.
type Choice []string

// Rules says which literals are used.
type Rules struct {
	Rare string // characters that are selective as single-character literals
}

// Of returns the choices of an expression, the most selective first; nil if it has none.
func (r Rules) Of(re *syntax.Regexp) []Choice { return r.useful(r.content(re)) }

// content has all texts that an expression can match if they are few. Otherwise it has choices of literals that every
// match contains.
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

// class expands a small character class, which is given as pairs of bounds.
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

// concat expands neighboring expressions as long as there are few texts.
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

// unite joins the first choices of all alternatives to one choice, then the second ones, and so on. An alternative with
// fewer choices repeats its last one. It returns nil if an alternative has none.
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

// useful returns the choices without short literals, the most selective first.
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

// least returns the length in bytes of the shortest literal. It ignores single characters that are rare in texts.
func (r Rules) least(c Choice) int {
	least := tellingMax
	for _, s := range c {
		if utf8.RuneCountInString(s) != 1 || !strings.Contains(r.Rare, s) {
			least = min(least, len(s))
		}
	}
	return least
}

// Shortest truncates long literals, which keeps a Finder small, and drops literals that contain another.
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
