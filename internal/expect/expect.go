// Package expect is what a case expects of an answer: match modes, formats, assertions and policies, compiled once when
// the suite is loaded and then checked against answers. It does no I/O and decides no category.
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

// Expectation is what one case demands, compiled. The zero value demands nothing. It is read-only, so many answers can
// be checked at once.
type Expectation struct {
	Format     *Format      // nil: any
	Criteria   []*Match     // expected_response, and the string evaluators of *.prompt.yml
	Assertions []*Assertion // in the order of the file
}

// ByRunner is the criterion of an answer that another runner judged by its own rules.
const ByRunner = "runner"

// Unmet is a success criterion that an answer missed.
type Unmet struct {
	Criterion string `json:"criterion"` // expected_response, assert, overall_score, …
	Expected  string `json:"expected"`  // what was asked, cut to 300 runes
	Actual    string `json:"actual,omitempty"`
	// why it could not be evaluated, or where it differs; of a rubric, what the judge says
	Reason   string `json:"reason,omitempty"`
	Severity string `json:"severity,omitempty"` // of a rubric's criterion
}

// Empty reports that nothing is demanded.
func (e *Expectation) Empty() bool {
	return e == nil || e.Format == nil && len(e.Criteria) == 0 && len(e.Assertions) == 0
}

// Check judges an answer. format says why it is not of the expected format, for JSON as "Unexpected token 'T' in JSON
// at position 0"; "" if it is, or if none is expected. unmet holds the missed criteria in the order of the file.
// repairs names the JSON heuristics that reading the answer needed.
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

// Forbids reports whether a text meets a pattern by what it lacks, such as a dollar sign. Other ways to forbid check
// for themselves whether the answer was cut.
func (e *Expectation) Forbids(text string) bool {
	if e.Empty() {
		return false
	}
	return e.Format != nil && e.Format.pattern.forbids(text) ||
		slices.ContainsFunc(e.Criteria, func(m *Match) bool { return m.pattern.forbids(text) }) ||
		slices.ContainsFunc(e.Assertions, func(a *Assertion) bool { return !a.negative && a.pattern.forbids(text) })
}

// WordForWord reports whether an answer is the expected one, literally or as equal JSON.
func (e *Expectation) WordForWord(a *Answer) bool {
	return e != nil && slices.ContainsFunc(e.Criteria, func(m *Match) bool {
		whole := m.mode == ModeExact || m.mode == ModeEquals || m.mode == ModeJSON
		return whole && m.judge(a) == "" && (m.mode != ModeJSON || len(a.repairs()) == 0)
	})
}

// Demand is one thing that is expected of an answer, in the words of the Unmet of an answer that misses it.
type Demand struct {
	Criterion string `json:"criterion"` // expected_format, expected_response, assert, policy, …
	Expected  string `json:"expected"`  // what is asked for, cut to 300 runes
}

// Demands are all that is demanded, in the order in which it is checked.
func (e *Expectation) Demands() (all []Demand) {
	if e == nil {
		return nil
	}
	if f := e.Format; f != nil {
		words := f.kind
		switch {
		case f.source != "":
			words += " " + cut(f.source, shownRunes)
		case f.schema != nil:
			words += " by its schema"
		}
		all = append(all, Demand{"expected_format", words})
	}
	for _, m := range e.Criteria {
		all = append(all, Demand{m.Criterion, cut(m.expected, shownRunes)})
	}
	for _, a := range e.Assertions {
		all = append(all, Demand{"assert", cut(a.source, shownRunes)})
	}
	return all
}

// Answer is a response to judge. Costly results, such as its JSON, are computed on first use, so one goroutine at a
// time may use it.
type Answer struct {
	Text      string // without the thoughts before it
	Truncated bool   // the provider cut it at its length limit: what it does not say proves nothing

	ToolCalls []model.ToolCall
	LatencyMS *int64   // how long it took; nil: not known
	CostUSD   *float64 // what it cost; nil: not known
	Finish    string   // finish or stop reason as the provider wrote it; "": not known

	sent        SentText     // thoughts and answer
	read        []toolCall   // ToolCalls; nil until asked for
	lenient     *jsonReading // by the heuristics; nil until asked for
	forExpr     *response    // what expressions see of it; nil until asked for
	jsonForExpr any          // and of its JSON; likewise
}

// NewAnswer returns the answer in what a model sent, which was not cut.
func NewAnswer(sent string) *Answer {
	text, _ := answer.Of(sent)
	return &Answer{Text: text, sent: SentText{text: sent}}
}

// views yields the answer and all other texts to search for what must not be said.
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

// SentText is a response with all the views of it that policies search. They are made on first use, so one goroutine at
// a time may use it.
type SentText struct {
	text  string
	views []look
}

// NewSent returns what a model sent, before anybody looked at it.
func NewSent(text string) *SentText { return &SentText{text: text} }

