// Package shell proves that a script exits with 0 only if failproof ran and passed. It knows the common forms of such
// scripts, and proves nothing about other forms.
package shell

import (
	"errors"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Settings are the options of a shell.
type Settings struct {
	POSIX    bool // whether the shell is sh rather than bash, in which `&>` redirects output
	ErrExit  bool // -e
	PipeFail bool // -o pipefail
}

// Result says what Prove found in a script.
type Result struct {
	Gate bool   // whether a command runs failproof action or failproof run
	Why  string // why the script may end with 0 although failproof failed; "" if that is impossible
}

// expression matches an expression such as ${{ inputs.name }}. GitHub replaces it before a shell reads the script.
var expression = regexp.MustCompile(`(?s)\$\{\{.*?\}\}`)

// maxScript is the length in bytes of the longest script that is examined.
const maxScript = 16 << 10

// Prove examines whether the script may exit with 0 although failproof did not run or failed. s are the options of the
// shell that runs the script. Prove returns an error if the script is too long or not valid in that shell.
func Prove(script string, s Settings) (Result, error) {
	stmts, err := parse(script, s.POSIX)
	if err != nil {
		return Result{}, err
	}
	p := prover{Settings: s, gates: map[*syntax.Stmt]int{}}
	if countGates(stmts, p.gates) == 0 {
		return Result{}, nil
	}
	return Result{Gate: true, Why: p.whyPasses(stmts)}, nil
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

// countGates returns the number of commands in stmts that run failproof. For each statement, also a nested one, it
// stores the number of such commands in gates.
func countGates(stmts []*syntax.Stmt, gates map[*syntax.Stmt]int) (total int) {
	type open struct {
		stmt   *syntax.Stmt // nil if the node is no statement
		before int
	}
	var path []open
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if n == nil { // this ends the last node of path
				last := path[len(path)-1]
				path = path[:len(path)-1]
				if last.stmt != nil {
					gates[last.stmt] = total - last.before
				}
				return true
			}
			stmt, _ := n.(*syntax.Stmt)
			path = append(path, open{stmt, total})
			if c, ok := n.(*syntax.CallExpr); ok && gateOf(wordTexts(c.Args)) != noGate {
				total++
			}
			return true
		})
	}
	return total
}

// applyFlags applies the options in args, the arguments of a shell or of `set`, to s. unusual reports whether an option
// is unknown or keeps the shell from running commands.
func (s *Settings) applyFlags(args []string) (unusual bool) {
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "+")) {
		flag := args[0]
		args = args[1:]
		if flag == "-" || flag == "--" {
			return unusual
		}
		if strings.HasPrefix(flag, "--") {
			continue
		}
		for _, letter := range flag[1:] {
			name := string(letter)
			if letter == 'o' && len(args) > 0 {
				name, args = args[0], args[1:]
			}
			switch name {
			case "e", "errexit":
				s.ErrExit = flag[0] == '-'
			case "pipefail":
				s.PipeFail = flag[0] == '-'
			case "n", "noexec", "t", "onecmd", expansion:
				unusual = true
			}
		}
	}
	return unusual || len(args) > 0 && strings.HasPrefix(args[0], expansion)
}

// ParseFlags returns the options of the shell that is started with args, of which the first is the name of the shell.
func ParseFlags(args []string) (s Settings) {
	s.POSIX = args[0] != "bash" && !strings.HasSuffix(args[0], "/bash")
	s.applyFlags(args[1:])
	return s
}
