package score

import (
	"fmt"
	"slices"
	"strings"
)

// Violations that grounding counts, and what they leave of it (document 002, step 5).
const (
	manyViolations   = 3
	groundedScore    = 1.0
	fewViolations    = 0.7
	ungroundedScore  = 0.0
	violationsQuoted = 3 // in a description
)

// groundingFindings are the distinct violations of one answer, in words.
type groundingFindings struct {
	violations  []string
	unsupported []string // obligations and clause numbers that the sources do not have
}

// ground looks for what the answer should not say. Unsupported obligations are violations too where they count.
func (m *measurement) ground() groundingFindings {
	var f groundingFindings
	p := m.prose()
	for _, c := range m.Forbidden {
		if c.stated(p) {
			f.violations = append(f.violations, "states “"+c.source+"”")
		}
	}
	if len(m.Allowed) == 0 && !p.obliges(m.Reference != "") {
		return f
	}
	sources := m.support()
	if len(m.Allowed) > 0 {
		for _, name := range p.regulatory(sources) {
			f.violations = append(f.violations, "names "+name)
		}
	}
	f.unsupported = p.unsupported(sources, m.Reference != "")
	if m.settings.CountUnsupported {
		f.violations = append(f.violations, f.unsupported...)
	}
	return f
}

// obliges reports a text that could have the number of a clause or, where obligations are looked for, one of them.
func (p *prose) obliges(obligations bool) bool {
	for i, w := range p.words {
		if obligations && w.is(isDuty) || w.digits && i > 0 && p.words[i-1].is(isClauseNoun) {
			return true
		}
	}
	return false
}

// metric turns violations into the metric: none 1, one or two 0.7, more 0.
func (f groundingFindings) metric() Metric {
	m := Metric{Name: Grounding, Value: groundedScore, Weight: GroundingWeight, Description: "no unsupported claim"}
	n := len(f.violations)
	switch {
	case n >= manyViolations:
		m.Value = ungroundedScore
	case n > 0:
		m.Value = fewViolations
	default:
		return m
	}
	shown := strings.Join(f.violations[:min(n, violationsQuoted)], ", ")
	m.Description = fmt.Sprintf("%d of what the answer should not say: %s", n, shown)
	return m
}

// support reads the texts that an answer may rest on: what is expected of it, what was asked, and the key facts.
func (m *measurement) support() *support {
	s := &support{stems: map[string]bool{}, names: map[string]bool{}}
	s.add(m.reference())
	s.add(readProse(m.Prompt))
	texts := m.Allowed
	if m.Labels != nil {
		texts = slices.Concat(texts, m.Labels.allowed)
	}
	for _, text := range texts {
		s.add(readProse(text))
	}
	for _, f := range m.Facts {
		s.add(readProse(f.source))
	}
	return s
}

// support holds what the sources of an answer contain.
type support struct {
	stems map[string]bool
	names map[string]bool // clause numbers and regulatory terms
}

func (s *support) add(p *prose) {
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
		if name == "" && !stressed[p.words[i].text] && p.acronym(i) {
			name, n = strings.ToUpper(p.words[i].text), 1
		}
		if name == "" {
			continue
		}
		key := strings.ToLower(name)
		if !seen[key] && !s.names[key] && !p.denies(i) && p.asserts(i, i+n, false) {
			seen[key] = true
			out = append(out, name)
		}
		i += n - 1
	}
	return out
}

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

// unsupported returns clause numbers that no source has, and, where there is an expected answer, the sentences that
// oblige to something of which less than half is in the sources.
func (p *prose) unsupported(s *support, reference bool) []string {
	var out []string
	seen := map[string]bool{}
	for i, w := range p.words {
		if i > 0 && w.digits && p.words[i-1].is(isClauseNoun) && !s.names[w.text] && !seen[w.text] && !p.denies(i) && p.asserts(i, i+1, false) {
			seen[w.text] = true
			out = append(out, "cites "+p.words[i-1].text+" "+w.text)
		}
	}
	if !reference {
		return out
	}
	for _, c := range p.clauses {
		if what := p.obligation(c, s); what != "" && !seen[what] {
			seen[what] = true
			out = append(out, what)
		}
	}
	return out
}

// wordsQuoted bounds how much of an obligation a description quotes.
const wordsQuoted = 12

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// supportedShare is the share of an obligation's words that the sources need to have.
const supportedShare = 0.5

// obligation describes a clause that obliges to something unsupported; "" if it does not.
func (p *prose) obligation(c clause, s *support) string {
	if c.negative() || c.open || c.hedged {
		return ""
	}
	obliges, content, known := -1, 0, 0
	for i := c.first; i < c.last; i++ {
		switch w := p.words[i]; {
		case w.is(isDuty) && obliges < 0:
			obliges = i
		case p.content(i):
			content++
			if s.stems[w.stem] {
				known++
			}
		}
	}
	if obliges < 0 || content == 0 || float64(known) >= supportedShare*float64(content) {
		return ""
	}
	from, to := p.words[c.first].start, p.words[min(c.last, c.first+wordsQuoted)-1].end
	return "obliges without a source: “" + oneLine(p.text[from:to]) + "”"
}
