package english

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a text that has been read: its words, the clause in which each stands, and whether that clause says or denies it.
type Text struct {
	Source  string // tidied; places are bytes of it
	Lower   string // text in lower case; made when first needed
	Words   []Word
	Marks   []Mark
	Clauses []Clause
	Replies map[int32]string // sentence that asks → "yes" or "no" as the next one answers it, or ""
	first   map[string]int32 // stem → the first word with it; made when first needed
	stemmed bool
	Next    []int32 // word → the next word with its stem; none after the last
}

// Word is one word. A number or a spelt number is written in digits.
type Word struct {
	Text       string // lower case, contractions written out
	Base       string // what it denies by itself: compliant, of noncompliant; else ""
	Class      Class
	Stem       string
	Start, End int  // in Text.Source
	Capitals   bool // at least two letters, all capitals: MFA, ISO27001
	Glued      bool // joined to the word before it by a hyphen or an underscore
	Bold       bool
	Struck     bool // ~~crossed out~~, or quoted as what somebody else says
	Signed     bool // a sign makes it another word: the C of C++, the 1 of -1, the 10 of <10
	Literal    bool // a name whose symbols belong to it, as it is written
	Line       int32
	Negative   bool // denied by itself: "non-compliant"
	Denial     bool // denies its clause
	Amount     bool // part of an amount, which begins at this word or before
	Digits     bool // begins with a digit
	Clause     int32
	Quantity   *Amount // of the word that an amount begins with
}

// Mark is what stands between two words and divides or ends something; it stands before word at.
type Mark struct {
	At   int
	Rune rune
	Line int32
	Bold bool
}

// MaxBytes bounds the text that is read: the first 4 MiB.
const MaxBytes = 4 << 20

// Read reads a text with its stems. It takes time linear in its length.
func Read(text string) *Text { return ReadWith(text, nil).Stemmed() }

// ReadWith reads a text in which names may stand, nil for none. Its words have no stems yet.
func ReadWith(text string, names *Names) *Text {
	if len(text) > MaxBytes {
		text = strings.ToValidUTF8(text[:MaxBytes], "")
	}
	p := &Text{Source: Plain(text)}
	if names != nil && len(names.all) > 0 {
		p.Source = asciiSigns.Replace(p.Source)
	}
	p.Words = make([]Word, 0, len(p.Source)/5+8)
	(&lexer{Text: p, names: names}).lex()
	p.amounts()
	p.divide()
	return p
}

// Plain tidies a text, which takes less where it is all ASCII.
func Plain(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return Tidy(text)
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "`", "'")
}

// Stemmed finds the stem of every word, once. A function word is its own.
func (p *Text) Stemmed() *Text {
	if p.stemmed {
		return p
	}
	p.stemmed = true
	for i := range p.Words {
		w := &p.Words[i]
		text := w.Text
		if w.Base != "" {
			text = w.Base
		}
		switch w.Stem = text; {
		case w.Is(isNumeral) && (!w.Amount || w.Quantity != nil && !w.Quantity.Exact):
			w.Stem = strconv.FormatFloat(spelt[text], 'f', -1, 64) // two is 2
		case w.Is(isBritish):
			w.Stem = WordStem(british[text])
		case !w.Is(IsFunction):
			w.Stem = WordStem(text)
		}
	}
	return p
}

// FirstOf returns the first word with a stem, none if there is none.
func (p *Text) FirstOf(stem string) int32 {
	if p.first == nil {
		p.index()
	}
	if i, ok := p.first[stem]; ok {
		return i
	}
	return NoWord
}

// index chains equal stems.
func (p *Text) index() {
	p.first = make(map[string]int32, len(p.Words))
	p.Next = make([]int32, len(p.Words))
	for i := len(p.Words) - 1; i >= 0; i-- {
		stem := p.Words[i].Stem
		p.Next[i] = NoWord
		if later, ok := p.first[stem]; ok {
			p.Next[i] = later
		}
		p.first[stem] = int32(i)
	}
}

// Denies reports whether the word at i is denied where it stands.
func (p *Text) Denies(i int) bool {
	return p.Clauses[p.Words[i].Clause].Negative() != p.Words[i].Negative
}

// WordsAt returns the words that text[start:end] touches, as a half-open range.
func (p *Text) WordsAt(start, end int) (from, to int) {
	from = sort.Search(len(p.Words), func(i int) bool { return p.Words[i].End > start })
	to = sort.Search(len(p.Words), func(i int) bool { return p.Words[i].Start >= end })
	return from, max(from, to)
}

// affirmed is the word, or what it denies.
func (w Word) affirmed() string {
	if w.Base != "" {
		return w.Base
	}
	return w.Text
}
