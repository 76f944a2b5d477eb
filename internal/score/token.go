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
	quoted bool // stands alone in quotes or brackets
	line   int
	sent   int // sentence
	clause int
}

func tokenise(text string) []token {
	l := &lexer{text: plain(middleCut(text))}
	l.tokens = make([]token, 0, len(l.text)/4+8)
	for l.at < len(l.text) {
		l.next()
	}
	tokens := markSentences(expand(l.tokens))
	return slices.Clip(tokens)
}

type lexer struct {
	text   string
	at     int
	line   int
	bold   bool
	struck bool
	quote  int // the token that follows an open quotation mark, plus 1; 0: none is open
	tokens []token
}

func (l *lexer) next() {
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
		l.mark("\n")
		l.line++
		l.at++
		l.quote = 0
	case r == '"':
		l.quotation()
		l.at++
	case r == '.' && digitBefore(l.text, l.at) && digitAt(l.text, l.at+1):
		l.at++
	case r == '\'' || r == '*' || r == '_' || r == '#' || r == '\\' || unicode.IsSpace(r):
		l.at += size
	case r == '-' || r == '–' || r == '—':
		l.dash(size)
	default:
		l.mark(string(r))
		l.at += size
	}
}

// quotedWords is the fewest words in quotation marks that are speech; fewer are a name.
const quotedWords = 4

var speaks = set("says said say states stated reads read claims claimed writes wrote asks asked")

// quotation strikes out what somebody else is quoted to say.
func (l *lexer) quotation() {
	if l.quote == 0 {
		l.quote = len(l.tokens) + 1
		return
	}
	from := l.quote - 1
	l.quote = 0
	if len(l.tokens)-from < quotedWords || from == 0 || !speaks[l.tokens[from-1].text] {
		return
	}
	for i := range l.tokens[from:] {
		l.tokens[from+i].struck = true
	}
}

func (l *lexer) mark(text string) {
	l.tokens = append(l.tokens, token{text: text, line: l.line, bold: l.bold})
}

// dash tells the hyphen of a word, which only glues, from the dash between two phrases and from an arrow.
func (l *lexer) dash(size int) {
	after := l.at + size
	if strings.HasPrefix(l.text[after:], ">") {
		l.mark(":")
		l.at = after + 1
		return
	}
	left, right := strings.TrimRight(l.text[:l.at], "*"), strings.TrimLeft(l.text[after:], "*")
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
	switch {
	case name == "b" || name == "strong":
		l.bold = open
	case name == "s" || name == "del" || name == "strike":
		l.struck = open
	case open && verdictNouns[name]:
		l.tokens = append(l.tokens, token{text: name, word: true, line: l.line})
		l.mark(":")
	default:
		l.mark("\n")
	}
}

// words reads one run of letters and digits, which holds several words if it is written in camel case.
func (l *lexer) words() {
	start := l.at
	end := runEnd(l.text, start)
	if na := start + len("n/a"); end == start+1 && na <= len(l.text) && strings.EqualFold(l.text[start:na], "n/a") && !wordAt(l.text, na) {
		end = na // one word, and no choice between two letters
	}
	run := l.text[start:end]
	quoted := bracketBefore(l.text, start) && bracketAt(l.text, end)
	glued := l.gluedAt(start)
	if !humped(run) {
		first, _ := utf8.DecodeRuneInString(run)
		l.word(token{text: strings.ToLower(run), upper: unicode.IsUpper(first), glued: glued, quoted: quoted})
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

// word adds a word as it stands here.
func (l *lexer) word(t token) {
	t.word, t.bold, t.struck, t.line = true, l.bold, l.struck, l.line
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
