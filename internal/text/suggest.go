package text

import (
	"fmt"
	"slices"
	"strings"
)

// maxDistance is the largest edit distance of a suggestion.
const maxDistance = 2

// Suggest returns the known word with the smallest edit distance to word, or false if no known word is near enough. It
// ignores letter case. Of equally near words it returns the first. In a short word, less than half of the letters may
// differ. If no word is near enough as a whole, Suggest compares the parts between underscores.
func Suggest(word string, known []string) (string, bool) {
	best, distance := "", maxDistance+1
	for _, candidate := range known {
		d := editDistance(strings.ToLower(word), strings.ToLower(candidate))
		if d < distance && 2*d < max(len(word), 2) && candidate != word {
			best, distance = candidate, d
		}
	}
	if distance > maxDistance {
		return suggestByParts(word, known)
	}
	return best, true
}

// Hint returns form with the result of Suggest in place of its %s. It returns "" if there is no suggestion.
func Hint(form, word string, known []string) string {
	like, ok := Suggest(word, known)
	if !ok {
		return ""
	}
	return fmt.Sprintf(form, like)
}

// leastWord is the length in bytes of the shortest word for which Slip accepts a difference of one letter. In a shorter
// word, one letter makes another word: topK is no misspelling of topP.
const leastWord = 5

// IsMisspelling reports whether word is surely a misspelling of meant. Apart from letter case, the two may differ by
// one missing, extra, wrong or swapped letter.
func IsMisspelling(word, meant string) bool {
	return len(word) >= leastWord && editDistance(strings.ToLower(word), strings.ToLower(meant)) <= 1
}

// suggestByParts returns the only known word that has all parts of word between its underscores. For min_score, that is
// min_run_score.
func suggestByParts(word string, known []string) (best string, found bool) {
	parts := strings.Split(strings.ToLower(word), "_")
	if len(parts) < 2 {
		return "", false
	}
	for _, candidate := range known {
		has := strings.Split(candidate, "_")
		if slices.ContainsFunc(parts, func(part string) bool { return part == "" || !slices.Contains(has, part) }) ||
			candidate == word {
			continue
		}
		if found {
			return "", false
		}
		best, found = candidate, true
	}
	return best, found
}

// editDistance returns the smallest number of insertions, deletions, replacements and swaps of neighbors that turn a
// into b. A result above maxDistance is not exact.
func editDistance(a, b string) int {
	if d := len(a) - len(b); d > maxDistance || -d > maxDistance {
		return maxDistance + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
