package refusal

import "bytes"

// maxSingleQuoted is the longest quotation between single marks, in bytes. Beyond it, an apostrophe is the likelier reading.
const maxSingleQuoted = 300

// maskQuotations masks what stands between quotation marks or backticks of the same paragraph, the marks left in place.
func maskQuotations(b []byte) {
	for start := 0; start < len(b); {
		end := paragraphEnd(b, start)
		maskPairs(b[start:end], '"')
		maskPairs(b[start:end], '`')
		maskSingles(b[start:end])
		start = end + 2
	}
}

// paragraphEnd returns the offset of the blank line after start, or the length.
func paragraphEnd(b []byte, start int) int {
	if i := bytes.Index(b[start:], []byte("\n\n")); i >= 0 {
		return start + i
	}
	return len(b)
}

// maskPairs masks between marks that open and close alike. An odd one at the end masks nothing.
func maskPairs(b []byte, mark byte) {
	if bytes.IndexByte(b, mark) < 0 {
		return
	}
	open := -1
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\':
			i++ // an escaped mark, as in JSON
		case b[i] != mark:
		case open < 0:
			open = i
		default:
			cover(b[open+1:i], masked)
			open = -1
		}
	}
}

// maskSingles masks between single marks: one that opens stands before a word and after none, one that closes the
// other way round; an apostrophe has letters on both sides.
func maskSingles(b []byte) {
	if bytes.IndexByte(b, '\'') < 0 {
		return
	}
	open := -1
	for i, c := range b {
		if c != '\'' {
			continue
		}
		before, after := i > 0 && inWord(b[i-1]), i+1 < len(b) && inWord(b[i+1])
		switch {
		case !before && after && (i == 0 || b[i-1] == ' ' || b[i-1] == '\n' || b[i-1] == '('):
			open = i
		case !after && open >= 0:
			if i-open <= maxSingleQuoted {
				cover(b[open+1:i], masked)
			}
			open = -1
		}
	}
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}
