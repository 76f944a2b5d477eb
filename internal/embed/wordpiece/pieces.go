package wordpiece

import (
	"iter"
	"unicode/utf8"
)

// Word is a word of a text and the pieces that it is cut into.
type Word struct {
	IDs     []int // valid until the next word
	Known   bool  // false: IDs is the unknown piece alone
	Letters bool  // known letter by letter only, which says little of its meaning
}

// spelt is the shortest word, in runes, that counts as known letter by letter: shorter ones are often symbols.
const spelt = 3

// Words are the words of a text, cut. A text is read no further than they are taken.
func (t *Tokenizer) Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		ids := make([]int, 0, 16)
		for word := range t.words(text) {
			var known bool
			ids, known = t.pieces(word, ids[:0])
			letters := known && len(ids) >= spelt && len(ids) == utf8.RuneCountInString(word)
			if !yield(Word{IDs: ids, Known: known, Letters: letters}) {
				return
			}
		}
	}
}

// pieces appends the ids of a word: the longest piece that it begins with, then the longest that continues it, and so
// on. A word with a part that no piece fits is unknown as a whole.
func (t *Tokenizer) pieces(word string, ids []int) (out []int, known bool) {
	if utf8.RuneCountInString(word) > t.wordRunes {
		return append(ids, t.unknown), false
	}
	// The map is looked up with a key made in place: a string for each try would be most of the work.
	key := make([]byte, 0, 64)
	for at := 0; at < len(word); {
		prefix := ""
		if at > 0 {
			prefix = t.prefix
		}
		key = append(append(key[:0], prefix...), t.head(word[at:])...)
		id, found := 0, false
		for len(key) > len(prefix) {
			if id, found = t.vocabulary[string(key)]; found {
				break
			}
			_, size := utf8.DecodeLastRune(key)
			key = key[:len(key)-size]
		}
		if !found {
			return append(ids[:0], t.unknown), false
		}
		ids = append(ids, id)
		at += len(key) - len(prefix)
	}
	return ids, true
}

// head is as much of a word as a piece can hold.
func (t *Tokenizer) head(word string) string {
	if len(word) <= t.longest {
		return word
	}
	runes := 0
	for i := range word {
		if runes == t.longest {
			return word[:i]
		}
		runes++
	}
	return word
}
