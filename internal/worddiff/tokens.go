package worddiff

import (
	"unicode"
	"unicode/utf8"
)

// tokens cuts text into words, runs of white space and single other characters. Scripts that put no space between words
// are cut by character.
func tokens(text string) (out []string) {
	for start := 0; start < len(text); {
		first, size := utf8.DecodeRuneInString(text[start:])
		end := start + size
		if kind := kindOf(first); kind != alone {
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if kindOf(r) != kind {
					break
				}
				end += size
			}
		}
		out = append(out, text[start:end])
		start = end
	}
	return out
}

type kind int

const (
	alone kind = iota // a token of its own
	letter
	space
)

// unspaced are the scripts that are written without spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func kindOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case r >= utf8.RuneSelf && unicode.In(r, unspaced...):
		return alone
	case r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return letter
	}
	return alone
}

// isWord reports a token that is more than white space and punctuation.
func isWord(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return kindOf(r) == letter || unicode.IsLetter(r)
}

// smooth takes back what is common but says nothing: white space and punctuation between two differences, on both sides.
// Read as "ab cd" against "xy z" the space would cut one difference in two.
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
		end, words := i, false
		for end < len(base) && inBase[end] && k+end-i < len(head) && inHead[k+end-i] {
			words = words || isWord(base[end])
			end++
		}
		size := end - i
		if !words && borders(inBase, i, end) && borders(inHead, k, k+size) {
			clear(inBase[i:end])
			clear(inHead[k : k+size])
		}
		i, k = end, k+size
	}
}

// borders reports that differences stand on both sides of a common run. A run at either end of the text has none there.
func borders(common []bool, start, end int) bool {
	return start > 0 && end < len(common) && !common[start-1] && !common[end]
}
