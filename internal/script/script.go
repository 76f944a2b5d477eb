// Package script judges answers by conditions in JavaScript. They run in QuickJS, which is compiled to WebAssembly:
// a script reaches no file, no network, no clock and no chance. Its steps and its memory are counted, and both
// counts are equal on every machine.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MaxSource bounds a script, in bytes.
const MaxSource = 64 << 10

// Script is a condition: one expression, or statements that return. It sees `output` and `context.vars`. It holds if
// the result is true, a number above zero, or an object whose `pass` is true.
type Script struct {
	Source    string
	Transform string   // what is judged in place of output; "": output itself
	Threshold *float64 // the least number, or `score` of an object; nil: none
}

// Verdict is what a script says of an answer.
type Verdict struct {
	Pass   bool
	Score  string // as JavaScript writes the number; "" for none
	Reason string // of an object, up to 1000 characters
}

// Fault is why a script gives no verdict.
type Fault struct {
	Why  string
	Line int    // of the script; 0 where it is not known
	Part string // the part that the line is of: script or transform
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Why
	}
	return fmt.Sprintf("%s (line %d of the %s)", f.Why, f.Line, f.Part)
}

// Judge runs the script on output, a text or JSON value, and the variables of a case. The error is a *Fault. Every call
// begins with the same memory, so no script sees another.
func (s Script) Judge(output any, vars map[string]string) (Verdict, error) {
	if vars == nil {
		vars = map[string]string{}
	}
	input, err := json.Marshal(struct {
		Source    string            `json:"source"`
		Transform string            `json:"transform,omitempty"`
		Threshold *float64          `json:"threshold,omitempty"`
		Output    any               `json:"output"`
		Vars      map[string]string `json:"vars"`
	}{s.Source, s.Transform, s.Threshold, output, vars})
	if err != nil {
		return Verdict{}, &Fault{Why: err.Error()}
	}
	e, err := ready()
	if err != nil {
		return Verdict{}, &Fault{Why: "JavaScript cannot run here: " + err.Error()}
	}
	said, err := e.run(string(input))
	if err != nil {
		return Verdict{}, &Fault{Why: err.Error()}
	}
	var out struct {
		Pass               bool
		Score, Reason      string
		Fault, Stack, Part string
	}
	if err := json.Unmarshal([]byte(said), &out); err != nil {
		return Verdict{}, &Fault{Why: "the script changed how results are written"}
	}
	if out.Stack != "" || out.Fault != "" {
		return Verdict{}, &Fault{Why: strings.Join(strings.Fields(out.Fault), " "),
			Line: line(out.Stack), Part: out.Part}
	}
	return Verdict{out.Pass, out.Score, out.Reason}, nil
}

// inScript matches a place within a script: of a call, or of a syntax error.
var inScript = regexp.MustCompile(`\(<input>:(\d+)|<input>:(\d+):\d+\n +at Function`)

// above is how many lines JavaScript puts above the statements of a function.
const above = 2

func line(stack string) int {
	m := inScript.FindStringSubmatch(stack)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1] + m[2])
	return max(0, n-above)
}

var (
	errSteps  = errors.New("it takes more steps than a script may")
	errMemory = errors.New("it takes more memory than a script may")
	errEngine = errors.New("it stopped the engine")
)

// stopped says why a machine stopped in a call.
func (m *machine) stopped(err error) error {
	switch {
	case err == nil || err == errMemory:
		return err
	case int64(m.fuel.Get()) < 0:
		return errSteps
	}
	return errEngine
}
