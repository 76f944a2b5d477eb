package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts a text into words and marks.
type lexer struct {
	text   *Text
	names  *Names
	at     int
	line   int32
	bold   bool
	struck bool
	tagged int // offset of the end of the last tag
}

// Soft is the mark of a line break within a sentence. It separates nothing.
const Soft = '\r'

// Arrow is the mark of every arrow, also of "->" and "⇒".
const Arrow = '→'

func (l *lexer) lex() {
	for l.at < len(l.text.Source) {
		c := l.text.Source[l.at]
		switch {
		case c == ' ':
			l.at++
		case l.names != nil && l.literal():
		case IsASCIIAlnum(c):
			l.run()
		case c < utf8.RuneSelf:
			l.sign(c)
		default:
			l.wide()
		}
	}
}

// literal reads the name with symbols at l.at as one word. It returns false if no such name begins there.
func (l *lexer) literal() bool {
	name, end, ok := l.names.at(l.text.Source, l.at)
	if ok {
		l.push(&Word{Text: name, Literal: true, Hyphenated: l.gluedAt(l.at)}, l.at, end)
		l.at = end
	}
	return ok
}

// sign reads the ASCII character c that belongs to no word. Marks of emphasis switch bold or struck text on or off, and
// most other marks separate words.
func (l *lexer) sign(c byte) {
	rest := l.text.Source[l.at:]
	switch c {
	case '*', '_':
		if len(rest) > 1 && rest[1] == c {
			l.bold = !l.bold
			l.at++
		}
		l.at++
	case '~':
		if strings.HasPrefix(rest, "~~") {
			l.struck = !l.struck
			l.at += 2
			return
		}
		l.mark('~')
		l.at++
	case '<':
		l.tag()
	case '\n':
		if wraps(l) {
			c = Soft
		}
		l.mark(rune(c))
		l.line++
		l.at++
	case '-':
		l.dash(1)
	case '\'', '"', '#', '\\', '\t', '\v', '\f':
		l.at++
	default:
		l.mark(rune(c))
		l.at++
	}
}

// wide reads a character beyond ASCII.
func (l *lexer) wide() {
	r, size := utf8.DecodeRuneInString(l.text.Source[l.at:])
	switch {
	case IsWordRune(r):
		l.run()
	case r == '–' || r == '—':
		l.dash(size)
	default:
		if !unicode.IsSpace(r) {
			l.mark(r)
		}
		l.at += size
	}
}

func (l *lexer) mark(r rune) {
	l.text.Marks = append(l.text.Marks, Mark{At: len(l.text.Words), Rune: r, Line: l.line, Bold: l.bold})
}

// run reads the letters and digits at l.at with apostrophes between them, or a number with its points and commas.
func (l *lexer) run() {
	start := l.at
	if IsDigitAt(l.text.Source, start) {
		figure(l)
		return
	}
	end := runEnd(l.text.Source, start)
	if na := start + len("n/a"); end == start+1 && na <= len(l.text.Source) &&
		strings.EqualFold(l.text.Source[start:na], "n/a") && !IsWordRuneAt(l.text.Source, na) {
		end = na // one word, and no choice between two letters
	}
	l.add(start, end)
	l.at = end
}

// figure reads a word that begins with a digit: 14, 1,000, 5.9.3, 14th, 24h, 2FA.
func figure(l *lexer) {
	start, end := l.at, l.at
	for end < len(l.text.Source) && (IsDigitAt(l.text.Source, end) || inNumber(l.text.Source, end)) {
		end++
	}
	w := Word{Hyphenated: l.gluedAt(start)}
	tail := end
	if end < len(l.text.Source) && IsWordRuneAt(l.text.Source, end) {
		tail = runEnd(l.text.Source, end)
	}
	number, unit := strings.ReplaceAll(l.text.Source[start:end], ",", ""), strings.ToLower(l.text.Source[end:tail])
	switch {
	case unit == "":
		w.Text, w.IsNumber, w.HasSign = number, true, l.signed(start, end)
		l.push(&w, start, end)
	case units[unit].base != "" || unit == "am" || unit == "pm" || unit == "k":
		w.Text, w.IsNumber = number, true
		l.push(&w, start, end)
		l.add(end, tail)
	default:
		run := l.text.Source[start:tail]
		w.Text, w.AllCaps = strings.ToLower(run), IsAllCaps(run)
		w.HasSign = l.signed(start, tail)
		l.push(&w, start, tail)
	}
	l.at = tail
}

