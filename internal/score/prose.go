package score

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// prose is a text as the metrics of its content read it: words with their stems, the clause each stands in, and whether
// that clause says or denies it.
type prose struct {
	text    string // tidied; places are bytes of it
	lower   string // text in lower case; made when first needed
	words   []word
	marks   []mark
	clauses []clause
	replies map[int32]string // sentence that asks → "yes" or "no" as the next one answers it, or ""
	first   map[string]int32 // stem → the first word with it; made when first needed
	next    []int32          // word → the next word with its stem; none after the last
}

// word is one word. A number or a spelt number is written in digits.
type word struct {
	text       string // lower case, contractions written out
	base       string // what it denies by itself: compliant, of noncompliant; else ""
	class      class
	stem       string
	start, end int  // in prose.text
	capitals   bool // at least two letters, all capitals: MFA, ISO27001
	glued      bool // joined to the word before it by a hyphen or an underscore
	bold       bool
	struck     bool // ~~crossed out~~, or quoted as what somebody else says
	signed     bool // a sign makes it another word: the C of C++, the 1 of -1, the 10 of <10
	literal    bool // a name whose symbols belong to it, as it is written
	line       int32
	negative   bool // denied by itself: "non-compliant"
	denial     bool // denies its clause
	amount     bool // part of an amount, which begins at this word or before
	digits     bool // begins with a digit
	clause     int32
	quantity   *amount // of the word that an amount begins with
}

// mark is what stands between two words and divides or ends something; it stands before word at.
type mark struct {
	at   int
	r    rune
	line int32
	bold bool
}

// proseBytes bounds the text that is read: the first 4 MiB.
const proseBytes = 4 << 20

// readProse reads a text. It takes time linear in its length.
func readProse(text string) *prose { return readWith(text, nil) }

// readWith reads a text with names.
func readWith(text string, names *shapes) *prose {
	if len(text) > proseBytes {
		text = strings.ToValidUTF8(text[:proseBytes], "")
	}
	p := &prose{text: plain(text)}
	p.words = make([]word, 0, len(p.text)/5+8)
	(&lexer{prose: p, names: names}).lex()
	p.amounts()
	p.divide()
	p.stem()
	return p
}

// plain tidies a text, which takes less where it is all ASCII.
func plain(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return tidy(text)
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r", "\n"), "`", "'")
}

// stem finds the stem of every word. A function word is its own.
func (p *prose) stem() {
	for i := range p.words {
		w := &p.words[i]
		text := w.text
		if w.base != "" {
			text = w.base
		}
		switch w.stem = text; {
		case w.is(isNumeral) && (!w.amount || w.quantity != nil && !w.quantity.exact):
			w.stem = strconv.FormatFloat(spelt[text], 'f', -1, 64) // two is 2
		case w.is(isBritish):
			w.stem = wordStem(british[text])
		case !w.is(isFunction):
			w.stem = wordStem(text)
		}
	}
}

// firstOf returns the first word with a stem, none if there is none.
func (p *prose) firstOf(stem string) int32 {
	if p.first == nil {
		p.index()
	}
	if i, ok := p.first[stem]; ok {
		return i
	}
	return none
}

// index chains equal stems.
func (p *prose) index() {
	p.first = make(map[string]int32, len(p.words))
	p.next = make([]int32, len(p.words))
	for i := len(p.words) - 1; i >= 0; i-- {
		stem := p.words[i].stem
		p.next[i] = none
		if later, ok := p.first[stem]; ok {
			p.next[i] = later
		}
		p.first[stem] = int32(i)
	}
}

// denies reports whether the word at i is denied where it stands.
func (p *prose) denies(i int) bool {
	return p.clauses[p.words[i].clause].negative() != p.words[i].negative
}

// at returns the words that text[start:end] touches, as a half-open range.
func (p *prose) at(start, end int) (from, to int) {
	from = sort.Search(len(p.words), func(i int) bool { return p.words[i].end > start })
	to = sort.Search(len(p.words), func(i int) bool { return p.words[i].start >= end })
	return from, max(from, to)
}

// affirmed is the word, or what it denies.
func (w word) affirmed() string {
	if w.base != "" {
		return w.base
	}
	return w.text
}
