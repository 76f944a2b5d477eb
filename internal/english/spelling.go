package english

import "strings"

// Spelling returns the American spelling of a lower-case word: color for colour, center for centre. Both spellings of
// a word have the same stem.
func Spelling(word string) string {
	if len(word) < shortestBritish {
		return word
	}
	if other, ok := british[word]; ok {
		return other
	}
	for i := len(word) - 1; i > 1; i-- {
		switch before := word[i-1]; {
		case before == 'i' && word[i] == 's' && i >= len(word)-longestIse && iseEndings[word[i+1:]] &&
			!isesByNature(word[:i-1]):
			return word[:i] + "z" + word[i+1:]
		case before == 'o' && word[i] == 'u' && i+1 < len(word) && word[i+1] == 'r' && ourRoots[word[:i-1]]:
			return word[:i] + word[i+1:]
		}
	}
	return word
}

// shortestBritish is the least number of letters of a British spelling. longestIse is the largest number of letters of
// an ending that begins with "is".
const shortestBritish, longestIse = 4, 8

// isesByNature reports whether a word that begins with begin, before the "ise", has -ise in American spelling too. Such
// beginnings are "rev" of revise and "prec" of precise.
func isesByNature(begin string) bool {
	switch last := begin[len(begin)-1]; last {
	case 'a', 'o', 'u', 'v', 'w':
		return true
	case 'c':
		return !strings.HasSuffix(begin, "ic")
	}
	return len(begin) < 4
}