// inNumber reports whether text[at] is a point before a digit, or a comma before a group of three digits.
func inNumber(text string, at int) bool {
	switch text[at] {
	case '.':
		return IsDigitAt(text, at+1)
	case ',':
		return IsDigitAt(text, at+1) && IsDigitAt(text, at+2) && IsDigitAt(text, at+3) && !IsDigitAt(text, at+4)
	}
	return false
}

// add appends the words of the run Source[start:end], with contractions written out. Each word of a contraction takes
// its own part of the letters, so that no two words of a text overlap.
func (l *lexer) add(start, end int) {
	run := l.text.Source[start:end]
	lower, glued := strings.ToLower(run), l.gluedAt(start)
	c := lexicon[lower]
	if c&isContraction == 0 && strings.IndexByte(lower, '\'') < 0 {
		l.push(&Word{Text: lower, Class: c, AllCaps: IsAllCaps(run), Hyphenated: glued, HasSign: l.signed(start, end)},
			start, end)
		return
	}
	words := parts(lower)
	for i, part := range words {
		to := end
		if i+1 < len(words) {
			for to = min(start+len(part), end-1); to > 0 && !utf8.RuneStart(l.text.Source[to]); to-- {
			}
		}
		l.push(&Word{Text: part, Class: lexicon[part], Hyphenated: glued && i == 0}, start, to)
		start = to
	}
}

// push appends w as the word at Source[start:end], and notes whether w is a denial by itself.
func (l *lexer) push(w *Word, start, end int) {
	if w.Text == "" { // what is left of "n't" on its own
		return
	}
	if w.Is(isDenied) || strings.HasPrefix(w.Text, "non") && len(w.Text) >= len("non")+
		shortestDenied && !nonWords[w.Text] {
		w.Class = isNegation
		w.Negative, w.Class = true, isNegation|lexicon[w.Affirmative()]
	}
	if n := len(l.text.Words); n > 0 && w.Hyphenated && l.text.Words[n-1].Text == "non" {
		w.Negative = !w.Negative
	}
	w.Start, w.End, w.Bold, w.Struck, w.Line = int32(start), int32(end), l.bold, l.struck, l.line
	l.text.Words = append(l.text.Words, *w)
}

// signed reports whether a sign next to the word Source[start:end] changes its meaning: the ++ of C++, the - of -1, the
// < of <10. A plus before a number changes nothing.
func (l *lexer) signed(start, end int) bool {
	if signedAt(l.text.Source, end) {
		return true
	}
	if !IsDigitAt(l.text.Source, start) || start == 0 || start == l.tagged {
		return false
	}
	switch ahead := RuneBefore(l.text.Source, start); ahead {
	case '-', '–':
		left := RuneBefore(l.text.Source, start-utf8.RuneLen(ahead))
		return left != '-' && !IsWordRune(left)
	case '<', '>', '=', '≤', '≥':
		left := RuneBefore(l.text.Source, start-utf8.RuneLen(ahead))
		return ahead != '=' && left != '-' && left != '=' || left == '<' || left == '>'
	}
	return false
}

// gluedAt reports whether a hyphen or an underscore joins the word at start to the word before. Bold type does not
// separate them.
func (l *lexer) gluedAt(start int) bool {
	if strings.HasSuffix(l.text.Source[:start], " ") { // as before most words
		return false
	}
	word := strings.TrimRight(l.text.Source[:start], "*")
	left := strings.TrimRight(word, "-_–")
	bare := strings.TrimRight(left, "*")
	return len(left) < len(word) && IsWordRuneBefore(bare, len(bare))
}
