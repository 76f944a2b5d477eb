package english

import "strings"

// shortestOpposed is the fewest letters of a word that "un" before it denies.
const shortestOpposed = 4

// Opposite reports two words of which one denies the other by how it is made: safe and unsafe, relevant and irrelevant, toxic and nontoxic.
// A prefix that often means something else, as in "inflammable", tells only of words that are known to be denied by it.
func Opposite(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	prefix, ok := strings.CutSuffix(b, a)
	switch {
	case !ok || len(a) < shortestOpposed || b == "unless":
		return denied[b] == a || denied[a] == b
	case prefix == "un" || prefix == "non" || prefix == "dis" || prefix == "ir" || prefix == "il":
		return true
	}
	return denied[b] == a || (prefix == "in" || prefix == "im") && len(a) >= shortestDenied
}
