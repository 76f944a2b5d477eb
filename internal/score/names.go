package score

import "strings"

// support holds what the sources of an answer contain.
type support struct {
	stems map[string]bool
	names map[string]bool // clause numbers and regulatory terms
	texts []*prose
}

// spells reports an acronym whose words a source writes out.
func (s *support) spells(w word) (found bool) {
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
func (s *support) shortens(p *prose, i, n int) bool {
	initials := ""
	for _, w := range p.words[i : i+n] {
		if !w.is(isFunction) {
			initials += w.text[:1]
		}
	}
	return n > 1 && s.names[initials]
}

func (s *support) add(p *prose) {
	s.texts = append(s.texts, p)
	for _, w := range p.words {
		s.stems[w.stem] = true
		if w.digits || w.capitals {
			s.names[w.text] = true
		}
	}
	for i := range p.words {
		if name, _ := p.instrument(i); name != "" {
			s.names[strings.ToLower(name)] = true
		}
	}
}

var (
	// Words that a name of a rule or a regulator ends with.
	instruments = set(`act regulation regulations directive ordinance statute bill code framework standard standards guideline guidelines
		authority commission commissioner agency bureau ministry board council office treaty convention protocol`)
	// Acronyms that name no rule.
	everyday = set(`ok faq pdf url uri usa uk eu us am pm tv ceo cto cfo it hr id ip pc api json xml html http https sql ai ml llm nb ps
		asap eta fyi rsvp diy gps usb dvd kb mb gb tb tbd tba na ad bc ii iii iv vi vii viii ix xi xii`)
	// Words before the number of a clause.
	clauseNouns = set("clause clauses section sections article articles paragraph paragraphs para rule regulation annex schedule chapter part subsection sec art")
	// Words that oblige.
	obliging = set("must shall required mandatory obliged obligated obligatory")
)

// regulatory returns the distinct regulatory terms that an answer states and that the sources do not have: acronyms, and
// names in capitals that end in Act, Directive, Authority and the like.
func (p *prose) regulatory(s *support) []string {
	var out []string
	seen, stressed := map[string]bool{}, p.stressed()
	for i := 0; i < len(p.words); i++ {
		name, n := p.instrument(i)
		if w := p.words[i]; name == "" && !stressed[w.text] && !s.stresses(w) && p.acronym(i) && !s.spells(w) {
			name, n = strings.ToUpper(w.text), 1
		}
		if name == "" {
			continue
		}
		key := strings.ToLower(name)
		if !seen[key] && !s.names[key] && !s.shortens(p, i, n) && !p.denies(i) && p.asserts(i, i+n, false) {
			seen[key] = true
			out = append(out, name)
		}
		i += n - 1
	}
	return out
}

// stresses reports a word in capitals that is not an acronym: a source has it in small letters, or everybody knows it.
func (s *support) stresses(w word) bool {
	return w.capitals && (headings[w.text] || s.stems[w.stem] && !s.names[w.text] || background().stems[hashOf(stem(w.text))] > 0)
}

// headings are words that answers like to write in capitals.
var headings = set(`note notes answer yes important warning caution attention reminder summary conclusion verdict final result reason
	reasons example tip question always every critical high medium low urgent update edit correct incorrect wrong right true false please
	step option overall key risk compliant non partially applies pass fail approved rejected safe unsafe disclaimer context background
	recommendation recommendations assessment analysis action status scope ps`)

// stressed returns the words that stand elsewhere without capitals: in capitals they were only stressed.
func (p *prose) stressed() map[string]bool {
	out := map[string]bool{}
	for _, w := range p.words {
		if !w.capitals {
			out[w.text] = true
		}
	}
	return out
}

// acronym reports a word that names a rule, a standard or a regulator: capitals that are no everyday word, in a sentence
// that is not all capitals.
func (p *prose) acronym(i int) bool {
	w := p.words[i]
	if !w.capitals || len(w.text) > 10 || w.text[0] >= '0' && w.text[0] <= '9' || everyday[w.text] || w.is(isFunction) ||
		w.is(isDenier) || w.is(isDuty) || w.is(isHedge) {
		return false
	}
	return !p.shouted(i)
}

// Bounds of what is shouted: words looked at on either side, and how many of them have to be capitals.
const (
	shoutReach = 8
	shoutWords = 4
	shoutShare = 0.6
)

// shouted reports a word that stands among words which are mostly written in capitals.
func (p *prose) shouted(i int) bool {
	loud, all := 0, 0
	for j := max(0, i-shoutReach); j < min(len(p.words), i+shoutReach+1); j++ {
		if p.sentence(j) == p.sentence(i) {
			all++
			if p.words[j].capitals {
				loud++
			}
		}
	}
	return loud >= shoutWords && float64(loud) >= shoutShare*float64(all)
}

// longestName bounds a name in words.
const longestName = 6

// instrument returns the name that begins at i, written in capitals and ending in Act and the like; "" if there is none.
func (p *prose) instrument(i int) (name string, words int) {
	for j := i; j < min(len(p.words), i+longestName); j++ {
		w := p.words[j]
		if j > i && p.parted(j) || !p.upper(j) && !(j > i && (w.text == "of" || w.text == "and" || w.text == "on" || w.text == "for")) {
			return "", 0
		}
		if j > i && instruments[w.text] && p.upper(j) && !p.words[i].is(isFunction) {
			return p.text[p.words[i].start:w.end], j + 1 - i
		}
	}
	return "", 0
}

func (p *prose) upper(i int) bool {
	c := p.text[p.words[i].start]
	return c >= 'A' && c <= 'Z'
}
