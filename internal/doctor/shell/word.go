package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unknown replaces an expansion in a word.
const unknown = "\x00"

// here maps the variables that hold a job's folder to that folder.
var here = map[string]string{"GITHUB_WORKSPACE": ".", "PWD": "."}

// words returns the texts of words, with unknown in place of expansions.
func words(all []*syntax.Word) (out []string) {
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
			if value := here[p.Param.Value]; value != "" && p.Exp == nil {
				text += value
				continue
			}
			text += unknown
		default:
			text += unknown
		}
	}
	return text
}

// isParameter reports whether a word is $NAME, with or without quotes and a default.
func isParameter(w *syntax.Word, name string) bool {
	if w == nil || len(w.Parts) != 1 {
		return false
	}
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Param.Value != name || p.Excl || p.Length || p.Index != nil ||
		p.Slice != nil || p.Repl != nil {
		return false
	}
	return p.Exp == nil || p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull
}
