package likeness

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// bags are the words of a text, their stems, and the character sequences within them. Those of another text can be put in their place.
type bags struct {
	words, stems, grams bag
	distinct            []string // the words, each once
}

// Sizes of character sequences within a word that has a space on either side.
const shortestGram, longestGram = 3, 5

// fill puts the bags of a text in place of what is in them.
func (b *bags) fill(text string) {
	b.fillWords(text)
	letters := 0
	for _, w := range b.distinct {
		letters += len(w)
	}
	b.stems.reset(len(b.distinct))
	b.grams.reset((longestGram - shortestGram + 1) * letters)
	var room [64]byte
	padded := room[:0]
	for i, w := range b.distinct {
		times := b.words.list[i].count
		if len(w) > 1 {
			b.stems.add(hashOf(english.Stem(w)), times)
		}
		padded = append(append(append(padded[:0], ' '), w...), ' ')
		b.grams.addGrams(padded, times)
	}
}

// fillWords is fill for the words alone.
func (b *bags) fillWords(text string) {
	b.words.reset(len(text) / 6)
	clear(b.distinct) // behind a short text the words of a long one would keep it alive
	b.distinct = b.distinct[:0]
	for w := range eachWord(text) {
		if b.words.add(hashOf(w), 1) {
			b.distinct = append(b.distinct, w)
		}
	}
}

// eachWord yields each word in lower case, as it is written.
func eachWord(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(text) > english.MaxBytes {
			text = text[:english.MaxBytes]
		}
		lower := strings.ToLower(english.Plain(text))
		for at := 0; at < len(lower); {
			start, end := spacedWord(lower, at)
			at = end
			for start < end && lower[start] == '\'' {
				start++
			}
			for start < end && lower[end-1] == '\'' {
				end--
			}
			if start < end && !yield(lower[start:end]) {
				return
			}
		}
	}
}

// spacedWord finds the next letters and digits with the apostrophes around them; both ends are the text's if there are none.
func spacedWord(text string, at int) (start, end int) {
	size := 0
	for start = at; start < len(text); start += size {
		if size = wordSize(text, start); size > 0 {
			break
		}
		_, size = utf8.DecodeRuneInString(text[start:])
	}
	for end = start; end < len(text); end += size {
		if size = wordSize(text, end); size == 0 {
			break
		}
	}
	return start, end
}

// spaced are the ASCII letters, digits and apostrophe.
var spaced = func() (of [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		of[c] = english.ASCIIWord(c) || c == '\''
	}
	return of
}()

// wordSize is the size in bytes of the letter, digit or apostrophe at a place; 0 if there is none.
func wordSize(text string, at int) int {
	if c := text[at]; spaced[c] {
		return 1
	} else if c < utf8.RuneSelf {
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[at:]); english.WordRune(r) {
		return size
	}
	return 0
}

// addGrams adds the sequences of a word that stands so many times, with a space on either side, at least three characters in all.
func (b *bag) addGrams(padded []byte, times float64) {
	if !slices.ContainsFunc(padded, func(c byte) bool { return c >= utf8.RuneSelf }) {
		b.addASCII(padded, times)
		return
	}
	for start := 0; start < len(padded); {
		h, first := uint64(0), 0
		for end, runes := start, 1; end < len(padded) && runes <= longestGram; runes++ {
			r, size := utf8.DecodeRune(padded[end:])
			if r < utf8.RuneSelf {
				h = h<<8 | uint64(r) // as many characters as a sequence has tell each from every other
			} else {
				h = (h ^ uint64(r)) * prime64
			}
			if end += size; runes >= shortestGram {
				b.add(h, times)
			}
			if runes == 1 {
				first = size
			}
		}
		start += first
	}
}

// addASCII is addGrams for a word in ASCII.
func (b *bag) addASCII(padded []byte, times float64) {
	for start := range padded {
		h := uint64(0)
		for k, c := range padded[start:min(len(padded), start+longestGram)] {
			if h = h<<8 | uint64(c); k+1 >= shortestGram {
				b.add(h, times)
			}
		}
	}
}

// FNV-1a (Fowler, Noll, Vo), 64 bits.
const offset64, prime64 = 14695981039346656037, 1099511628211

func hashOf(s string) uint64 {
	h := uint64(offset64)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime64
	}
	return h
}

// bag counts hashes, in the order in which they first came.
type bag struct {
	list  []entry
	slots []int32 // open addressing: index into list, plus 1
}

type entry struct {
	hash  uint64
	count float64
}

// reset empties a bag for so many hashes as are expected.
func (b *bag) reset(expected int) {
	size := 16
	for size < 2*min(expected, 1<<10) {
		size *= 2
	}
	b.list = slices.Grow(b.list[:0], size/2)
	b.resize(size)
}

// resize makes so many slots, a power of two, and puts what is counted into them.
func (b *bag) resize(size int) {
	if cap(b.slots) < size {
		b.slots = make([]int32, size)
	}
	b.slots = b.slots[:size]
	clear(b.slots)
	for i, e := range b.list {
		b.slots[b.slot(e.hash)] = int32(i + 1)
	}
}

// at is the count of a hash, which is 0 and new if the bag had none.
func (b *bag) at(hash uint64) (count *float64, first bool) {
	if len(b.slots) <= 2*len(b.list) {
		b.resize(max(16, 2*len(b.slots)))
	}
	at := b.slot(hash)
	if i := b.slots[at]; i > 0 {
		return &b.list[i-1].count, false
	}
	b.list = append(b.list, entry{hash, 0})
	b.slots[at] = int32(len(b.list))
	return &b.list[len(b.list)-1].count, true
}

// add counts a hash so many times more, and reports one that is new.
func (b *bag) add(hash uint64, times float64) (first bool) {
	count, first := b.at(hash)
	*count += times
	return first
}

// golden is 2^64 over the golden ratio: by it (Knuth) hashes that lie close together are spread.
const golden = 0x9e3779b97f4a7c15

// slot is where a hash stands, or where it would.
func (b *bag) slot(hash uint64) int {
	mask := len(b.slots) - 1
	at := int(hash*golden>>32) & mask
	for b.slots[at] > 0 && b.list[b.slots[at]-1].hash != hash {
		at = (at + 1) & mask
	}
	return at
}

// count is how often a hash was counted. The bag has slots.
func (b *bag) count(hash uint64) float64 {
	if i := b.slots[b.slot(hash)]; i > 0 {
		return b.list[i-1].count
	}
	return 0
}
