package score

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// Corpus tells how rare words and parts of words are, so that sharing a rare one counts for more. It is read only, and
// safe for concurrent use.
type Corpus struct {
	stems, grams map[uint64]float64 // weights by hash
	unseen       float64            // of what is in no text
}

// NewCorpus learns from texts. What ordinary English has is known beforehand, as if it had been learnt from
// backgroundTexts more; a corpus of no texts is that alone.
func NewCorpus(texts []string) *Corpus {
	stems, grams := map[uint64]float64{}, map[uint64]float64{}
	for hash, share := range background().stems {
		stems[hash] = float64(share * backgroundTexts)
	}
	for hash, share := range background().grams {
		grams[hash] = float64(share * backgroundTexts)
	}
	for _, text := range texts {
		b := bagsOf(text)
		for _, e := range b.stems.list {
			stems[e.hash]++
		}
		for _, e := range b.grams.list {
			grams[e.hash]++
		}
	}
	n := float64(len(texts) + backgroundTexts)
	for _, counted := range []map[uint64]float64{stems, grams} {
		for hash, df := range counted {
			counted[hash] = rarity(n, df)
		}
	}
	return &Corpus{stems, grams, rarity(n, 0)}
}

// rarity is the smooth inverse document frequency: ln((1+n)/(1+df)) + 1.
func rarity(n, df float64) float64 { return math.Log((1+n)/(1+df)) + 1 }

// English is the corpus of no texts.
var English = sync.OnceValue(func() *Corpus { return NewCorpus(nil) })

// Lexical is the similarity of two texts in [0, 1] by the words and parts of words that they share: the mean of two
// cosines of tf-idf vectors, one of stems and one of the sequences of three to five characters within words. It is not
// semantic: a paraphrase without a word in common scores 0.
func (c *Corpus) Lexical(a, b string) float64 { return c.similarity(bagsOf(a), bagsOf(b)) }

func (c *Corpus) similarity(x, y bags) float64 {
	return (cosine(x.stems, y.stems, c.stemWeight) + cosine(x.grams, y.grams, c.gramWeight)) / 2
}

