// Package script judges answers by conditions in JavaScript. It runs them in QuickJS, compiled to WebAssembly. A script
// has no access to files, network, clock or random numbers. Its steps and memory are limited, equally on every machine.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MaxSource is the largest length of a script in bytes.
const MaxSource = 64 << 10

// Script is a condition: an expression, or statements with return. It reads `output` and `context.vars`. The answer
// passes if the result is true, a number above zero, a text that is not empty, a list, or an object whose `pass` is
// true.
type Script struct {
	Source    string
	Transform string   // a script whose result replaces `output`; "" for none
	Threshold *float64 // the lowest number, or `score` of an object, that passes; nil for none
}

// Verdict is the result of a script for an answer.
type Verdict struct {
	Pass   bool
	Score  string // as JavaScript formats the number; "" for none
	Reason string // the `reason` of an object, at most 1000 characters
}

// Fault is the error of a script that gives no verdict.
type Fault struct {
	Why  string
	Line int    // the line in Part; 0 if unknown
	Part string // script or transform
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Why
	}
	return fmt.Sprintf("%s (line %d of the %s)", f.Why, f.Line, f.Part)
}

// varsForm matches what a script needs to reach the variables: the parameter, the list of all parameters, code made
// from text, or an escape in a name.
var varsForm = regexp.MustCompile(`context|arguments|eval|\\u`)

// ReadsVars reports whether the script may read variables of a case.
func (s Script) ReadsVars() bool { return varsForm.MatchString(s.Source + "\n" + s.Transform) }

// Evaluate runs the script on output, a text or JSON value, and on the variables of a case. It withholds the variables
// unless ReadsVars, so that no script reads them unseen. The error is a *Fault. Every call begins with the same memory,
// so scripts cannot affect each other.
func (s Script) Evaluate(output any, vars map[string]string) (Verdict, error) {
	if vars == nil || !s.ReadsVars() {
		vars = map[string]string{}
	}
	return s.run(true, output, vars)
}

// Check compiles the script without calling it. The error is a *Fault.
func (s Script) Check() error {
	_, err := s.run(false, nil, nil)
	return err
}

// run compiles the script and, if call is true, calls it on output and vars. The error is a *Fault.
func (s Script) run(call bool, output any, vars map[string]string) (Verdict, error) {
	input, err := json.Marshal(struct {
		Source    string            `json:"source"`
		Transform string            `json:"transform,omitempty"`
		Threshold *float64          `json:"threshold,omitempty"`
		Output    any               `json:"output"`
		Vars      map[string]string `json:"vars"`
		Call      bool              `json:"call"`
	}{s.Source, s.Transform, s.Threshold, output, vars, call})
	if err != nil {
		return Verdict{}, &Fault{Why: err.Error()}
	}
	e, err := sharedEngine()
	if err != nil {
		return Verdict{}, &Fault{Why: "JavaScript cannot run here: " + err.Error()}
	}
	reply, err := e.run(string(input))
	if err != nil {
		return Verdict{}, &Fault{Why: err.Error()}
	}
	var out struct {
		Pass               bool
		Score, Reason      string
		Fault, Stack, Part string
	}
	if err := json.Unmarshal([]byte(reply), &out); err != nil {
		return Verdict{}, &Fault{Why: "the script changed how results are written"}
	}
	if out.Stack != "" || out.Fault != "" {
		f := &Fault{Why: strings.Join(strings.Fields(out.Fault), " "), Line: scriptLine(out.Stack), Part: out.Part}
		source := map[string]string{"script": s.Source, "transform": s.Transform}[f.Part]
		switch last := 1 + strings.Count(strings.TrimRight(source, " \t\r\n"), "\n"); {
		case f.Line <= last:
		case call: // in code that the script made
			f.Line = 0
		default: // in what JavaScript puts behind the script
			f.Line, f.Why = last, "SyntaxError: the "+f.Part+" ends too early, or has a brace too many"
		}
		return Verdict{}, f
	}
	return Verdict{out.Pass, out.Score, out.Reason}, nil
}

// scriptLinePattern matches the line of a call or a syntax error in a stack trace.
var scriptLinePattern = regexp.MustCompile(`\(<input>:(\d+)|<input>:(\d+):\d+\n +at Function`)

// wrapperLines is the number of lines that JavaScript puts before the statements of a function.
const wrapperLines = 2

// scriptLine returns the line of the script that stack, a stack trace, names first. It returns 0 if there is none.
func scriptLine(stack string) int {
	m := scriptLinePattern.FindStringSubmatch(stack)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1] + m[2])
	return max(0, n-wrapperLines)
}

var (
	errSteps  = errors.New("it takes more steps than a script may")
	errMemory = errors.New("it takes more memory than a script may")
	errEngine = errors.New("it stopped the engine")
)

// stopError returns the error that users see if a call of the machine failed, and otherwise nil.
func (m *machine) stopError() error {
	switch {
	case m.err == nil || m.err == errMemory:
		return m.err
	case int64(m.fuel.Get()) < 0:
		return errSteps
	}
	return errEngine
}
