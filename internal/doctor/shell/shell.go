// Package shell proves that a script exits with 0 only if failproof ran and passed. It knows a few common forms of such
// scripts, and proves nothing about other forms.
package shell

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Settings are the options of a shell.
type Settings struct {
	POSIX    bool // whether the shell is sh rather than bash, in which `&>` redirects output
	ErrExit  bool // -e
	PipeFail bool // -o pipefail
}

// options matches an argument of a shell, or of `set`, that may turn -e and pipefail on and not off.
const options = `(?: \+[uvx]+| -[eluvx]*o (?:errexit|nounset|pipefail|verbose|xtrace)| -[eluvx]+)`

var (
	setForm      = regexp.MustCompile(`^set` + options + `+$`)
	templateForm = regexp.MustCompile(`^(?:[/\w]*/)?(bash|sh|dash)(?: --noprofile| --norc|` + options + `)* \{0\}$`)
	errExitForm  = regexp.MustCompile(` -[luvx]*e|errexit`)
)

// turnOn turns on the options in text, which matches setForm or templateForm.
func (s *Settings) turnOn(text string) {
	s.ErrExit = s.ErrExit || errExitForm.MatchString(text)
	s.PipeFail = s.PipeFail || strings.Contains(text, "pipefail")
}

// ParseTemplate returns the options of the shell that a template such as `bash -e {0}` starts. known is false unless
// the shell is bash, sh or dash, and runs the whole script.
func ParseTemplate(template string) (s Settings, known bool) {
	m := templateForm.FindStringSubmatch(template)
	if m == nil {
		return s, false
	}
	s.POSIX = m[1] != "bash"
	s.turnOn(template)
	return s, true
}

// Result says what Prove found in a script.
type Result struct {
	Gate bool   // whether a command runs failproof action or failproof run
	Why  string // why the script may end with 0 although failproof failed; "" if that is impossible
}

// maxScript is the length in bytes of the longest script that is examined.
const maxScript = 16 << 10

// Prove examines whether the script may exit with 0 although a command with failproof did not run or failed. s are the
// options of the shell that runs the script. Prove returns an error if the script is too long or not valid in that
// shell.
func Prove(script string, s Settings) (Result, error) {
	stmts, err := parse(script, s.POSIX)
	if err != nil || len(stmts) == 0 {
		return Result{}, err
	}
	last := len(stmts) - 1 // a last `&&` list ends at the first command that fails, as a shell with -e does
	stmts = slices.Concat(stmts[:last], operands(stmts[last], syntax.AndStmt))
	gates, end := make([]int, len(stmts)), 0
	for i, stmt := range stmts {
		if gates[i] = countGates(stmt); gates[i] > 0 {
			end = i + 1
		}
	}
	why := ""
	for i := 0; i < end && why == ""; i++ {
		if gates[i] == 0 {
			why = s.whyUnsafe(stmts[i])
		} else if why = s.whyHidden(stmts[i], gates[i]); why == "" && i < last && !s.ErrExit {
			why = reasonContinues
		}
	}
	return Result{end > 0, cmp.Or(why, whyComputed(script))}, nil
}

func parse(script string, posix bool) ([]*syntax.Stmt, error) {
	if len(script) > maxScript {
		return nil, errors.New("it is too long for doctor to read")
	}
	variant := syntax.LangBash
	if posix {
		variant = syntax.LangPOSIX
	}
	script = expression.ReplaceAllLiteralString(script, "$GITHUB_EXPRESSION")
	file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, err
	}
	return file.Stmts, nil
}

// operands returns the commands that the operators join in stmt, or stmt alone.
func operands(stmt *syntax.Stmt, operators ...syntax.BinCmdOperator) []*syntax.Stmt {
	b, ok := stmt.Cmd.(*syntax.BinaryCmd)
	if !ok || !slices.Contains(operators, b.Op) || stmt.Background || stmt.Negated {
		return []*syntax.Stmt{stmt}
	}
	return append(operands(b.X, operators...), operands(b.Y, operators...)...)
}

// countGates returns the number of commands in stmt that run failproof.
func countGates(stmt *syntax.Stmt) int {
	return len(slices.DeleteFunc(commandsOf(stmt), func(words []string) bool { return !runsGate(words) }))
}

var (
	// expression matches an expression, which GitHub replaces before a shell reads the script.
	expression = regexp.MustCompile(`(?s)\$\{\{.*?\}\}`)

	// plainExpression matches an expression that cannot add a command to a script.
	plainExpression = regexp.MustCompile(`^\$\{\{ *(github\.(base_ref|sha|repository|workspace|run_id|event_name|` +
		`event\.(number|pull_request\.(number|base\.(sha|ref)|head\.sha)|repository\.default_branch))|runner\.\w+) *\}\}$`)
)

// whyComputed returns why the expressions in a script may change its commands, or "".
func whyComputed(script string) string {
	for _, found := range expression.FindAllString(script, -1) {
		if !plainExpression.MatchString(found) {
			return "`" + found + "` may add commands to the script, unlike a variable of `env`"
		}
	}
	return ""
}
