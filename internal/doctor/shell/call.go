package shell

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxDepth bounds functions that call each other, and scripts within scripts.
const maxDepth = 20

// call runs a simple command.
func (m *machine) call(c *syntax.CallExpr, s state, calm bool) []state {
	if len(c.Args) == 0 {
		return m.assignments(c.Assigns, s)
	}
	s = m.substitutions(c, s)
	return m.run(s.values(c.Args), s, calm, true)
}

// assignments sets variables. Their status is that of the last command substitution.
func (m *machine) assignments(all []*syntax.Assign, s state) []state {
	bad, first := s.bad, s.first // what $? stands for in them
	in := []state{s.ends(false)}
	for _, a := range all {
		in = each(in, func(s state) []state {
			before := s
			before.bad, before.first = bad, first
			value := before.assigned(a)
			s.vars = assign(s.vars, a.Name.Value, value)
			if a.Value == nil {
				return []state{s}
			}
			if sub := lastSubstitution(a.Value); sub != nil {
				return m.apart(sub.Stmts, withoutErrExit(s), true)
			}
			return []state{s}
		})
	}
	return each(in, func(after state) []state {
		after.errexit = s.errexit
		return []state{after}
	})
}

// declare runs export, local, readonly and declare, whose status is never that of a substitution.
func (m *machine) declare(c *syntax.DeclClause, s state) []state {
	s = m.substitutions(c, s)
	vars := s.vars
	for _, a := range c.Args {
		if a.Name != nil && !a.Naked {
			vars = assign(vars, a.Name.Value, s.assigned(a))
		}
	}
	s.vars = vars
	return []state{s.ends(false)}
}

func withoutErrExit(s state) state {
	s.errexit = false // bash leaves it behind in a substitution
	return s
}

// lastSubstitution is the command substitution that a word ends with.
func lastSubstitution(w *syntax.Word) *syntax.CmdSubst {
	var last *syntax.CmdSubst
	syntax.Walk(w, func(n syntax.Node) bool {
		if sub, is := n.(*syntax.CmdSubst); is {
			last = sub
			return false
		}
		return true
	})
	return last
}

// substitutions runs the commands in words, whose status nobody sees.
func (m *machine) substitutions(n syntax.Node, s state) state {
	syntax.Walk(n, func(n syntax.Node) bool {
		var stmts []*syntax.Stmt
		switch sub := n.(type) {
		case *syntax.CmdSubst:
			stmts = sub.Stmts
		case *syntax.ProcSubst:
			stmts = sub.Stmts
		case *syntax.ArithmExp:
			s.vars = "" // it may set any
			return true
		default:
			return true
		}
		for _, inner := range m.apart(stmts, withoutErrExit(s), true) {
			if inner.failed && !s.failed {
				s.ran, s.failed = true, true
				s.lost = "the status of a substitution is not that of its command"
			}
		}
		return false
	})
	return s
}

// run runs a command of known words. With functions, a function of its name comes first.
func (m *machine) run(args []string, s state, calm, functions bool) []state {
	if body := m.functions[args[0]]; body != nil && functions {
		return m.function(body, s, calm)
	}
	if own := m.builtin(args[0]); own != nil {
		return own(args[1:], s, calm)
	}
	if script, inner, is := commandOf(args); is {
		return m.script(script, inner, s)
	}
	return m.external(args, s)
}

