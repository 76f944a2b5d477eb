package suite

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// sourceText is a file, or the line of it that is being read, as written.
type sourceText struct {
	text   string
	textAt document.Position // where text begins
}

// spot finds where a part of a string stands in its file, through quotes, escapes and the indentation of a literal
// block. text is the string's value, at where it begins in the file, offset the part's first byte in text. For a form
// that it cannot follow, a folded one, it returns at.
func (f *sourceText) spot(at document.Position, text string, offset int) document.Position {
	raw := f.rawFrom(at)
	before := text[:offset]
	switch {
	case raw == "" || offset == 0 && raw[0] != '"' && raw[0] != '\'' && raw[0] != '|':
		return at
	case raw[0] == '|':
		return inBlock(at, raw, before)
	case strings.Contains(before, "\n") && raw[0] != '"':
		return at
	case raw[0] == '>':
		return at
	}
	columns, ok := width(raw, utf8.RuneCountInString(before))
	if !ok {
		return at
	}
	return document.Position{Line: at.Line, Column: at.Column + columns}
}

// rawFrom returns the file from a position on, "" if it has no such place.
func (f *sourceText) rawFrom(at document.Position) string {
	if at.Line < f.textAt.Line {
		return ""
	}
	rest := f.text
	for line := f.textAt.Line; line < at.Line; line++ {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return ""
		}
		rest = after
	}
	for column := 1; column < at.Column && len(rest) > 0; column++ {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return rest[:min(len(rest), 2*maxPrompt)]
}

// inBlock finds a place in a literal block, whose lines are below at, all indented by the same width.
func inBlock(at document.Position, raw, before string) document.Position {
	_, body, _ := strings.Cut(raw, "\n")
	indent := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			indent = len(line) - len(strings.TrimLeft(line, " "))
			break
		}
	}
	end := document.Position{Line: at.Line + 1, Column: 1}.Behind(before)
	end.Column += indent
	return end
}

// width returns how many columns the first runes of a string take in its file, with the opening quote; false if a line
// ends before.
func width(raw string, runes int) (columns int, ok bool) {
	quote := raw[0]
	if quote == '"' || quote == '\'' {
		columns, raw = 1, raw[1:]
	}
	for ; runes > 0; runes-- {
		size := 1
		switch {
		case raw == "" || raw[0] == '\n' || raw[0] == '\r':
			return 0, false
		case quote == '"' && raw[0] == '\\':
			size = escape(raw)
		case quote == '\'' && strings.HasPrefix(raw, "''"):
			size = 2
		default:
			_, bytes := utf8.DecodeRuneInString(raw)
			columns, raw = columns+1, raw[bytes:]
			continue
		}
		columns, raw = columns+size, raw[min(size, len(raw)):]
	}
	return columns, true
}

// escape returns the length of the escape at the beginning of raw, in JSON or in YAML's double quotes; two that make
// one rune count as one.
func escape(raw string) int {
	if len(raw) < 2 {
		return 1
	}
	switch raw[1] {
	case 'x':
		return 4
	case 'U':
		return 10
	case 'u':
		if surrogates.MatchString(raw) {
			return 12
		}
		return 6
	}
	return 2
}

// surrogates are two escapes that make one rune.
var surrogates = regexp.MustCompile(`^\\u[dD][89abAB][0-9a-fA-F]{2}\\u`)
