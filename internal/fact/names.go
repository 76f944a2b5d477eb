package fact

import (
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

var (
	// Words that a name of a rule or a regulator ends with.
	instruments = english.Set(`act regulation regulations directive ordinance statute bill code framework standard standards guideline guidelines
		authority commission commissioner agency bureau ministry board council office treaty convention protocol`)
	// Acronyms that name no rule.
	everyday = english.Set(`ok faq pdf url uri usa uk eu us am pm tv ceo cto cfo it hr id ip pc api json xml html http https sql ai ml llm nb ps
		asap eta fyi rsvp diy gps usb dvd kb mb gb tb tbd tba na ad bc ii iii iv vi vii viii ix xi xii`)
)

// UnsupportedNames returns the distinct regulatory terms that an answer states and that no source has: acronyms, and names in capitals that end
// in Act, Directive, Authority and the like.
func (s *Sources) UnsupportedNames(p *english.Text) []string {
	for s.more() { // what no source has shows in all of them
	}
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
		if !seen[key] && !s.list()[key] && !s.shortens(p, i, n) && !p.Denies(i) && p.Standing(i, english.Manner{Sure: true}) == english.Said {
			seen[key] = true
			out = append(out, name)
		}
		i += n - 1
	}
	return out
}

// stresses reports a word in capitals that is not an acronym: a source has it in small letters, or everybody knows it.
func (s *Sources) stresses(w english.Word) bool {
	return w.Capitals && (headings[w.Text] || knows(s.texts, w.Stem) && !s.list()[w.Text] || common()[english.Stem(w.Text)])
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

// headings are words that answers like to write in capitals.
var headings = english.Set(`note notes answer yes important warning caution attention reminder summary conclusion verdict final result reason
	reasons example tip question always every critical high medium low urgent update edit correct incorrect wrong right true false please
	step option overall key risk compliant non partially applies pass fail approved rejected safe unsafe disclaimer context background
	recommendation recommendations assessment analysis action status scope ps`)

// plainly returns the words that stand elsewhere without capitals: in capitals they were only stressed.
func plainly(p *english.Text) map[string]bool {
	out := map[string]bool{}
	for _, w := range p.Words {
		if !w.Capitals {
			out[w.Text] = true
		}
	}
	return out
}

// acronym reports a word that names a rule, a standard or a regulator: capitals that are no everyday word, in a sentence
// that is not all capitals.
func acronym(p *english.Text, i int) bool {
	w := &p.Words[i]
	if !w.Capitals || len(w.Text) > 10 || w.Text[0] >= '0' && w.Text[0] <= '9' || everyday[w.Text] || w.Is(english.IsFunction) ||
		w.Is(english.IsDenier) || w.Is(english.IsDuty) || w.Is(english.IsHedge) {
		return false
	}
	return !shouted(p, i)
}

// Bounds of what is shouted: words looked at on either side, and how many of them have to be capitals.
const (
	shoutReach = 8
	shoutWords = 4
	shoutShare = 0.6
)

// shouted reports a word that stands among words which are mostly written in capitals.
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

// longestName bounds a name in words.
const longestName = 6

// instrument returns the name that begins at i, written in capitals and ending in Act and the like; "" if there is none.
func instrument(p *english.Text, i int) (name string, words int) {
	for j := i; j < min(len(p.Words), i+longestName); j++ {
		w := &p.Words[j]
		if j > i && p.Parted(j) || !p.Upper(j) && !(j > i && (w.Text == "of" || w.Text == "and" || w.Text == "on" || w.Text == "for")) {
			return "", 0
		}
		if j > i && instruments[w.Text] && p.Upper(j) && !p.Words[i].Is(english.IsFunction) {
			return p.Source[p.Words[i].Start:w.End], j + 1 - i
		}
	}
	return "", 0
}
