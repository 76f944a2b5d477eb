// Package worddiff finds the words in which two texts differ. It splits each text into pieces that both texts have or
// only one has. Time and memory are linear, so that a text of a model cannot make it slow. For long repetitive texts,
// the difference that it finds is therefore not the shortest.
package worddiff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Piece is a part of one of two texts. The pieces of a text, joined, are the text.
type Piece struct {
	Text    string
	Changed bool // whether only this text has it
}

// Diff has the pieces of both texts. In each text, common pieces and pieces of its own alternate.
type Diff struct {
	Base, Head []Piece
	// Common is the share of common words, from 0 to 1: 2 × common words / words of both texts. It is 1 if there are no
	// words.
	Common float64
}

// Words compares base and head word by word. White space between two changed words counts as changed, so that both
// words are in one piece.
func Words(base, head string) Diff {
	m := matchWords(tokens(base), tokens(head), tableCells, deepest)
	common := m.share()
	dropShortMatches(m.base, m.inBase, m.head, m.inHead)
	return Diff{pieces(m.base, m.inBase), pieces(m.head, m.inHead), common}
}

// matching marks common tokens of two texts. The marked tokens have the same order in both texts.
type matching struct {
	base, head     []string
	inBase, inHead []bool // for each token, whether it is common; both have the same number of common tokens
	cells          int    // largest number of cells of a table in longest
}

// matchWords finds common tokens of base and head. cells limits the tables, and depth limits the recursion.
func matchWords(base, head []string, cells, depth int) *matching {
	m := &matching{base, head, make([]bool, len(base)), make([]bool, len(head)), cells}
	m.match(span{0, len(base), 0, len(head)}, depth)
	return m
}

// span is a part of both texts: the tokens from a to b of the base, and from c to d of the head. b and d are excluded.
type span struct{ a, b, c, d int }

func (s span) empty() bool { return s.a == s.b || s.c == s.d }

// deepest is the largest depth of recursion. It limits the time.
const deepest = 8

// match marks the common tokens in s: first those at its beginning and end, then those in between.
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
		for _, at := range longestCommon(m.base[s.a:s.b], m.head[s.c:s.d]) {
			m.pair(s.a+at[0], s.c+at[1])
		}
	case depth > 0:
		m.split(s, depth-1)
	}
}

func (m *matching) pair(i, k int) { m.inBase[i], m.inHead[k] = true, true }

// split splits s, which is too long for a table, at words that occur once on each side, and matches the parts. If there
// is no such word, nothing in s counts as common.
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

// anchors finds the words that occur exactly once on each side of s. It returns the positions of the largest set of
// them that has the same order on both sides.
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
	return longestRising(pairs)
}

// longestRising returns the longest subsequence of pairs in which the second positions rise. The first positions rise
// already. It uses patience sorting.
func longestRising(pairs [][2]int) [][2]int {
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

// tableCells is the largest number of cells of a table for words. It suffices for two texts of 500 words.
const tableCells = 250_000

// longestCommon returns a longest common subsequence of two short lists, as the positions of each item in base and in
// head. It uses dynamic programming.
func longestCommon(base, head []string) (pairs [][2]int) {
	wide := len(head) + 1
	// for each pair of positions, the length for the rest of both lists; uint16 suffices, because the shorter list has
	// at most 2,048 items
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

// share returns the share of common words; see Diff.Common.
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

// tokens splits s into words, runs of white space, and single other characters. In scripts without spaces between
// words, each character is a token.
func tokens(s string) (out []string) {
	for start := 0; start < len(s); {
		first, size := utf8.DecodeRuneInString(s[start:])
		end, kind := start+size, kindOf(first)
		if kind == single {
			end += signLength(s[end:])
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

// signLength returns the length of the characters at the beginning of following that are shown as one sign with the
// character before them. These are marks, the emoji variation selector, and joined characters. Readers could not see a
// difference within one sign.
func signLength(following string) (n int) {
	joined := false
	for n < len(following) {
		r, size := utf8.DecodeRuneInString(following[n:])
		if !joined && !text.NeedsContext(r) && !unicode.IsMark(r) {
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

// IsUnspaced reports whether r belongs to a script that is written without spaces between words.
func IsUnspaced(r rune) bool { return r >= utf8.RuneSelf && unicode.In(r, unspaced...) }

func kindOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case IsUnspaced(r):
		return single
	case r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return letter
	}
	return single
}

// isWord reports whether token is a word, and not white space or punctuation.
func isWord(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return kindOf(r) == letter || unicode.IsLetter(r)
}

// dropShortMatches marks short common parts between two differences as different. A part is short if it has only white
// space, punctuation, and at most one character of a script without spaces. Otherwise the space in "ab cd" and "xy z"
// would split one difference in two.
func dropShortMatches(base []string, inBase []bool, head []string, inHead []bool) {
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
			if r, _ := utf8.DecodeRuneInString(base[end]); IsUnspaced(r) {
				characters++
			} else {
				words = words || isWord(base[end])
			}
			end++
		}
		size := end - i
		if !words && characters < 2 && isBetweenChanges(inBase, i, end) && isBetweenChanges(inHead, k, k+size) {
			clear(inBase[i:end])
			clear(inHead[k : k+size])
		}
		i, k = end, k+size
	}
}

// isBetweenChanges reports whether the common run from start to end has differences on both sides. A run at the
// beginning or end of the text has not.
func isBetweenChanges(common []bool, start, end int) bool {
	return start > 0 && end < len(common) && !common[start-1] && !common[end]
}

// Line is a line of one or both of two texts.
type Line struct {
	Text       string
	Base, Head bool // whether this text has the line
}

// lineCells is the largest number of cells of a table for lines. It suffices for about 2,000 lines on each side,
// between the common beginning and end. If there are more, all of these lines count as changed.
const lineCells = 4 << 20

// Lines compares base and head line by line. It returns the lines of both texts in order, and each common line once.
// Where the texts differ, the lines of base come before those of head.
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
