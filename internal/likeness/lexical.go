// Package likeness measures how similar the words of two English texts are, as figures in [0, 1]. It knows no
// metric and no suite.
package likeness

import (
	"maps"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// Corpus holds the rarity of stems and of character sequences, so that sharing a rare one counts more. It is
// read-only, and safe for concurrent use.
type Corpus struct {
	stems, grams map[string]float64 // rarity of each that a text has
	unseen       float64            // rarity of all others
}

// backgroundTexts is the number of texts for which ordinary English counts in a corpus. Its words are
// english.CommonWords.
const backgroundTexts = 100

// NewCorpus returns the corpus of texts and of ordinary English, which counts as backgroundTexts more texts.
func NewCorpus(texts []string) *Corpus {
	stems, grams := background()
	c := &Corpus{stems: maps.Clone(stems), grams: maps.Clone(grams)}
	for _, text := range texts {
		b := newBags(text)
		for _, stem := range b.stems.keys {
			c.stems[stem]++
		}
		for _, gram := range b.grams.keys {
			c.grams[gram]++
		}
	}
	n := float64(len(texts) + backgroundTexts)
	for _, counts := range []map[string]float64{c.stems, c.grams} {
		for key, count := range counts {
			counts[key] = rarity(n, count)
		}
	}
	c.unseen = rarity(n, 0)
	return c
}

// rarity returns the smooth inverse document frequency: ln((1+n)/(1+df)) + 1.
func rarity(n, df float64) float64 { return math.Log((1+n)/(1+df)) + 1 }

// EnglishCorpus is the corpus of ordinary English without further texts.
var EnglishCorpus = sync.OnceValue(func() *Corpus { return NewCorpus(nil) })

// LexicalSimilarity returns the similarity of two texts in [0, 1] by the words and parts of words that they share: the
// mean of two cosines of tf-idf vectors, of stems and of sequences of three to five characters within words. It is not
// semantic: a paraphrase without a common word scores 0. overlap is Jaccard(a, b).
func (c *Corpus) LexicalSimilarity(a, b string) (similarity, overlap float64) {
	x, y := newBags(a), newBags(b)
	return (c.cosine(x.stems, y.stems, c.stems) + c.cosine(x.grams, y.grams, c.grams)) / 2, jaccard(x.words, y.words)
}

// Jaccard returns the share of the distinct words of two texts that are in both. It is a diagnostic of weight 0, so no
// score depends on it.
func Jaccard(a, b string) float64 { return jaccard(countWords(a), countWords(b)) }

func jaccard(x, y *bag) float64 {
	both := 0
	for _, word := range x.keys {
		if y.count[word] > 0 {
			both++
		}
	}
	if either := len(x.keys) + len(y.keys) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}

// cosine returns the cosine of two bags, weighted by rarity. It adds in the order of the texts and rounds each product,
// so that every machine gets the same bits.
func (c *Corpus) cosine(x, y *bag, rarities map[string]float64) float64 {
	weigh := func(key string, count float64) float64 {
		if w := rarities[key]; w > 0 {
			return float64(count * w)
		}
		return float64(count * c.unseen)
	}
	dot, xx, yy := 0.0, 0.0, 0.0
	for _, key := range x.keys {
		v := weigh(key, x.count[key])
		xx += float64(v * v)
		dot += float64(v * weigh(key, y.count[key]))
	}
	for _, key := range y.keys {
		v := weigh(key, y.count[key])
		yy += float64(v * v)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(float64(xx*yy)))
}

// background returns, for each stem and gram of the commonest words, how many of backgroundTexts texts are expected to
// have it. It assumes that words are independent of each other.
var background = sync.OnceValues(func() (stems, grams map[string]float64) {
	stems, grams = map[string]float64{}, map[string]float64{}
	add := func(to map[string]float64, keys []string, share float64) {
		for _, key := range keys {
			to[key] = 1 - float64((1-to[key])*(1-share))
		}
	}
	for _, tier := range english.CommonWords() {
		for _, w := range tier.Words {
			b := newBags(w)
			add(stems, b.stems.keys, tier.Share)
			add(grams, b.grams.keys, tier.Share)
		}
	}
	for _, shares := range []map[string]float64{stems, grams} {
		for key := range shares {
			shares[key] *= backgroundTexts
		}
	}
	return stems, grams
})

// bag counts keys, in the order in which they first came.
type bag struct {
	keys  []string
	count map[string]float64
}

func newBag(size int) *bag { return &bag{make([]string, 0, size), make(map[string]float64, size)} }

func (b *bag) add(key string, times float64) {
	known := len(b.count)
	if b.count[key] += times; len(b.count) > known {
		b.keys = append(b.keys, key)
	}
}

// bags are a text's words, their stems, and the character sequences within them.
type bags struct{ words, stems, grams *bag }

// Lengths of the sequences, in characters. A word has a space on either side.
const shortestGram, longestGram = 3, 5

func newBags(text string) bags {
	b := bags{countWords(text), newBag(len(text) / 6), newBag(2 * len(text))}
	for _, w := range b.words.keys {
		times := b.words.count[w]
		if len(w) > 1 {
			b.stems.add(english.Stem(w), times)
		}
		padded := " " + w + " "
		for start := range padded {
			runes := 0
			for end, r := range padded[start:] {
				if runes++; runes > longestGram {
					break
				}
				if runes >= shortestGram {
					b.grams.add(padded[start:start+end+utf8.RuneLen(r)], times)
				}
			}
		}
	}
	return b
}

// countWords counts the words of a text in lower case: letters and digits with apostrophes between them.
func countWords(text string) *bag {
	b := newBag(len(text) / 6)
	isSeparator := func(r rune) bool { return r != '\'' && !english.IsWordRune(r) }
	text = text[:min(len(text), english.MaxBytes)]
	for w := range strings.FieldsFuncSeq(strings.ToLower(english.Tidy(text)), isSeparator) {
		if w = strings.Trim(w, "'"); w != "" {
			b.add(w, 1)
		}
	}
	return b
}
