package english

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Stem reduces an English word in lower case to its stem by the algorithm of M. F. Porter, "An algorithm for suffix
// stripping" (1980). Words of at most two letters or more than longestWord, and words with anything but Latin letters,
// are their own stems; accents do not count.
func Stem(word string) string {
	if len(word) <= 2 || len(word) > longestWord {
		return word
	}
	return known(word).stem
}

// stemmed is a word with its stems. They are computed once, since the texts of a suite share words.
type stemmed struct{ word, stem, own string }

// stems is a cache of stemmed words, each at the place of its hash. An entry is used only if it is of the same word.
var stems [1 << 12]atomic.Pointer[stemmed]

// known returns the stems of a word of at most longestWord letters.
func known(word string) *stemmed {
	at := &stems[maphash.String(seed, word)%uint64(len(stems))]
	if s := at.Load(); s != nil && s.word == word {
		return s
	}
	word = strings.Clone(word) // and not the text in which it stands
	s := &stemmed{word: word, stem: porter(word)}
	s.own = ownStem(word, s.stem)
	at.Store(s)
	return s
}

// porter is the algorithm, for a word of three letters or more.
func porter(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return unaccented(word)
		}
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	s := stemmer{b: american(word)}
	s.plural()
	s.pastAndProgressive()
	if strings.HasSuffix(s.b, "y") && s.vowelIn(len(s.b)-1) {
		s.b = s.b[:len(s.b)-1] + "i"
	}
	s.replace(longSuffixes)
	s.replace(shortSuffixes)
	s.strip()
	s.final()
	return s.b
}

// unaccented drops the accents of Latin letters: naïve is naive. A word in another script stays.
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

// longestWord bounds the letters of a word to stem, since the algorithm's time grows with the square of a row of y's.
const longestWord = 64

type stemmer struct{ b string }

// suffix is an ending of two letters or more and what stands in its place.
type suffix struct{ from, to string }

// endings are suffixes by their last letter.
type endings ['z' + 1][]suffix

func endingIn(all ...suffix) *endings {
	var e endings
	for _, x := range all {
		last := x.from[len(x.from)-1]
		e[last] = append(e[last], x)
	}
	return &e
}

// of returns the first ending that a word has, and its place; nil if it has none.
func (e *endings) of(word string) (x *suffix, at int) {
	last := len(word) - 1
	list := e[word[last]]
	for i := range list {
		from := list[i].from
		if at = len(word) - len(from); at >= 0 && from[len(from)-2] == word[last-1] && word[at:] == from {
			return &list[i], at
		}
	}
	return nil, 0
}

var (
	longSuffixes = endingIn([]suffix{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"abli", "able"},
		{"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"},
		{"ation", "ate"}, {"ator", "ate"},
		{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
		{"iviti", "ive"}, {"biliti", "ble"},
	}...)
	shortSuffixes = endingIn([]suffix{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}...)
	stripped = endingIn([]suffix{{from: "ement"}, {from: "ance"}, {from: "ence"}, {from: "able"}, {from: "ible"},
		{from: "ment"}, {from: "ant"},
		{from: "ent"}, {from: "ism"}, {from: "ate"}, {from: "iti"}, {from: "ous"}, {from: "ive"}, {from: "ize"},
		{from: "ion"}, {from: "al"},
		{from: "er"}, {from: "ic"}, {from: "ou"}}...)
)

// consonant reports whether the letter at i is a consonant; y is one at the beginning and after a vowel.
func (s *stemmer) consonant(i int) bool {
	switch s.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !s.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences of the first n letters.
func (s *stemmer) measure(n int) (m int) {
	vowel := false
	for i := range n {
		switch c := s.b[i]; {
		case c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y' && i > 0 && !vowel:
			vowel = true
		case vowel:
			m++
			vowel = false
		}
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

// short reports whether the first n letters end in consonant, vowel, consonant, the last not w, x or y: hop, not snow.
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
	ending := ""
	switch s.b[len(s.b)-1] {
	case 'd':
		ending = "ed"
	case 'g':
		ending = "ing"
	default:
		return
	}
	if strings.HasSuffix(s.b, "eed") {
		if s.measure(len(s.b)-3) > 0 {
			s.b = s.b[:len(s.b)-1]
		}
	} else if n := len(s.b) - len(ending); strings.HasSuffix(s.b, ending) && s.vowelIn(n) {
		s.b = s.b[:n]
		s.mend()
	}
}

// mend restores what an ending took away: hoping, hope; hopping, hop.
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

// replace replaces the first ending of the list that the word has, if the rest before it is long enough.
func (s *stemmer) replace(list *endings) {
	if x, n := list.of(s.b); x != nil && s.measure(n) > 0 {
		s.b = s.b[:n] + x.to
	}
}

func (s *stemmer) strip() {
	if x, n := stripped.of(s.b); x != nil && s.measure(n) > 1 &&
		(x.from != "ion" || s.b[n-1] == 's' || s.b[n-1] == 't') {
		s.b = s.b[:n]
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

// WordStem is Stem with exceptions for words of different meaning that have one stem, such as university and universe,
// or negligent and negligible: their stem is the beginning that tells them apart.
func WordStem(word string) string {
	if len(word) <= 2 || len(word) > longestWord {
		return word
	}
	return known(word).own
}

// ownStem returns the stem by WordStem of a word whose stem by the algorithm is s.
func ownStem(word, s string) string {
	if len(s) == len(word) {
		return s
	}
	if begins := apart[s]; begins != nil {
		spelt := american(word)
		for _, begin := range begins {
			if strings.HasPrefix(spelt, begin) {
				return begin
			}
		}
	}
	return s
}

// differs holds, by the stem that they share, the beginnings of words that mean something else than the other words
// with it. Each stands here up to the bar, in a word that begins with it.
var apart = func() map[string][]string {
	m := map[string][]string{}
	for _, word := range strings.Fields(`accountab|le accountan|t animate| apartment| audition| authorit|y authoriz|e communic|ate communis|m
		communit|y competen|t comprehension| comprehensib|le conference| conservativ|e considerab|le considerate| constitution| contraction|
		conventional| conversation| conversion| corporal| critical| customer| defection| department| deposition| designat|e detective|
		digital| direction| director| directive| edition| elective| evening| executive| expensive| experiment| extensive| formation| general|
		generic| generosit|y generous| humane| identit|y importan|t informal| informant| integral| integrit|y intelligib|le internal|
		international| lateral| liberat|e literate| majorit|y medication| mineral| minorit|y morale| nationalit|y negligib|le news|
		nominal| normativ|e numerous| objection| objectiv|e observan|t occupation| officer| organic| organism| organiz|e oriental| paste|
		permissiv|e personalit|y politic|al position| president| prisoner| privation| probation| procession| productiv|e projection|
		prospective| protestant| provident| publicat|ion publicit|y rational| reasonab|le recession| resident| resolute| respective|
		responsib|le responsiv|e severe| severit|y statue| subjectiv|e succession| successiv|e suite| suspension| terminal| transition|
		unite| universal| universit|y utilit|y`) {
		begin, rest, _ := strings.Cut(word, "|")
		s := porter(begin + rest)
		m[s] = append(m[s], begin)
	}
	return m
}()
