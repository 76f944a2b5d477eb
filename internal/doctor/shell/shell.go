// Package shell proves that a script ends with 0 only where failproof ran and passed. It walks through the script with
// every outcome that its commands can have; what it does not know may do anything.
package shell

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
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

// Prove reads a script. An error says that it is no script of that shell.
func Prove(script string, s Settings) (Result, error) {
	stmts, err := parse(expression.ReplaceAllLiteralString(script, "$GITHUB_EXPRESSION"), s.POSIX)
	if err != nil {
		return Result{}, err
	}
	m := newMachine(stmts, s.POSIX)
	ends := m.sequence(stmts, []state{{errexit: s.ErrExit, pipefail: s.PipeFail}}, false)
	r := Result{Gate: m.gate}
	for _, st := range ends {
		if why := st.unproven(); r.Why == "" && why != "" && r.Gate {
			r.Why = why
		}
	}
	return r, nil
}

func parse(script string, posix bool) ([]*syntax.Stmt, error) {
	if len(script) > maxScript {
		return nil, errors.New("it is too long to be read")
	}
	variant := syntax.LangBash
	if posix {
		variant = syntax.LangPOSIX
	}
	file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, err
	}
	return file.Stmts, nil
}

// flow says whether the next command of a script follows.
type flow uint8

const (
	goes    flow = iota
	breaks       // out of the loop, or to its next round
	returns      // from the function
	exits        // from the shell
)

// state is what may be so at one point of a script.
type state struct {
	errexit, pipefail bool
	ran, failed       bool // failproof was run; one run of it failed
	bad               bool // the last status is not 0
	first             bool // the same of the first command of the last pipeline
	flow              flow
	lost              string // what first let the script go on after failproof failed
	wild              string // what may have changed the shell in a way that is not known
	vars              string // variables of known value, as NAME=VALUE lines
}

// They bound the work on a script that was written to make much of it.
const (
	maxScript = 16 << 10 // bytes
	maxStates = 1000     // at one point
	maxSteps  = 100_000  // commands, each time they are walked through
)

func (s state) unproven() string {
	switch {
	case s.bad:
		return ""
	case s.wild != "":
		return s.wild + " may change what the step ends with"
	case s.failed:
		return cmp.Or(s.lost, "what follows it has a status of its own")
	case !s.ran:
		return "it may end with 0 without having run failproof"
	}
	return ""
}

// hide notes what lets the script go on, if failproof just failed.
func (s state) hide(by string) state {
	if s.failed && s.bad && s.lost == "" {
		s.lost = by
	}
	return s
}

func (s state) ends(bad bool) state {
	s.bad, s.first = bad, bad
	return s
}

// machine walks through one script.
type machine struct {
	posix     bool
	gate      bool
	steps     *int                    // how many commands were walked through
	functions map[string]*syntax.Stmt // those that were declared on the way
	bodies    map[string]*syntax.Stmt // those that the script declares anywhere
	depth     int
}

func newMachine(stmts []*syntax.Stmt, posix bool) *machine {
	m := &machine{posix: posix, steps: new(int)}
	m.functions, m.bodies = map[string]*syntax.Stmt{}, map[string]*syntax.Stmt{}
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.FuncDecl:
				m.bodies[n.Name.Value] = n.Body
			case *syntax.CallExpr:
				m.gate = m.gate || len(n.Args) > 0 && gateOf(state{}.values(n.Args)) != noGate
			}
			return true
		})
	}
	return m
}

// each applies a step to all states that go on.
func each(in []state, step func(state) []state) (out []state) {
	seen := map[state]bool{}
	add := func(s state) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, s := range in {
		if s.flow != goes {
			add(s)
			continue
		}
		for _, next := range step(s) {
			add(next)
		}
		if len(out) > maxStates {
			return wild("a script with so many ways through it", state{})[:1]
		}
	}
	return out
}

// sequence runs commands one after the other. With calm, a failure does not end the shell: it is asked about.
func (m *machine) sequence(stmts []*syntax.Stmt, in []state, calm bool) []state {
	for i, stmt := range stmts {
		in = each(in, func(s state) []state {
			if i > 0 {
				s = s.hide("the shell goes on after it failed")
			}
			return m.stmt(stmt, s, calm)
		})
	}
	return in
}

func (m *machine) stmt(stmt *syntax.Stmt, s state, calm bool) []state {
	if *m.steps++; *m.steps > maxSteps {
		return wild("a script with so many ways through it", s)[:1]
	}
	for _, r := range stmt.Redirs {
		s = m.substitutions(r, s)
	}
	switch {
	case stmt.Background || stmt.Coprocess || stmt.Disown:
		return each(m.apart([]*syntax.Stmt{{Cmd: stmt.Cmd}}, s, true), func(s state) []state {
			return []state{s.hide("it runs in the background").ends(false)}
		})
	case stmt.Negated:
		return each(m.command(stmt.Cmd, s, true), func(s state) []state {
			return []state{s.hide("`!` turns its status around").ends(!s.bad)}
		})
	}
	return m.command(stmt.Cmd, s, calm)
}

