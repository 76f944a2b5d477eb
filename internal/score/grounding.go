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
