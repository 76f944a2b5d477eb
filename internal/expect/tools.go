package expect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// maxCalls is the largest number of tool calls of an answer that are compared.
const maxCalls = 100

// modeTools is the mode of a Criterion that compares tool calls.
const modeTools = "tools"

// ExpectedCall is a tool call that an answer must make.
type ExpectedCall struct {
	Name      string
	Arguments map[string]any // as from document.Node.Value; the call may have others
}

func (e ExpectedCall) String() string {
	if len(e.Arguments) == 0 {
		return e.Name
	}
	return e.Name + "(" + string(text.Must(json.Marshal(e.Arguments))) + ")" // values of a checked file always marshal
}

// CompileTools compiles the expected tool calls. An answer must make these calls and no others, in any order, each with
// at least the expected arguments.
func CompileTools(expected []ExpectedCall) *Criterion {
	words := make([]string, len(expected))
	for i, e := range expected {
		words[i] = e.String()
	}
	m := &Criterion{Name: "expected_tools", Mode: modeTools, Expected: strings.Join(words, ", ")}
	if len(expected) == 0 {
		m.Expected = "no call of a tool"
	}
	m.condition = func(a *Answer) string { return callMismatch(expected, a.toolCalls()) }
	return m
}

// toolCall is a tool call of an answer.
type toolCall struct {
	Name      string `expr:"name"`
	Arguments any    `expr:"arguments"` // a JSON value, or the text if it is not JSON
	fault     string // why the arguments are not JSON; "" if they are
}

// toolCalls returns the first tool calls with their arguments parsed.
func (a *Answer) toolCalls() []toolCall {
	if a.parsedCalls == nil {
		a.parsedCalls = []toolCall{}
		for _, c := range a.ToolCalls[:min(len(a.ToolCalls), maxCalls)] {
			one := toolCall{Name: string(c.Name), Arguments: map[string]any{}}
			if text := strings.TrimSpace(string(c.Arguments)); text != "" {
				if read := strictJSON(text); read.fault != "" {
					one.Arguments, one.fault = text, read.fault
				} else {
					one.Arguments = read.value
				}
			}
			a.parsedCalls = append(a.parsedCalls, one)
		}
	}
	return a.parsedCalls
}

// callMismatch returns a message about a missing or unexpected call, or "". It assigns calls by Kuhn's algorithm.
func callMismatch(expected []ExpectedCall, calls []toolCall) string {
	assigned := make([]int, len(calls)) // 1 + index of the expected call; 0 for none
	var assign func(e int, seen []bool) bool
	assign = func(e int, seen []bool) bool {
		for i, c := range calls {
			if seen[i] || expected[e].mismatch(c) != "" {
				continue
			}
			seen[i] = true
			if assigned[i] == 0 || assign(assigned[i]-1, seen) {
				assigned[i] = e + 1
				return true
			}
		}
		return false
	}
	for e := range expected {
		if !assign(e, make([]bool, len(calls))) {
			return expected[e].whyNotCalled(calls)
		}
	}
	for i, c := range calls {
		if assigned[i] == 0 {
			return fmt.Sprintf("it calls %s, which is not expected", truncate(c.Name, 60))
		}
	}
	return ""
}

// whyNotCalled returns why none of the calls is the expected one.
func (e ExpectedCall) whyNotCalled(calls []toolCall) string {
	if len(calls) == 0 {
		return "it calls no tool"
	}
	for _, c := range calls {
		if c.Name == e.Name {
			if why := e.mismatch(c); why != "" {
				return e.Name + ": " + why
			}
			return fmt.Sprintf("%s is not called another time", e.Name)
		}
	}
	return fmt.Sprintf("it does not call %s, it calls %s", e.Name, truncate(calls[0].Name, 60))
}

// mismatch returns why a call is not the expected one, or "".
func (e ExpectedCall) mismatch(c toolCall) string {
	switch {
	case c.Name != e.Name:
		return "another tool"
	case len(e.Arguments) == 0:
		return ""
	case c.fault != "":
		return "its arguments are not JSON: " + c.fault
	}
	switch d := firstDifference(e.Arguments, c.Arguments, true); {
	case d == nil:
		return ""
	case len(d.path) == 0:
		return "arguments: " + d.why
	default:
		return "arguments" + d.String()
	}
}
