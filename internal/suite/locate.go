package suite

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// sourceText is the text of a file or of one line, with its place in the file.
type sourceText struct {
	text  string
	start document.Position // place of its first byte
}

// position returns the place in the file of the byte at offset in text. text is the value of the string that begins at
// start in the file. position follows quotes, escapes and the indentation of a literal block. For other forms of
// strings, such as a folded block, it returns start.
func (s *sourceText) position(start document.Position, text string, offset int) document.Position {
	raw := s.rawFrom(start)
	before := text[:offset]
	switch {
	case raw == "" || offset == 0 && raw[0] != '"' && raw[0] != '\'' && raw[0] != '|':
		return start
	case raw[0] == '|':
		return blockPosition(start, raw, before)
	case raw[0] == '>', strings.Contains(before, "\n") && raw[0] != '"':
		return start
	}
	columns, ok := width(raw, utf8.RuneCountInString(before))
	if !ok {
		return start
	}
	return document.Position{Line: start.Line, Column: start.Column + columns}
}

// rawFrom returns the text of the file from the position at, or "" if the file has no such position. The text is cut at
// twice the largest size of a prompt.
func (s *sourceText) rawFrom(at document.Position) string {
	if at.Line < s.start.Line {
		return ""
	}
	rest := s.text
	for line := s.start.Line; line < at.Line; line++ {
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

// blockPosition returns the place in the file behind prefix, which is the beginning of the value of a literal block.
// The block begins at start. raw is the file's text from start: a line with |, then the block's lines, which all have
// the same indentation.
func blockPosition(start document.Position, raw, prefix string) document.Position {
	_, body, _ := strings.Cut(raw, "\n")
	indent := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			indent = len(line) - len(strings.TrimLeft(line, " "))
			break
		}
	}
	end := document.Position{Line: start.Line + 1, Column: 1}.Behind(prefix)
	end.Column += indent
	return end
}

// width returns how many columns the first runes characters of a string occupy in the file, together with the opening
// quote. raw is the file's text from the beginning of the string. ok is false if the line ends earlier.
func width(raw string, runes int) (columns int, ok bool) {
	character := plainCharacter
	if quoted := map[byte]*regexp.Regexp{'"': escaped, '\'': quoteDoubled}[raw[0]]; quoted != nil {
		columns, raw, character = 1, raw[1:], quoted
	}
	for ; runes > 0; runes-- {
		found := character.FindString(raw)
		if found == "" {
			return 0, false
		}
		columns, raw = columns+utf8.RuneCountInString(found), raw[len(found):]
	}
	return columns, true
}

// These match one character of a string: plain, in single quotes, and in double quotes. Two surrogates are one escape.
var (
	plainCharacter = regexp.MustCompile(`^[^\r\n]`)
	quoteDoubled   = regexp.MustCompile(`^(''|[^\r\n])`)
	escaped        = regexp.MustCompile(`^(\\(u[dD][89abAB]..\\u....|u....|U.{8}|x..|.?)|[^\r\n])`)
)
