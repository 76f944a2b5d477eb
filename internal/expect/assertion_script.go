package expect

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/script"
)

// ScriptForm is the name of an assertion in JavaScript; not_javascript is its opposite.
const ScriptForm = "javascript"

// Script is a condition in JavaScript.
type Script struct {
	script.Script
	JSON bool // the script gets the answer's JSON instead of its text
}

// CompileScript returns a script as an assertion. The script gets the text of an answer, or its tool calls if it has no
// text. If the script fails, the assertion is not met, even if negative.
func CompileScript(negative bool, s Script) (*Assertion, error) {
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
	if negative {
		source = "not_" + source
	}
	return &Assertion{source: source, negative: negative, allVars: true, script: &s, readsJSON: s.JSON}, nil
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
	case verdict.Pass != as.negative:
		return ""
	}
	why := "not true"
	if as.negative {
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

// scriptInput returns an answer's text. If that is empty, it returns the tool calls in the form of OpenAI's Chat
// Completions.
func (a *Answer) scriptInput() any {
	if len(a.ToolCalls) == 0 || strings.TrimSpace(a.Text) != "" {
		return a.Text
	}
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	calls := make([]call, len(a.ToolCalls))
	for i, c := range a.ToolCalls {
		calls[i] = call{"function", function{string(c.Name), cmp.Or(string(c.Arguments), "{}")}}
	}
	return calls
}