// builtin is what the shell itself does by a name, as far as it matters here; else nil.
func (m *machine) builtin(name string) func(args []string, s state, calm bool) []state {
	ends := func(bad bool) func([]string, state, bool) []state {
		return func(_ []string, s state, _ bool) []state { return []state{s.ends(bad)} }
	}
	unknowable := func(_ []string, s state, _ bool) []state { return wild("`"+name+"`", s) }
	forgets := func(_ []string, s state, _ bool) []state {
		s.vars = "" // it may set any
		return either(s)
	}
	leaves := func(how flow) func([]string, state, bool) []state {
		return func(args []string, s state, _ bool) []state { return leave(args, s, how) }
	}
	return map[string]func([]string, state, bool) []state{
		"true": ends(false), ":": ends(false), "false": ends(true),
		"exit": leaves(exits), "return": leaves(returns), "break": leaveLoop, "continue": leaveLoop,
		"set": options, "shopt": shopt, "test": test, "[": test,
		"exec": m.exec, "command": m.bare, "builtin": m.bare, "eval": m.eval, "trap": m.trap,
		"read": forgets, "unset": forgets, "printf": forgets, "getopts": forgets, "wait": forgets,
		"mapfile": forgets, "readarray": forgets,
		".": unknowable, "source": unknowable, "alias": unknowable, "enable": unknowable, "hash": unknowable,
	}[name]
}

func leaveLoop(args []string, s state, _ bool) []state {
	if len(args) > 0 && args[0] != "1" {
		return wild("`break "+args[0]+"`", s)
	}
	s.flow = breaks
	return []state{s}
}

func shopt(args []string, s state, _ bool) []state {
	changes := func(a string) bool { return a == "expand_aliases" || a == "lastpipe" || optionO.MatchString(a) }
	if slices.ContainsFunc(args, changes) {
		return wild("`shopt`", s)
	}
	return either(s)
}

// bare is command and builtin, which pass over functions.
func (m *machine) bare(args []string, s state, calm bool) []state {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return either(s)
	}
	return m.run(args, s, calm, false)
}

// optionO is a flag of set and shopt with which an option's name follows.
var optionO = regexp.MustCompile(`^[-+][a-zA-Z]*o$`)

func wild(what string, s state) []state {
	if s.wild == "" {
		s.wild = what
	}
	return either(s)
}

// external runs a program.
func (m *machine) external(args []string, s state) []state {
	kind := gateOf(args)
	if kind == noGate {
		return either(s)
	}
	m.gate, s.ran = true, true
	passed, failed := s.ends(false), s.ends(true)
	failed.failed = true
	if kind == lostGate {
		passed.failed = true
		passed.lost = cmp.Or(passed.lost, "whether `"+path.Base(args[0])+"` ends with its status is not known")
	}
	return []state{passed, failed}
}

func (m *machine) function(body *syntax.Stmt, s state, calm bool) []state {
	if m.depth++; m.depth > maxDepth {
		m.depth--
		return wild("a function that calls itself", s)
	}
	out := m.stmt(body, s, calm)
	m.depth--
	for i := range out {
		if out[i].flow == returns {
			out[i].flow = goes
		}
	}
	return out
}

// leave is exit and return, with or without a status.
func leave(args []string, s state, how flow) []state {
	out := []state{s}
	if len(args) > 0 {
		out = either(s)
		if n, err := strconv.Atoi(args[0]); err == nil && n >= 0 {
			out = []state{s.ends(n%256 != 0)}
		}
	}
	for i := range out {
		out[i].flow = how
	}
	return out
}

var number = regexp.MustCompile(`^\d+$`)

// options is set.
func options(args []string, s state, _ bool) []state {
	s = s.ends(false)
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" || a == "-" {
			break
		}
		if strings.Contains(a, unknown) || !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") {
			if i == 0 && !strings.HasPrefix(a, unknown) {
				break // parameters
			}
			return wild("`set`", s)
		}
		for _, letter := range a[1:] {
			name := string(letter)
			if letter == 'o' {
				if i++; i == len(args) {
					return []state{s}
				}
				name = args[i]
			}
			switch name {
			case "e", "errexit":
				s.errexit = a[0] == '-'
			case "pipefail":
				s.pipefail = a[0] == '-'
			case "n", "t", "noexec", "onecmd":
				return wild("`set "+a+"`", s)
			}
		}
	}
	return []state{s}
}

