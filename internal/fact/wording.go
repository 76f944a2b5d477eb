package fact

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// wording is the text of a fact or a claim, as it is looked for.
type wording struct {
	source  string
	pattern *pattern // nil for text
	terms   []*term
	of      []int    // of each word of the text, its term, or none
	led     []string // of each term, the preposition that leads to it, or ""

	light, numbers, negative uint64 // terms that are so
	person                   uint64 // those whom an answer may call "you"
}

// String is the text as it was written.
func (w *wording) String() string { return w.source }

// wording compiles a text, or a regular expression between slashes, and returns it as it was read; what an answer could do with its words
// is said where it has none.
func (s *Synonyms) wording(text, do string) (w wording, p *english.Text, err error) {
	w.source, p = text, english.Read(text)
	if source, ok := between(text); ok {
		w.pattern, err = compile(source)
		return w, p, err
	}
	if len(p.Words) == 0 {
		return w, nil, errors.New("no word in it that an answer could " + do)
	}
	w.terms, w.of = s.terms(p)
	w.led = make([]string, len(w.terms))
	for i, t := range w.of {
		if k := skipBack(p, i, func(w english.Word) bool { return articles[w.Text] && !prepositions[w.Text] }); t != english.NoWord && w.terms[t].address == "" && k > 0 && w.of[k-1] != t && prepositions[p.Words[k-1].Text] {
			w.led[t] = p.Words[k-1].Text
		}
	}
	of := func(is func(*term) bool) (set uint64) {
		for i, t := range w.terms {
			if is(t) {
				set |= 1 << i
			}
		}
		return set
	}
	w.light, w.numbers = of(func(t *term) bool { return t.light }), of(func(t *term) bool { return t.number })
	w.negative = of(func(t *term) bool { return t.negative })
	w.person = of(func(t *term) bool { return t.person })
	return w, p, nil
}

// between returns what stands between two slashes.
func between(text string) (string, bool) {
	if len(text) < 3 || text[0] != '/' || text[len(text)-1] != '/' {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// pattern is a regular expression of the user's. Letter case does not count.
type pattern struct {
	re       *literal.Pattern
	literals literal.Choice // in lower case; every match has one of them; nil: matches have nothing in common
}

// compile compiles a pattern.
func compile(source string) (*pattern, error) {
	re, err := literal.Compile(source, "(?i)"+english.Tidy(source))
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression: %w", err)
	}
	p := &pattern{re: re}
	if found := (literal.Rules{Lower: true}).Of(tree); len(found) > 0 {
		p.literals = found[0]
	}
	return p, nil
}

// find returns the places of the first matches. A text without its literals is not searched.
func (r *pattern) find(p *english.Text) [][]int {
	if !r.mayMatch(p) {
		return nil
	}
	return r.re.Matches(p.Source)
}

func (r *pattern) mayMatch(p *english.Text) bool {
	lowered(p)
	return r.literals == nil || slices.ContainsFunc(r.literals, func(s string) bool { return strings.Contains(p.Lower, s) })
}

// tooCostly reports a text that may match, and that is too long to be searched.
func (r *pattern) tooCostly(p *english.Text) bool { return r.re.TooCostly(p.Source) && r.mayMatch(p) }

// lowered is the text in lower case, made once. Its places are those of the text where no letter changes its length.
func lowered(p *english.Text) string {
	if p.Lower == "" {
		p.Lower = strings.ToLower(p.Source)
	}
	return p.Lower
}
