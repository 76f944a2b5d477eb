package show

import (
	"cmp"
	"fmt"
	"github.com/failproof/failproof/internal/text"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/worddiff"
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
	ours     kind = iota // our own words
	strong               // our own words, emphasized
	quoted               // a name, or words of an answer
	named                // a name that is shortened in its middle, linked if it has an address
	sentence             // a message that quotes a file or an answer
)

// Say returns words of the program, which are printed as they are. Foreign words are quoted instead.
func Say(text string) Part { return Part{text: text, kind: ours} }

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
				p = append(p, Sentence(arg)...)
			case int:
				p = append(p, Say(strconv.Itoa(arg)))
			default:
				p = append(p, Tell(fmt.Sprint(arg)))
			}
		}
		if words != "" {
			p = append(p, Say(words))
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

// Tell returns a message that quotes a file or an answer.
func Tell[T ~string](t T) Part { return Part{text: string(t), kind: sentence} }

// Sentence returns a phrase of our own words, or nil for "".
func Sentence(text string) Phrase {
	if text == "" {
		return nil
	}
	return Phrase{Say(text)}
}

// Said returns the phrases that are not empty.
func Said(all ...Phrase) []Phrase {
	return slices.DeleteFunc(all, func(p Phrase) bool { return len(p) == 0 })
}

// Phrases joins phrases.
func Phrases(glue string, all []Phrase) (out Phrase) {
	for i, p := range all {
		if i > 0 {
			out = append(out, Say(glue))
		}
		out = append(out, p...)
	}
	return out
}

// Capital makes the first letter of a phrase a capital, if it is of our own words.
func (p Phrase) Capital() Phrase {
	p = slices.Clone(p)
	if len(p) > 0 && p[0].kind == ours {
		p[0].text = Capital(p[0].text)
	}
	return p
}

// First joins at most limit phrases with glue between them. If there are more, it adds conjunction and the number of
// the rest.
func First(limit int, glue, conjunction string, all []Phrase) Phrase {
	p := Phrases(glue, all[:min(len(all), limit)])
	if more := len(all) - limit; more > 0 {
		p = append(p, Say(conjunction+Grouped(more)+" more"))
	}
	return p
}

// PhrasesOf returns a phrase for each element.
func PhrasesOf[T any](all []T, write func(T) Phrase) []Phrase {
	out := make([]Phrase, len(all))
	for i, one := range all {
		out[i] = write(one)
	}
	return out
}

// Quotes quotes names or words of an answer, joined by glue.
func Quotes[T ~string](glue string, texts []T) Phrase {
	return Phrases(glue, PhrasesOf(texts, func(text T) Phrase { return Phrase{Quote(text)} }))
}

// Markdown formats a phrase for a table cell or a paragraph. Each foreign part is cut to the given number of runes.
func (p Phrase) Markdown(runes int) string { return p.shown(runes, markdown) }

// Plain formats a phrase for a terminal or an annotation. Each foreign part is cut to the given number of runes.
func (p Phrase) Plain(runes int) string { return p.shown(runes, plain) }

// Shape returns a text that is equal for phrases that differ only in foreign words.
func (p Phrase) Shape() string { return p.shown(SentenceRunes, shape) }

// medium is how the parts of a phrase are shown.
type medium struct {
	quote, plain, strong func(string) string
	name                 func(name, url string) string
}

func asIs(text string) string { return text }

var (
	markdown = medium{Code, Prose, func(text string) string { return "**" + text + "**" }, Linked}
	plain    = medium{func(text string) string { return "“" + text + "”" }, asIs, asIs, func(name, _ string) string {
		return cmp.Or(Ends(name, NameRunes), "unnamed")
	}}
	shape = medium{func(string) string { return "“…”" }, asIs, asIs, func(string, string) string { return "…" }}
)

func (p Phrase) shown(runes int, in medium) string {
	var b strings.Builder
	for _, x := range p {
		switch x.kind {
		case quoted:
			b.WriteString(in.quote(Lead(x.text, runes)))
		case sentence:
			b.WriteString(in.plain(Lead(x.text, runes)))
		case named:
			b.WriteString(in.name(x.text, x.url))
		case strong:
			b.WriteString(in.strong(x.text))
		default:
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// WordOf returns the result of a side's shown trial in a word.
func WordOf(o *report.Outcome) string {
	return classify.Classification{Primary: o.Primary, Details: detailsOf(o)}.Word()
}

func detailsOf(o *report.Outcome) (d classify.Details) {
	if o.Details != nil {
		d = *o.Details
	}
	return d
}

// Happened returns why a side's shown trial has its category, or nil.
func Happened(o *report.Outcome) Phrase {
	if o == nil {
		return nil
	}
	d := detailsOf(o)
	if wording, known := categories[o.Primary]; known {
		return wording.happened(d)
	}
	return unanswered(o.Primary, d)
}

func with(p Phrase, really bool, more ...Part) Phrase {
	if !really {
		return p
	}
	return append(p, more...)
}

func either[T ~string](message T, otherwise string) Phrase {
	if strings.TrimSpace(string(message)) == "" {
		return Phrase{Say(otherwise)}
	}
	return Phrase{Tell(message)}
}

func because(p Phrase, reason string) Phrase { return with(p, reason != "", Say(": "), Tell(reason)) }

func refused(d classify.Details) Phrase {
	how := refusalKind(d.Kind)
	return refusedAs("refused"+When(how != "", ", "+how), d)
}

// refusedAs returns how an answer refuses, with the words that say so and the rule that found them.
func refusedAs(how string, d classify.Details) Phrase {
	p := with(Sentence(how), d.Evidence != "", Say(": "), Quote(d.Evidence))
	return with(p, d.Rule != "", Say(" (rule "), Quote(d.Rule), Say(")"))
}

// refusalKind returns how an answer refuses: unable, deflected, or "" for a plain refusal. An unknown kind is untrusted
// text of a stored report and counts as plain.
func refusalKind(k refusal.Kind) string {
	switch k {
	case refusal.Unable:
		return "unable"
	case refusal.Deflected:
		return "deflected"
	}
	return ""
}

func passed(d classify.Details) Phrase {
	switch {
	case d.Expected != "":
		return Phrasef("%v was expected", Quote(d.Expected))
	case d.NeedsReview:
		return Sentence("needs a review: its meaning could not be compared")
	case d.Unverified:
		return Sentence("nothing to hold the answer to")
	}
	return nil
}

func unanswered(c classify.Category, d classify.Details) Phrase {
	switch {
	case c == classify.Timeout && d.LimitSeconds > 0:
		return Phrasef("no answer within %v s", text.Decimal(d.LimitSeconds))
	case c == classify.Timeout:
		return Sentence("no answer in time")
	case d.Reason == "empty_truncated":
		return Sentence("`max_tokens` was spent before a word of it came")
	case d.Reason == "empty_response":
		return Sentence("the answer is empty")
	case c == classify.Crash:
		return because(Sentence("the target crashed"), string(d.ErrorDetails))
	case d.ErrorDetails == "" && d.Reason != "":
		return Phrasef("no answer: %v", Quote(d.Reason))
	}
	return either(d.ErrorDetails, "no answer")
}

func failed(d classify.Details) Phrase {
	switch {
	case len(d.Unmet) > 0:
		return First(unmetNamed, "; ", "; and ", PhrasesOf(d.Unmet, Unmet))
	case d.Expected != "":
		return Phrasef("expected %v", Quote(d.Expected))
	}
	return Sentence("a criterion is not met")
}

// Missed returns all that an answer misses, for use beside the answer.
func Missed(o *report.Outcome) Phrase {
	d := detailsOf(o)
	p := Happened(o)
	if missed := categories[o.Primary].missed; missed != nil {
		p = missed(d)
	}
	if o.Primary == classify.Fail && len(d.Unmet) > 0 {
		p = nil
	}
	unmet := First(unmetNamed, "; ", "; and ", PhrasesOf(d.Unmet, func(u expect.Unmet) Phrase { return unmetBeside(o, u) }))
	return Phrases("; ", Said(p, unmet))
}

// unmetNamed is the most missed criteria that are named.
const unmetNamed = 5

// unmetBeside returns the criterion that an answer missed, without the answer's own words.
func unmetBeside(o *report.Outcome, u expect.Unmet) Phrase {
	switch {
	case u.Criterion == score.Rubric:
		return graded(u)
	case u.Criterion == "overall_score":
		return belowThreshold(u, "label ") // follows "Expected:"
	case u.Criterion == "assert" && u.Reason == "not true":
		return Phrase{Quote(u.Expected)}
	case u.Criterion == "assert", strings.HasPrefix(string(o.Excerpt), strings.TrimSuffix(u.Actual, "…")) &&
		u.Expected != "":
		return because(Phrase{Quote(u.Expected)}, u.Reason)
	}
	return Unmet(u)
}

// Unmet returns the criterion that an answer missed.
func Unmet(u expect.Unmet) Phrase {
	switch {
	case u.Criterion == "assert" && (u.Reason == "" || u.Reason == "not true"):
		return Phrasef("%v is not true", Quote(u.Expected))
	case u.Criterion == "assert":
		return because(Phrase{Quote(u.Expected)}, u.Reason)
	case u.Criterion == score.Rubric:
		return graded(u)
	case u.Criterion == "overall_score":
		return belowThreshold(u, score.LabelExpected)
	case u.Criterion == expect.ByRunner:
		return with(Sentence("the runner says that it failed"), u.Reason != "", Say(": "), Quote(u.Reason))
	case u.Criterion == "risk_score":
		return because(Phrasef("risk %v, needs to be %v", Tell(u.Actual), Tell(u.Expected)), u.Reason)
	case u.Expected == "":
		return because(Phrasef("%v not met", Quote(u.Criterion)), u.Reason)
	}
	want, got := u.Expected, u.Actual
	if Lead(want, QuoteRunes) == Lead(got, QuoteRunes) {
		want, got = worddiff.Around(want, got, QuoteRunes, QuoteRunes)
	}
	return because(with(Phrasef("expected %v", Quote(want)), got != "", Say(", got "), Quote(got)), u.Reason)
}

// belowThreshold returns a phrase of lead, the expected label, and the score that missed the threshold. The score is
// left out if it is 0: then nothing but the label counted. Without an expected label, belowThreshold returns the score
// and the reason.
func belowThreshold(u expect.Unmet, lead string) Phrase {
	if label, ok := strings.CutPrefix(u.Reason, score.LabelExpected); ok {
		if u.Actual == "0.000" {
			return Phrase{Tell(lead + label)}
		}
		return Phrasef("%v (overall score %v, needs %v)", Tell(lead+label), Tell(u.Actual), Tell(u.Expected))
	}
	return because(Phrasef("overall score %v, needs %v", Tell(u.Actual), Tell(u.Expected)), u.Reason)
}

func graded(u expect.Unmet) Phrase {
	p := with(Phrase{Quote(u.Expected)}, u.Severity != "" && u.Severity != "medium", Say(" ("), Tell(u.Severity), Say(")"))
	return with(append(p, Say(" is not met")), u.Reason != "", Say(", says the judge: "), Quote(u.Reason))
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
		switch text := Lead(x.text, runes); x.kind {
		case quoted:
			out = append(out, Span{Text: text, Code: true})
		case named:
			out = append(out, Span{Text: cmp.Or(Ends(x.text, NameRunes), "unnamed"), Code: x.url == "", URL: x.url})
		case strong:
			out = append(out, Span{Text: x.text, Strong: true})
		case sentence:
			out = append(out, marked(text)...)
		default:
			out = append(out, marked(x.text)...)
		}
	}
	return out
}

// marked makes text between two backticks code.
func marked(text string) (out []Span) {
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
