package fact

import (
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

// Sources are the texts that one answer may rest on.
type Sources struct {
	texts []*english.Text
	names map[string]bool // numbers and regulatory terms of the texts
}

// NewSources returns the sources with these parsed and unparsed texts.
func NewSources(parsed []*english.Text, unparsed ...string) *Sources {
	s := &Sources{texts: parsed, names: map[string]bool{}}
	for _, text := range unparsed {
		s.texts = append(s.texts, english.ParseWords(text))
	}
	for _, p := range s.texts {
		for i := range p.Words {
			if w := &p.Words[i]; w.IsNumber || w.AllCaps {
				s.names[w.Text] = true
			}
			if name, _ := ruleName(p, i); name != "" {
				s.names[strings.ToLower(name)] = true
			}
		}
	}
	return s
}

// hasStem reports whether one of the sources has a stem.
func (s *Sources) hasStem(stem string) bool {
	return slices.ContainsFunc(s.texts, func(p *english.Text) bool { return p.FirstOf(stem) != english.NoWord })
}

// spellsOut reports whether a source writes out the words of an acronym.
func (s *Sources) spellsOut(acronym string) bool {
	return len(acronym) >= shortestAcronym && len(acronym) <= longestAcronym &&
		slices.ContainsFunc(s.texts, func(p *english.Text) bool { return len(writtenOut(p, acronym)) > 0 })
}

// hasAcronymOf reports whether a source has the acronym of a name of several words.
func (s *Sources) hasAcronymOf(words []english.Word) bool {
	initials := ""
	for _, w := range words {
		if !w.Is(english.IsFunction) {
			initials += w.Text[:1]
		}
	}
	return len(words) > 1 && s.names[initials]
}

// MayOblige reports whether a text may hold the number of a clause or, if obligations is true, an obligation. It is a
// quick test before Unsupported.
func MayOblige(p *english.Text, obligations bool) bool {
	for i := range p.Words {
		if obligations && p.Words[i].Is(english.IsDuty) || isClauseNumber(p, i) {
			return true
		}
	}
	return false
}

func isClauseNumber(p *english.Text, i int) bool {
	return p.Words[i].IsNumber && i > 0 && p.Words[i-1].Is(english.IsClauseNoun)
}

// isStated reports whether a text affirms the word at i for sure.
func isStated(p *english.Text, i int) bool {
	return !p.Denies(i) && p.FactualityOf(i, english.Uses{Sure: true}) == english.Said
}

// Unsupported returns a description of each clause number that no source has. If obligations is true, it also describes
// each obligation of which the sources have less than half of the words. It describes nothing twice.
func (s *Sources) Unsupported(p *english.Text, obligations bool) (out []string) {
	seen := map[string]bool{"": true}
	add := func(what string) {
		if !seen[what] {
			seen[what], out = true, append(out, what)
		}
	}
	for i := range p.Words {
		if isClauseNumber(p, i) && isStated(p, i) && !s.names[p.Words[i].Text] {
			add("cites " + p.Words[i-1].Text + " " + p.Words[i].Text)
		}
	}
	for _, c := range p.Clauses {
		if obligations {
			add(s.unsupportedObligation(p, c))
		}
	}
	return out
}

// maxQuotedWords is the largest number of words of an obligation that a description quotes.
const maxQuotedWords = 12

// supportedShare is the share of an obligation's words that the sources need to have.
const supportedShare = 0.5

// unsupportedObligation describes a clause that states an obligation without support in the sources. It returns "" for
// other clauses.
func (s *Sources) unsupportedObligation(p *english.Text, c english.Clause) string {
	duty := func(w english.Word) bool { return w.Is(english.IsDuty) }
	if !isStated(p, c.First) || !slices.ContainsFunc(p.Words[c.First:c.Last], duty) {
		return ""
	}
	content, known := 0, 0
	for i := c.First; i < c.Last; i++ {
		if p.IsContent(i) && !duty(p.Words[i]) {
			if content++; s.hasStem(p.Words[i].Stem) {
				known++
			}
		}
	}
	if float64(known) >= supportedShare*float64(content) {
		return ""
	}
	from, to := p.Words[c.First].Start, p.Words[min(c.Last, c.First+maxQuotedWords)-1].End
	return "obliges without a source: “" + oneLine(p.Source[from:to]) + "”"
}

// UnsupportedNames returns the distinct regulatory terms that an answer states and that no source has: acronyms, and
// names in capitals that end in Act, Directive, Authority and the like.
func (s *Sources) UnsupportedNames(p *english.Text) (out []string) {
	seen := map[string]bool{}
	for i, n := 0, 1; i < len(p.Words); i += n {
		var name string
		if name, n = ruleName(p, i); name == "" {
			if n = 1; !isAcronym(p, i) || s.isEmphasis(p.Words[i]) || s.spellsOut(p.Words[i].Text) {
				continue
			}
			name = strings.ToUpper(p.Words[i].Text)
		}
		key := strings.ToLower(name)
		if isStated(p, i) && !s.names[key] && !s.hasAcronymOf(p.Words[i:i+n]) && !seen[key] {
			seen[key], out = true, append(out, name)
		}
	}
	return out
}

// isEmphasis reports whether a word in capitals is only emphasized and is no acronym. That is so if a source has the
// word in small letters, or if it is a common word.
func (s *Sources) isEmphasis(w english.Word) bool {
	return headings[w.Text] || s.hasStem(w.Stem) && !s.names[w.Text] || commonStems()[english.Stem(w.Text)]
}

// commonStems are the stems of the commonest words.
var commonStems = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, tier := range english.CommonWords() {
		for _, w := range tier.Words {
			if len(w) > 1 {
				m[english.Stem(w)] = true
			}
		}
	}
	return m
})

