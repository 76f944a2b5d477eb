package expect

import "unicode/utf8"

// shownRunes is how much of an answer or expectation is quoted.
const shownRunes = 300

// cut returns s with at most n runes, the last of them an ellipsis if something was left out.
func cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n-1 {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}
