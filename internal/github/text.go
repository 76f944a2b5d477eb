package github

import (
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/text"
)

// prefixLines returns the longest beginning of at most limit bytes that ends with a line.
func prefixLines(s string, limit int) string {
	short := text.Head(s, limit)
	if short == s {
		return s
	}
	if end := strings.LastIndexByte(short, '\n'); end >= 0 {
		return short[:end+1]
	}
	return short
}

// oneLine makes what somebody else wrote fit into a message of ours: printable, in one line, at most 200 bytes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(s, "�"))
	return text.CutBytes(strings.Join(strings.Fields(s), " "), 200)
}
