// Package expect compiles what a case expects of an answer (match modes, formats, assertions and policies) and checks
// answers against it. It does no I/O and decides no category.
package expect

import (
	"errors"
	"fmt"
	"html"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Expectation has the compiled checks of one case. The zero value has none. It is safe for concurrent use.
type Expectation struct {
	Format     *Format      // nil: any
	Criteria   []*Match     // expected_response, and the string evaluators of *.prompt.yml
	Assertions []*Assertion // in the order of the file
}

// ByRunner is the Criterion of an Unmet from another test runner, which judged the answer by its own rules.
const ByRunner = "runner"

// Unmet is a success criterion that an answer missed.
type Unmet struct {
	Criterion string `json:"criterion"` // expected_response, assert, overall_score, …
	Expected  string `json:"expected"`  // as in the file, cut to 300 runes
	Actual    string `json:"actual,omitempty"`
	// why it could not be evaluated, or where the answer differs; for a rubric, the judge's reason
	Reason   string `json:"reason,omitempty"`
	Severity string `json:"severity,omitempty"` // of a rubric's criterion; "" for any other
}

// Empty reports whether there is no check. e may be nil.
func (e *Expectation) Empty() bool {
	return e == nil || e.Format == nil && len(e.Criteria) == 0 && len(e.Assertions) == 0
}

// Check checks an answer. format is the reason that the answer lacks the expected format, such as "Unexpected token 'T'
// in JSON at position 0", or "". unmet has the missed criteria in the order of the file. repairs names the JSON
// heuristics that were needed to read the answer.
func (e *Expectation) Check(a *Answer, vars map[string]string) (format string, unmet []Unmet, repairs []string) {
	if e.Empty() {
		return "", nil, nil
	}
	missed := func(criterion, expected, why string) {
		if why != "" {
			unmet = append(unmet, Unmet{Criterion: criterion, Expected: cut(expected, shownRunes),
				Actual: cut(a.shownText(), shownRunes), Reason: why})
		}
	}
	if e.Format != nil {
		format = e.Format.fault(a)
	}
	for _, m := range e.Criteria {
		missed(m.Criterion, m.expected, m.judge(a))
	}
	for _, as := range e.Assertions {
		missed("assert", as.source, as.judge(a, vars))
	}
	return format, unmet, a.repairs()
}

// Forbids reports whether a truncated text may match a pattern only because its end is missing. An example is ^[^$]*$,
// which forbids a dollar sign. Negative assertions check for truncation themselves.
func (e *Expectation) Forbids(text string) bool {
	if e.Empty() {
		return false
	}
	return e.Format != nil && e.Format.pattern.forbids(text) ||
		slices.ContainsFunc(e.Criteria, func(m *Match) bool { return m.pattern.forbids(text) }) ||
		slices.ContainsFunc(e.Assertions, func(a *Assertion) bool { return !a.negative && a.pattern.forbids(text) })
}

// WordForWord reports whether an answer equals an expected one, as text or as JSON.
func (e *Expectation) WordForWord(a *Answer) bool {
	return e != nil && slices.ContainsFunc(e.Criteria, func(m *Match) bool {
		whole := m.mode == ModeExact || m.mode == ModeEquals || m.mode == ModeJSON
		return whole && m.judge(a) == "" && (m.mode != ModeJSON || len(a.repairs()) == 0)
	})
}

// Demand describes one check of an answer, or a setting that decides how the answer is checked. An Unmet of a check has
// the same texts.
type Demand struct {
	Criterion string `json:"criterion"` // expected_format, expected_response, assert, policy, …
	Expected  string `json:"expected"`
}

// Demands describes all checks, in the order of Check. The texts are not cut. e may be nil.
func (e *Expectation) Demands() (all []Demand) {
	if e == nil {
		return nil
	}
	if e.Format != nil {
		all = e.Format.demands()
	}
	for _, m := range e.Criteria {
		all = append(all, Demand{m.Criterion, m.expected})
		if m.mode != ModeExact && m.mode != modeTools {
			all = append(all, Demand{"match", m.mode})
		}
	}
	for _, a := range e.Assertions {
		all = append(all, Demand{"assert", a.source})
	}
	return all
}

// Answer is a response to check. It caches costly results, such as its JSON, and is not safe for concurrent use.
type Answer struct {
	Text      string // without reasoning text
	Truncated bool   // cut at the provider's length limit, so a missing text proves nothing

	ToolCalls []model.ToolCall
	LatencyMS *int64   // nil if unknown
	CostUSD   *float64 // nil if unknown
	Finish    string   // finish or stop reason as the provider wrote it; "" if unknown

	sent SentText // reasoning text and answer

	// Caches, nil until first used.
	read        []toolCall   // ToolCalls
	lenient     *jsonReading // Text as JSON by the heuristics
	forExpr     *response    // Expr's view of the answer
	jsonForExpr any          // Expr's view of the JSON
}

// NewAnswer returns the answer in a model's text, as not truncated.
func NewAnswer(sent string) *Answer {
	text, _ := answer.Of(sent)
	return &Answer{Text: text, sent: SentText{text: sent}}
}

// views yields the answer and the other views of it that are searched for forbidden texts. Views in flowing paragraphs
// are included only if spaced is true.
func (a *Answer) views(spaced bool) iter.Seq[*Answer] {
	return func(yield func(*Answer) bool) {
		if !yield(a) {
			return
		}
		for _, one := range a.sent.allViews() {
			if one.text != a.Text && (spaced || !one.flows) && !yield(&Answer{Text: one.text}) {
				return
			}
		}
	}
}

// SentText is a response with the views of it that policies search. It makes them on first use and is not safe for
// concurrent use.
type SentText struct {
	text  string
	views []textView
}

// NewSent returns a model's text for policies to search.
func NewSent(text string) *SentText { return &SentText{text: text} }

// SentBy returns a response's text and tool calls for policies to search.
func SentBy(r model.Response) *SentText { return NewSent(string(model.WithCalls(r.Text, r.ToolCalls))) }

// textView is one form of a text, such as it is shown on a page. A flowing view has each paragraph on one line. It is
// searched only for phrases of several words, because a pattern that limits a line's length must not apply to a
// paragraph.
type textView struct {
	text  string
	flows bool
}

// allViews returns the views of the text: as sent, without zero-width characters, and as a page shows it, with entities
// decoded and letters in reading order.
func (s *SentText) allViews() []textView {
	if s.views != nil {
		return s.views
	}
	for _, view := range answer.Views(s.text) {
		for _, form := range slices.Compact([]string{view, html.UnescapeString(view), answer.Unturned(view)}) {
			lines, flowing := answer.Shown(form)
			s.addViews(textView{text: form}, textView{text: seenAs(form)}, textView{text: seenAs(lines)},
				textView{seenAs(flowing), true})
		}
	}
	return s.views
}

// addViews adds the views whose text is not yet searched.
func (s *SentText) addViews(views ...textView) {
	for _, v := range views {
		if !slices.ContainsFunc(s.views, func(w textView) bool { return w.text == v.text && (v.flows || !w.flows) }) {
			s.views = append(s.views, v)
		}
	}
}

// seenAs returns a text without zero-width characters, in normal form NFKC: accents are composed, and wide and
// mathematical letters become plain ones.
func seenAs(s string) string {
	if text.PlainASCII(s) {
		return s
	}
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if text.NoWidth(r) {
			return -1
		}
		return r
	}, s))
}

