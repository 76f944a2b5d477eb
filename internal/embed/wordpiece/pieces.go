package wordpiece

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Word is a word of a text, as the ids of its pieces.
type Word struct {
	IDs           []int // valid until the next Word
	Known         bool  // if false, IDs has only the id of the unknown piece
	SingleLetters bool  // each piece is a single letter, so the pieces say little about the meaning
}

// minSpelled is the smallest length in runes of a word for which Word.Letters is set. Shorter words whose pieces are
// single letters are often symbols.
const minSpelled = 3

// Words yields the words of a text with their pieces. It reads the text only as far as the caller needs.
func (t *Tokenizer) Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		ids := make([]int, 0, 16)
		for word := range t.words(text) {
			var known bool
			ids, known = t.appendPieces(word, ids[:0])
			letters := known && len(ids) >= minSpelled && len(ids) == utf8.RuneCountInString(word)
			if !yield(Word{IDs: ids, Known: known, SingleLetters: letters}) {
				return
			}
		}
	}
}

// appendPieces appends the ids of the pieces of word to ids, which must be empty. The first piece is the longest one
// that begins the word, and each next piece is the longest one that continues it. If no piece fits, the word is
// unknown.
func (t *Tokenizer) appendPieces(word string, ids []int) (out []int, known bool) {
	if utf8.RuneCountInString(word) > t.maxWordRunes {
		return append(ids, t.unknownID), false
	}
	// The key is built in place, because allocating a string for each lookup would take most of the time.
	key := make([]byte, 0, 64)
	for at := 0; at < len(word); {
		prefix := ""
		if at > 0 {
			prefix = t.prefix
		}
		key = append(append(key[:0], prefix...), t.longestPrefix(word[at:])...)
		id, found := 0, false
		for len(key) > len(prefix) {
			if id, found = t.vocabulary[string(key)]; found {
				break
			}
			_, size := utf8.DecodeLastRune(key)
			key = key[:len(key)-size]
		}
		if !found {
			return append(ids[:0], t.unknownID), false
		}
		ids = append(ids, id)
		at += len(key) - len(prefix)
	}
	return ids, true
}

// longestPrefix returns the beginning of word, with at most as many runes as the longest piece.
func (t *Tokenizer) longestPrefix(word string) string {
	if len(word) <= t.maxPieceRunes {
		return word
	}
	runes := 0
	for i := range word {
		if runes == t.maxPieceRunes {
			return word[:i]
		}
		runes++
	}
	return word
}

// words yields the words of a text after BERT's normalization, which removes control characters. As configured, it also
// puts space around CJK characters, removes accents and converts to lower case. Each punctuation mark is a word.
func (t *Tokenizer) words(text string) iter.Seq[string] {
	isRemoved := func(r rune) bool { return t.clean && (r == 0 || r == utf8.RuneError || isControl(r)) }
	isBlank := func(r rune) bool { return unicode.IsSpace(r) && !isRemoved(r) }
	keep := func(r rune) rune {
		if isRemoved(r) {
			return -1
		}
		return r
	}
	isSeparate := func(r rune) bool { return t.spaceCJK && isCJK(r) }
	return func(yield func(string) bool) {
		for field := range strings.FieldsFuncSeq(text, isBlank) {
			for part := range split(strings.Map(keep, field), isSeparate) {
				for word := range split(t.fold(part), isPunctuation) {
					if !yield(word) {
						return
					}
				}
			}
		}
	}
}

// fold returns word without accents and in lower case, each only if configured. Accents are separated by canonical
// decomposition.
func (t *Tokenizer) fold(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) { // ASCII
		if t.lower {
			return strings.ToLower(word)
		}
		return word
	}
	if t.stripAccents {
		word = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(word))
	}
	if t.lower {
		// İ is the only letter whose lower case has two characters, an i and a combining dot.
		word = strings.Map(unicode.ToLower, strings.ReplaceAll(word, "İ", "i̇"))
	}
	return word
}

// split yields the parts of word. It cuts before and after each rune for which separate returns true, and at white
// space, which fold may add.
func split(word string, separate func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		begin := 0
		for i, r := range word {
			space := unicode.IsSpace(r)
			if !space && !separate(r) {
				continue
			}
			end := i + utf8.RuneLen(r)
			if begin < i && !yield(word[begin:i]) || !space && !yield(word[i:end]) {
				return
			}
			begin = end
		}
		if begin < len(word) {
			yield(word[begin:])
		}
	}
}

// isControl reports whether a rune is a control, format, surrogate or private-use character other than white space. It
// returns false for unassigned characters, as Hugging Face's tokenizers do.
func isControl(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < ' ' || r == 0x7f) && r != '\t' && r != '\n' && r != '\r'
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co)
}

// isPunctuation reports whether a rune has the Unicode category P. In ASCII, every visible character except letters and
// digits is punctuation.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !('0' <= r && r <= '9') && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z')
	}
	return unicode.Is(unicode.P, r)
}

// isCJK reports whether BERT counts a rune as a Chinese character (google-research/bert, tokenization.py).
func isCJK(r rune) bool {
	if r < 0x3400 {
		return false
	}
	return r >= 0x4E00 && r <= 0x9FFF || r <= 0x4DBF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF ||
		r >= 0x2F800 && r <= 0x2FA1F
}
