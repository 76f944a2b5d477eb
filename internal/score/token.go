package score

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, lower case and without contractions, or a mark that ends or divides something.
type token struct {
	text   string
	word   bool
	upper  bool // its first letter was upper case
	loud   bool // all of its letters were, two at least
	glued  bool // joined to the word before it by a hyphen or an underscore
	bold   bool
	struck bool // ~~crossed out~~
	signed bool // a sign makes it another word: the C of C++, the 1 of -1, the 10 of <10
	quoted bool // stands alone in quotes or brackets
	line   int
	sent   int // sentence
	clause int
}

// tokenise cuts a text into tokens. Labels whose symbols belong to them are one word each.
func (x *shapes) tokenise(text string) []token {
	l := &lexer{text: plain(middleCut(text)), shapes: x}
	if len(x.all) > 0 {
		l.text = asciiSigns.Replace(l.text)
	}
	l.tokens, l.quotes = make([]token, 0, len(l.text)/4+8), quotations(l.text)
	for l.at < len(l.text) {
		l.next()
	}
	l.strikeQuotes()
	tokens := markSentences(expand(l.tokens))
	return slices.Clip(tokens)
}

type lexer struct {
	text   string
	shapes *shapes
	at     int
	line   int
	bold   bool
	struck bool
	tagged int // where the last tag ended
	tokens []token
	quotes [][2]int // of text
	places []int    // of tokens in text; only where there are quotes
}

func (l *lexer) next() {
	if name, end, ok := l.shapes.at(l.text, l.at); ok {
		quoted := bracketBefore(l.text, l.at) && bracketAt(l.text, end)
		l.word(token{text: name, upper: true, glued: l.gluedAt(l.at), quoted: quoted})
		l.at = end
		return
	}
	r, size := utf8.DecodeRuneInString(l.text[l.at:])
	rest := l.text[l.at:]
	switch {
	case wordRune(r):
		l.words()
	case strings.HasPrefix(rest, "**"), strings.HasPrefix(rest, "__"):
		l.bold = !l.bold
		l.at += 2
	case strings.HasPrefix(rest, "~~"):
		l.struck = !l.struck
		l.at += 2
	case r == '<':
		l.tag()
	case r == '\n':
		if !l.wraps() {
			l.mark("\n")
		}
		l.line++
		l.at++
	case r == '\'' || r == '"' || r == '*' || r == '_' || r == '#' || r == '\\' || unicode.IsSpace(r):
		l.at += size
	case r == '-' || r == '–' || r == '—':
		l.dash(size)
	default:
		l.mark(string(r))
		l.at += size
	}
}

// strikeQuotes strikes out what somebody else is quoted to say.
func (l *lexer) strikeQuotes() {
	for _, q := range l.quotes {
		from, _ := slices.BinarySearch(l.places, q[0])
		to, _ := slices.BinarySearch(l.places, q[1])
		if wordsIn(l.tokens[from:to]) < quotedWords || !l.spoken(from, to) {
			continue
		}
		for i := range l.tokens[from:to] {
			l.tokens[from+i].struck = true
		}
	}
}

// spoken reports that tokens[from:to] have a speaker, right before them or behind them in the sentence.
func (l *lexer) spoken(from, to int) bool {
	before := from - 1
	for before >= 0 && (l.tokens[before].text == ":" || l.tokens[before].text == ",") {
		before--
	}
	if before >= 0 && speaks[l.tokens[before].text] {
		return true
	}
	if to > from && ends(l.tokens, to-1) {
		return false
	}
	for i := to; i < min(len(l.tokens), to+speakerReach) && !ends(l.tokens, i); i++ {
		if speaks[l.tokens[i].text] {
			return true
		}
	}
	return false
}

func (l *lexer) mark(text string) {
	l.place()
	l.tokens = append(l.tokens, token{text: text, line: l.line, bold: l.bold})
}

// wrappedWords is the fewest words of a line that is taken for one that was wrapped where it grew too long.
const wrappedWords = 4

