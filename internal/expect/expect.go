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
	"github.com/failproof/failproof/internal/worddiff"
)

// Expectation has the compiled checks of one case. The zero value has none. It is safe for concurrent use.
type Expectation struct {
	Format     *Format      // nil: any
	Criteria   []*Criterion // expected_response, and the string evaluators of *.prompt.yml
	Assertions []*Criterion // in the order of the file
}

// CriterionRunner is the Criterion of an Unmet from another test runner, which judged the answer by its own rules.
const CriterionRunner = "runner"

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

// Check checks an answer. formatFault is the reason that the answer lacks the expected format, such as "Unexpected
// token 'T' in JSON at position 0", or "". unmet has the missed criteria in the order of the file. repairs names the
// JSON heuristics that were needed to read the answer.
func (e *Expectation) Check(a *Answer, vars map[string]string) (formatFault string, unmet []Unmet, repairs []string) {
	if e.Empty() {
		return "", nil, nil
	}
	a.vars = vars
	if e.Format != nil {
		formatFault = e.Format.fault(a)
	}
	for _, c := range e.all() {
		if why := c.mismatch(a); why != "" {
			actual := string(model.FormatAnswer(model.Untrusted(a.Text), a.ToolCalls)) // as reports show it
			unmet = append(unmet, Unmet{Criterion: c.Name, Expected: truncate(c.Expected, maxQuotedRunes),
				Actual: truncate(actual, maxQuotedRunes), Reason: why})
		}
	}
	return formatFault, unmet, a.repairs()
}

// all returns the criteria and the assertions.
func (e *Expectation) all() []*Criterion { return slices.Concat(e.Criteria, e.Assertions) }

// MatchesByTruncation reports whether a truncated text may match a pattern only because its end is missing. An example
// is ^[^$]*$, which forbids a dollar sign. Assertions that require absence check for truncation themselves.
func (e *Expectation) MatchesByTruncation(text string) bool {
	if e.Empty() {
		return false
	}
	return e.Format != nil && e.Format.pattern.matchesByAbsence(text) || slices.ContainsFunc(e.all(),
		func(c *Criterion) bool { return !c.requiresAbsence && c.pattern.matchesByAbsence(text) })
}

// EqualsExpected reports whether an answer equals an expected one, as text or as JSON.
func (e *Expectation) EqualsExpected(a *Answer) bool {
	return e != nil && slices.ContainsFunc(e.Criteria, func(m *Criterion) bool {
		compared := m.Mode == ModeExact || m.Mode == ModeEquals || m.Mode == ModeJSON
		return compared && m.mismatch(a) == "" && (m.Mode != ModeJSON || len(a.repairs()) == 0)
	})
}

// Requirement describes one check of an answer as its Unmet does, or a setting that decides how the answer is checked.
type Requirement struct {
	Criterion string `json:"criterion"` // expected_format, expected_response, assert, policy, …
	Expected  string `json:"expected"`
}

// ShortenApart shortens requirements of one case, was before and is now, to the given number of runes. Of two of the
// same kind that only one side has each, it keeps what differs.
func ShortenApart(was, is []Requirement, runes int) {
	before, now := slices.Clone(was), slices.Clone(is)
	next := map[string]int{} // by kind: where its next counterpart in before is looked for
	for i, d := range now {
		from := next[d.Criterion]
		at := slices.IndexFunc(before[from:], func(b Requirement) bool {
			return b.Criterion == d.Criterion && !slices.Contains(now, b)
		})
		if at < 0 || slices.Contains(before, d) {
			continue
		}
		at += from
		next[d.Criterion] = at + 1
		was[at].Expected, is[i].Expected = worddiff.ShortenAround(before[at].Expected, d.Expected, runes, runes)
	}
}

