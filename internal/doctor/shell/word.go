package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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

// isParameter reports whether w expands only the variable with the given name. Quotes and a default are allowed, as in
// "${NAME:-1}".
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
