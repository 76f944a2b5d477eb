package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	reasonUnrun     = "it may exit with 0 without running failproof"
	reasonContinues = "the shell continues after failproof fails"
)

// prover examines the statements of one script.
type prover struct {
	Settings
	gates map[*syntax.Stmt]int // for each statement, the number of commands in it that run failproof
}

// whyPasses returns why the commands stmts may end with 0 although failproof failed, or "". It examines the commands
// before the one that runs failproof and, if the shell then goes on, the next command. If the next command stores the
// exit code, whyStatusLost examines the rest.
func (s prover) whyPasses(stmts []*syntax.Stmt) string {
	for i, stmt := range stmts {
		if s.gates[stmt] == 0 {
			if why := s.whyUnsafe(stmt); why != "" {
				return why
			}
			continue
		}
		end, rest := s.gateEnding(stmt), stmts[i+1:]
		switch {
		case end.whyZero != "":
			return end.whyZero
		case end.statusVar != "":
			return whyStatusLost(end.statusVar, rest)
		case end.exitsShell || len(rest) == 0 || s.ErrExit && end.whyContinues == "" || exitsAfterFailure(rest[0]):
			return ""
		}
		if name := statusVariable(rest[0]); name != "" {
			return whyStatusLost(name, rest[1:])
		}
		if end.whyContinues == "" {
			return reasonContinues
		}
		return end.whyContinues
	}
	return reasonUnrun
}

// unsafeCommands are commands that may end the shell or change the meaning of later commands.
var unsafeCommands = strings.Fields("exit return exec eval source . trap alias unalias shopt enable hash set builtin command")

// whyUnsafe examines a command that precedes failproof. It applies the options that a `set` command sets. It returns
// why the command may keep failproof from running or from deciding the exit code, or "".
func (s *prover) whyUnsafe(stmt *syntax.Stmt) (why string) {
	if c, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && !stmt.Background {
		if args := wordTexts(c.Args); args[0] == "set" {
			if s.applyFlags(args[1:]) {
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
			why = whyUnsafeCommand(wordTexts(n.Args))
		}
		return why == ""
	})
	return why
}

// whyUnsafeCommand returns why the command with the words args may end the shell or change the exit code of the step,
// or "".
func whyUnsafeCommand(args []string) string {
	switch {
	case len(args) == 0 || !slices.Contains(unsafeCommands, args[0]) && args[0] != expansion:
		return ""
	case args[0] == "exit" || args[0] == "exec" || args[0] == "return":
		return reasonUnrun
	case args[0] == "command" && len(args) > 1 && (args[1] == "-v" || args[1] == "-V"): // it runs no command
		return ""
	}
	return strings.ReplaceAll("`"+args[0]+"` may change the step's exit code", expansion, "$…")
}

// ending says how a command that runs failproof ends if failproof fails.
type ending struct {
	whyZero      string // whyZero the command's status may be 0, or ""
	exitsShell   bool   // whether the command also ends the shell, with a status other than 0
	whyContinues string // why the shell may continue in spite of -e, or ""
	statusVar    string // the variable that stores failproof's status, so that the command's own status is 0; or ""
}

func (s prover) gateEnding(stmt *syntax.Stmt) ending {
	switch {
	case stmt.Background || stmt.Coprocess || stmt.Disown:
		return ending{whyZero: "it runs in the background"}
	case stmt.Negated:
		return ending{whyZero: "`!` inverts its exit code"}
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		return s.callEnding(stmt, c)
	case *syntax.TimeClause:
		return s.gateEnding(c.Stmt)
	case *syntax.Subshell:
		return ending{whyZero: s.whyPasses(c.Stmts)}
	case *syntax.Block:
		return ending{whyZero: s.whyBlockPasses(c)}
	case *syntax.BinaryCmd:
		return s.binaryEnding(c)
	}
	return ending{whyZero: "it is inside an `if`, a loop or a function, which doctor does not read"}
}

func (s prover) callEnding(stmt *syntax.Stmt, c *syntax.CallExpr) ending {
	if len(c.Args) == 0 {
		return ending{whyZero: reasonSubstitution}
	}
	args := wordTexts(c.Args)
	switch kind := gateOf(args); {
	case kind == maskedGate:
		return ending{whyZero: "doctor cannot tell whether `" + strings.ReplaceAll(args[0], expansion, "$…") +
			"` exits with failproof's code"}
	case kind == noGate || s.gates[stmt] > 1:
		return ending{whyZero: reasonSubstitution}
	}
	return ending{}
}