// test compares a known number with 0; of anything else both is possible.
func test(args []string, s state, _ bool) []state {
	if n := len(args); n > 0 && args[n-1] == "]" {
		args = args[:n-1]
	}
	if len(args) != 3 || !number.MatchString(args[0]) || strings.Trim(args[2], "0") != "" || args[2] == "" {
		return either(s)
	}
	zero := strings.Trim(args[0], "0") == ""
	switch args[1] {
	case "-eq", "=", "==":
		return []state{s.ends(!zero)}
	case "-ne", "!=", "-gt":
		return []state{s.ends(zero)}
	}
	return either(s)
}

func (m *machine) exec(args []string, s state, _ bool) []state {
	if len(args) == 0 {
		return []state{s.ends(false)} // redirections alone
	}
	if strings.HasPrefix(args[0], "-") {
		return wild("`exec "+args[0]+"`", s)
	}
	out := m.external(args, s)
	if script, inner, is := commandOf(args); is {
		out = m.script(script, inner, s)
	}
	for i := range out {
		out[i].flow = exits
	}
	return out
}

func (m *machine) eval(args []string, s state, calm bool) []state {
	script := strings.Join(args, " ")
	stmts, err := parse(script, m.posix)
	if err != nil || strings.Contains(script, unknown) || m.depth >= maxDepth {
		m.gate = m.gate || Mentions(script)
		return wild("`eval`", s)
	}
	m.depth++
	defer func() { m.depth-- }()
	return m.sequence(stmts, []state{s.ends(false)}, calm)
}

// trap is harmless where its commands cannot end the shell.
func (m *machine) trap(args []string, s state, _ bool) []state {
	handler := ""
	if len(args) > 1 {
		handler = args[0]
	}
	stmts, err := parse(handler, m.posix)
	flag := strings.HasPrefix(handler, "-") && handler != "-"
	if err != nil || flag || strings.Contains(handler, unknown) || !m.harmless(stmts, 0) {
		return wild("`trap`", s)
	}
	return []state{s.ends(false)}
}

// harmless reports whether commands of a trap leave the status of the shell alone.
func (m *machine) harmless(stmts []*syntax.Stmt, depth int) bool {
	fine := depth < maxDepth
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if c, is := n.(*syntax.CallExpr); is && len(c.Args) > 0 && fine {
				name := state{}.value(c.Args[0])
				fine = !strings.Contains(name, unknown) && !slices.Contains(ending, name)
				*m.steps++
				fine = fine && *m.steps < maxSteps
				if body := m.bodies[name]; body != nil && fine {
					fine = m.harmless([]*syntax.Stmt{body}, depth+1)
				}
			}
			return fine
		})
	}
	return fine
}

// ending are the words by which a trap can change what the shell ends with.
var ending = []string{"exit", "exec", "eval", "return", ".", "source", "command", "builtin", "kill", "set", "trap"}

// script runs what a shell is given with -c.
func (m *machine) script(script string, with Settings, s state) []state {
	stmts, err := parse(script, with.POSIX)
	if err != nil || strings.Contains(script, unknown) || m.depth >= maxDepth {
		return m.external([]string{"sh", script}, s)
	}
	inner := newMachine(stmts, with.POSIX)
	inner.depth, inner.steps = m.depth+1, m.steps
	started := s.ends(false)
	started.errexit, started.pipefail = with.ErrExit, with.PipeFail
	out := inner.apart(stmts, started, false)
	for i := range out {
		out[i].errexit, out[i].pipefail, out[i].vars = s.errexit, s.pipefail, s.vars
	}
	m.gate = m.gate || inner.gate
	return out
}

// assign returns variables with one set to another value.
func assign(vars, name, value string) string {
	known := map[string]string{}
	for line := range strings.Lines(vars) {
		key, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		known[key] = text
	}
	known[name] = value
	if strings.ContainsAny(value, unknown+"\n") || len(value) > 100 {
		delete(known, name)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(known)) {
		b.WriteString(key + "=" + known[key] + "\n")
	}
	return b.String()
}
