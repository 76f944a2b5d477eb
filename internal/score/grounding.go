package score

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/english"
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
	if len(m.Allowed) == 0 && !obliges(p, m.Reference != "") {
		return f
	}
	sources := m.support()
	if len(m.Allowed) > 0 {
		for _, name := range regulatory(p, sources) {
			f.violations = append(f.violations, "names "+name)
		}
	}
	f.unsupported = unsupported(p, sources, m.Reference != "")
	if m.settings.CountUnsupported {
		f.violations = append(f.violations, f.unsupported...)
	}
	return f
}

// obliges reports a text that could have the number of a clause or, where obligations are looked for, one of them.
func obliges(p *english.Text, obligations bool) bool {
	for i := range p.Words {
		if w := &p.Words[i]; obligations && w.Is(english.IsDuty) || w.Digits && i > 0 && p.Words[i-1].Is(english.IsClauseNoun) {
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

// support gathers the texts that an answer may rest on: what is expected of it, the key facts, the labels, and, read when they are needed,
// the names that are allowed and what was asked.
func (m *measurement) support() *support {
	s := &support{names: map[string]bool{}, unread: append(m.Allowed[:len(m.Allowed):len(m.Allowed)], m.Prompt)}
	s.add(m.reference())
	for _, f := range m.Facts {
		s.add(f.read)
	}
	if m.Labels != nil {
		for _, p := range m.Labels.Texts {
			s.add(p)
		}
	}
	return s
}

// unsupported returns clause numbers that no source has, and, where there is an expected answer, the sentences that
// oblige to something of which less than half is in the sources.
func unsupported(p *english.Text, s *support, reference bool) []string {
	var out []string
	seen := map[string]bool{}
	for i := range p.Words {
		w := &p.Words[i]
		if i > 0 && w.Digits && p.Words[i-1].Is(english.IsClauseNoun) && !seen[w.Text] && !p.Denies(i) && p.Asserts(i, i+1, false) && !s.named(w.Text) {
			seen[w.Text] = true
			out = append(out, "cites "+p.Words[i-1].Text+" "+w.Text)
		}
	}
	if !reference {
		return out
	}
	for _, c := range p.Clauses {
		if what := obligation(p, c, s); what != "" && !seen[what] {
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
func obligation(p *english.Text, c english.Clause, s *support) string {
	if c.Negative() || c.Open || c.Hedged {
		return ""
	}
	obliges := false
	var content []string
	for i := c.First; i < c.Last; i++ {
		switch w := &p.Words[i]; {
		case w.Is(english.IsDuty) && !obliges:
			obliges = true
		case p.Content(i):
			content = append(content, w.Stem)
		}
	}
	if !obliges || len(content) == 0 || s.has(content, supportedShare) {
		return ""
	}
	from, to := p.Words[c.First].Start, p.Words[min(c.Last, c.First+wordsQuoted)-1].End
	return "obliges without a source: “" + oneLine(p.Source[from:to]) + "”"
}
