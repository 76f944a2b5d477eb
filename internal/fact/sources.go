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
		s.texts = append(s.texts, english.ReadWords(text))
	}
	for _, p := range s.texts {
		for i := range p.Words {
			if w := &p.Words[i]; w.Digits || w.Capitals {
				s.names[w.Text] = true
			}
			if name, _ := instrument(p, i); name != "" {
				s.names[strings.ToLower(name)] = true
			}
		}
	}
	return s
}

// knows reports whether one of the sources has a stem.
func (s *Sources) knows(stem string) bool {
	return slices.ContainsFunc(s.texts, func(p *english.Text) bool { return p.FirstOf(stem) != english.NoWord })
}

// spells reports whether a source writes out the words of an acronym.
func (s *Sources) spells(w english.Word) bool {
	t := &term{initials: w.Text}
	short := len(w.Text) >= shortestAcronym && len(w.Text) <= longestAcronym
	return w.Capitals && short && slices.ContainsFunc(s.texts, func(p *english.Text) bool {
		return !each(p, t.writtenOutAt, func(place) bool { return false })
	})
}

// shortens reports whether a source has the acronym of the name whose n words begin at i.
func (s *Sources) shortens(p *english.Text, i, n int) bool {
	initials := ""
	for _, w := range p.Words[i : i+n] {
		if !w.Is(english.IsFunction) {
			initials += w.Text[:1]
		}
	}
	return n > 1 && s.names[initials]
}

// Obliges reports whether a text may hold the number of a clause or, if obligations is true, an obligation. It is a
// quick test before Unsupported.
func Obliges(p *english.Text, obligations bool) bool {
	for i := range p.Words {
		if w := &p.Words[i]; obligations && w.Is(english.IsDuty) || w.Digits && i > 0 &&
			p.Words[i-1].Is(english.IsClauseNoun) {
			return true
		}
	}
	return false
}

// Unsupported returns a description of each clause number that no source has. If obligations is true, it also describes
// each obligation of which the sources have less than half of the words. It describes nothing twice.
func (s *Sources) Unsupported(p *english.Text, obligations bool) []string {
	var out []string
	seen := map[string]bool{}
	for i := range p.Words {
		w := &p.Words[i]
		if i > 0 && w.Digits && p.Words[i-1].Is(english.IsClauseNoun) && !seen[w.Text] && !p.Denies(i) &&
			p.Standing(i, english.Manner{Sure: true}) == english.Said && !s.names[w.Text] {
			seen[w.Text] = true
			out = append(out, "cites "+p.Words[i-1].Text+" "+w.Text)
		}
	}
	if !obligations {
		return out
	}
	for _, c := range p.Clauses {
		if what := s.obligation(p, c); what != "" && !seen[what] {
			seen[what] = true
			out = append(out, what)
		}
	}
	return out
}

// wordsQuoted is the largest number of words of an obligation that a description quotes.
const wordsQuoted = 12

// supportedShare is the share of an obligation's words that the sources need to have.
const supportedShare = 0.5

// obligation describes a clause that states an obligation without support in the sources. It returns "" for other
// clauses.
func (s *Sources) obligation(p *english.Text, c english.Clause) string {
	duty := func(w english.Word) bool { return w.Is(english.IsDuty) }
	if c.Negative() || !slices.ContainsFunc(p.Words[c.First:c.Last], duty) ||
		p.Standing(c.First, english.Manner{Sure: true}) != english.Said {
		return ""
	}
	content, known := 0, 0
	for i := c.First; i < c.Last; i++ {
		if p.Content(i) && !duty(p.Words[i]) {
			if content++; s.knows(p.Words[i].Stem) {
				known++
			}
		}
	}
	if float64(known) >= supportedShare*float64(content) {
		return ""
	}
	from, to := p.Words[c.First].Start, p.Words[min(c.Last, c.First+wordsQuoted)-1].End
	return "obliges without a source: “" + oneLine(p.Source[from:to]) + "”"
}

var (
	// instruments are words that end the name of a rule or a regulator.
	instruments = english.Set(`act regulation regulations directive ordinance statute bill code framework standard standards guideline guidelines
		authority commission commissioner agency bureau ministry board council office treaty convention protocol`)
	// everyday are acronyms that name no rule.
	everyday = english.Set(`ok faq pdf url uri usa uk eu us am pm tv ceo cto cfo it hr id ip pc api json xml html http https sql ai ml llm nb ps
		asap eta fyi rsvp diy gps usb dvd kb mb gb tb tbd tba na ad bc ii iii iv vi vii viii ix xi xii`)
)

