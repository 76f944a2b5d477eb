package expect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/failproof/failproof/internal/script"
)

// form is a named assertion. Each also exists with the prefix not_.
type form struct {
	name  string
	mode  string // in which a text is compared
	texts formTexts
}

// formTexts says how many texts a form takes, and how many of them an answer must match.
type formTexts int

const (
	oneText formTexts = iota
	anyText
	everyText
)

// A form of several texts cannot have ModeRegex: the cost of one pattern at most is bounded.
var forms = []form{
	{"contains", ModeContains, oneText},
	{"icontains", ModeContainsFold, oneText},
	{"contains_any", ModeContains, anyText},
	{"contains_all", ModeContains, everyText},
	{"starts_with", modePrefix, oneText},
	{"regex", ModeRegex, oneText},
}

// Forms are the names of the forms.
var Forms = func() (names []string) {
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}()

// CompileForm compiles a named assertion such as contains or not_contains. The error is a *CompileError with the place
// in the text.
func CompileForm(name string, texts []string) (*Assertion, error) {
	plainName, negated := strings.CutPrefix(name, "not_")
	at := slices.Index(Forms, plainName)
	switch {
	case at < 0:
		return nil, faultf(0, "unknown assertion %s; expected an expression, or one of %s, with not_ before it "+
			"where it must not be so", quoteTruncated(name), strings.Join(Forms, ", "))
	case len(texts) == 0 || len(texts) > 1 && forms[at].texts == oneText:
		return nil, faultf(0, "%s takes one text; got %d", name, len(texts))
	}
	wanted := texts
	if negated { // with composed accents, as in most views that negate searches
		wanted = make([]string, len(texts))
		for i, text := range texts {
			wanted[i] = norm.NFC.String(text)
		}
	}
	as, err := forms[at].compile(wanted)
	if err != nil {
		return nil, err
	}
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	as.source, as.requiresAbsence = name+" "+strings.Join(quoted, ", "), negated
	if negated {
		as.form = negate(as.form, as.pattern, slices.ContainsFunc(texts, hasSpace))
	}
	return as, nil
}

// String returns an expression as written, or a form's name and texts.
func (as *Assertion) String() string { return as.source }

// compile compiles the form without the prefix not_.
func (f form) compile(texts []string) (_ *Assertion, err error) {
	matches := make([]*Match, len(texts))
	for i, text := range texts {
		if matches[i], err = CompileMatch(text, f.mode); err != nil {
			return nil, err
		}
	}
	if f.texts == anyText {
		return &Assertion{
			AlwaysTrue: slices.ContainsFunc(matches, func(m *Match) bool { return m.AlwaysTrue }),
			form: func(a *Answer) string {
				if slices.ContainsFunc(matches, func(m *Match) bool { return m.mismatch(a) == "" }) {
					return ""
				}
				return "none of them is contained"
			}}, nil
	}
	return &Assertion{
		pattern:    matches[0].pattern,
		AlwaysTrue: !slices.ContainsFunc(matches, func(m *Match) bool { return !m.AlwaysTrue }),
		form: func(a *Answer) string {
			for _, m := range matches {
				if why := m.mismatch(a); why != "" && f.texts == everyText {
					return fmt.Sprintf("%s is %s", quoteTruncated(m.Expected), why)
				} else if why != "" {
					return why
				}
			}
			return ""
		}}, nil
}

// negate returns the opposite of a form, which is met if no view of the answer meets the form. It is not met if a view
// is too long to search.
func negate(check checkFunc, p *pattern, includeFlowing bool) checkFunc {
	return func(a *Answer) string {
		for view := range a.views(includeFlowing) {
			if why := p.costFault(view.Text); why != "" {
				return notEvaluated(why)
			}
			switch why := check(view); {
			case why == "" && view == a:
				return "the answer matches, and must not"
			case why == "":
				return "the answer matches in its reasoning text, as shown on a page, or with its escapes decoded, and must not"
			}
		}
		return ""
	}
}

// ScriptForm is the name of an assertion in JavaScript; not_javascript is its opposite.
const ScriptForm = "javascript"

// Script is a condition in JavaScript.
type Script struct {
	script.Script
	JSON bool // the script gets the answer's JSON instead of its text
}

// CompileScript returns a script as an assertion. The script gets the text of an answer, or its tool calls if it has no
// text. If the script fails, the assertion is not met, even if negated. negated says that the prefix not_ is written.
func CompileScript(negated bool, s Script) (*Assertion, error) {
	for _, part := range []string{s.Source, s.Transform} {
		switch {
		case len(part) > script.MaxSource:
			return nil, faultf(0, "a script of %d bytes; at most %d are allowed", len(part), script.MaxSource)
		case !utf8.ValidString(part):
			return nil, faultf(0, "the script is not valid UTF-8")
		}
	}
	if err := s.Check(); err != nil {
		offset := 0
		if fault, ok := errors.AsType[*script.Fault](err); ok && fault.Part == "script" {
			lines := strings.SplitAfter(s.Source, "\n")
			before := lines[:min(max(fault.Line-1, 0), len(lines))]
			offset = utf8.RuneCountInString(strings.Join(before, ""))
		}
		return nil, faultf(offset, "%s", err)
	}
	source := ScriptForm + " " + strconv.Quote(s.Source)
	if s.Transform != "" {
		source += ", transform " + strconv.Quote(s.Transform)
	}
	if s.JSON {
		source += ", json"
	}
	if s.Threshold != nil {
		source += fmt.Sprintf(", threshold %v", *s.Threshold)
	}
	if negated {
		source = "not_" + source
	}
	return &Assertion{source: source, negated: negated, requiresAbsence: negated, AllVars: s.ReadsVars(), script: &s,
		readsJSON: s.JSON}, nil
}

// scriptMismatch returns why an answer does not meet the script, or "".
func (as *Assertion) scriptMismatch(a *Answer, vars map[string]string) string {
	output := a.scriptInput()
	if as.script.JSON {
		if fault := a.json().fault; fault != "" {
			return notEvaluated("the answer is no JSON: " + fault)
		}
		output = a.exprJSONValue()
	}
	verdict, err := as.script.Evaluate(output, vars)
	switch {
	case err != nil:
		return notEvaluated(err.Error())
	case verdict.Pass != as.negated:
		return ""
	}
	why := "not true"
	if as.negated {
		why = "true"
	}
	if verdict.Score != "" {
		why = "the score is " + verdict.Score
	}
	if verdict.Reason != "" {
		why += ": " + strings.Join(strings.Fields(truncate(verdict.Reason, maxQuotedRunes)), " ")
	}
	return why
}

// scriptInput returns an answer's text or, if that is empty, its tool calls in the form of OpenAI's Chat Completions.
func (a *Answer) scriptInput() any {
	if len(a.ToolCalls) == 0 || strings.TrimSpace(a.Text) != "" {
		return a.Text
	}
	calls := make([]any, len(a.ToolCalls))
	for i, c := range a.ToolCalls {
		function := map[string]string{"name": string(c.Name), "arguments": cmp.Or(string(c.Arguments), "{}")}
		calls[i] = map[string]any{"type": "function", "function": function}
	}
	return calls
}
