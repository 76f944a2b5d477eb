package expect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// maxCalls is the largest number of tool calls of an answer that are compared.
const maxCalls = 100

// modeTools is the mode of a Match that compares tool calls.
const modeTools = "tools"

// ExpectedCall is a tool call that an answer must make.
type ExpectedCall struct {
	Name      string
	Arguments map[string]any // as from document.Node.Value; the call may have others
}

func (c ExpectedCall) String() string {
	if len(c.Arguments) == 0 {
		return c.Name
	}
	text, err := json.Marshal(c.Arguments)
	if err != nil {
		panic("expect: arguments: " + err.Error()) // values of a checked file always marshal
	}
	return c.Name + "(" + string(text) + ")"
}

// CompileTools compiles the expected tool calls. An answer must make these calls and no others, in any order, each with
// at least the expected arguments.
func CompileTools(expected []ExpectedCall) *Match {
	words := make([]string, len(expected))
	for i, e := range expected {
		words[i] = e.String()
	}
	m := &Match{Criterion: "expected_tools", mode: modeTools, expected: strings.Join(words, ", ")}
	if len(expected) == 0 {
		m.expected = "no call of a tool"
	}
	m.judge = func(a *Answer) string { return missedCall(expected, a.calls()) }
	return m
}

// toolCall is a tool call of an answer.
type toolCall struct {
	Name      string `expr:"name"`
	Arguments any    `expr:"arguments"` // a JSON value, or the text if it is not JSON
	fault     string // why the arguments are not JSON; "" if they are
}

// calls returns the first tool calls with their arguments parsed.
func (a *Answer) calls() []toolCall {
	if a.read == nil {
		a.read = []toolCall{}
		for _, c := range a.ToolCalls[:min(len(a.ToolCalls), maxCalls)] {
			one := toolCall{Name: string(c.Name), Arguments: map[string]any{}}
			if text := strings.TrimSpace(string(c.Arguments)); text != "" {
				if read := strictJSON(text); read.fault != "" {
					one.Arguments, one.fault = text, read.fault
				} else {
					one.Arguments = read.value
				}
			}
			a.read = append(a.read, one)
		}
	}
	return a.read
}

// shownText returns the answer's text and tool calls as reports show them.
func (a *Answer) shownText() string {
	return string(model.WithCalls(model.Untrusted(a.Text), a.ToolCalls))
}

// missedCall returns a message about a missing or unexpected call, or "". It assigns calls to expected ones by Kuhn's
// algorithm for bipartite matching.
func missedCall(expected []ExpectedCall, calls []toolCall) string {
	taken := make([]int, len(calls)) // 1 + index of the expected call; 0 for none
	var place func(e int, seen []bool) bool
	place = func(e int, seen []bool) bool {
		for i, c := range calls {
			if seen[i] || expected[e].missedBy(c) != "" {
				continue
			}
			seen[i] = true
			if taken[i] == 0 || place(taken[i]-1, seen) {
				taken[i] = e + 1
				return true
			}
		}
		return false
	}
	for e := range expected {
		if !place(e, make([]bool, len(calls))) {
			return expected[e].nearest(calls)
		}
	}
	for i, c := range calls {
		if taken[i] == 0 {
			return fmt.Sprintf("it calls %s, which is not expected", cut(c.Name, 60))
		}
	}
	return ""
}

// nearest returns why none of the calls is the expected one.
func (e ExpectedCall) nearest(calls []toolCall) string {
	if len(calls) == 0 {
		return "it calls no tool"
	}
	for _, c := range calls {
		if c.Name == e.Name {
			if why := e.missedBy(c); why != "" {
				return e.Name + ": " + why
			}
			return fmt.Sprintf("%s is not called another time", e.Name)
		}
	}
	return fmt.Sprintf("it does not call %s, it calls %s", e.Name, cut(calls[0].Name, 60))
}

// missedBy returns why a call is not the expected one, or "".
func (e ExpectedCall) missedBy(c toolCall) string {
	switch {
	case c.Name != e.Name:
		return "another tool"
	case len(e.Arguments) == 0:
		return ""
	case c.fault != "":
		return "its arguments are not JSON: " + c.fault
	}
	return missingIn(map[string]any(e.Arguments), c.Arguments, "arguments")
}

// missingIn returns a message about the first part of want that got lacks, or "". An object in got may have additional
// keys, but a list may not have additional items. Values are compared as in match json.
func missingIn(want, got any, at string) string {
	object, ok := want.(map[string]any)
	if !ok {
		if d := differ(want, got); d != nil {
			return at + ": " + d.String()
		}
		return ""
	}
	has, ok := got.(map[string]any)
	if !ok {
		return at + ": expected an object"
	}
	for _, key := range sortedKeys(object) {
		value, there := has[key]
		if !there {
			return fmt.Sprintf("%s.%s is missing", at, key)
		}
		if why := missingIn(object[key], value, at+"."+key); why != "" {
			return why
		}
	}
	return ""
}
