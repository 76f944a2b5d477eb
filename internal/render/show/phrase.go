package show

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// Phrase is one sentence of our own and foreign words. It is made inert when shown.
type Phrase []Part

// Part is a piece of a phrase.
type Part struct {
	text string
	kind kind
	url  string // of a name
}

type kind int

const (
	literal kind = iota // our own words
	strong              // our own words, emphasized
	quoted              // a name, or words of an answer
	named               // a name that is shortened in its middle, linked if it has an address
	message             // a message that quotes a file or an answer
)

// Literal returns words of the program, which are printed as they are. Foreign words are quoted instead.
func Literal(text string) Part { return Part{text: text, kind: literal} }

// Phrasef returns a phrase of our own words in which each %v is an argument: a Part, a Phrase, or words or a number of
// ours. A value of any other type, such as model.Untrusted, is quoted as foreign.
func Phrasef(format string, args ...any) (p Phrase) {
	for i, words := range strings.Split(format, "%v") {
		if i > 0 {
			switch arg := args[i-1].(type) {
			case Part:
				p = append(p, arg)
			case Phrase:
				p = append(p, arg...)
			case string:
				p = append(p, LiteralPhrase(arg)...)
			case int:
				p = append(p, Literal(strconv.Itoa(arg)))
			default:
				p = append(p, Message(fmt.Sprint(arg)))
			}
		}
		if words != "" {
			p = append(p, Literal(words))
		}
	}
	return p
}

// Strong returns our own words, emphasized.
func Strong(text string) Part { return Part{text: text, kind: strong} }

// Quote returns a name, or words of an answer.
func Quote[T ~string](t T) Part { return Part{text: string(t), kind: quoted} }

// Name returns a name with a link; url may be "".
func Name(name, url string) Part { return Part{name, named, url} }

// Message returns a message that quotes a file or an answer.
func Message[T ~string](t T) Part { return Part{text: string(t), kind: message} }

// LiteralPhrase returns a phrase of our own words, or nil for "".
func LiteralPhrase(text string) Phrase {
	if text == "" {
		return nil
	}
	return Phrase{Literal(text)}
}

// NonEmpty returns the phrases that are not empty.
func NonEmpty(all ...Phrase) []Phrase {
	return slices.DeleteFunc(all, func(p Phrase) bool { return len(p) == 0 })
}

// JoinPhrases joins all with glue.
func JoinPhrases(glue string, all []Phrase) (out Phrase) {
	for i, p := range all {
		if i > 0 {
			out = append(out, Literal(glue))
		}
		out = append(out, p...)
	}
	return out
}

// Capital makes the first letter of a phrase a capital, if it is of our own words.
func (p Phrase) Capital() Phrase {
	p = slices.Clone(p)
	if len(p) > 0 && p[0].kind == literal {
		p[0].text = Capital(p[0].text)
	}
	return p
}

// JoinFirst joins the first phrases with glue between them; see text.Named. It adds conjunction and the number of the
// rest.
func JoinFirst(limit int, glue, conjunction string, all []Phrase) Phrase {
	named := text.Named(len(all), limit)
	p := JoinPhrases(glue, all[:named])
	if more := len(all) - named; more > 0 {
		p = append(p, Literal(conjunction+WithCommas(more)+" more"))
	}
	return p
}

// MapPhrases returns a phrase for each element.
func MapPhrases[T any](all []T, write func(T) Phrase) []Phrase {
	out := make([]Phrase, len(all))
	for i, one := range all {
		out[i] = write(one)
	}
	return out
}

// Quotes quotes names or words of an answer, joined by glue.
func Quotes[T ~string](glue string, texts []T) Phrase {
	return JoinPhrases(glue, MapPhrases(texts, func(text T) Phrase { return Phrase{Quote(text)} }))
}

// Markdown formats a phrase for a table cell or a paragraph. Each foreign part is cut to the given number of runes.
func (p Phrase) Markdown(runes int) string { return p.render(runes, markdown) }

// Plain formats a phrase for a terminal or an annotation. Each foreign part is cut to the given number of runes.
func (p Phrase) Plain(runes int) string { return p.render(runes, plain) }

// Shape returns a text that is equal for phrases that differ only in foreign words.
func (p Phrase) Shape() string { return p.render(SentenceRunes, shape) }

// medium is how the parts of a phrase are shown.
type medium struct {
	quote, plain, strong func(string) string
	name                 func(name, url string) string
}

func identity(text string) string { return text }

var (
	markdown = medium{Code, Prose, func(text string) string { return "**" + text + "**" }, MarkdownLink}
	plain    = medium{func(text string) string { return "“" + text + "”" }, identity, identity,
		func(name, _ string) string {
			return cmp.Or(ShortName(name, NameRunes), "unnamed")
		}}
	shape = medium{func(string) string { return "“…”" }, identity, identity, func(string, string) string { return "…" }}
)

func (p Phrase) render(runes int, m medium) string {
	var b strings.Builder
	for _, x := range p {
		switch x.kind {
		case quoted:
			b.WriteString(m.quote(Excerpt(x.text, runes)))
		case message:
			b.WriteString(m.plain(Excerpt(x.text, runes)))
		case named:
			b.WriteString(m.name(x.text, x.url))
		case strong:
			b.WriteString(m.strong(x.text))
		default:
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// Span is a piece of a page's text: plain, strong or code, with an address if it is a link. The template escapes it.
type Span struct {
	Text         string
	Code, Strong bool
	URL          string
}

// Spans formats a phrase for the page. Each foreign part is cut to the given number of runes.
func (p Phrase) Spans(runes int) (out []Span) {
	for _, x := range p {
		switch text := Excerpt(x.text, runes); x.kind {
		case quoted:
			out = append(out, Span{Text: text, Code: true})
		case named:
			out = append(out,
				Span{Text: cmp.Or(ShortName(x.text, NameRunes), "unnamed"), Code: x.url == "", URL: x.url})
		case strong:
			out = append(out, Span{Text: x.text, Strong: true})
		case message:
			out = append(out, codeSpans(text)...)
		default:
			out = append(out, codeSpans(x.text)...)
		}
	}
	return out
}

// codeSpans makes text between two backticks code.
func codeSpans(text string) (out []Span) {
	for text != "" {
		before, rest, opened := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !opened || !closed || code == "" {
			return append(out, Span{Text: text})
		}
		if before != "" {
			out = append(out, Span{Text: before})
		}
		out, text = append(out, Span{Text: code, Code: true}), after
	}
	return out
}
