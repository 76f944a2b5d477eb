package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	unrun  = "it may exit with 0 without running failproof"
	goesOn = "the shell continues after failproof fails"
)

// reader examines the statements of one script.
type reader struct {
	Settings
	gates map[*syntax.Stmt]int // for each statement, the number of commands in it that run failproof
}

// list returns why the commands stmts may end with 0 although failproof failed, or "". It examines the commands before
// the one that runs failproof and, if the shell then goes on, the next command. If the next command stores the exit
// code, whyStatusLost examines the rest.
func (s reader) list(stmts []*syntax.Stmt) string {
	for i, stmt := range stmts {
		if s.gates[stmt] == 0 {
			if why := s.before(stmt); why != "" {
				return why
			}
			continue
		}
		end, rest := s.gate(stmt), stmts[i+1:]
		switch {
		case end.why != "":
			return end.why
		case end.kept != "":
			return whyStatusLost(end.kept, rest)
		case end.leaves || len(rest) == 0 || s.ErrExit && end.passedOver == "" || exitsAfterFailure(rest[0]):
			return ""
		}
		if name := statusVariable(rest[0]); name != "" {
			return whyStatusLost(name, rest[1:])
		}
		if end.passedOver == "" {
			return goesOn
		}
		return end.passedOver
	}
	return unrun
}

// restless are commands that may end the shell or change the meaning of later commands.
var restless = strings.Fields("exit return exec eval source . trap alias unalias shopt enable hash set builtin command")

// before examines a command that precedes failproof. It applies the options that a `set` command sets. It returns why
// the command may keep failproof from running or from deciding the exit code, or "".
func (s *reader) before(stmt *syntax.Stmt) (why string) {
	if c, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && !stmt.Background {
		if args := words(c.Args); args[0] == "set" {
			if s.read(args[1:]) {
				return "`set` may change the step's exit code"
			}
			return ""
		}
	}
	syntax.Walk(stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst: // a shell of its own
			return false
		case *syntax.FuncDecl:
			why = "doctor does not read functions"
		case *syntax.CallExpr:
			why = whyRestless(words(n.Args))
		}
		return why == ""
	})
	return why
}

// whyRestless returns why the command with the words args may end the shell or change the exit code of the step, or "".
func whyRestless(args []string) string {
	switch {
	case len(args) == 0 || !slices.Contains(restless, args[0]) && args[0] != unknown:
		return ""
	case args[0] == "exit" || args[0] == "exec" || args[0] == "return":
		return unrun
	case args[0] == "command" && len(args) > 1 && (args[1] == "-v" || args[1] == "-V"): // it runs no command
		return ""
	}
	return strings.ReplaceAll("`"+args[0]+"` may change the step's exit code", unknown, "$…")
}

// ending says how a command that runs failproof ends if failproof fails.
type ending struct {
	why        string // why the command's status may be 0, or ""
	leaves     bool   // whether the command also ends the shell, with a status other than 0
	passedOver string // why the shell may continue in spite of -e, or ""
	kept       string // the variable that stores failproof's status, so that the command's own status is 0; or ""
}

func (s reader) gate(stmt *syntax.Stmt) ending {
	switch {
	case stmt.Background || stmt.Coprocess || stmt.Disown:
		return ending{why: "it runs in the background"}
	case stmt.Negated:
		return ending{why: "`!` inverts its exit code"}
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		return s.call(stmt, c)
	case *syntax.TimeClause:
		return s.gate(c.Stmt)
	case *syntax.Subshell:
		return ending{why: s.list(c.Stmts)}
	case *syntax.Block:
		return ending{why: s.block(c)}
	case *syntax.BinaryCmd:
		return s.binary(c)
	}
	return ending{why: "it is inside an `if`, a loop or a function, which doctor does not read"}
}

func (s reader) call(stmt *syntax.Stmt, c *syntax.CallExpr) ending {
	if len(c.Args) == 0 {
		return ending{why: inSubstitution}
	}
	args := words(c.Args)
	switch kind := gateOf(args); {
	case kind == lostGate:
		return ending{why: "doctor cannot tell whether `" + strings.ReplaceAll(args[0], unknown, "$…") +
			"` exits with failproof's code"}
	case kind == noGate || s.gates[stmt] > 1:
		return ending{why: inSubstitution}
	}
	return ending{}
}

const inSubstitution = "a command substitution hides the exit code"

// block returns why the commands of a block in braces may end with 0 although failproof failed, or "". It rejects a
// block with `set`, because the options that `set` changes still apply after the block.
func (s reader) block(c *syntax.Block) string {
	for _, stmt := range c.Stmts {
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && words(call.Args)[0] == "set" {
			return "`set` may change the step's exit code"
		}
	}
	return s.list(c.Stmts)
}

