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

// CompileForm compiles a named assertion such as contains or not_contains. The name without not_ is one of Forms. The
// error is a *CompileError with the place in the text.
func CompileForm(name string, texts []string) (*Criterion, error) {
	plainName, negated := strings.CutPrefix(name, "not_")
	f := forms[slices.Index(Forms, plainName)]
	if len(texts) != 1 && f.texts == oneText {
		return nil, faultf(0, "%s takes one text; got %d", name, len(texts))
	}
	var matches []*Criterion
	var quoted []string
	alwaysTrue := 0
	for _, text := range texts {
		quoted = append(quoted, strconv.Quote(text))
		if negated { // with composed accents, as in most views that are searched
			text = norm.NFC.String(text)
		}
		m, err := CompileMatch(text, f.mode)
		if err != nil {
			return nil, err
		}
		if matches = append(matches, m); m.AlwaysTrue {
			alwaysTrue++
		}
	}
	as := &Criterion{Name: assertName, Expected: name + " " + strings.Join(quoted, ", "), requiresAbsence: negated,
		pattern:    matches[0].pattern,
		AlwaysTrue: alwaysTrue == len(matches) || alwaysTrue > 0 && f.texts == anyText}
	as.condition = func(a *Answer) string {
		if !negated {
			return f.mismatch(matches, a)
		}
		for view := range a.views(slices.ContainsFunc(texts, hasSpace)) {
			if why := as.pattern.costFault(view.Text); why != "" {
				return notEvaluated(why)
			}
			switch why := f.mismatch(matches, view); {
			case why == "" && view == a:
				return "the answer matches, and must not"
			case why == "":
				return "the answer matches in its reasoning text, as shown on a page, or with its escapes decoded, and must not"
			}
		}
		return ""
	}
	return as, nil
}

// mismatch returns why an answer does not meet the form without the prefix not_, or "".
func (f form) mismatch(matches []*Criterion, a *Answer) (why string) {
	for _, m := range matches {
		why = m.mismatch(a)
		switch {
		case why == "" && f.texts == anyText:
			return ""
		case why != "" && f.texts == everyText:
			return fmt.Sprintf("%s is %s", quoteTruncated(m.Expected), why)
		}
	}
	if f.texts == anyText {
		return "none of them is contained"
	}
	return why
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
func CompileScript(negated bool, s Script) (*Criterion, error) {
	if n := max(len(s.Source), len(s.Transform)); n > script.MaxSource {
		return nil, faultf(0, "a script of %d bytes; at most %d are allowed", n, script.MaxSource)
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
	return &Criterion{Name: assertName, Expected: source, requiresAbsence: negated, AllVars: s.ReadsVars(),
		condition: func(a *Answer) string { return s.mismatch(negated, a) }}, nil
}

// mismatch returns why an answer does not meet the script, or its opposite, or "".
func (s Script) mismatch(negated bool, a *Answer) string {
	output := a.scriptInput()
	if s.JSON {
		if fault := a.json().fault; fault != "" {
			return notEvaluated("the answer is no JSON: " + fault)
		}
		output = a.exprJSONValue()
	}
	verdict, err := s.Evaluate(output, a.vars)
	switch {
	case err != nil:
		return notEvaluated(err.Error())
	case verdict.Pass != negated:
		return ""
	}
	why := "not true"
	if negated {
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