// longestName is the largest number of letters of an acronym that may name a rule.
const longestName = 10

// isAcronym reports whether the word at i is an acronym that may name a rule, a standard or a regulator. The word must
// be in capitals and no everyday word. Most words around it must not be in capitals.
func isAcronym(p *english.Text, i int) bool {
	w := &p.Words[i]
	return w.AllCaps && len(w.Text) <= longestName && !english.IsDigitAt(w.Text, 0) && !everydayAcronyms[w.Text] &&
		!w.Is(english.IsFunction|english.IsDenier|english.IsDuty|english.IsHedge) && !isShouted(p, i)
}

// shoutReach is the number of words on either side that isShouted looks at. At least shoutWords of them must be in
// capitals, and three of five.
const shoutReach, shoutWords = 8, 4

// isShouted reports whether most words around the word at i in its sentence are in capitals.
func isShouted(p *english.Text, i int) bool {
	first, last := p.SentenceWords(p.SentenceOf(i))
	around := p.Words[max(first, i-shoutReach):min(last, i+shoutReach+1)]
	loud := 0
	for _, w := range around {
		if w.AllCaps {
			loud++
		}
	}
	return loud >= shoutWords && 5*loud >= 3*len(around)
}

// maxNameWords is the largest number of words in a name.
const maxNameWords = 6

// ruleName returns the name of a rule or a regulator that begins at i, or "", and the number of its words. The words
// of such a name are capitalized, except for words such as "of", and the name ends in a word such as Act.
func ruleName(p *english.Text, i int) (name string, words int) {
	for j := i; j < min(len(p.Words), i+maxNameWords); j++ {
		w := &p.Words[j]
		if j > i && p.HasMarkBefore(j) || !p.IsCapitalized(j) &&
			!(j > i && (w.Text == "of" || w.Text == "and" || w.Text == "on" || w.Text == "for")) {
			return "", 0
		}
		if j > i && ruleNouns[w.Text] && p.IsCapitalized(j) && !p.Words[i].Is(english.IsFunction) {
			return p.Source[p.Words[i].Start:w.End], j + 1 - i
		}
	}
	return "", 0
}
