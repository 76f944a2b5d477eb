// Package likeness tells how alike two texts are in words, and whether one turns round what the other says. In go two
// texts, out come figures in [0, 1], yes and no. It knows no metric and no suite. What it reads it reads as English.
package likeness

import (
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// Corpus holds how rare words and parts of words are, so that sharing a rare one counts more. It is read only, and safe
// for concurrent use.
type Corpus struct {
	stems, grams bag     // their weights
	unseen       float64 // of what is in no text
}

// NewCorpus learns from texts, on top of ordinary English, which counts as backgroundTexts further texts.
func NewCorpus(texts []string) *Corpus {
	c := &Corpus{}
	for _, e := range background().stems.list {
		c.stems.add(e.hash, float64(e.count*backgroundTexts))
	}
	for _, e := range background().grams.list {
		c.grams.add(e.hash, float64(e.count*backgroundTexts))
	}
	var b bags
	for _, text := range texts {
		b.fill(text)
		for _, e := range b.stems.list {
			c.stems.add(e.hash, 1)
		}
		for _, e := range b.grams.list {
			c.grams.add(e.hash, 1)
		}
	}
	n := float64(len(texts) + backgroundTexts)
	for _, counted := range []*bag{&c.stems, &c.grams} {
		for i := range counted.list {
			counted.list[i].count = rarity(n, counted.list[i].count)
		}
	}
	c.unseen = rarity(n, 0)
	return c
}

// rarity is the smooth inverse document frequency: ln((1+n)/(1+df)) + 1.
func rarity(n, df float64) float64 { return math.Log((1+n)/(1+df)) + 1 }

// English is the corpus of no texts.
var English = sync.OnceValue(func() *Corpus { return NewCorpus(nil) })

// Lexical returns the similarity of two texts in [0, 1] by the words and parts of words that they share: the mean of
// two cosines of tf-idf vectors, of stems and of sequences of three to five characters within words. It is not
// semantic: a paraphrase without a common word scores 0. shared is their Jaccard.
func (c *Corpus) Lexical(a, b string) (alike, shared float64) {
	two := room.Get().(*[2]bags)
	defer room.Put(two)
	x, y := &two[0], &two[1]
	x.fill(a)
	y.fill(b)
	return (c.cosine(&x.stems, &y.stems, &c.stems) + c.cosine(&x.grams, &y.grams, &c.grams)) / 2,
		jaccard(&x.words, &y.words)
}

// Jaccard returns the share of the distinct words of two texts that both have. Document 002 replaces it, and keeps it
// as a diagnostic.
func Jaccard(a, b string) float64 {
	two := room.Get().(*[2]bags)
	defer room.Put(two)
	two[0].fillWords(a)
	two[1].fillWords(b)
	return jaccard(&two[0].words, &two[1].words)
}

// room holds the bags of two texts during their comparison, the largest allocations of measuring an answer.
var room = sync.Pool{New: func() any { return new([2]bags) }}

func jaccard(x, y *bag) float64 {
	both := 0
	for _, e := range x.list {
		if y.count(e.hash) > 0 {
			both++
		}
	}
	if either := len(x.list) + len(y.list) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}

// cosine returns the cosine of two weighted bags. Sums are made in the order of the texts, and each product is rounded,
// so that every machine gets the same bits.
func (c *Corpus) cosine(x, y, weights *bag) float64 {
	dot, xx, yy := 0.0, 0.0, 0.0
	for _, e := range x.list {
		w := c.weight(weights, e.hash)
		v := float64(e.count * w)
		xx += float64(v * v)
		dot += float64(v * float64(y.count(e.hash)*w))
	}
	for _, e := range y.list {
		v := float64(e.count * c.weight(weights, e.hash))
		yy += float64(v * v)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(float64(xx*yy)))
}

// weight is that of a hash; none is 0.
func (c *Corpus) weight(weights *bag, hash uint64) float64 {
	if w := weights.count(hash); w > 0 {
		return w
	}
	return c.unseen
}

// backgroundTexts is how many texts what is known beforehand weighs.
const backgroundTexts = 100

// background holds the share of texts with each stem and gram of the commonest words, as if words were independent of
// each other. It is computed when first needed and never changed.
var background = sync.OnceValue(func() *bags {
	p, b := &bags{}, &bags{}
	for _, tier := range english.Common {
		for _, w := range strings.Fields(tier.Words) {
			b.fill(w)
			p.stems.join(&b.stems, tier.Share)
			p.grams.join(&b.grams, tier.Share)
		}
	}
	return p
})

// join adds what a word has that stands in such a share of texts.
func (b *bag) join(word *bag, share float64) {
	for _, e := range word.list {
		s, _ := b.at(e.hash)
		*s = 1 - float64((1-*s)*(1-share))
	}
}

// bags are a text's words, their stems, and the character sequences within them. They can be reused for another text.
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

// eachWord yields each word in lower case: letters and digits with apostrophes between them.
func eachWord(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(text) > english.MaxBytes {
			text = text[:english.MaxBytes]
		}
		for w := range strings.FieldsFuncSeq(strings.ToLower(english.Plain(text)), between) {
			if w = strings.Trim(w, "'"); w != "" && !yield(w) {
				return
			}
		}
	}
}

// between reports a character of no word; a table tells it of ASCII.
func between(r rune) bool {
	if r < utf8.RuneSelf {
		return !spaced[r]
	}
	return !english.WordRune(r)
}

// spaced are the ASCII letters, digits and apostrophe.
var spaced = func() (of [utf8.RuneSelf]bool) {
	for c := range of {
		of[c] = english.ASCIIWord(byte(c)) || c == '\''
	}
	return of
}()

// addGrams adds the character sequences of a word, with a space on either side, of at least three characters.
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

// resize makes size slots, a power of two, and fills them with what is counted.
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

// at returns the count of a hash, and whether it is new.
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

// golden is 2^64 over the golden ratio. Multiplying by it (Knuth) spreads hashes that are close together.
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
