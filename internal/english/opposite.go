package english

import "strings"

// Opposite reports two words of which one denies the other by how it is made: safe and unsafe, relevant and irrelevant. A prefix that
// often means something else, as in "inflammable", tells only of words that are known to be denied by it.
func Opposite(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return denied[b] == a || denied[a] == b || b == "un"+a || b == "non"+a || b == "dis"+a ||
		strings.HasPrefix(b, "ir") && b[2:] == a || (b == "in"+a || b == "im"+a) && len(a) >= shortestDenied
}
