package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// loop runs a loop until another round brings nothing new.
func (m *machine) loop(cmd syntax.Command, s state, calm bool) []state {
	var cond, body []*syntax.Stmt
	atLeastOnce, until := false, false
	switch c := cmd.(type) {
	case *syntax.WhileClause:
		cond, body, until = c.Cond, c.Do, c.Until
	case *syntax.ForClause:
		body = c.Do
		if words, is := c.Loop.(*syntax.WordIter); is {
			atLeastOnce = !c.Select && slices.ContainsFunc(words.Items, isOneWord)
			if words.Name != nil {
				s.vars = assign(s.vars, words.Name.Value, unknown)
			}
		}
		s = m.substitutions(c.Loop, s)
	}
	var out []state
	rounds, seen := []state{s}, map[state]bool{}
	if cond == nil && !atLeastOnce {
		out = append(out, s.ends(false))
	}
	for len(rounds) > 0 {
		now := rounds
		if cond != nil {
			now = nil
			for _, s := range m.sequence(cond, rounds, true) {
				if s.flow == goes && s.bad != until {
					out = append(out, s.hide("it is the condition of a loop").ends(false))
				} else {
					now = append(now, s.hide("it is the condition of a loop"))
				}
			}
		}
		rounds = nil
		for _, s := range m.sequence(body, now, calm) {
			broke := s.flow == breaks
			if broke {
				s.flow = goes
				s = s.ends(false)
			}
			if s.flow != goes || broke || cond == nil {
				out = append(out, s)
			}
			if next := s.hide("the loop goes on after it failed"); s.flow == goes && !seen[next] {
				seen[next] = true
				rounds = append(rounds, next)
			}
		}
	}
	return each(out, func(s state) []state { return []state{s} })
}

// isOneWord reports whether a word of a list stands for at least one value.
func isOneWord(w *syntax.Word) bool {
	return !slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		switch p := part.(type) {
		case *syntax.Lit:
			return strings.ContainsAny(p.Value, "*?[")
		case *syntax.SglQuoted:
			return false
		}
		return true
	})
}
