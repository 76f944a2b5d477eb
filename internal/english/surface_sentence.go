package english

import "strings"

// Span is a half-open range of bytes of the view.
type Span struct{ Start, End int }

// Sentences splits a normalised text at full stops, question and exclamation marks, and at line breaks that end a
// paragraph, a heading or a list item. Each span is without the space around it, and none is empty.
func Sentences(s string) []Span {
	var out []Span
	start := 0
	for i := range len(s) {
		if !endsAt(s, i) {
			continue
		}
		out = appendTrimmed(out, s, start, i+1)
		start = i + 1
	}
	return appendTrimmed(out, s, start, len(s))
}

// endsAt reports whether the sentence ends with the byte at i.
func endsAt(s string, i int) bool {
	rest := s[i+1:]
	switch s[i] {
	case '.', '!', '?':
		after := strings.TrimLeft(rest, `"')`)
		return after == "" || (after[0] == ' ' && !abbreviated(s[:i])) || after[0] == '\n'
	case '\n':
		return rest == "" || rest[0] == '\n' || listItem(rest) || i > 0 && s[i-1] == ':'
	}
	return false
}

// abbreviated reports whether the full stop after s belongs to an abbreviation.
func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \n(")+1:]
	return len(word) > 1 && abbreviations[strings.ReplaceAll(word, ".", "")]
}

// listItem reports whether a line begins as an item of a list.
func listItem(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "• ") {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits <= 2 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// appendTrimmed appends the span without surrounding space, if anything is left.
func appendTrimmed(out []Span, s string, start, end int) []Span {
	for start < end && (s[start] == ' ' || s[start] == '\n') {
		start++
	}
	for end > start && (s[end-1] == ' ' || s[end-1] == '\n') {
		end--
	}
	if start == end {
		return out
	}
	return append(out, Span{start, end})
}
