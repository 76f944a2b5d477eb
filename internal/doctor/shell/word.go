package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Commands returns the words of each simple command of the script, including commands in substitutions and functions.
// In the words, a NUL byte replaces each expansion, such as $NAME. It returns nil for an invalid script.
func Commands(script string) (all [][]string) {
	stmts, err := parse(script, false)
	if err != nil {
		return nil
	}
	for _, stmt := range stmts {
		all = append(all, commandsOf(stmt)...)
	}
	return all
}

// commandsOf returns the words of each simple command in stmt, as Commands does.
func commandsOf(stmt *syntax.Stmt) (all [][]string) {
	syntax.Walk(stmt, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			all = append(all, wordTexts(c.Args))
		}
		return true
	})
	return all
}

// expansion stands for an expansion in the text of a word.
const expansion = "\x00"

// folderVariables has the variables that hold the job's folder, and the text that stands for this folder.
var folderVariables = map[string]string{"GITHUB_WORKSPACE": ".", "PWD": "."}

// wordTexts returns the texts of the words all, with unknown in place of expansions.
func wordTexts(all []*syntax.Word) (out []string) {
	for _, w := range all {
		out = append(out, textOf(w.Parts))
	}
	return out
}

func textOf(parts []syntax.WordPart) (text string) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += strings.ReplaceAll(strings.ReplaceAll(p.Value, "\\\n", ""), `\`, "")
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			text += textOf(p.Parts)
		case *syntax.ParamExp:
			if value := folderVariables[p.Param.Value]; value != "" && p.Exp == nil {
				text += value
				continue
			}
			text += expansion
		default:
			text += expansion
		}
	}
	return text
}