func (s reader) binary(c *syntax.BinaryCmd) ending {
	calm := s
	calm.ErrExit = false // -e ignores a failure on the left
	left, right := s.gates[c.X] > 0, s.gates[c.Y] > 0
	switch {
	case c.Op == syntax.Pipe || c.Op == syntax.PipeAll:
		if left && !s.PipeFail {
			return ending{why: "it is in a pipe without `pipefail`"}
		}
		part := c.X
		if right {
			part = c.Y
		}
		end := s.gate(part)
		if left && right || end.kept != "" {
			end.why = "doctor does not read two failproof commands in one pipe"
		}
		return ending{why: end.why}
	case left && right:
		return ending{why: orBehind}
	case c.Op == syntax.AndStmt && left:
		end := calm.gate(c.X)
		end.passedOver = goesOn
		return end
	case c.Op == syntax.AndStmt:
		if why := s.before(c.X); why != "" {
			return ending{why: why}
		}
		end := s.gate(c.Y)
		end.passedOver, end.leaves = unrun, false // the left may fail
		return end
	case left:
		return orElse(calm.gate(c.X), c.Y)
	}
	return ending{why: unrun}
}

const orBehind = "`||` follows it"

// orElse returns the ending of the command `A || other`, where end is the ending of A.
func orElse(end ending, other *syntax.Stmt) ending {
	name := statusVariable(other)
	switch {
	case end.why != "" || end.kept != "":
		return end
	case exitsAfterFailure(other):
		return ending{leaves: true}
	case name != "":
		return ending{kept: name}
	case isCall(other, "false"):
		return ending{}
	}
	return ending{why: orBehind}
}

// exitsAfterFailure reports whether stmt ends the shell with a status other than 0, if the command before stmt failed.
// Examples are exit, exit $?, exit 3, and a block that ends with exit 3.
func exitsAfterFailure(stmt *syntax.Stmt) bool {
	if b, ok := stmt.Cmd.(*syntax.Block); ok && len(b.Stmts) > 0 {
		last := len(b.Stmts) - 1
		quiet := !slices.ContainsFunc(b.Stmts[:last], func(stmt *syntax.Stmt) bool { return !isQuiet(stmt) })
		n, known := exitCode(b.Stmts[last])
		return quiet && known && n%256 != 0
	}
	if isCall(stmt, "exit") && len(stmt.Cmd.(*syntax.CallExpr).Args) == 1 {
		return true
	}
	n, known := exitCode(stmt)
	return known && n%256 != 0 || exitsWith(stmt, "?")
}

func exitCode(stmt *syntax.Stmt) (n int, known bool) {
	if !isCall(stmt, "exit") || len(stmt.Cmd.(*syntax.CallExpr).Args) != 2 {
		return 0, false
	}
	n, err := strconv.Atoi(words(stmt.Cmd.(*syntax.CallExpr).Args)[1])
	return n, err == nil && n >= 0
}

// whyStatusLost returns why a script may end with another exit code than the one in the variable with the given name,
// or "". rest are the commands after the one that sets the variable. The script must end with exit $NAME.
func whyStatusLost(name string, rest []*syntax.Stmt) string {
	for i, stmt := range rest {
		if exitsWith(stmt, name) {
			return ""
		}
		if !isQuiet(stmt) || i == len(rest)-1 {
			break
		}
	}
	return "a later command sets the exit code, and the script does not end with `exit $" + name + "`"
}

// isQuiet reports whether stmt is a simple command that neither ends the shell nor sets a variable or an option.
func isQuiet(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 {
		return false
	}
	return !slices.Contains(slices.Concat(restless, sets), words(c.Args)[0]) && words(c.Args)[0] != unknown
}

// sets are the commands that may set a variable.
var sets = strings.Fields("read unset printf getopts mapfile readarray wait")

// statusVariable returns NAME if stmt is the command NAME=$?, or "" for any other command.
func statusVariable(stmt *syntax.Stmt) string {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) > 0 || len(c.Assigns) != 1 || c.Assigns[0].Append || !isParameter(c.Assigns[0].Value, "?") {
		return ""
	}
	return c.Assigns[0].Name.Value
}

func exitsWith(stmt *syntax.Stmt, name string) bool {
	return isCall(stmt, "exit") && len(stmt.Cmd.(*syntax.CallExpr).Args) == 2 &&
		isParameter(stmt.Cmd.(*syntax.CallExpr).Args[1], name)
}

func isCall(stmt *syntax.Stmt, name string) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && !stmt.Background && !stmt.Negated && len(c.Args) > 0 && len(c.Assigns) == 0 && words(c.Args)[0] == name
}
