package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// hurdle is a kind of expectation that is often hard to find in free text.
type hurdle struct {
	what   string // describes the cases
	advice string
	// applies reports whether the kind is that of m. judged is true if a judge decides about facts that are not found.
	// prompt is the text of the messages that are sent.
	applies func(m *score.Expected, prompt string, formatted, judged bool) bool
}

var hurdles = []hurdle{
	{"whose labels are single letters, which a sentence may hold by chance",
		"say with `label_in` where the label stands, or expect a format",
		func(m *score.Expected, _ string, formatted, _ bool) bool { return labelsMatch(m, formatted, isLetter) }},
	{"whose labels are a scale, of which an answer may name other steps as well",
		"say with `label_in` where the label stands, or expect a format",
		func(m *score.Expected, _ string, formatted, _ bool) bool { return labelsMatch(m, formatted, isStep) }},
	{"with a key fact of more than 12 words, which few answers say alike",
		"split it into short facts, or let a judge decide (`facts: { unclear: judge }`)",
		func(m *score.Expected, _ string, _, judged bool) bool {
			return !judged && slices.ContainsFunc(m.Facts, isLong)
		}},
	{"with key facts in another language than English, of which no other wording is found",
		"let a judge decide (`facts: { unclear: judge }`), or write patterns",
		func(m *score.Expected, prompt string, _, judged bool) bool {
			return !judged && areForeign(m.Facts, prompt)
		}},
	{"with forbidden claims in another language than English, of which no other wording is found",
		"let a judge decide by a criterion (`rubric`), or write patterns",
		func(m *score.Expected, prompt string, _, _ bool) bool { return areForeign(m.Forbidden, prompt) }},
}

// Advice returns a line about folders below that are not checked, and one for each kind of expectation that is hard to
// find in free text. The latter names the first such case and says what to do.
func (c Checked) Advice() (lines []string) {
	if n := len(c.below); n > 0 {
		lines = append(lines, fmt.Sprintf("%s, first %s; they are not checked here: run `failproof validate` in each",
			text.Count(n, "folder below has its own configuration", "folders below have their own configurations"),
			document.Quote(c.below[0])))
	}
	counts, firsts := make([]int, len(hurdles)), make([]string, len(hurdles))
	for s, of := range suite.EachCase(suite.FirstTargets(c.Suites)) {
		one := of.Open()
		formatted := one.Expect != nil && one.Expect.Format != nil
		judged := one.Rubric != nil && slices.ContainsFunc(one.Rubric.Criteria,
			func(c suite.Criterion) bool { return c.Fact != "" })
		prompt := messagesOf(one.Prompt)
		for i, h := range hurdles {
			if one.Measured == nil || !h.applies(one.Measured, prompt, formatted, judged) {
				continue
			}
			if counts[i]++; counts[i] == 1 {
				firsts[i] = c.placeOf(s, of)
			}
		}
	}
	for i, h := range hurdles {
		if counts[i] > 0 {
			lines = append(lines, fmt.Sprintf("%s %s, first %s; %s", text.Count(counts[i], "case"),
				h.what, firsts[i], h.advice))
		}
	}
	return lines
}

// labelsMatch reports whether the labels of a case are searched for in a whole answer of free text, and match returns
// true for all of them. formatted is true if the case's answers have a format.
func labelsMatch(m *score.Expected, formatted bool, match func(label string) bool) bool {
	if m.Labels == nil || m.LabelPlace != nil || formatted {
		return false
	}
	return !slices.ContainsFunc(m.Labels.Allowed, func(label string) bool { return !match(label) })
}

func isLetter(label string) bool { return utf8.RuneCountInString(strings.TrimSpace(label)) == 1 }

// steps are the names of the steps of common scales.
var steps = strings.Fields(`none negligible minimal trivial info informational very_low low minor medium moderate normal
	high major severe very_high critical extreme blocker urgent`)

func isStep(label string) bool {
	return slices.Contains(steps, strings.Join(strings.Fields(strings.ToLower(label)), "_"))
}

// areForeign reports whether facts or claims, without patterns, are not in English, which is the only language that
// rules read. Facts of few words are in the language of the prompt.
func areForeign[T fmt.Stringer](facts []T, prompt string) bool {
	var all strings.Builder
	severalWords := false
	for _, f := range facts {
		if source := f.String(); !strings.HasPrefix(source, "/") {
			all.WriteString(source + ".\n")
			severalWords = severalWords || strings.Contains(source, " ")
		}
	}
	return refusal.IsForeign(all.String()) || severalWords && refusal.IsForeign(prompt)
}

func messagesOf(q model.Request) string {
	var texts []string
	for _, m := range q.Messages {
		texts = append(texts, string(m.Content))
	}
	return strings.Join(texts, "\n")
}

// longFact is the largest number of words in a fact. Few answers state a longer one in the same words.
const longFact = 12

func isLong(f *fact.Fact) bool { return !f.IsPattern() && len(strings.Fields(f.String())) > longFact }
