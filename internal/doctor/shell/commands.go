package shell

import "mvdan.cc/sh/v3/syntax"

// Commands returns the words of each simple command of the script, including commands in substitutions and functions.
// In the words, a NUL byte replaces each expansion, such as $NAME. It returns nil for an invalid script.
func Commands(script string) (all [][]string) {
	stmts, err := parse(script, false)
	if err != nil {
		return nil
	}
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				all = append(all, wordTexts(c.Args))
			}
			return true
		})
	}
	return all
}
