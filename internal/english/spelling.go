package english

import "strings"

// Spelling returns the American spelling of a lower-case word: color for colour, center for centre. Both spellings of
// a word have the same stem.
func Spelling(word string) string {
	if other, ok := british[word]; ok {
		return other
	}
	if at := strings.LastIndex(word, "is"); at > 1 && iseEndings[word[at+len("is"):]] && !isesByNature(word[:at]) {
		return word[:at] + "iz" + word[at+len("is"):]
	}
	if begin, rest, ok := strings.Cut(word, "our"); ok && ourRoots[begin] {
		return begin + "or" + rest
	}
	return word
}

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
