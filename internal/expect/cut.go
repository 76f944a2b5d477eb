package expect

import "github.com/failproof/failproof/internal/text"

// shownRunes is how much of an answer or expectation is quoted.
const shownRunes = 300

func cut(s string, n int) string { return text.Cut(s, n) }
