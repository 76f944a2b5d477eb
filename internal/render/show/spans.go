package show

import (
	"strings"
)

// span of a page: text, or text that is set as code. The template escapes both.
type Span struct {
	Text string
	Code bool
}

// Spans shows a phrase; each foreign part is cut to runes.
func (p Phrase) Spans(runes int) (out []Span) {
	for _, x := range p {
		switch text := Lead(x.text, runes); x.kind {
		case quoted:
			out = append(out, Span{text, true})
		case sentence:
			out = append(out, marked(text)...)
		default:
			out = append(out, marked(x.text)...)
		}
	}
	return out
}

// SentenceSpans shows a sentence of this program, which may quote a file or an answer.
func SentenceSpans(text string) []Span { return marked(Lead(text, SentenceRunes)) }

// marked sets as code what stands between two backticks.
func marked(text string) (out []Span) {
	for text != "" {
		before, rest, opened := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !opened || !closed || code == "" {
			return append(out, Span{text, false})
		}
		if before != "" {
			out = append(out, Span{before, false})
		}
		out, text = append(out, Span{code, true}), after
	}
	return out
}

// Named is a name that can be seen: a link without one could not be read aloud.
func Named(name string) string {
	if strings.TrimSpace(name) == "" {
		return "unnamed"
	}
	return name
}