// Requirements describes all checks, in the order of Check. The texts are not cut.
func (e *Expectation) Requirements() (all []Requirement) {
	if e.Format != nil {
		all = e.Format.demands()
	}
	for _, c := range e.all() {
		all = append(all, Requirement{c.Name, c.Expected})
		switch mode := c.EffectiveMode(); {
		case mode != c.Mode:
			all = append(all, Requirement{"match", c.Mode + " by its slashes"})
		case mode != "" && mode != ModeExact && mode != modeTools:
			all = append(all, Requirement{"match", mode})
		}
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

	sent searchableText    // reasoning text and answer
	vars map[string]string // the case's own variables, which assertions read; set by Check

	// Caches, nil until first used.
	withCalls    *searchableText // sent and ToolCalls
	parsedCalls  []toolCall      // ToolCalls
	parsedJSON   *jsonReading    // Text as JSON by the heuristics
	exprResponse *response       // Expr's view of the answer
	exprJSON     any             // Expr's view of the JSON
}

// NewAnswer returns the answer in a response.
func NewAnswer(r model.Response) *Answer {
	text, _ := answer.StripReasoning(string(r.Text))
	a := &Answer{Text: text, Truncated: model.EndingOf(r.Finish) == model.EndingTruncated, ToolCalls: r.ToolCalls,
		CostUSD: r.Usage.Cost.Dollars(), Finish: r.Finish, sent: searchableText{text: string(r.Text)}}
	if r.Latency > 0 {
		a.LatencyMS = new(r.Latency.Milliseconds())
	}
	return a
}

// allSent returns all that was sent: reasoning text, answer and tool calls.
func (a *Answer) allSent() *searchableText {
	if len(a.ToolCalls) == 0 {
		return &a.sent
	}
	if a.withCalls == nil {
		a.withCalls = &searchableText{text: string(model.FormatAnswer(model.Untrusted(a.sent.text), a.ToolCalls))}
	}
	return a.withCalls
}

// views yields the answer and the other views of it that are searched for forbidden texts. Views in flowing paragraphs
// are included only if includeFlowing is true.
func (a *Answer) views(includeFlowing bool) iter.Seq[*Answer] {
	return func(yield func(*Answer) bool) {
		if !yield(a) {
			return
		}
		for _, view := range a.sent.allViews() {
			if view.text != a.Text && (includeFlowing || !view.flowing) && !yield(&Answer{Text: view.text}) {
				return
			}
		}
	}
}

// searchableText is a text with the views of it that are searched for forbidden texts.
type searchableText struct {
	text  string
	views []textView // nil until first used
}

// textView is one form of a text. A flowing view has each paragraph on one line. It is searched only for phrases of
// several words, because a pattern that limits a line's length must not apply to a paragraph.
type textView struct {
	text    string
	flowing bool
}

// allViews returns the views of the text: as sent, without zero-width characters, and as a page shows it, with entities
// decoded and letters in reading order.
func (s *searchableText) allViews() []textView {
	if s.views != nil {
		return s.views
	}
	for _, view := range answer.SearchForms(s.text) {
		for _, form := range slices.Compact([]string{view, html.UnescapeString(view), answer.ReadingOrder(view)}) {
			lines, flowing := answer.PlainText(form)
			for _, v := range []textView{{text: form}, {text: normalizeText(form)}, {text: normalizeText(lines)},
				{normalizeText(flowing), true}} {
				isSearched := func(w textView) bool { return w.text == v.text && (v.flowing || !w.flowing) }
				if !slices.ContainsFunc(s.views, isSearched) {
					s.views = append(s.views, v)
				}
			}
		}
	}
	return s.views
}

// normalizeText returns a text without zero-width characters, in normal form NFKC: accents are composed, and wide and
// mathematical letters become plain ones.
func normalizeText(s string) string {
	if text.IsPlainASCII(s) {
		return s
	}
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if text.IsZeroWidth(r) {
			return -1
		}
		return r
	}, s))
}

// hasSpace reports whether a text or a pattern has several words.
func hasSpace(text string) bool { return strings.IndexByte(text, ' ') >= 0 }

// json returns the answer read as JSON by the heuristics.
func (a *Answer) json() jsonReading {
	if a.parsedJSON == nil {
		a.parsedJSON = new(readJSON(a.Text))
	}
	return *a.parsedJSON
}

// repairs returns the heuristics that were needed to read the answer as JSON; nil if no check read the answer as JSON.
func (a *Answer) repairs() []string {
	if a.parsedJSON == nil || a.parsedJSON.fault != "" {
		return nil
	}
	return a.parsedJSON.repairs
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

// SameName reports whether both policies have the same name. Names are unique.
func (p *Policy) SameName(other *Policy) bool { return p.Name == other.Name }

// FindViolation returns the first part of an answer that matches a pattern, cut to 300 runes, in linear time. It also
// searches reasoning text and tool calls.
func (p *Policy) FindViolation(a *Answer) (evidence string, ok bool) {
	for _, view := range a.allSent().allViews() {
		for _, re := range p.patterns {
			if view.flowing && !hasSpace(re.String()) {
				continue
			}
			if span := re.FindStringIndex(view.text); span != nil {
				return truncate(view.text[span[0]:span[1]], maxQuotedRunes), true
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

// Catches reports whether the policy will match an answer to a case with the policies in now, none of which does yet.
func (p Proposed) Catches(now []*Policy, a *Answer) bool {
	at := slices.IndexFunc(now, p.SameName)
	if at < 0 && !p.ForAll {
		return false
	}
	if at >= 0 {
		if _, caught := now[at].FindViolation(a); caught {
			return false
		}
	}
	_, caught := p.FindViolation(a)
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
	se, _ := errors.AsType[*syntax.Error](err) // it has no other errors
	at := max(0, strings.Index(pattern, se.Expr))
	if se.Code == syntax.ErrInvalidRepeatSize {
		at = max(0, strings.LastIndex(pattern, se.Expr)) // of nested repeats, the outer one is the error
	}
	return faultf(utf8.RuneCountInString(pattern[:at]), "invalid regular expression: %s: %s", text.PatternFault(se), quoteTruncated(se.Expr))
}

func quoteTruncated(s string) string { return fmt.Sprintf("%q", truncate(s, 60)) }

// maxQuotedRunes is the longest quotation of an answer or expectation, in runes.
const maxQuotedRunes = 300

func truncate(s string, n int) string { return text.Truncate(s, n) }
