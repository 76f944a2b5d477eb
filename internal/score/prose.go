package score

import (
	"sort"
	"strings"
	"unicode"
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
	first   map[string]int32 // stem → the first word with it; made when first needed
	next    []int32          // word → the next word with its stem; none after the last
}

// word is one word. A number or a spelt number is written in digits.
type word struct {
	text       string // lower case, contractions written out
	class      class
	stem       string
	start, end int  // in prose.text
	capitals   bool // at least two letters, all capitals: MFA, ISO27001
	negative   bool // denied by itself: "non-compliant"
	denial     bool // denies its clause
	amount     bool // part of an amount, which begins at this word or before
	digits     bool // begins with a digit
	clause     int32
	quantity   *amount // of the word that an amount begins with
}

// mark is what stands between two words and divides or ends something; it stands before word at.
type mark struct {
	at int
	r  rune
}

// proseBytes bounds the text that is read: the first 4 MiB.
const proseBytes = 4 << 20

// readProse reads a text. It takes time linear in its length.
func readProse(text string) *prose {
	if len(text) > proseBytes {
		text = strings.ToValidUTF8(text[:proseBytes], "")
	}
	p := &prose{text: plain(text)}
	p.words = make([]word, 0, len(p.text)/5+8)
	p.lex()
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

func (p *prose) lex() {
	for at := 0; at < len(p.text); {
		c := p.text[at]
		switch {
		case c == ' ':
			at++
		case asciiWord(c):
			at = p.run(at)
		case c < utf8.RuneSelf:
			p.marks = append(p.marks, mark{len(p.words), p.sign(at)})
			at++
		default:
			at = p.wide(at)
		}
	}
}

// sign is the ASCII mark at a place; a hyphen between spaces is a dash.
func (p *prose) sign(at int) rune {
	if p.text[at] == '-' && at > 0 && p.text[at-1] == ' ' && at+1 < len(p.text) && (p.text[at+1] == ' ' || p.text[at+1] == '-') {
		return '–'
	}
	return rune(p.text[at])
}

// wide reads a character beyond ASCII.
func (p *prose) wide(at int) int {
	r, size := utf8.DecodeRuneInString(p.text[at:])
	switch {
	case wordRune(r):
		return p.run(at)
	case !unicode.IsSpace(r):
		p.marks = append(p.marks, mark{len(p.words), r})
	}
	return at + size
}

func asciiWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// run reads letters and digits, with the apostrophes in between, or a number with its points and commas.
func (p *prose) run(at int) int {
	if digitAt(p.text, at) {
		return p.figure(at)
	}
	end := runEnd(p.text, at)
	if dotted := p.initials(at); dotted > end {
		end = dotted
	}
	if end+1 < len(p.text) && p.text[end] == '.' && digitAt(p.text, end+1) {
		end = p.release(at, end)
	}
	p.add(at, end)
	return end
}

// release cuts the number off a run that a point and a digit follow, TLSv1.2, and returns where the run now ends.
func (p *prose) release(at, end int) int {
	cut := end
	for digitBefore(p.text, cut) {
		cut--
	}
	if v := p.text[cut-1]; cut < end && cut-1 > at && (v == 'v' || v == 'V') {
		return cut - 1
	}
	if cut == end || cut == at {
		return end
	}
	return cut
}

// initials finds the end of M.F.A.; 0 if there is none.
func (p *prose) initials(at int) int {
	letters, end := 0, at
	for end+1 < len(p.text) && p.text[end] >= 'A' && p.text[end] <= 'Z' && p.text[end+1] == '.' {
		letters++
		end += 2
	}
	if letters < 2 {
		return 0
	}
	return end
}

// figure reads digits: 14, 1,000, 5.9.3, 14th, 24h, 2FA.
func (p *prose) figure(at int) int {
	end := at
	for end < len(p.text) && (digitAt(p.text, end) || p.inNumber(end)) {
		end++
	}
	if end == len(p.text) || !wordAt(p.text, end) {
		p.push(word{text: strings.ReplaceAll(p.text[at:end], ",", ""), start: at, end: end, digits: true})
		return end
	}
	tail := runEnd(p.text, end)
	if lower := strings.ToLower(p.text[end:tail]); units[lower].base != "" || lower == "am" || lower == "pm" {
		p.push(word{text: strings.ReplaceAll(p.text[at:end], ",", ""), start: at, end: end, digits: true})
		p.add(end, tail)
		return tail
	}
	p.push(word{text: strings.ToLower(p.text[at:tail]), start: at, end: tail, capitals: tail-at >= 2})
	return tail
}

// inNumber reports a point between digits, or a comma before a group of three.
func (p *prose) inNumber(at int) bool {
	switch p.text[at] {
	case '.':
		return digitAt(p.text, at+1)
	case ',':
		return digitAt(p.text, at+1) && digitAt(p.text, at+2) && digitAt(p.text, at+3) && !digitAt(p.text, at+4)
	}
	return false
}

// add appends the word or words of a run: contractions are written out, "non-" and its like become a mark of the word. The
// words of a contraction share its letters out among them, so that no two words of a text overlap.
func (p *prose) add(start, end int) {
	run := p.text[start:end]
	lower := strings.ToLower(run)
	if strings.IndexByte(lower, '.') >= 0 {
		lower = strings.ReplaceAll(lower, ".", "")
	}
	c := lexicon[lower]
	if c&isContraction == 0 && strings.IndexByte(lower, '\'') < 0 {
		p.push(word{text: lower, class: c, start: start, end: end, capitals: capital(run)})
		return
	}
	words := parts(lower)
	for i, part := range words {
		to := end
		if i+1 < len(words) {
			to = runeStart(p.text, min(start+len(part), end-1))
		}
		p.push(word{text: part, class: lexicon[part], start: start, end: to})
		start = to
	}
}

// runeStart is the beginning of the character that a byte belongs to.
func runeStart(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// capital reports at least two letters, all of them capitals; a plural s may follow: APIs.
func capital(run string) bool {
	letters := 0
	for i, r := range run {
		switch {
		case r == 's' && i == len(run)-1 && letters >= 2:
		case unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters >= 2
}

func (p *prose) push(w word) {
	if w.text == "" { // what is left of "n't" on its own
		return
	}
	if w.is(isDenied) {
		w.text, w.negative = denied[w.text], true
		w.class = lexicon[w.text]
	}
	if rest, ok := strings.CutPrefix(w.text, "non"); ok && len(rest) >= shortestDenied && !nonWords[w.text] {
		w.text, w.negative, w.class = rest, true, lexicon[rest]
	}
	if n := len(p.words); n > 0 && p.words[n-1].text == "non" && p.words[n-1].end+1 == w.start {
		p.words[n-1] = word{text: w.text, class: w.class, start: p.words[n-1].start, end: w.end, negative: !w.negative}
		return
	}
	p.words = append(p.words, w)
}

// stem finds the stem of every word. A function word is its own.
func (p *prose) stem() {
	for i := range p.words {
		w := &p.words[i]
		switch w.stem = w.text; {
		case w.is(isBritish):
			w.stem = wordStem(british[w.text])
		case !w.is(isFunction):
			w.stem = wordStem(w.text)
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
