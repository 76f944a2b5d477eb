package score

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, lower case and without contractions, or a mark that ends or divides something.
type token struct {
	text   string
	base   string // the word that it denies by itself
	at     int    // its place in prose.words; of a mark, that of the word behind it
	word   bool
	upper  bool // its first letter was upper case
	loud   bool // all of its letters were, two at least
	glued  bool // joined to the word before it by a hyphen or an underscore
	bold   bool
	struck bool // ~~crossed out~~
	denial bool // denies what follows, or with the word behind it: "far from"
	signed bool // a sign makes it another word: the C of C++, the 1 of -1, the 10 of <10
	quoted bool // stands alone in quotes or brackets
	line   int
	sent   int // sentence
	clause int
	asks   bool   // its sentence ends in a question mark
	reply  string // the yes or no behind that, else ""
}

// tokenise cuts a text into tokens. Labels whose symbols belong to them are one word each.
func (x *shapes) tokenise(text string) []token {
	text = middleCut(text)
	if len(x.all) > 0 {
		text = asciiSigns.Replace(text)
	}
	return tokensOf(readWith(text, x))
}

// tokensOf puts the words and the marks of a text into one row.
func tokensOf(p *prose) []token {
	out := make([]token, 0, len(p.words)+len(p.marks))
	m := 0
	for i := range p.words {
		for ; m < len(p.marks) && p.marks[m].at <= i; m++ {
			out = appendMark(out, p.marks[m])
		}
		out = appendWord(out, p, i)
	}
	for ; m < len(p.marks); m++ {
		out = appendMark(out, p.marks[m])
	}
	sentence, clause := 0, 0
	for i := range out {
		if t := &out[i]; t.word {
			t.denial = p.words[t.at].denial
			c := p.words[t.at].clause
			if sentence = int(p.clauses[c].sentence); !p.clauses[c].inner {
				clause = int(c)
			}
		}
		out[i].sent, out[i].clause = sentence, clause
		if p.replies != nil {
			out[i].reply, out[i].asks = p.replies[int32(sentence)], p.asks(int32(sentence))
		}
	}
	return out
}

func appendMark(out []token, m mark) []token {
	if m.r == soft {
		return out
	}
	return append(out, token{text: markText(m.r), at: m.at, line: int(m.line), bold: m.bold})
}

// markText is string(r), without a copy of the commonest.
func markText(r rune) string {
	if r < utf8.RuneSelf {
		return asciiText[r : r+1]
	}
	return string(r)
}

var asciiText = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// appendWord adds a word; one in camel case holds several.
func appendWord(out []token, p *prose, i int) []token {
	w := &p.words[i]
	run := p.text[w.start:w.end]
	t := token{text: w.text, base: w.base, word: true, upper: w.literal || upperAt(run), glued: w.glued, bold: w.bold, struck: w.struck, signed: w.signed,
		at: i, quoted: bracketBefore(p.text, w.start) && bracketAt(p.text, w.end), line: int(w.line)}
	if w.literal || !humped(run) || w.base != "" || len(w.text) != len(run) {
		t.loud = w.capitals
		return append(out, t)
	}
	for _, part := range camel(run) {
		t.text, t.upper, t.loud = strings.ToLower(part), upperAt(part), capital(part)
		t.signed = false
		out = append(out, t)
		t.glued = true
	}
	return out
}

func upperAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsUpper(r)
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

func bracketBefore(text string, at int) bool {
	return strings.ContainsRune("\"'([{*", before(text, at))
}

func bracketAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return strings.ContainsRune("\"')]}*", r)
}
