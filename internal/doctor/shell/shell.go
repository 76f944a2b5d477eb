// Package shell proves that a script exits with 0 only if failproof ran and passed. It knows the few common forms of
// such scripts. It proves nothing about other forms: split such a script in two.
package shell

import (
	"errors"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Settings are what a shell was started with.
type Settings struct {
	POSIX    bool // sh, where `&>` is no redirection
	ErrExit  bool // -e
	PipeFail bool // -o pipefail
}

// Result is what is known of a script.
type Result struct {
	Gate bool   // a command of it runs failproof action, or failproof run
	Why  string // why it may end with 0 where failproof did not pass; "" where that is proven
}

// expression is what the runner replaces before a shell reads the script.
var expression = regexp.MustCompile(`(?s)\$\{\{.*?\}\}`)

// maxScript bounds a script that is read, in bytes.
const maxScript = 16 << 10

// Prove reads a script. An error says that it is no script of that shell.
func Prove(script string, s Settings) (Result, error) {
	stmts, err := parse(script, s.POSIX)
	if err != nil {
		return Result{}, err
	}
	read := reader{Settings: s, gates: map[*syntax.Stmt]int{}}
	if count(stmts, read.gates) == 0 {
		return Result{}, nil
	}
	return Result{Gate: true, Why: read.list(stmts)}, nil
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

// count counts the commands that run failproof, and sets in gates how many are below each statement.
func count(stmts []*syntax.Stmt, gates map[*syntax.Stmt]int) (all int) {
	type open struct {
		stmt   *syntax.Stmt // nil for any other node
		before int
	}
	var path []open
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if n == nil { // the last node of the path is read
				last := path[len(path)-1]
				path = path[:len(path)-1]
				if last.stmt != nil {
					gates[last.stmt] = all - last.before
				}
				return true
			}
			stmt, _ := n.(*syntax.Stmt)
			path = append(path, open{stmt, all})
			if c, is := n.(*syntax.CallExpr); is && gateOf(words(c.Args)) != noGate {
				all++
			}
			return true
		})
	}
	return all
}

// read applies the options of a shell's command line, or of set, and returns the words behind them. odd reports options
// that are unknown, or that make the shell run nothing.
func (s *Settings) read(args []string) (rest []string, odd bool) {
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "+")) {
		flag := args[0]
		args = args[1:]
		if flag == "-" || flag == "--" {
			return args, odd
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
			case "n", "noexec", "t", "onecmd", unknown:
				odd = true
			}
		}
	}
	return args, odd || len(args) > 0 && strings.HasPrefix(args[0], unknown)
}

// Flags reads a shell's command line.
func Flags(args []string) (s Settings) {
	s.POSIX = args[0] != "bash" && !strings.HasSuffix(args[0], "/bash")
	s.read(args[1:])
	return s
}
