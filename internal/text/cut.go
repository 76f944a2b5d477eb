package text

import "unicode/utf8"

// Head is the longest beginning of at most n bytes in which no character is cut in two.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); {
		n--
	}
	return s[:n]
}

// Cut shortens a text to at most n characters, the last of them an ellipsis where something is left out.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// CutBytes shortens a text to at most n bytes, an ellipsis at their end where something is left out.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n-len("…")) + "…"
}
