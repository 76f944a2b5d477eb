package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Stem returns the stem of an English word in lower case, by the algorithm of M. F. Porter, "An algorithm for suffix
// stripping" (1980). Accents do not count. A word is its own stem if it has at most two letters, more than longestWord,
// or anything but Latin letters.
func Stem(word string) string {
	if len(word) <= 2 || len(word) > longestWord {
		return word
	}
	return porter(word)
}

// porter returns the stem of a word of three letters or more by the algorithm.
func porter(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return unaccented(word)
		}
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	s := stemmer{b: Spelling(word)}
	s.plural()
	s.pastAndProgressive()
	if strings.HasSuffix(s.b, "y") && s.vowelIn(len(s.b)-1) {
		s.b = s.b[:len(s.b)-1] + "i"
	}
	s.replace(longSuffixes, 1)
	s.replace(shortSuffixes, 1)
	s.replace(stripped, 2)
	s.final()
	return s.b
}

// unaccented returns the stem of word without the accents of its Latin letters, as if naïve were naive. A word in
// another script is its own stem.
func unaccented(word string) string {
	latin := false
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && latin {
			return -1
		}
		latin = unicode.Is(unicode.Latin, r)
		return r
	}, norm.NFD.String(word))
	for i := range len(bare) {
		if bare[i] >= utf8.RuneSelf {
			return norm.NFC.String(bare)
		}
	}
	if len(bare) <= 2 {
		return bare
	}
	return porter(bare)
}

// longestWord is the largest number of letters of a word that is stemmed. The time of the algorithm grows with the
// square of the number of y's in a row.
const longestWord = 64

type stemmer struct{ b string }

// suffixes are rows of what replaces an ending, if anything does, and the ending, by the last letter of the ending.
type suffixes ['z' + 1][][]string

var (
	longSuffixes, shortSuffixes = suffixesOf("longSuffixes"), suffixesOf("shortSuffixes")
	stripped                    = suffixesOf("stripped")
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

// consonant reports whether the letter at i is a consonant. A y is a consonant at the beginning of a word and after a
// vowel.
func (s *stemmer) consonant(i int) bool {
	switch s.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !s.consonant(i-1)
	}
	return true
}

// measure returns how often, among the first n letters, a consonant follows a vowel. Porter calls this number m.
func (s *stemmer) measure(n int) (m int) {
	vowel := false
	for i := range n {
		consonant := s.consonant(i)
		if consonant && vowel {
			m++
		}
		vowel = !consonant
	}
	return m
}

func (s *stemmer) vowelIn(n int) bool {
	for i := range n {
		if !s.consonant(i) {
			return true
		}
	}
	return false
}

// short reports whether the first n letters end in a consonant, a vowel, and a consonant other than w, x and y. The
// letters of "hop" do, and those of "snow" do not.
func (s *stemmer) short(n int) bool {
	return n >= 3 && s.consonant(n-3) && !s.consonant(n-2) && s.consonant(n-1) &&
		!strings.ContainsRune("wxy", rune(s.b[n-1]))
}

func (s *stemmer) double() bool {
	n := len(s.b)
	return n >= 2 && s.b[n-1] == s.b[n-2] && s.consonant(n-1)
}

func (s *stemmer) plural() {
	switch {
	case s.b[len(s.b)-1] != 's':
	case strings.HasSuffix(s.b, "sses"), strings.HasSuffix(s.b, "ies"):
		s.b = s.b[:len(s.b)-2]
	case !strings.HasSuffix(s.b, "ss"):
		s.b = s.b[:len(s.b)-1]
	}
}

func (s *stemmer) pastAndProgressive() {
	if rest, has := strings.CutSuffix(s.b, "eed"); has {
		if s.measure(len(rest)) > 0 {
			s.b = rest + "ee"
		}
		return
	}
	for _, ending := range []string{"ed", "ing"} {
		if rest, has := strings.CutSuffix(s.b, ending); has && s.vowelIn(len(rest)) {
			s.b = rest
			s.mend()
			return
		}
	}
}

// mend repairs the word after an ending was removed: "hop" of hoping becomes hope, and "hopp" of hopping becomes hop.
func (s *stemmer) mend() {
	switch n := len(s.b); {
	case strings.HasSuffix(s.b, "at"), strings.HasSuffix(s.b, "bl"), strings.HasSuffix(s.b, "iz"):
		s.b += "e"
	case s.double() && !strings.ContainsRune("lsz", rune(s.b[n-1])):
		s.b = s.b[:n-1]
	case s.measure(n) == 1 && s.short(n):
		s.b += "e"
	}
}

// replace replaces the first ending in list that the word has. It leaves the word unchanged if the measure of the part
// before that ending is below least. An "ion" must follow an s or a t.
func (s *stemmer) replace(list *suffixes, least int) {
	for _, row := range list[s.b[len(s.b)-1]] {
		last := len(row) - 1
		if rest, has := strings.CutSuffix(s.b, row[last]); has {
			follows := row[last] != "ion" || strings.HasSuffix(rest, "s") || strings.HasSuffix(rest, "t")
			if follows && s.measure(len(rest)) >= least {
				s.b = rest + strings.Join(row[:last], "")
			}
			return
		}
	}
}

func (s *stemmer) final() {
	if n := len(s.b) - 1; strings.HasSuffix(s.b, "e") && (s.measure(n) > 1 || s.measure(n) == 1 && !s.short(n)) {
		s.b = s.b[:n]
	}
	if n := len(s.b) - 1; s.double() && s.b[n] == 'l' && s.measure(n+1) > 1 {
		s.b = s.b[:n]
	}
}

// WordStem returns the stem of word as Stem does, except for words such as university and universe, whose stems are
// equal but whose meanings differ. For such a word, it returns the shortest beginning that tells the word from the
// others.
func WordStem(word string) string {
	if len(word) <= 2 || len(word) > longestWord {
		return word
	}
	return ownStem(word, porter(word))
}

// ownStem returns the result of WordStem for word. s is the stem that the algorithm computes for word.
func ownStem(word, s string) string {
	if len(s) == len(word) {
		return s
	}
	if begins := apart[s]; begins != nil {
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
		s := porter(begin + rest)
		m[s] = append(m[s], begin)
	}
	return m
}()
