package render

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
)

// phrase is one sentence that mixes our words with what others wrote. It is made inert when it is shown.
type phrase []part

type part struct {
	text string
	kind kind
}

type kind int

const (
	ours     kind = iota // words of this package
	quoted               // a name, or words of an answer
	sentence             // a message that quotes a file or an answer
)

func say(text string) part { return part{text, ours} }

func quote[T ~string](t T) part { return part{string(t), quoted} }

func tell[T ~string](t T) part { return part{string(t), sentence} }

// markdown shows a phrase in a table cell or a paragraph. Each foreign part is cut to runes.
func (p phrase) markdown(runes int) string {
	var b strings.Builder
	for _, x := range p {
		text := lead(x.text, runes)
		switch x.kind {
		case quoted:
			b.WriteString(code(text))
		case sentence:
			b.WriteString(prose(text))
		default:
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// plain shows a phrase in a terminal or an annotation.
func (p phrase) plain(runes int) string {
	var b strings.Builder
	for _, x := range p {
		text := lead(x.text, runes)
		switch x.kind {
		case quoted:
			b.WriteString("“" + text + "”")
		case sentence:
			b.WriteString(text)
		default:
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// wordOf names what became of a side's shown trial.
func wordOf(o *report.Outcome) string {
	k := classify.Classification{Primary: o.Primary}
	if o.Details != nil {
		k.Details = *o.Details
	}
	return k.Word()
}

// happened says in one phrase why a side's shown trial was classified as it was; empty if there is nothing to say.
func happened(o *report.Outcome) phrase {
	if o == nil {
		return nil
	}
	var d classify.Details
	if o.Details != nil {
		d = *o.Details
	}
	switch o.Primary {
	case classify.PolicyViolation:
		return with(phrase{say("policy "), quote(d.PolicyName)}, d.Evidence != "", say(" matched "), quote(d.Evidence))
	case classify.WrongFormat:
		return either(d.ErrorMessage, "not of the expected format")
	case classify.Refusal:
		return refused(d)
	case classify.Fail:
		return failed(d)
	case classify.Pass:
		return passed(d)
	}
	return unanswered(o.Primary, d)
}

func with(p phrase, really bool, more ...part) phrase {
	if !really {
		return p
	}
	return append(p, more...)
}

func either[T ~string](message T, otherwise string) phrase {
	if strings.TrimSpace(string(message)) == "" {
		return phrase{say(otherwise)}
	}
	return phrase{tell(message)}
}

func refused(d classify.Details) phrase {
	p := with(phrase{say(refusalWords(d.Kind))}, d.Evidence != "", say(": "), quote(d.Evidence))
	return with(p, d.Rule != "", say(" (rule "), quote(d.Rule), say(")"))
}

// refusalWords tells how an answer refuses; a kind that is none is untrusted text of a stored report.
func refusalWords(k refusal.Kind) string {
	switch k {
	case refusal.Unable:
		return "refused, unable"
	case refusal.Deflected:
		return "refused, deflected"
	}
	return "refused"
}

func passed(d classify.Details) phrase {
	switch {
	case d.Expected != "":
		return phrase{quote(d.Expected), say(" was expected")}
	case d.NeedsReview:
		return phrase{say("needs a review: its meaning could not be compared")}
	case d.Unverified:
		return phrase{say("nothing to hold the answer to")}
	}
	return nil
}

func unanswered(c classify.Category, d classify.Details) phrase {
	switch {
	case c == classify.Timeout && d.LimitSeconds > 0:
		return phrase{say("no answer within " + strconv.FormatFloat(d.LimitSeconds, 'g', -1, 64) + " s")}
	case c == classify.Timeout:
		return phrase{say("no answer in time")}
	case d.Reason == "empty_truncated":
		return phrase{say("`max_tokens` was spent before a word of it came")}
	case d.Reason == "empty_response":
		return phrase{say("the answer is empty")}
	case c == classify.Crash:
		return with(phrase{say("the target crashed")}, d.ErrorDetails != "", say(": "), tell(d.ErrorDetails))
	}
	if d.ErrorDetails == "" && d.Reason != "" {
		return phrase{say("no answer: "), quote(d.Reason)}
	}
	return either(d.ErrorDetails, "no answer")
}

func failed(d classify.Details) phrase {
	if len(d.Unmet) == 0 {
		if d.Expected != "" {
			return phrase{say("expected "), quote(d.Expected)}
		}
		return phrase{say("a criterion is not met")}
	}
	p := unmet(d.Unmet[0])
	return with(p, len(d.Unmet) > 1, say(" (and "+grouped(len(d.Unmet)-1)+" more"+")"))
}

func unmet(u expect.Unmet) phrase {
	switch {
	case u.Criterion == "assert":
		return assertion(u)
	case u.Criterion == "overall_score":
		p := phrase{say("overall score "), tell(u.Actual), say(", needs "), tell(u.Expected)}
		return with(p, u.Reason != "", say(": "), tell(u.Reason))
	case u.Criterion == "risk_score":
		p := phrase{say("risk "), tell(u.Actual), say(", needs to be "), tell(u.Expected)}
		return with(p, u.Reason != "", say(": "), tell(u.Reason))
	case u.Expected == "":
		return with(phrase{quote(u.Criterion), say(" not met")}, u.Reason != "", say(": "), tell(u.Reason))
	}
	p := with(phrase{say("expected "), quote(u.Expected)}, u.Actual != "", say(", got "), quote(u.Actual))
	return with(p, u.Reason != "", say(": "), tell(u.Reason))
}

func assertion(u expect.Unmet) phrase {
	switch u.Reason {
	case "", "not true":
		return phrase{quote(u.Expected), say(" is not true")}
	}
	return phrase{quote(u.Expected), say(": "), tell(u.Reason)}
}
