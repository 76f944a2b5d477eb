package english

import (
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/text"
	"golang.org/x/text/unicode/norm"
)

// Stem returns the stem of an English word in lower case, by the algorithm of M. F. Porter, "An algorithm for suffix
// stripping" (1980). Accents do not count. A word is its own stem if it has at most two letters or anything but Latin
// letters.
func Stem(word string) string {
	notLetter := func(r rune) bool { return r < 'a' || r > 'z' }
	if strings.ContainsFunc(word, notLetter) {
		if word = unaccented(word); strings.ContainsFunc(word, notLetter) {
			return word
		}
	}
	if len(word) <= 2 {
		return word
	}
	word = yAsVowel(pastAndProgressive(plural.strip(Spelling(word), 0)))
	return final(stripped.strip(shortSuffixes.strip(longSuffixes.strip(word, 1), 1), 2))
}

// unaccented returns a word without the accents of its letters, as if naïve were naive. A word that has other letters
// than English ones even so is returned as it is.
func unaccented(word string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
	if text.IsPlainASCII(bare) {
		return bare
	}
	return word
}

// suffixes are rows of what replaces an ending, if anything does, and the ending, by the last letter of the ending.
type suffixes ['z' + 1][][]string

var (
	plural, longSuffixes    = suffixesOf("pluralSuffixes"), suffixesOf("longSuffixes")
	shortSuffixes, stripped = suffixesOf("shortSuffixes"), suffixesOf("stripped")
)

func suffixesOf(name string) *suffixes {
	all := &suffixes{}
	for _, row := range rowsOf(name) {
		ending := row[len(row)-1]
		last := ending[len(ending)-1]
		all[last] = append(all[last], row)
	}
	return all
}

// strip replaces the first ending of the table that the word has. It leaves the word as it is if the measure of the
// part before that ending is below least. An "ion" must follow an s or a t.
func (list *suffixes) strip(word string, least int) string {
	for _, row := range list[word[len(word)-1]] {
		last := len(row) - 1
		if rest, has := strings.CutSuffix(word, row[last]); has {
			follows := row[last] != "ion" || strings.HasSuffix(rest, "s") || strings.HasSuffix(rest, "t")
			if follows && (least == 0 || measure(rest) >= least) {
				return rest + strings.Join(row[:last], "")
			}
			return word
		}
	}
	return word
}

// shape returns how often a consonant follows a vowel in a word, which Porter calls m, and a c for each consonant and a
// v for each vowel of the last three letters. A y is a consonant at the beginning of a word and after a vowel.
func shape(word string) (m int, end [3]byte) {
	for _, c := range []byte(word) {
		kind := byte('c')
		if strings.IndexByte("aeiou", c) >= 0 || c == 'y' && end[2] == 'c' {
			kind = 'v'
		} else if end[2] == 'v' {
			m++
		}
		end = [3]byte{end[1], end[2], kind}
	}
	return m, end
}

func measure(word string) int {
	m, _ := shape(word)
	return m
}

// hasVowel reports whether a word has a vowel. With a consonant behind it, such a word has a measure above 0.
func hasVowel(word string) bool { return measure(word+"b") > 0 }

// isShort reports whether a word ends in a consonant, a vowel, and a consonant other than w, x and y, as "hop" does and
// "snow" does not.
func isShort(word string) bool {
	_, end := shape(word)
	return string(end[:]) == "cvc" && strings.IndexByte("wxy", word[len(word)-1]) < 0
}

// isDouble reports whether a word ends in two equal consonants.
func isDouble(word string) bool {
	n := len(word)
	_, end := shape(word)
	return n >= 2 && word[n-1] == word[n-2] && end[2] == 'c'
}

// pastAndProgressive removes an "ed" or an "ing". It then repairs the word: "hop" of hoping becomes hope, and "hopp" of
// hopping becomes hop.
func pastAndProgressive(word string) string {
	if rest, has := strings.CutSuffix(word, "eed"); has {
		if measure(rest) > 0 {
			return rest + "ee"
		}
		return word
	}
	rest, has := strings.CutSuffix(word, "ed")
	if !has {
		rest, has = strings.CutSuffix(word, "ing")
	}
	switch {
	case !has || !hasVowel(rest):
		return word
	case strings.HasSuffix(rest, "at"), strings.HasSuffix(rest, "bl"), strings.HasSuffix(rest, "iz"):
		return rest + "e"
	case isDouble(rest) && strings.IndexByte("lsz", rest[len(rest)-1]) < 0:
		return rest[:len(rest)-1]
	case measure(rest) == 1 && isShort(rest):
		return rest + "e"
	}
	return rest
}

// yAsVowel replaces the y at the end of a word by an i, if a vowel precedes it.
func yAsVowel(word string) string {
	if rest, has := strings.CutSuffix(word, "y"); has && hasVowel(rest) {
		return rest + "i"
	}
	return word
}

// final removes an e at the end of a long word, and one l of two.
func final(word string) string {
	if rest, has := strings.CutSuffix(word, "e"); has {
		if m := measure(rest); m > 1 || m == 1 && !isShort(rest) {
			word = rest
		}
	}
	if strings.HasSuffix(word, "ll") && measure(word) > 1 {
		word = word[:len(word)-1]
	}
	return word
}

// WordStem returns the stem of word as Stem does, except for words such as university and universe, whose stems are
// equal but whose meanings differ. For such a word, it returns the shortest beginning that tells the word from the
// others.
func WordStem(word string) string {
	s := Stem(word)
	if begins := apart[s]; begins != nil && len(s) < len(word) {
		spelt := Spelling(word)
		for _, begin := range begins {
			if strings.HasPrefix(spelt, begin) {
				return begin
			}
		}
	}
	return s
}

// sharedStems maps words that share the stem of another word to that stem.
var sharedStems = func() map[string]string {
	m := map[string]string{}
	for _, others := range []map[string]string{heads("ordinals"), heads("rates"), irregular, derived("nominal", "", "s")} {
		for word, other := range others {
			m[word] = WordStem(other)
		}
	}
	return m
}()

// apart maps a stem to the beginnings that tell apart the words with this stem.
var apart = func() map[string][]string {
	m := map[string][]string{}
	for _, word := range rowsOf("apart")[0] {
		begin, rest, _ := strings.Cut(word, "|")
		s := Stem(begin + rest)
		m[s] = append(m[s], begin)
	}
	return m
}()
