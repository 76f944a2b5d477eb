package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// Obliges reports a text that could have the number of a clause or, where obligations are looked for, one of them.
func Obliges(p *english.Text, obligations bool) bool {
	for i := range p.Words {
		if w := &p.Words[i]; obligations && w.Is(english.IsDuty) || w.Digits && i > 0 && p.Words[i-1].Is(english.IsClauseNoun) {
			return true
		}
	}
	return false
}

// Unsupported describes the clause numbers that no source has, and, where obligations are looked for, the sentences that oblige to something
// of which less than half is in the sources; each once.
func (s *Sources) Unsupported(p *english.Text, obligations bool) []string {
	var out []string
	seen := map[string]bool{}
	for i := range p.Words {
		w := &p.Words[i]
		if i > 0 && w.Digits && p.Words[i-1].Is(english.IsClauseNoun) && !seen[w.Text] && !p.Denies(i) && p.Standing(i, english.Manner{Sure: true}) == english.Said && !s.named(w.Text) {
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

// wordsQuoted bounds how much of an obligation a description quotes.
const wordsQuoted = 12

// supportedShare is the share of an obligation's words that the sources need to have.
const supportedShare = 0.5

// obligation describes a clause that obliges to something unsupported; "" if it does not.
func (s *Sources) obligation(p *english.Text, c english.Clause) string {
	duty := func(w english.Word) bool { return w.Is(english.IsDuty) }
	if c.Negative() || !slices.ContainsFunc(p.Words[c.First:c.Last], duty) || p.Standing(c.First, english.Manner{Sure: true}) != english.Said {
		return ""
	}
	content := make([]string, 0, c.Last-c.First)
	for i := c.First; i < c.Last; i++ {
		if p.Content(i) && !duty(p.Words[i]) {
			content = append(content, p.Words[i].Stem)
		}
	}
	if len(content) == 0 || s.has(content, supportedShare) {
		return ""
	}
	from, to := p.Words[c.First].Start, p.Words[min(c.Last, c.First+wordsQuoted)-1].End
	return "obliges without a source: “" + oneLine(p.Source[from:to]) + "”"
}
