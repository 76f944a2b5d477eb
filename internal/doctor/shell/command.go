package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	reasonUnrun        = "it may exit with 0 without running failproof"
	reasonContinues    = "the shell continues after failproof fails"
	reasonSubstitution = "a command substitution hides the exit code"
)

var (
	// gateForm matches a command that runs failproof action or failproof run, also inside a word.
	gateForm = regexp.MustCompile(`(^|[\s;&|(){}"'` + "`" + `/])failproof(\.exe|[@:]\S+)?["']?` +
		`(\s+-\S+)*\s+["']?(action|run)\b`)

	// partForm matches a flag with which failproof gives no verdict.
	partForm = regexp.MustCompile(`\s(-h|--help|--dry-run|--shard)\b`)

	// exactForm matches a command that exits with the status of failproof, and has no spaces in its words.
	exactForm = regexp.MustCompile(`^(?:(?:command|exec|nice|nohup|env|go run) |env(?: \w+=[^ ]*)+ |npx (?:-y |--yes )?|` +
		`sudo (?:-E |-u [^ ]+ )*|timeout (?:-k \d+[smhd]? )?\d+[smhd]? |(?:docker|podman) run (?:(?:--rm|-i|-t|-it) |` +
		`(?:-[euvw]|--(?:env|env-file|network|platform|user|volume|workdir))[ =][^ ]+ )*)?` +
		`(?:[^ =-][^ =]*/)?failproof(?:\.exe|[@:][^ ]*)? (?:action|run)(?: |$)`)

	// plainName matches the name of a command that the shell takes as it is. A path may have expansions.
	plainName = regexp.MustCompile(`^(?:[\w.+:[-]+|[\w.+:@~\x00/-]*/[\w.+:@\x00/-]*)$`)
)

// inertCommands are the names of commands that do not run their arguments.
var inertCommands = strings.Fields("echo printf grep egrep git cat which type test [ sed awk gh jq")

// Mentions reports whether a text looks like a script that runs failproof action or failproof run, and gets a verdict.
func Mentions(text string) bool { return gateForm.MatchString(text) && !partForm.MatchString(text) }

// runsGate reports whether the command with the words args may run failproof action or failproof run.
func runsGate(args []string) bool {
	return len(args) > 0 && !slices.Contains(inertCommands, path.Base(args[0])) && Mentions(strings.Join(args, " "))
}

// whyHidden returns why the status of stmt, in which the given number of commands run failproof, may be another than
// failproof's, or "".
func (s Settings) whyHidden(stmt *syntax.Stmt, gates int) string {
	switch {
	case stmt.Background:
		return "it runs in the background"
	case stmt.Negated:
		return "`!` inverts its exit code"
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		return whyCallHidden(wordTexts(c.Args), gates)
	case *syntax.BinaryCmd:
		if c.Op == syntax.OrStmt {
			return "`||` is beside it"
		} else if c.Op == syntax.AndStmt {
			return reasonContinues
		}
		parts := operands(stmt, syntax.Pipe, syntax.PipeAll)
		at := slices.IndexFunc(parts, func(part *syntax.Stmt) bool { return countGates(part) > 0 })
		switch {
		case at < len(parts)-1 && !s.PipeFail:
			return "it is in a pipe without `pipefail`"
		case countGates(parts[at]) == gates:
			return s.whyHidden(parts[at], gates)
		}
		return "doctor does not read two failproof commands in one pipe"
	}
	return "doctor does not read what is around it, such as an `if`, a loop, a function or parentheses"
}

// whyCallHidden is whyHidden for a simple command.
func whyCallHidden(args []string, gates int) string {
	if gates > 1 || !runsGate(args) {
		return reasonSubstitution
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = strings.ReplaceAll(arg, " ", "_")
	}
	if !exactForm.MatchString(strings.Join(words, " ")) {
		return "`" + readable(args[0]) + "` may exit with another code than failproof's"
	}
	return ""
}

// readable returns the text of a word without NUL bytes.
func readable(word string) string { return strings.ReplaceAll(word, expansion, "$…") }

// unsafeCommands are commands that may end the shell or change the meaning of later commands.
var unsafeCommands = strings.Fields(`exit logout return exec eval source . trap alias unalias shopt enable hash set builtin
	command mapfile readarray jobs`)

// whyUnsafe examines a command that precedes failproof. It turns on the options of a `set` command. It returns why the
// command may keep failproof from running or from deciding the exit code, or "".
func (s *Settings) whyUnsafe(stmt *syntax.Stmt) (why string) {
	if c, ok := stmt.Cmd.(*syntax.CallExpr); ok && !stmt.Background {
		if text := strings.Join(wordTexts(c.Args), " "); setForm.MatchString(text) {
			s.turnOn(text)
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
			why = whyUnsafeCall(wordTexts(n.Args))
		}
		return why == ""
	})
	return why
}

// whyUnsafeCall is whyUnsafe for a simple command.
func whyUnsafeCall(args []string) string {
	switch {
	case len(args) == 0 || plainName.MatchString(args[0]) && !slices.Contains(unsafeCommands, args[0]):
		return ""
	case args[0] == "exit" || args[0] == "exec" || args[0] == "return":
		return reasonUnrun
	case args[0] == "command" && len(args) > 1 && (args[1] == "-v" || args[1] == "-V"): // it runs no command
		return ""
	}
	return "`" + readable(args[0]) + "` may change the step's exit code"
}
