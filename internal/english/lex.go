package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts a text into words and marks.
type lexer struct {
	*Text
	names  *Names
	at     int
	line   int32
	bold   bool
	struck bool
	tagged int // where the last tag ended
}

// Soft is the mark of a line break within a sentence, which divides nothing.
const Soft = '\r'

func (l *lexer) lex() {
	for l.at < len(l.Source) {
		c := l.Source[l.at]
		switch {
		case c == ' ':
			l.at++
		case l.names != nil && l.names.first[c] && l.literal():
		case ASCIIWord(c):
			l.run()
		case c < utf8.RuneSelf:
			l.sign(c)
		default:
			l.wide()
		}
	}
}

// literal reads a name whose symbols belong to it.
func (l *lexer) literal() bool {
	name, end, ok := l.names.at(l.Source, l.at)
	if ok {
		l.push(Word{Text: name, Start: l.at, End: end, Literal: true, Glued: l.gluedAt(l.at)})
		l.at = end
	}
	return ok
}

// sign reads an ASCII mark: those of a layout turn something on or off, the others divide.
func (l *lexer) sign(c byte) {
	rest := l.Source[l.at:]
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
		l.newline()
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
	r, size := utf8.DecodeRuneInString(l.Source[l.at:])
	switch {
	case WordRune(r):
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
	l.Marks = append(l.Marks, Mark{At: len(l.Words), Rune: r, Line: l.line, Bold: l.bold})
}

func (l *lexer) newline() {
	if l.wraps() {
		l.mark(Soft)
	} else {
		l.mark('\n')
	}
	l.line++
	l.at++
}

// wrappedWords is the fewest words of a line that is taken for one that was wrapped where it grew too long.
const wrappedWords = 4

// wraps reports a line break within a sentence: between two words of a name, or in a text that was wrapped, where neither line has
// a key.
func (l *lexer) wraps() bool {
	line := strings.TrimRight(l.Source[strings.LastIndexByte(l.Source[:l.at], '\n')+1:l.at], " ")
	next, _, _ := strings.Cut(strings.TrimLeft(l.Source[l.at+1:], " "), "\n")
	if len(l.Words) == 0 || line == "" || next == "" || !WordAt(next, 0) || !strings.ContainsRune(",-", rune(line[len(line)-1])) && !WordBefore(line, len(line)) {
		return false
	}
	word := strings.ToLower(next[:runEnd(next, 0)])
	if l.names != nil && l.names.pairs[l.Words[len(l.Words)-1].Text+" "+word] {
		return true
	}
	begins := strings.Join(firstFields(next, wrappedWords), " ")
	return next[0] >= 'a' && next[0] <= 'z' && len(firstFields(line, wrappedWords)) == wrappedWords &&
		!strings.ContainsAny(line, ":|") && !strings.ContainsAny(begins, ":|") && len(word) < len(begins) && next[len(word)] != ')'
}

// firstFields returns the first fields of a text, n at most.
func firstFields(text string, n int) (out []string) {
	for field := range strings.FieldsSeq(text) {
		if out = append(out, field); len(out) == n {
			break
		}
	}
	return out
}

// dash tells the hyphen of a word, which only glues, from the dash between two phrases and from an arrow.
func (l *lexer) dash(size int) {
	after := l.at + size
	if strings.HasPrefix(l.Source[after:], ">") {
		l.mark(':')
		l.at = after + 1
		return
	}
	left, right := strings.TrimRight(l.Source[:l.at], "*"), strings.TrimLeft(l.Source[after:], "*\n")
	if !WordAt(right, 0) || !WordBefore(left, len(left)) {
		l.mark('–')
	}
	l.at = after
}

// tag skips <b> and its like; <answer> is a key, any other tag a break. What only looks like a tag is a mark.
func (l *lexer) tag() {
	end := strings.IndexByte(l.Source[l.at:min(l.at+40, len(l.Source))], '>')
	if end < 0 || !WordAt(strings.TrimPrefix(l.Source[l.at+1:], "/"), 0) {
		l.mark('<')
		l.at++
		return
	}
	name, attributes, _ := strings.Cut(strings.ToLower(strings.Trim(l.Source[l.at+1:l.at+end], "/")), " ")
	open := l.Source[l.at+1] != '/'
	if key, _, ok := strings.Cut(attributes, "="); ok && VerdictNouns[key] {
		l.mark('\n')
		l.at += len(name) + 2 // what it says is read as text
		return
	}
	start := l.at + 1
	l.at += end + 1
	l.tagged = l.at
	switch {
	case name == "b" || name == "strong":
		l.bold = open
	case name == "s" || name == "del" || name == "strike":
		l.struck = open
	case open && VerdictNouns[name]:
		l.push(Word{Text: name, Start: start, End: start + len(name)})
		l.mark(':')
	default:
		l.mark('\n')
	}
}

// run reads letters and digits, with the apostrophes in between, or a number with its points and commas.
func (l *lexer) run() {
	start := l.at
	if DigitAt(l.Source, start) {
		l.figure()
		return
	}
	end := runEnd(l.Source, start)
	if na := start + len("n/a"); end == start+1 && na <= len(l.Source) && strings.EqualFold(l.Source[start:na], "n/a") && !WordAt(l.Source, na) {
		end = na // one word, and no choice between two letters
	}
	if dotted := initials(l.Source, start); dotted > end {
		end = dotted
	}
	if end+1 < len(l.Source) && l.Source[end] == '.' && DigitAt(l.Source, end+1) {
		end = release(l.Source, start, end)
	}
	l.add(start, end)
	l.at = end
}

// release cuts the number off a run that a point and a digit follow, TLSv1.2, and returns where the run now ends.
func release(text string, at, end int) int {
	cut := end
	for digitBefore(text, cut) {
		cut--
	}
	if v := text[cut-1]; cut < end && cut-1 > at && (v == 'v' || v == 'V') {
		return cut - 1
	}
	if cut == end || cut == at {
		return end
	}
	return cut
}

// initials finds the end of M.F.A.; 0 if there is none.
func initials(text string, at int) int {
	letters, end := 0, at
	for end+1 < len(text) && text[end] >= 'A' && text[end] <= 'Z' && text[end+1] == '.' {
		letters++
		end += 2
	}
	if letters < 2 {
		return 0
	}
	return end
}

// figure reads digits: 14, 1,000, 5.9.3, 14th, 24h, 2FA.
func (l *lexer) figure() {
	start, end := l.at, l.at
	for end < len(l.Source) && (DigitAt(l.Source, end) || inNumber(l.Source, end)) {
		end++
	}
	w := Word{Start: start, End: end, Glued: l.gluedAt(start)}
	switch tail := end; {
	case end == len(l.Source) || !WordAt(l.Source, end):
		w.Text, w.Digits, w.Signed = strings.ReplaceAll(l.Source[start:end], ",", ""), true, l.signed(start, end)
		l.push(w)
	default:
		tail = runEnd(l.Source, end)
		if lower := strings.ToLower(l.Source[end:tail]); units[lower].base != "" || lower == "am" || lower == "pm" {
			w.Text, w.Digits = strings.ReplaceAll(l.Source[start:end], ",", ""), true
			l.push(w)
			l.add(end, tail)
		} else {
			w.Text, w.End, w.Capitals, w.Signed = strings.ToLower(l.Source[start:tail]), tail, tail-start >= 2, l.signed(start, tail)
			l.push(w)
		}
		end = tail
	}
	l.at = end
}

// inNumber reports a point between digits, or a comma before a group of three.
func inNumber(text string, at int) bool {
	switch text[at] {
	case '.':
		return DigitAt(text, at+1)
	case ',':
		return DigitAt(text, at+1) && DigitAt(text, at+2) && DigitAt(text, at+3) && !DigitAt(text, at+4)
	}
	return false
}

// add appends the word or words of a run: contractions are written out. The words of a contraction share its letters out among
// them, so that no two words of a text overlap.
func (l *lexer) add(start, end int) {
	run := l.Source[start:end]
	lower := strings.ToLower(run)
	if strings.IndexByte(lower, '.') >= 0 {
		lower = strings.ReplaceAll(lower, ".", "")
	}
	c, glued := lexicon[lower], l.gluedAt(start)
	if c&isContraction == 0 && strings.IndexByte(lower, '\'') < 0 {
		l.push(Word{Text: lower, Class: c, Start: start, End: end, Capitals: Capital(run), Glued: glued, Signed: l.signed(start, end)})
		return
	}
	words := parts(lower)
	for i, part := range words {
		to := end
		if i+1 < len(words) {
			to = runeStart(l.Source, min(start+len(part), end-1))
		}
		l.push(Word{Text: part, Class: lexicon[part], Start: start, End: to, Glued: glued && i == 0})
		start = to
	}
}

// push adds a word as it stands here, and notes what it denies by itself.
func (l *lexer) push(w Word) {
	if w.Text == "" { // what is left of "n't" on its own
		return
	}
	if w.Is(isDenied) {
		w.Base = denied[w.Text]
	} else if rest, ok := strings.CutPrefix(w.Text, "non"); ok && len(rest) >= shortestDenied && !nonWords[w.Text] {
		w.Base = rest
	}
	if w.Base != "" {
		w.Negative, w.Class = true, lexicon[w.Base]
	}
	if n := len(l.Words); n > 0 && w.Glued && l.Words[n-1].Text == "non" {
		w.Negative = !w.Negative
	}
	w.Bold, w.Struck, w.Line = l.bold, l.struck, l.line
	l.Words = append(l.Words, w)
}

// signed reports a sign that makes a word another one: the C of C++, the 1 of -1, the 10 of <10. A plus before a number does not.
func (l *lexer) signed(start, end int) bool {
	if signedAt(l.Source, end) {
		return true
	}
	if !DigitAt(l.Source, start) || start == 0 || start == l.tagged {
		return false
	}
	switch ahead := RuneBefore(l.Source, start); ahead {
	case '-', '–':
		left := RuneBefore(l.Source, start-utf8.RuneLen(ahead))
		return left != '-' && !WordRune(left)
	case '<', '>', '=', '≤', '≥':
		left := RuneBefore(l.Source, start-utf8.RuneLen(ahead))
		return ahead != '=' && left != '-' && left != '=' || left == '<' || left == '>'
	}
	return false
}

// gluedAt reports a word that a hyphen or an underscore joins to the one before; bold letters do not part them.
func (l *lexer) gluedAt(start int) bool {
	if start == 0 || l.Source[start-1] == ' ' || l.Source[start-1] == '\n' {
		return false
	}
	left := strings.TrimRight(l.Source[:start], "*")
	last, size := utf8.DecodeLastRuneInString(left)
	if !strings.ContainsRune("-_–", last) {
		return false
	}
	left = strings.TrimRight(left[:len(left)-size], "*")
	return WordBefore(left, len(left))
}

// runEnd is where a run of letters and digits ends, with the apostrophes in between.
func runEnd(text string, at int) int {
	first, size := utf8.DecodeRuneInString(text[at:])
	if ideograph(first) {
		return at + size
	}
	for at < len(text) {
		if ASCIIWord(text[at]) {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		apostrophe := r == '\'' && at+1 < len(text) && WordAt(text, at+1) && text[at+1] != '\''
		if ideograph(r) || !WordRune(r) && !apostrophe {
			break
		}
		at += size
	}
	return at
}

// Capital reports at least two letters, all of them capitals; a plural s may follow: APIs.
func Capital(run string) bool {
	letters := 0
	for i, r := range run {
		switch {
		case r == 's' && i == len(run)-1 && letters >= 2:
		case r >= 'a' && r <= 'z' || r >= utf8.RuneSelf && unicode.IsLower(r):
			return false
		case r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsUpper(r):
			letters++
		}
	}
	return letters >= 2
}

// runeStart is the beginning of the character that a byte belongs to.
func runeStart(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// ASCIIWord reports an ASCII letter or digit.
func ASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// WordRune reports a letter, a digit, or a mark on one.
func WordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return ASCIIWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// ideograph reports a script that is written without spaces; each of its characters is a word here.
func ideograph(r rune) bool {
	return r >= firstIdeograph && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// firstIdeograph is the first character of the scripts that ideograph looks for: CJK radicals begin there.
const firstIdeograph = 0x2e80

// WordAt reports a letter or digit at a byte of a text.
func WordAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return r != utf8.RuneError && WordRune(r)
}

// WordBefore reports a letter or digit right before a byte of a text.
func WordBefore(text string, at int) bool {
	r := RuneBefore(text, at)
	return r != utf8.RuneError && WordRune(r)
}

// RuneBefore is the character before a place.
func RuneBefore(text string, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(text[:max(at, 0)])
	return r
}

// DigitAt reports an ASCII digit at a byte of a text.
func DigitAt(text string, at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }

func digitBefore(text string, at int) bool { return at > 0 && DigitAt(text, at-1) }
