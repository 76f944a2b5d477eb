// Package english parses a text into words with their places, stems and amounts, and into sentences and clauses, with
// what each clause denies, asks, supposes or quotes. It knows no label, fact, refusal or risk: packages that look for
// one have their own tables of words. It takes time linear in the length of the text.
package english

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Text is a parsed text: its words, its clauses, and whether each clause affirms or denies.
type Text struct {
	Source  string // the tidied text; all places are byte offsets in it
	Words   []Word
	Marks   []Mark
	Clauses []Clause
	Replies map[int32]string // question's sentence → the reply in the next sentence: "yes", "no" or ""
	first   map[string]int32 // stem → 1 + index of the first word with it; nil before StemWords
	Next    []int32          // word → index of the next word with its stem, or NoWord
	phrases []Phrase         // made when first needed
}

// Word is one word of a text. The stem of a number in words is the number in digits.
type Word struct {
	Text       string // lower case, contractions written out
	Stem       string
	Quantity   *Amount // the amount that begins with this word; nil: none
	Class      Class
	Start, End int32 // in Text.Source
	Clause     int32
	Line       int32
	AllCaps    bool // at least two letters, all capitals: MFA, ISO27001
	Hyphenated bool // joined to the word before it by a hyphen or an underscore
	Bold       bool
	Struck     bool // crossed out by ~~, or quoted as what somebody else says
	HasSign    bool // a sign next to it changes its meaning: the C of C++, the 1 of -1, the 10 of <10
	Literal    bool // a name whose symbols belong to it, as it is written
	Negative   bool // contains its own denial, or has one joined to it: noncompliant, the "sugar" of sugar-free
	IsDenial   bool // denies its clause
	InAmount   bool // part of an amount, which begins at this word or before
	IsNumber   bool // a number in digits; 2FA is not one
}

// Mark is a sign that separates or ends a part of the text, such as a comma. It stands before the word with the index
// At.
type Mark struct {
	At   int
	Rune rune
	Line int32
	Bold bool
}

// MaxBytes is the largest length of a text that is read whole. Of a longer text, only the first MaxBytes are read.
const MaxBytes = 4 << 20

// Parse returns the parsed text with its stems. It takes time linear in the length of the text.
func Parse(text string) *Text { return ParseWith(text, nil).StemWords() }

// ParseWith returns the parsed text without stems. It recognizes names in the text; names may be nil.
func ParseWith(text string, names *Names) *Text {
	p := lexed(text, names)
	readAmounts(p)
	splitClauses(p)
	return p
}

// ParseWords returns only the words of the text, with their stems. It finds no amounts and no clauses.
func ParseWords(text string) *Text { return lexed(text, nil).StemWords() }

func lexed(text string, names *Names) *Text {
	if len(text) > MaxBytes {
		text = strings.ToValidUTF8(text[:MaxBytes], "")
	}
	p := &Text{Source: Tidy(text)}
	if names != nil && len(names.all) > 0 {
		p.Source = asciiSigns.Replace(p.Source)
	}
	p.Words = make([]Word, 0, len(p.Source)/5+2)
	p.Marks = make([]Mark, 0, len(p.Source)/32+2)
	(&lexer{text: p, names: names}).lex()
	return p
}

// StemWords sets the stem of every word, links the words with equal stems, and returns t. It does the work only once. A
// function word is its own stem.
func (t *Text) StemWords() *Text {
	if t.first != nil {
		return t
	}
	for i := range t.Words {
		w := &t.Words[i]
		text := w.affirmed()
		switch w.Stem = text; {
		case w.Is(isNumeral) && (!w.InAmount || w.Quantity != nil && !w.Quantity.Exact):
			w.Stem = strconv.FormatFloat(spelt[text], 'f', -1, 64) // two is 2
		case w.Is(sharesStem):
			w.Stem = sharedStems[text]
		case w.Is(isWaived):
			w.Stem = "free"
		case !w.Is(IsFunction):
			w.Stem = WordStem(text)
		}
	}
	t.first, t.Next = make(map[string]int32, len(t.Words)), make([]int32, len(t.Words))
	for i, w := range slices.Backward(t.Words) {
		t.Next[i] = t.FirstOf(w.Stem)
		t.first[w.Stem] = int32(i) + 1
	}
	return t
}

// FirstOf returns the index of the first word with the given stem, or NoWord.
func (t *Text) FirstOf(stem string) int32 { return t.first[stem] - 1 }

// Denies reports whether the text denies the word at i. It does if either the clause is negative or the word is, and
// not if both are.
func (t *Text) Denies(i int) bool {
	return t.Clauses[t.Words[i].Clause].Negative() != t.Words[i].Negative
}

// WordsAt returns the half-open range of words that Source[start:end] touches.
func (t *Text) WordsAt(start, end int) (from, to int) {
	from = sort.Search(len(t.Words), func(i int) bool { return int(t.Words[i].End) > start })
	to = sort.Search(len(t.Words), func(i int) bool { return int(t.Words[i].Start) >= end })
	return from, max(from, to)
}

// Affirmative returns the word that a negation contains: "compliant" for "noncompliant". It returns "" if the word is
// not a negation.
func (w *Word) Affirmative() string {
	if !w.Is(isNegation) {
		return ""
	}
	if base, ok := denied[w.Text]; ok {
		return base
	}
	return strings.TrimPrefix(w.Text, "non")
}

// affirmed returns the Affirmative of w if w is a negation, and otherwise the text of w.
func (w *Word) affirmed() string { return cmp.Or(w.Affirmative(), w.Text) }

// SentenceOf returns the number of the sentence of the word at i.
func (t *Text) SentenceOf(i int) int32 { return t.Clauses[t.Words[i].Clause].Sentence }

// SentenceWords returns the half-open range of words of the sentence with the given number.
func (t *Text) SentenceWords(sentence int32) (first, last int) {
	from := sort.Search(len(t.Clauses), func(i int) bool { return t.Clauses[i].Sentence >= sentence })
	to := sort.Search(len(t.Clauses), func(i int) bool { return t.Clauses[i].Sentence > sentence })
	return t.Clauses[from].First, t.Clauses[to-1].Last
}

// between returns the text between the words i-1 and i. If i is the first word, between returns the text before it. If
// i-1 is the last word, between returns the text after it.
func between(p *Text, i int) string {
	start, end := 0, len(p.Source)
	if i > 0 {
		start = int(p.Words[i-1].End)
	}
	if i < len(p.Words) {
		end = int(p.Words[i].Start)
	}
	return p.Source[start:end]
}

// IsContent reports whether the word at i has content of its own, and is neither a function word nor a possible denial.
func (t *Text) IsContent(i int) bool {
	return t.Words[i].Class&(IsFunction|IsDenier) == 0
}

// IsCapitalized reports whether the word at i begins with an ASCII capital.
func (t *Text) IsCapitalized(i int) bool {
	c := t.Source[t.Words[i].Start]
	return c >= 'A' && c <= 'Z'
}