// UnsupportedNames returns the distinct regulatory terms that an answer states and that no source has: acronyms, and
// names in capitals that end in Act, Directive, Authority and the like.
func (s *Sources) UnsupportedNames(p *english.Text) []string {
	var out []string
	seen, stressed := map[string]bool{}, plainly(p)
	for i := 0; i < len(p.Words); i++ {
		name, n := instrument(p, i)
		if w := p.Words[i]; name == "" && !stressed[w.Text] && !s.stresses(w) && acronym(p, i) && !s.spells(w) {
			name, n = strings.ToUpper(w.Text), 1
		}
		if name == "" {
			continue
		}
		key := strings.ToLower(name)
		if !seen[key] && !s.names[key] && !s.shortens(p, i, n) && !p.Denies(i) &&
			p.Standing(i, english.Manner{Sure: true}) == english.Said {
			seen[key] = true
			out = append(out, name)
		}
		i += n - 1
	}
	return out
}

// stresses reports whether a word in capitals is only emphasized and is no acronym. That is so if a source has the word
// in small letters, or if it is a common word.
func (s *Sources) stresses(w english.Word) bool {
	return w.Capitals && (headings[w.Text] || s.knows(w.Stem) && !s.names[w.Text] ||
		common()[english.Stem(w.Text)])
}

// common are the stems of the commonest words.
var common = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, tier := range english.Common {
		for w := range strings.FieldsSeq(tier.Words) {
			if len(w) > 1 {
				m[english.Stem(w)] = true
			}
		}
	}
	return m
})

// headings are words that answers often write in capitals.
var headings = english.Set(`note notes answer yes important warning caution attention reminder summary conclusion verdict final result reason
	reasons example tip question always every critical high medium low urgent update edit correct incorrect wrong right true false please
	step option overall key risk compliant non partially applies pass fail approved rejected safe unsafe disclaimer context background
	recommendation recommendations assessment analysis action status scope ps`)

// plainly returns the words that a text has without capitals. If such a word is elsewhere in capitals, it is not an
// acronym.
func plainly(p *english.Text) map[string]bool {
	out := map[string]bool{}
	for _, w := range p.Words {
		if !w.Capitals {
			out[w.Text] = true
		}
	}
	return out
}

// acronym reports whether the word at i is an acronym that may name a rule, a standard or a regulator. The word must be
// in capitals and no everyday word. Most words around it must not be in capitals.
func acronym(p *english.Text, i int) bool {
	w := &p.Words[i]
	if !w.Capitals || len(w.Text) > 10 || w.Text[0] >= '0' && w.Text[0] <= '9' || everyday[w.Text] ||
		w.Is(english.IsFunction) ||
		w.Is(english.IsDenier) || w.Is(english.IsDuty) || w.Is(english.IsHedge) {
		return false
	}
	return !shouted(p, i)
}

// shoutReach is the number of words on either side that shouted looks at. At least shoutWords of them must be in
// capitals, and at least the share shoutShare of them.
const (
	shoutReach = 8
	shoutWords = 4
	shoutShare = 0.6
)

// shouted reports whether most words around the word at i are in capitals.
func shouted(p *english.Text, i int) bool {
	loud, all := 0, 0
	for j := max(0, i-shoutReach); j < min(len(p.Words), i+shoutReach+1); j++ {
		if p.Sentence(j) == p.Sentence(i) {
			all++
			if p.Words[j].Capitals {
				loud++
			}
		}
	}
	return loud >= shoutWords && float64(loud) >= shoutShare*float64(all)
}

// longestName is the largest number of words in a name.
const longestName = 6

// instrument returns the name of a rule or a regulator that begins at i, or "", and the number of its words. The words
// of such a name are capitalized, except for words such as "of", and the name ends in a word such as Act.
func instrument(p *english.Text, i int) (name string, words int) {
	for j := i; j < min(len(p.Words), i+longestName); j++ {
		w := &p.Words[j]
		if j > i && p.Parted(j) || !p.Upper(j) &&
			!(j > i && (w.Text == "of" || w.Text == "and" || w.Text == "on" || w.Text == "for")) {
			return "", 0
		}
		if j > i && instruments[w.Text] && p.Upper(j) && !p.Words[i].Is(english.IsFunction) {
			return p.Source[p.Words[i].Start:w.End], j + 1 - i
		}
	}
	return "", 0
}
