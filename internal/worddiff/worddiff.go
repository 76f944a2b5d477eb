// Package worddiff finds the words in which two texts differ. It splits each text into pieces that are common to both
// or only in that text. Time and memory are linear, so that a model's text cannot make it slow. Long repetitive texts
// therefore do not get the shortest difference.
package worddiff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Piece is a part of a text. The pieces of a side, joined, are its text.
type Piece struct {
	Text string
	Own  bool // only in this text
}

// Diff has the pieces of both texts. In each text, pieces of its own and common pieces alternate.
type Diff struct {
	Base, Head []Piece
	// Common is the share of common words, 0 to 1: 2 × common words / all words. It is 1 if there are no words.
	Common float64
}

// Words compares two texts word by word. White space between two changed words counts as changed, so that both words
// are in one piece.
func Words(base, head string) Diff {
	m := matchWords(tokens(base), tokens(head), tableCells, deepest)
	common := m.share()
	smooth(m.base, m.inBase, m.head, m.inHead)
	return Diff{pieces(m.base, m.inBase), pieces(m.head, m.inHead), common}
}

// matching marks the tokens that both texts have, in an order that both keep.
type matching struct {
	base, head     []string
	inBase, inHead []bool // whether the token is common; both have the same number of common tokens
	cells          int    // largest table of one comparison
}

// matchWords matches two lists of tokens within a number of table cells and a depth of recursion.
func matchWords(base, head []string, cells, depth int) *matching {
	m := &matching{base, head, make([]bool, len(base)), make([]bool, len(head)), cells}
	m.match(span{0, len(base), 0, len(head)}, depth)
	return m
}

// span is a part of both texts: tokens a to b of the base against tokens c to d of the head.
type span struct{ a, b, c, d int }

func (s span) empty() bool { return s.a == s.b || s.c == s.d }

// deepest is the largest depth of recursion, which limits the time.
const deepest = 8

// match marks the common tokens in s: the common beginning and end, then those between.
func (m *matching) match(s span, depth int) {
	for !s.empty() && m.base[s.a] == m.head[s.c] {
		m.pair(s.a, s.c)
		s.a, s.c = s.a+1, s.c+1
	}
	for !s.empty() && m.base[s.b-1] == m.head[s.d-1] {
		s.b, s.d = s.b-1, s.d-1
		m.pair(s.b, s.d)
	}
	switch {
	case s.empty():
	case (s.b-s.a)*(s.d-s.c) <= m.cells:
		for _, at := range longest(m.base[s.a:s.b], m.head[s.c:s.d]) {
			m.pair(s.a+at[0], s.c+at[1])
		}
	case depth > 0:
		m.split(s, depth-1)
	}
}

func (m *matching) pair(i, k int) { m.inBase[i], m.inHead[k] = true, true }

// split splits long parts at words that occur once on each side, and matches between them. Parts without such a word
// stay different.
func (m *matching) split(s span, depth int) {
	anchors := m.anchors(s)
	if len(anchors) == 0 {
		return
	}
	for _, at := range anchors {
		m.match(span{s.a, at[0], s.c, at[1]}, depth)
		m.pair(at[0], at[1])
		s.a, s.c = at[0]+1, at[1]+1
	}
	m.match(s, depth)
}

// anchors pairs the words that occur exactly once on each side of s. It returns the positions of the most pairs whose
// order is the same on both sides.
func (m *matching) anchors(s span) [][2]int {
	type occurrences struct{ base, head, at, with int }
	words := map[string]*occurrences{}
	for i := s.a; i < s.b; i++ {
		w := words[m.base[i]]
		if w == nil {
			w = &occurrences{}
			words[m.base[i]] = w
		}
		w.base, w.at = w.base+1, i
	}
	for k := s.c; k < s.d; k++ {
		if w := words[m.head[k]]; w != nil {
			w.head, w.with = w.head+1, k
		}
	}
	var pairs [][2]int
	for i := s.a; i < s.b; i++ {
		if w := words[m.base[i]]; w.base == 1 && w.head == 1 {
			pairs = append(pairs, [2]int{w.at, w.with})
		}
	}
	return rising(pairs)
}

// rising returns the longest subsequence of pairs with rising second positions, by patience sorting. The first
// positions rise already.
func rising(pairs [][2]int) [][2]int {
	if len(pairs) == 0 {
		return nil
	}
	var piles []int // the pair on top of each pile
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(piles, p[1], func(top, want int) int { return pairs[top][1] - want })
		before[i] = -1
		if at > 0 {
			before[i] = piles[at-1]
		}
		if at == len(piles) {
			piles = append(piles, i)
		} else {
			piles[at] = i
		}
	}
	kept := make([][2]int, len(piles))
	for i, at := len(piles)-1, piles[len(piles)-1]; i >= 0; i, at = i-1, before[at] {
		kept[i] = pairs[at]
	}
	return kept
}

// tableCells is the largest table of one comparison, enough for two texts of 500 words.
const tableCells = 250_000