// SentBy returns what policies search of a response: its text and its words to tools.
func SentBy(r model.Response) *SentText { return NewSent(string(model.WithCalls(r.Text, r.ToolCalls))) }

// look is one of these texts. A flowing one has each paragraph on one line and is searched for phrases of several words
// only, since a limit on the length of a line is none on that of a paragraph.
type look struct {
	text  string
	flows bool
}

// allViews returns the views of the text: each as it is, without zero-width characters, and in the words that a page
// shows, with entities decoded and letters in reading order.
func (s *SentText) allViews() []look {
	if s.views != nil {
		return s.views
	}
	for view := range answer.Views(s.text) {
		s.look(view)
		if strings.IndexByte(view, '&') >= 0 {
			if written := html.UnescapeString(view); written != view {
				s.look(written)
			}
		}
		if turned := answer.Unturned(view); turned != view {
			s.look(turned)
		}
	}
	return s.views
}

// look adds a text, and how it is seen.
func (s *SentText) look(view string) {
	s.views = append(s.views, look{text: view})
	plain := seenAs(view)
	if plain != view {
		s.views = append(s.views, look{text: plain})
	}
	lines, flowing := answer.Shown(view)
	lines, flowing = seenAs(lines), seenAs(flowing)
	if lines != view && lines != plain {
		s.views = append(s.views, look{text: lines})
	}
	if flowing != lines {
		s.views = append(s.views, look{flowing, true})
	}
}

// seenAs returns a text without zero-width characters and with letters as they are read: composed accents, and plain
// letters for wide and mathematical ones.
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

// spaced reports a text or a pattern of several words.
func spaced(text string) bool { return strings.IndexByte(text, ' ') >= 0 }

func (a *Answer) json() jsonReading {
	if a.lenient == nil {
		a.lenient = new(readJSON(a.Text))
	}
	return *a.lenient
}

// repairs names the heuristics that reading the answer as JSON needed, if it was read so.
func (a *Answer) repairs() []string {
	if a.lenient == nil || a.lenient.fault != "" {
		return nil
	}
	return a.lenient.repairs
}

// Policy is a named rule on what an answer may say, compiled.
type Policy struct {
	Name        string
	Description string

	patterns []*regexp.Regexp
}

// CompilePolicy returns the policy whose patterns no answer may match.
func CompilePolicy(name, description string, patterns []*regexp.Regexp) *Policy {
	p := &Policy{Name: name, Description: description, patterns: slices.Clone(patterns)}
	for i, re := range p.patterns {
		if re == nil || norm.NFC.IsNormalString(re.String()) {
			continue
		}
		// as the texts are that it is looked for in
		if composed, err := regexp.Compile(norm.NFC.String(re.String())); err == nil {
			p.patterns[i] = composed
		}
	}
	return p
}

// Is reports whether other is the policy of the same name; names are unique.
func (p *Policy) Is(other *Policy) bool { return p.Name == other.Name }

// Find returns the words of a sent text that break the policy, cut to 300 runes, by the first pattern that matches one
// of the views. Its cost is linear in the length of the text.
func (p *Policy) Find(sent *SentText) (evidence string, ok bool) {
	for _, in := range sent.allViews() {
		for _, re := range p.patterns {
			if re == nil || in.flows && !spaced(re.String()) {
				continue
			}
			if span := re.FindStringIndex(in.text); span != nil {
				return cut(in.text[span[0]:span[1]], shownRunes), true
			}
		}
	}
	return "", false
}

// CompileError says why an expectation cannot be compiled. It is a fault of the user's file.
type CompileError struct {
	Message string // what is wrong and what was expected, one line
	Offset  int    // in runes from the start of the source; 0 if no better place is known
}

func (e *CompileError) Error() string { return e.Message }

func faultf(offset int, format string, args ...any) *CompileError {
	return &CompileError{Message: fmt.Sprintf(format, args...), Offset: offset}
}

// patternFault explains an error of syntax.Parse with the place of what it names.
func patternFault(pattern string, err error) *CompileError {
	se, is := errors.AsType[*syntax.Error](err)
	if !is {
		return faultf(0, "invalid regular expression: %v", err)
	}
	what := string(se.Code)
	if se.Code == syntax.ErrInvalidPerlOp {
		what += " (RE2 has no look-around and no back references)"
	}
	at := max(0, strings.Index(pattern, se.Expr))
	if se.Code == syntax.ErrInvalidRepeatSize {
		at = max(0, strings.LastIndex(pattern, se.Expr)) // of repeats in repeats the outer one is too many
	}
	return faultf(utf8.RuneCountInString(pattern[:at]), "invalid regular expression: %s: %s", what, quoteCut(se.Expr))
}

func quoteCut(s string) string { return fmt.Sprintf("%q", cut(s, 60)) }

// shownRunes is how much of an answer or expectation is quoted.
const shownRunes = 300

func cut(s string, n int) string { return text.Cut(s, n) }
