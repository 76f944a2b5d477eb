package shell

import "mvdan.cc/sh/v3/syntax"

// Commands returns the words of each simple command of a script, including those in substitutions and functions. A NUL
// byte replaces each expansion. It returns nil for an invalid script.
func Commands(script string) (all [][]string) {
	stmts, err := parse(script, false)
	if err != nil {
		return nil
	}
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				all = append(all, words(c.Args))
			}
			return true
		})
	}
	return all
}
