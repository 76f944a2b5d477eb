package english

import "strings"

// shortestOpposed is the least number of letters of a word that a prefix such as "un" can deny.
const shortestOpposed = 4

// AreOpposites reports whether one of a and b is the other with a denying prefix: safe and unsafe, relevant and
// irrelevant, toxic and nontoxic. The prefixes "in" and "im" often mean something else. They count only before at least
// shortestDenied letters, or in the words that denied lists.
func AreOpposites(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	prefix, ok := strings.CutSuffix(b, a)
	switch {
	case !ok: // required, optional
		return len(a) == len(b) && (denies(a, b) || denies(b, a))
	case len(a) < shortestOpposed || b == "unless":
		return denies(b, a)
	case prefix == "un" || prefix == "non" || prefix == "dis" || prefix == "ir" || prefix == "il":
		return true
	}
	return denies(b, a) || (prefix == "in" || prefix == "im") && len(a) >= shortestDenied
}

// denies reports whether the table denied says that word denies other.
func denies(word, other string) bool { return other != "" && denied[word] == other }

// shortestDenied is the least number of letters after a denying "non". In the words of nonWords, "non" denies nothing.
const shortestDenied = 6