// longest returns a longest common subsequence of two short lists, as the positions of each item, by dynamic
// programming.
func longest(base, head []string) (pairs [][2]int) {
	wide := len(head) + 1
	// lengths for the rest of both lists; uint16 suffices, because the shorter list has at most 2,048 items
	lengths := make([]uint16, (len(base)+1)*wide)
	for i := len(base) - 1; i >= 0; i-- {
		for k := len(head) - 1; k >= 0; k-- {
			at := i*wide + k
			if base[i] == head[k] {
				lengths[at] = lengths[at+wide+1] + 1
			} else {
				lengths[at] = max(lengths[at+wide], lengths[at+1])
			}
		}
	}
	for i, k := 0, 0; i < len(base) && k < len(head); {
		at := i*wide + k
		switch {
		case base[i] == head[k]:
			pairs = append(pairs, [2]int{i, k})
			i, k = i+1, k+1
		case lengths[at+wide] >= lengths[at+1]:
			i++
		default:
			k++
		}
	}
	return pairs
}

// share returns Diff.Common.
func (m *matching) share() float64 {
	all, common := 0, 0
	for i, t := range m.base {
		if isWord(t) {
			all++
			if m.inBase[i] {
				common += 2
			}
		}
	}
	for _, t := range m.head {
		if isWord(t) {
			all++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(common) / float64(all)
}

func pieces(text []string, common []bool) (out []Piece) {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && common[end] == common[i] {
			end++
		}
		out = append(out, Piece{strings.Join(text[i:end], ""), !common[i]})
		i = end
	}
	return out
}

// tokens splits a text into words, runs of white space, and single other characters. Scripts without spaces between
// words are split into characters.
func tokens(s string) (out []string) {
	for start := 0; start < len(s); {
		first, size := utf8.DecodeRuneInString(s[start:])
		end, kind := start+size, kindOf(first)
		if kind == single {
			end += drawnWith(s[end:])
		}
		for kind != single && end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if kindOf(r) != kind {
				break
			}
			end += size
		}
		out = append(out, s[start:end])
		start = end
	}
	return out
}

// drawnWith returns the length of the characters that are shown as one sign with the character before them: marks, the
// emoji variation selector, and joined characters. Readers could not see a difference within one sign.
func drawnWith(following string) (n int) {
	joined := false
	for n < len(following) {
		r, size := utf8.DecodeRuneInString(following[n:])
		if !joined && !text.Waits(r) && !unicode.IsMark(r) {
			break
		}
		n, joined = n+size, r == '\u200d'
	}
	return n
}

type kind int

const (
	single kind = iota // a token of its own
	letter
	space
)

// unspaced are the scripts that are written without spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar}

// Unspaced reports whether r is a letter of a script that is written without spaces between words.
func Unspaced(r rune) bool { return r >= utf8.RuneSelf && unicode.In(r, unspaced...) }

func kindOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case Unspaced(r):
		return single
	case r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return letter
	}
	return single
}

// isWord reports whether a token is a word, not white space or punctuation.
func isWord(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return kindOf(r) == letter || unicode.IsLetter(r)
}

// smooth marks short common parts between two differences as different: white space, punctuation, and a single
// character of a script without spaces. Otherwise the space in "ab cd" and "xy z" would split one difference in two.
func smooth(base []string, inBase []bool, head []string, inHead []bool) {
	i, k := 0, 0
	for i < len(base) && k < len(head) {
		if !inBase[i] {
			i++
			continue
		}
		if !inHead[k] {
			k++
			continue
		}
		end, words, characters := i, false, 0
		for end < len(base) && inBase[end] && k+end-i < len(head) && inHead[k+end-i] {
			if r, _ := utf8.DecodeRuneInString(base[end]); Unspaced(r) {
				characters++
			} else {
				words = words || isWord(base[end])
			}
			end++
		}
		size := end - i
		if !words && characters < 2 && borders(inBase, i, end) && borders(inHead, k, k+size) {
			clear(inBase[i:end])
			clear(inHead[k : k+size])
		}
		i, k = end, k+size
	}
}

// borders reports whether a common run has differences on both sides. A run at either end of the text does not.
func borders(common []bool, start, end int) bool {
	return start > 0 && end < len(common) && !common[start-1] && !common[end]
}

// Line is a line of one text or of both.
type Line struct {
	Text       string
	Base, Head bool // whether the text has it
}

// lineCells is the largest table for lines, enough for about 2,000 lines of each side between the common beginning and
// end. With more lines, all of them count as changed.
const lineCells = 4 << 20

// Lines compares two texts line by line. It returns each common line once and each line of one text, in order, with the
// base's lines before the head's.
func Lines(base, head string) (out []Line) {
	m := matchWords(splitLines(base), splitLines(head), lineCells, 0)
	for i, k := 0, 0; i < len(m.base) || k < len(m.head); {
		switch {
		case i < len(m.base) && !m.inBase[i]:
			out = append(out, Line{m.base[i], true, false})
			i++
		case k < len(m.head) && !m.inHead[k]:
			out = append(out, Line{m.head[k], false, true})
			k++
		default:
			out = append(out, Line{m.base[i], true, true})
			i, k = i+1, k+1
		}
	}
	return out
}

func splitLines(text string) []string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
