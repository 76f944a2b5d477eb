package score

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// support is what the sources of an answer contain, of which those that are long or seldom needed are read last.
type support struct {
	texts  []*english.Text
	names  map[string]bool // clause numbers and regulatory terms of texts
	unread []string
}

// more reads one more source; false if all are read.
func (s *support) more() bool {
	if len(s.unread) == 0 {
		return false
	}
	s.add(english.Read(s.unread[0]))
	s.unread = s.unread[1:]
	return true
}

// has reports a share of stems that stand in the sources.
func (s *support) has(stems []string, share float64) bool {
	for {
		known := 0
		for _, stem := range stems {
			if s.knows(stem) {
				known++
			}
		}
		if enough := float64(known) >= share*float64(len(stems)); enough || !s.more() {
			return enough
		}
	}
}

// knows reports a stem that stands in one of the sources that are read.
func (s *support) knows(stem string) bool {
	return slices.ContainsFunc(s.texts, func(p *english.Text) bool { return p.FirstOf(stem) != english.NoWord })
}

// named reports the number of a clause that stands in the sources.
func (s *support) named(number string) bool {
	for !s.names[number] {
		if !s.more() {
			return false
		}
	}
	return true
}

// spells reports an acronym whose words a source writes out.
func (s *support) spells(w english.Word) (found bool) {
	t := term{initials: initialsOf(w, 1)}
	for _, p := range s.texts {
		if t.initials == "" || found {
			break
		}
		t.findWrittenOut(p, func(place) bool { found = true; return false })
	}
	return found
}

// shortens reports a name whose acronym a source has; n words from the one at i.
func (s *support) shortens(p *english.Text, i, n int) bool {
	initials := ""
	for _, w := range p.Words[i : i+n] {
		if !w.Is(english.IsFunction) {
			initials += w.Text[:1]
		}
	}
	return n > 1 && s.names[initials]
}

func (s *support) add(p *english.Text) {
	s.texts = append(s.texts, p)
	for i := range p.Words {
		if w := &p.Words[i]; w.Digits || w.Capitals {
			s.names[w.Text] = true
		}
		if name, _ := instrument(p, i); name != "" {
			s.names[strings.ToLower(name)] = true
		}
	}
}

var (
	// Words that a name of a rule or a regulator ends with.
	instruments = english.Set(`act regulation regulations directive ordinance statute bill code framework standard standards guideline guidelines
		authority commission commissioner agency bureau ministry board council office treaty convention protocol`)
	// Acronyms that name no rule.
	everyday = english.Set(`ok faq pdf url uri usa uk eu us am pm tv ceo cto cfo it hr id ip pc api json xml html http https sql ai ml llm nb ps
		asap eta fyi rsvp diy gps usb dvd kb mb gb tb tbd tba na ad bc ii iii iv vi vii viii ix xi xii`)
)

// regulatory returns the distinct regulatory terms that an answer states and that the sources do not have: acronyms, and
// names in capitals that end in Act, Directive, Authority and the like.
func regulatory(p *english.Text, s *support) []string {
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
		if !seen[key] && !s.names[key] && !s.shortens(p, i, n) && !p.Denies(i) && p.Asserts(i, i+n, english.Manner{}) {
			seen[key] = true
			out = append(out, name)
		}
		i += n - 1
	}
	return out
}

// stresses reports a word in capitals that is not an acronym: a source has it in small letters, or everybody knows it.
func (s *support) stresses(w english.Word) bool {
	return w.Capitals && (headings[w.Text] || s.knows(w.Stem) && !s.names[w.Text] || background().stems.count(hashOf(english.Stem(w.Text))) > 0)
}

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