// spaced reports whether a text or a pattern has several words.
func spaced(text string) bool { return strings.IndexByte(text, ' ') >= 0 }

// json returns the answer read as JSON by the heuristics.
func (a *Answer) json() jsonReading {
	if a.lenient == nil {
		a.lenient = new(readJSON(a.Text))
	}
	return *a.lenient
}

// repairs returns the heuristics that were needed to read the answer as JSON; nil if no check read the answer as JSON.
func (a *Answer) repairs() []string {
	if a.lenient == nil || a.lenient.fault != "" {
		return nil
	}
	return a.lenient.repairs
}

// Policy is a compiled, named rule: no answer may match its patterns.
type Policy struct {
	Name        string
	Description string

	patterns []*regexp.Regexp
}

// CompilePolicy returns the policy with these patterns. It composes the accents in the patterns, because accents are
// composed in the views that a policy searches.
func CompilePolicy(name, description string, patterns []*regexp.Regexp) *Policy {
	p := &Policy{Name: name, Description: description, patterns: slices.Clone(patterns)}
	for i, re := range p.patterns {
		if norm.NFC.IsNormalString(re.String()) {
			continue
		}
		if composed, err := regexp.Compile(norm.NFC.String(re.String())); err == nil {
			p.patterns[i] = composed
		}
	}
	return p
}

// Is reports whether both policies have the same name. Names are unique.
func (p *Policy) Is(other *Policy) bool { return p.Name == other.Name }

// Find returns the first part of a sent text that matches a pattern, cut to 300 runes. Its cost is linear in the length
// of the text.
func (p *Policy) Find(sent *SentText) (evidence string, ok bool) {
	for _, in := range sent.allViews() {
		for _, re := range p.patterns {
			if in.flows && !spaced(re.String()) {
				continue
			}
			if span := re.FindStringIndex(in.text); span != nil {
				return cut(in.text[span[0]:span[1]], shownRunes), true
			}
		}
	}
	return "", false
}

// Proposed is a policy as it will be after the merge.
type Proposed struct {
	*Policy
	ForAll bool // it will apply to every case
}

// Catches reports whether the policy will match a text that was sent for a case with the policies in now, and none of
// them with its name matches yet.
func (p Proposed) Catches(now []*Policy, sent *SentText) bool {
	at := slices.IndexFunc(now, p.Is)
	if at < 0 && !p.ForAll {
		return false
	}
	if at >= 0 {
		if _, caught := now[at].Find(sent); caught {
			return false
		}
	}
	_, caught := p.Find(sent)
	return caught
}

// CompileError is an error in the user's file: an expectation that does not compile.
type CompileError struct {
	Message string // one line
	Offset  int    // in runes from the start of the source; 0 if unknown
}

func (e *CompileError) Error() string { return e.Message }

func faultf(offset int, format string, args ...any) *CompileError {
	return &CompileError{Message: fmt.Sprintf(format, args...), Offset: offset}
}

// patternFault converts an error of syntax.Parse into a CompileError with its place in the pattern.
func patternFault(pattern string, err error) *CompileError {
	se, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return faultf(0, "invalid regular expression: %v", err)
	}
	at := max(0, strings.Index(pattern, se.Expr))
	if se.Code == syntax.ErrInvalidRepeatSize {
		at = max(0, strings.LastIndex(pattern, se.Expr)) // of nested repeats, the outer one is the error
	}
	return faultf(utf8.RuneCountInString(pattern[:at]), "invalid regular expression: %s: %s", text.PatternFault(se), quoteCut(se.Expr))
}

func quoteCut(s string) string { return fmt.Sprintf("%q", cut(s, 60)) }

// shownRunes is the longest quotation of an answer or expectation, in runes.
const shownRunes = 300

func cut(s string, n int) string { return text.Cut(s, n) }