// jaccard is the share of the distinct words of two texts that both have: what document 002 replaces, and keeps as a
// diagnostic.
func jaccard(x, y bag) float64 {
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

// bags are the words of a text, their stems, and the character sequences within them.
type bags struct{ words, stems, grams bag }

// Sizes of character sequences within a word that has a space on either side.
const shortestGram, longestGram = 3, 5

func bagsOf(text string) bags {
	b := bags{words: newBag(len(text) / 6)}
	words, letters := make([]string, 0, len(text)/6), 0 // each once
	eachWord(text, func(w string) {
		if b.words.add(hashOf(w), 1) {
			words, letters = append(words, w), letters+len(w)
		}
	})
	b.stems, b.grams = newBag(len(words)), newBag((longestGram-shortestGram+1)*letters)
	var padded []byte
	for i, w := range words {
		times := b.words.list[i].count
		if len(w) > 1 {
			b.stems.add(hashOf(english.Stem(w)), times)
		}
		padded = append(append(append(padded[:0], ' '), w...), ' ')
		b.grams.addGrams(padded, times)
	}
	return b
}

// wordsOf is the bag of a text's words.
func wordsOf(text string) bag {
	b := newBag(len(text) / 6)
	eachWord(text, func(w string) { b.add(hashOf(w), 1) })
	return b
}

// eachWord calls do with each word in lower case, as it is written.
func eachWord(text string, do func(string)) {
	if len(text) > english.MaxBytes {
		text = text[:english.MaxBytes]
	}
	lower := strings.ToLower(english.Plain(text))
	for at := 0; at < len(lower); {
		start, end := spacedWord(lower, at)
		at = end
		if w := strings.Trim(lower[start:end], "'"); w != "" {
			do(w)
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

// wordSize is the size in bytes of the letter, digit or apostrophe at a place; 0 if there is none.
func wordSize(text string, at int) int {
	if c := text[at]; c < utf8.RuneSelf {
		if english.ASCIIWord(c) || c == '\'' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[at:]); english.WordRune(r) {
		return size
	}
	return 0
}

// addGrams adds the sequences of a word that stands so many times, with a space on either side, at least three characters in all.
func (b *bag) addGrams(padded []byte, times float64) {
	for start := 0; start < len(padded); {
		h := uint64(offset64)
		for end, runes := start, 1; end < len(padded) && runes <= longestGram; runes++ {
			_, n := utf8.DecodeRune(padded[end:])
			for _, c := range padded[end : end+n] {
				h = (h ^ uint64(c)) * prime64
			}
			if end += n; runes >= shortestGram {
				b.add(h, times)
			}
		}
		_, size := utf8.DecodeRune(padded[start:])
		start += size
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

func newBag(expected int) bag {
	size := 16
	for size < 2*min(expected, 1<<10) {
		size *= 2
	}
	return bag{list: make([]entry, 0, size/2), slots: make([]int32, size)}
}

// add counts a hash so many times more, and reports one that is new.
func (b *bag) add(hash uint64, times float64) (first bool) {
	at := b.slot(hash)
	if i := b.slots[at]; i > 0 {
		b.list[i-1].count += times
		return false
	}
	b.list = append(b.list, entry{hash, times})
	b.slots[at] = int32(len(b.list))
	if 2*len(b.list) > len(b.slots) {
		b.grow()
	}
	return true
}

func (b *bag) slot(hash uint64) int {
	mask := len(b.slots) - 1
	at := int(hash>>32^hash) & mask
	for b.slots[at] > 0 && b.list[b.slots[at]-1].hash != hash {
		at = (at + 1) & mask
	}
	return at
}

func (b *bag) grow() {
	b.slots = make([]int32, 2*len(b.slots))
	for i, e := range b.list {
		b.slots[b.slot(e.hash)] = int32(i + 1)
	}
}

func (b *bag) count(hash uint64) float64 {
	if i := b.slots[b.slot(hash)]; i > 0 {
		return b.list[i-1].count
	}
	return 0
}

// cosine of two bags whose counts are weighted. Sums are made in the order of the texts, each product rounded, so that
// every machine gets the same bits.
func cosine(x, y bag, weight func(uint64) float64) float64 {
	dot, xx, yy := 0.0, 0.0, 0.0
	for _, e := range x.list {
		w := weight(e.hash)
		v := float64(e.count * w)
		xx += float64(v * v)
		dot += float64(v * float64(y.count(e.hash)*w))
	}
	for _, e := range y.list {
		v := float64(e.count * weight(e.hash))
		yy += float64(v * v)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(float64(xx*yy)))
}

func (c *Corpus) stemWeight(hash uint64) float64 { return c.weight(c.stems, hash) }

func (c *Corpus) gramWeight(hash uint64) float64 { return c.weight(c.grams, hash) }

func (c *Corpus) weight(known map[uint64]float64, hash uint64) float64 {
	if w, ok := known[hash]; ok {
		return w
	}
	return c.unseen
}

// backgroundTexts is how many texts what is known beforehand weighs.
const backgroundTexts = 100

// common are the commonest words of English by the share of sentences that have them, as rounded as they are well known.
var common = []struct {
	share float64
	words string
}{
	{0.6, "the"},
	{0.4, "a of to in and"},
	{0.25, "is for on with are"},
	{0.15, "be that it as by this an or from at was not have has will can you"},
	{0.08, `its which their they we he his were been but must may should if when all other more one two than any no there about into
		after also such who do does would could your our she her him them what out up over under only being had did i my me us then so`},
	{0.04, `these those some each how where while because before between through during within without both same new time people year use used
		first man woman make made get take part per day case need work most many said says three four just like very even back well
		way own off down here now again against until upon yes via etc`},
}

// prior is what common makes of stems and grams.
type prior struct{ stems, grams shares }

// shares are shares of texts by hash.
type shares map[uint64]float64

// join adds what another word has, as if words came independently of each other.
func (s shares) join(b bag, share float64) {
	for _, e := range b.list {
		s[e.hash] = 1 - float64((1-s[e.hash])*(1-share))
	}
}

// background is made when it is first needed and never changed.
var background = sync.OnceValue(func() prior {
	p := prior{shares{}, shares{}}
	for _, tier := range common {
		for _, w := range strings.Fields(tier.words) {
			b := bagsOf(w)
			p.stems.join(b.stems, tier.share)
			p.grams.join(b.grams, tier.share)
		}
	}
	return p
})