const reasonSubstitution = "a command substitution hides the exit code"

// whyBlockPasses returns why the commands of a block in braces may end with 0 although failproof failed, or "". It
// rejects a block with `set`, because the options that `set` changes still apply after the block.
func (s prover) whyBlockPasses(c *syntax.Block) string {
	for _, stmt := range c.Stmts {
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && wordTexts(call.Args)[0] == "set" {
			return "`set` may change the step's exit code"
		}
	}
	return s.whyPasses(c.Stmts)
}

func (s prover) binaryEnding(c *syntax.BinaryCmd) ending {
	withoutErrExit := s
	withoutErrExit.ErrExit = false // -e ignores a failure on the left
	left, right := s.gates[c.X] > 0, s.gates[c.Y] > 0
	switch {
	case c.Op == syntax.Pipe || c.Op == syntax.PipeAll:
		if left && !s.PipeFail {
			return ending{whyZero: "it is in a pipe without `pipefail`"}
		}
		part := c.X
		if right {
			part = c.Y
		}
		end := s.gateEnding(part)
		if left && right || end.statusVar != "" {
			end.whyZero = "doctor does not read two failproof commands in one pipe"
		}
		return ending{whyZero: end.whyZero}
	case left && right:
		return ending{whyZero: reasonOr}
	case c.Op == syntax.AndStmt && left:
		end := withoutErrExit.gateEnding(c.X)
		end.whyContinues = reasonContinues
		return end
	case c.Op == syntax.AndStmt:
		if why := s.whyUnsafe(c.X); why != "" {
			return ending{whyZero: why}
		}
		end := s.gateEnding(c.Y)
		end.whyContinues, end.exitsShell = reasonUnrun, false // the left may fail
		return end
	case left:
		return orEnding(withoutErrExit.gateEnding(c.X), c.Y)
	}
	return ending{whyZero: reasonUnrun}
}

const reasonOr = "`||` follows it"

// orEnding returns the ending of the command `A || right`, where end is the ending of A.
func orEnding(end ending, right *syntax.Stmt) ending {
	name := statusVariable(right)
	switch {
	case end.whyZero != "" || end.statusVar != "":
		return end
	case exitsAfterFailure(right):
		return ending{exitsShell: true}
	case name != "":
		return ending{statusVar: name}
	case isCall(right, "false"):
		return ending{}
	}
	return ending{whyZero: reasonOr}
}

// exitsAfterFailure reports whether stmt ends the shell with a status other than 0, if the command before stmt failed.
// Examples are exit, exit $?, exit 3, and a block that ends with exit 3.
func exitsAfterFailure(stmt *syntax.Stmt) bool {
	if b, ok := stmt.Cmd.(*syntax.Block); ok && len(b.Stmts) > 0 {
		last := len(b.Stmts) - 1
		allKeepState := !slices.ContainsFunc(b.Stmts[:last], func(stmt *syntax.Stmt) bool { return !keepsState(stmt) })
		n, known := exitCode(b.Stmts[last])
		return allKeepState && known && n%256 != 0
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
	n, err := strconv.Atoi(wordTexts(stmt.Cmd.(*syntax.CallExpr).Args)[1])
	return n, err == nil && n >= 0
}

// whyStatusLost returns why a script may end with another exit code than the one in the variable with the given name,
// or "". rest are the commands after the one that sets the variable. The script must end with exit $NAME.
func whyStatusLost(name string, rest []*syntax.Stmt) string {
	for i, stmt := range rest {
		if exitsWith(stmt, name) {
			return ""
		}
		if !keepsState(stmt) || i == len(rest)-1 {
			break
		}
	}
	return "a later command sets the exit code, and the script does not end with `exit $" + name + "`"
}

// keepsState reports whether stmt is a simple command that neither ends the shell nor sets a variable or an option.
func keepsState(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 {
		return false
	}
	return !slices.Contains(slices.Concat(unsafeCommands, settingCommands), wordTexts(c.Args)[0]) &&
		wordTexts(c.Args)[0] != expansion
}

// settingCommands are the commands that may set a variable.
var settingCommands = strings.Fields("read unset printf getopts mapfile readarray wait")

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
	return ok && !stmt.Background && !stmt.Negated && len(c.Args) > 0 && len(c.Assigns) == 0 &&
		wordTexts(c.Args)[0] == name
}