// apart runs commands in a shell of their own: options and variables stay there, and so does an exit.
func (m *machine) apart(stmts []*syntax.Stmt, s state, calm bool) []state {
	out := m.sequence(stmts, []state{s}, calm)
	for i, inner := range out {
		back := inner
		if !inner.ran {
			back.wild = s.wild // it was another shell's
		}
		back.errexit, back.pipefail, back.vars, back.flow = s.errexit, s.pipefail, s.vars, goes
		out[i] = back.ends(inner.bad)
	}
	return each(out, func(s state) []state { return []state{s} })
}

// fails ends the shell where a command failed and -e holds.
func fails(in []state, calm bool) []state {
	return each(in, func(s state) []state {
		if s.bad && s.errexit && !calm {
			s.flow = exits
		}
		return []state{s}
	})
}

func (m *machine) command(cmd syntax.Command, s state, calm bool) []state {
	switch c := cmd.(type) {
	case nil:
		return []state{s.ends(false)}
	case *syntax.CallExpr:
		return fails(m.call(c, s, calm), calm)
	case *syntax.BinaryCmd:
		return m.binary(c, s, calm)
	case *syntax.Block:
		return m.sequence(c.Stmts, []state{s}, calm)
	case *syntax.Subshell:
		return fails(m.apart(c.Stmts, s, calm), calm)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return []state{s.ends(false)}
		}
		return m.stmt(c.Stmt, s, calm)
	case *syntax.IfClause:
		return m.branch(c, s, calm)
	case *syntax.CaseClause:
		return m.choice(c, s, calm)
	case *syntax.ForClause, *syntax.WhileClause:
		return m.loop(c, s, calm)
	case *syntax.FuncDecl:
		m.functions[c.Name.Value] = c.Body
		return []state{s.ends(false)}
	case *syntax.DeclClause:
		return fails(m.declare(c, s), calm)
	case *syntax.CoprocClause:
		return m.stmt(&syntax.Stmt{Cmd: c.Stmt.Cmd, Background: true}, s, calm)
	case *syntax.TestClause:
		s = m.substitutions(c, s)
		if b, is := c.X.(*syntax.BinaryTest); is {
			if x, y, ok := twoWords(b); ok {
				return fails(test([]string{s.value(x), b.Op.String(), s.value(y)}, s, calm), calm)
			}
		}
	}
	s = m.substitutions(cmd, s)
	s.vars = "" // (( )) and let may set any
	return fails(either(s), calm)
}

func twoWords(b *syntax.BinaryTest) (x, y *syntax.Word, ok bool) {
	x, isX := b.X.(*syntax.Word)
	y, isY := b.Y.(*syntax.Word)
	return x, y, isX && isY
}

// either is both outcomes of what is not known.
func either(s state) []state { return []state{s.ends(false), s.ends(true)} }

func (m *machine) binary(c *syntax.BinaryCmd, s state, calm bool) []state {
	switch c.Op {
	case syntax.AndStmt:
		return each(m.stmt(c.X, s, true), func(s state) []state {
			if s.bad {
				return []state{s.hide("the shell goes on after it failed")}
			}
			return m.stmt(c.Y, s, calm)
		})
	case syntax.OrStmt:
		return each(m.stmt(c.X, s, true), func(s state) []state {
			if !s.bad {
				return []state{s}
			}
			return m.stmt(c.Y, s.hide("`||` stands behind it"), calm)
		})
	}
	piped := each(m.apart([]*syntax.Stmt{c.X}, s, calm), func(left state) []state {
		return each(m.apart([]*syntax.Stmt{c.Y}, left, calm), func(right state) []state {
			right.bad = right.bad || left.bad && s.pipefail
			if left.bad && !right.bad && right.failed && right.lost == "" {
				right.lost = "it stands in a pipe, without `pipefail`"
			}
			right.first = left.bad
			if _, longer := c.X.Cmd.(*syntax.BinaryCmd); longer {
				right.first = left.first
			}
			return []state{right}
		})
	})
	return fails(piped, calm)
}

func (m *machine) branch(c *syntax.IfClause, s state, calm bool) []state {
	return each(m.sequence(c.Cond, []state{s}, true), func(s state) []state {
		s = s.hide("it is the condition of an `if`")
		switch {
		case !s.bad || len(c.Cond) == 0: // an else
			return m.sequence(c.Then, []state{s}, calm)
		case c.Else == nil:
			return []state{s.ends(false)}
		}
		return m.branch(c.Else, s, calm)
	})
}

func (m *machine) choice(c *syntax.CaseClause, s state, calm bool) (out []state) {
	s = m.substitutions(c.Word, s)
	whole, from := false, []state{s}
	for _, item := range c.Items {
		whole = whole || slices.ContainsFunc(item.Patterns, func(w *syntax.Word) bool { return w.Lit() == "*" })
		ends := m.sequence(item.Stmts, from, calm)
		out = append(out, ends...)
		from = []state{s}
		if item.Op != syntax.Break { // the next one's commands may follow
			from = append(from, ends...)
		}
	}
	if !whole {
		out = append(out, s.ends(false))
	}
	return out
}