// wraps reports a line break within a sentence: between two words of a label, or in a text that was wrapped, where neither line has
// a key.
func (l *lexer) wraps() bool {
	line := strings.TrimRight(l.text[strings.LastIndexByte(l.text[:l.at], '\n')+1:l.at], " ")
	next, _, _ := strings.Cut(strings.TrimLeft(l.text[l.at+1:], " "), "\n")
	if len(l.tokens) == 0 || line == "" || next == "" || !wordAt(next, 0) || !strings.ContainsRune(",-", rune(line[len(line)-1])) && !wordBefore(line, len(line)) {
		return false
	}
	word := strings.ToLower(next[:runEnd(next, 0)])
	if l.shapes.pairs[l.tokens[len(l.tokens)-1].text+" "+word] {
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
	if strings.HasPrefix(l.text[after:], ">") {
		l.mark(":")
		l.at = after + 1
		return
	}
	left, right := strings.TrimRight(l.text[:l.at], "*"), strings.TrimLeft(l.text[after:], "*\n")
	if !wordAt(right, 0) || !wordBefore(left, len(left)) {
		l.mark("–")
	}
	l.at = after
}

// tag skips <b> and its like; <answer> becomes a cue, any other tag a break. What only looks like a tag is a mark.
func (l *lexer) tag() {
	end := strings.IndexByte(l.text[l.at:min(l.at+40, len(l.text))], '>')
	if end < 0 || !wordAt(strings.TrimPrefix(l.text[l.at+1:], "/"), 0) {
		l.mark("<")
		l.at++
		return
	}
	name, attributes, _ := strings.Cut(strings.ToLower(strings.Trim(l.text[l.at+1:l.at+end], "/")), " ")
	open := l.text[l.at+1] != '/'
	if key, _, ok := strings.Cut(attributes, "="); ok && verdictNouns[key] {
		l.mark("\n")
		l.at += len(name) + 2 // what it says is read as text
		return
	}
	l.at += end + 1
	l.tagged = l.at
	switch {
	case name == "b" || name == "strong":
		l.bold = open
	case name == "s" || name == "del" || name == "strike":
		l.struck = open
	case open && verdictNouns[name]:
		l.word(token{text: name})
		l.mark(":")
	default:
		l.mark("\n")
	}
}

// words reads one run of letters and digits, which holds several words if it is written in camel case.
func (l *lexer) words() {
	start := l.at
	end := l.numberEnd(runEnd(l.text, start))
	if na := start + len("n/a"); end == start+1 && na <= len(l.text) && strings.EqualFold(l.text[start:na], "n/a") && !wordAt(l.text, na) {
		end = na // one word, and no choice between two letters
	}
	run := l.text[start:end]
	quoted := bracketBefore(l.text, start) && bracketAt(l.text, end)
	glued := l.gluedAt(start)
	if !humped(run) {
		first, _ := utf8.DecodeRuneInString(run)
		l.word(token{text: strings.ToLower(run), upper: unicode.IsUpper(first), glued: glued, quoted: quoted, signed: l.signed(start, end)})
		l.at = end
		return
	}
	for _, part := range camel(run) {
		first, _ := utf8.DecodeRuneInString(part)
		l.word(token{text: strings.ToLower(part), upper: unicode.IsUpper(first), loud: capital(part), glued: glued, quoted: quoted})
		glued = true
	}
	l.at = end
}

// place notes where the token that is added next begins.
func (l *lexer) place() {
	if l.quotes != nil {
		l.places = append(l.places, l.at)
	}
}

// numberEnd is where a run ends that may go on behind a point between digits: 4.5, v1.20.
func (l *lexer) numberEnd(end int) int {
	for digitBefore(l.text, end) && end < len(l.text) && l.text[end] == '.' && digitAt(l.text, end+1) {
		end = runEnd(l.text, end+1)
	}
	return end
}

// signed reports a sign that makes a word another one. A plus before a number does not.
func (l *lexer) signed(start, end int) bool {
	if signedAt(l.text, end) {
		return true
	}
	if !digitAt(l.text, start) || start == 0 || start == l.tagged {
		return false
	}
	switch ahead := before(l.text, start); ahead {
	case '-', '–':
		left := before(l.text, start-utf8.RuneLen(ahead))
		return left != '-' && !wordRune(left)
	case '<', '>', '=', '≤', '≥':
		left := before(l.text, start-utf8.RuneLen(ahead))
		return ahead != '=' && left != '-' && left != '=' || left == '<' || left == '>'
	}
	return false
}

// word adds a word as it stands here.
func (l *lexer) word(t token) {
	t.word, t.bold, t.struck, t.line = true, l.bold, l.struck, l.line
	l.place()
	l.tokens = append(l.tokens, t)
}

// humped reports a capital behind another letter, without which no word is camel case.
func humped(run string) bool {
	for i, r := range run {
		if i > 0 && (r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsUpper(r)) {
			return true
		}
	}
	return false
}

// gluedAt reports a word that a hyphen or an underscore joins to the one before; bold letters do not part them.
func (l *lexer) gluedAt(start int) bool {
	left := strings.TrimRight(l.text[:start], "*")
	last, size := utf8.DecodeLastRuneInString(left)
	if !strings.ContainsRune("-_–", last) {
		return false
	}
	left = strings.TrimRight(left[:len(left)-size], "*")
	return wordBefore(left, len(left))
}

func runEnd(text string, at int) int {
	first, size := utf8.DecodeRuneInString(text[at:])
	if ideograph(first) {
		return at + size
	}
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		apostrophe := r == '\'' && at+1 < len(text) && wordAt(text, at+1) && text[at+1] != '\''
		if ideograph(r) || !wordRune(r) && !apostrophe {
			break
		}
		at += size
	}
	return at
}

// camel splits NonCompliant, and leaves NIST and iPhones whole.
func camel(run string) []string {
	var parts []string
	start, previous := 0, rune(0)
	for i, r := range run {
		if i-start >= 3 && unicode.IsUpper(r) && unicode.IsLower(previous) {
			parts = append(parts, run[start:i])
			start = i
		}
		previous = r
	}
	return append(parts, run[start:])
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// ideograph reports a script that is written without spaces; each of its characters is a word here.
func ideograph(r rune) bool {
	return r >= firstIdeograph && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// firstIdeograph is the first character of the scripts that ideograph looks for: CJK radicals begin there.
const firstIdeograph = 0x2e80

func wordAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return r != utf8.RuneError && wordRune(r)
}

func wordBefore(text string, at int) bool {
	r := before(text, at)
	return r != utf8.RuneError && wordRune(r)
}

func before(text string, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(text[:max(at, 0)])
	return r
}

func bracketBefore(text string, at int) bool {
	return strings.ContainsRune("\"'([{*", before(text, at))
}

func bracketAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return strings.ContainsRune("\"')]}*", r)
}

func digitAt(text string, at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }

func digitBefore(text string, at int) bool { return at > 0 && digitAt(text, at-1) }
