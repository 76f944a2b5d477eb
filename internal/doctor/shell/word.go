package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unknown stands for what the shell puts into a word.
const unknown = "\x00"

// value is a word as the command gets it.
func (s state) value(w *syntax.Word) string { return s.parts(w.Parts, false) }

func (s state) values(words []*syntax.Word) (all []string) {
	for _, w := range words {
		all = append(all, s.value(w))
	}
	return all
}

func (s state) assigned(a *syntax.Assign) string {
	if a.Append || a.Index != nil || a.Array != nil {
		return unknown
	}
	if a.Value == nil {
		return ""
	}
	return s.value(a.Value)
}

func (s state) parts(parts []syntax.WordPart, quoted bool) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			if p.Dollar && strings.Contains(p.Value, `\`) {
				b.WriteString(unknown)
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			b.WriteString(s.parts(p.Parts, true))
		case *syntax.ParamExp:
			b.WriteString(s.parameter(p))
		default:
			b.WriteString(unknown)
		}
	}
	return b.String()
}

// unescape takes the backslashes out of a word. Within quotes they stand before a few characters alone.
func unescape(text string, quoted bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// parameter is the value of $?, ${PIPESTATUS[0]} and of variables that hold what is known.
func (s state) parameter(p *syntax.ParamExp) string {
	if !isPlain(p) {
		return unknown
	}
	name := p.Param.Value
	switch {
	case name == "PIPESTATUS" && p.Exp == nil && isZero(p.Index):
		return status(s.first)
	case p.Index != nil:
		return unknown
	case name == "?" && p.Exp == nil:
		return status(s.bad)
	}
	value, known := s.variable(name)
	defaults := p.Exp != nil && (p.Exp.Op == syntax.DefaultUnsetOrNull || p.Exp.Op == syntax.DefaultUnset)
	if known && (p.Exp == nil || value != "" && defaults) {
		return value
	}
	return unknown
}

// variable is the value of a variable, where it is known.
func (s state) variable(name string) (value string, known bool) {
	for line := range strings.Lines(s.vars) {
		if key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "="); key == name {
			return value, true
		}
	}
	return "", false
}

// isPlain reports whether a parameter stands for its value, or for a default.
func isPlain(p *syntax.ParamExp) bool {
	changed := p.Excl || p.Length || p.Slice != nil || p.Repl != nil || p.Names != 0 || len(p.Modifiers) > 0
	return !changed && p.Param != nil
}

func isZero(index syntax.ArithmExpr) bool {
	word, is := index.(*syntax.Word)
	return is && word.Lit() == "0"
}

func status(bad bool) string {
	if bad {
		return "1"
	}
	return "0"
}
