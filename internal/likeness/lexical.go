// Package likeness tells how alike two texts are in words, and whether one turns round what the other says. In go two texts, out come
// figures in [0, 1], yes and no. It knows no metric and no suite. What it reads it reads as English.
package likeness

import (
	"math"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

// Corpus tells how rare words and parts of words are, so that sharing a rare one counts for more. It is read only, and
// safe for concurrent use.
type Corpus struct {
	stems, grams bag     // their weights
	unseen       float64 // of what is in no text
}

// NewCorpus learns from texts. What ordinary English has is known beforehand, as if it had been learnt from
// backgroundTexts more; a corpus of no texts is that alone.
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

// Lexical is the similarity of two texts in [0, 1] by the words and parts of words that they share: the mean of two
// cosines of tf-idf vectors, one of stems and one of the sequences of three to five characters within words. It is not
// semantic: a paraphrase without a word in common scores 0. shared is what Jaccard says of them.
func (c *Corpus) Lexical(a, b string) (alike, shared float64) {
	two := room.Get().(*[2]bags)
	defer room.Put(two)
	x, y := &two[0], &two[1]
	x.fill(a)
	y.fill(b)
	return (c.cosine(&x.stems, &y.stems, &c.stems) + c.cosine(&x.grams, &y.grams, &c.grams)) / 2, jaccard(&x.words, &y.words)
}

// Jaccard is the share of the distinct words of two texts that both have: what document 002 replaces, and keeps as a
// diagnostic.
func Jaccard(a, b string) float64 {
	two := room.Get().(*[2]bags)
	defer room.Put(two)
	two[0].fillWords(a)
	two[1].fillWords(b)
	return jaccard(&two[0].words, &two[1].words)
}

// room is where the bags of two texts are put while they are compared: they are larger than all else that measuring an answer takes.
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

// cosine of two bags whose counts are weighted. Sums are made in the order of the texts, each product rounded, so that
// every machine gets the same bits.
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

// background is what the commonest words make of stems and grams: the share of texts that have each, as if words came independently of
// each other. It is made when it is first needed and never changed.
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
