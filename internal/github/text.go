package github

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cut shortens text to at most limit bytes, on a rune's border, and says so with an ellipsis.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const dots = "…"
	return prefix(text, limit-len(dots)) + dots
}

// prefix returns the longest beginning of at most limit bytes that splits no rune.
func prefix(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// prefixLines returns the longest beginning of at most limit bytes that ends with a line.
func prefixLines(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	short := prefix(text, limit)
	if end := strings.LastIndexByte(short, '\n'); end >= 0 {
		return short[:end+1]
	}
	return short
}

// oneLine makes what somebody else wrote fit into a message of ours: printable, in one line, at most 200 bytes.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "�"))
	return cut(strings.Join(strings.Fields(text), " "), 200)
}
