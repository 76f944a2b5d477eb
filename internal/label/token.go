package label

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// token is a word, lower case and without contractions, or a mark that ends or divides something.
type token struct {
	text   string
	base   string // the word that it denies by itself
	at     int    // its place in Text.Words; of a mark, that of the word behind it
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
	inner  int    // the part of it that says or denies one thing
	asks   bool   // its sentence ends in a question mark
	reply  string // the yes or no behind that, else ""
}

// tokenise cuts a text into tokens. Labels whose symbols belong to them are one word each.
func tokenise(x *english.Names, text string) []token {
	return tokensOf(english.ReadWith(middleCut(text), x))
}

// tokensOf puts the words and the marks of a text into one row.
func tokensOf(p *english.Text) []token {
	out := make([]token, 0, len(p.Words)+len(p.Marks))
	m := 0
	for i := range p.Words {
		for ; m < len(p.Marks) && p.Marks[m].At <= i; m++ {
			out = appendMark(out, p.Marks[m])
		}
		out = appendWord(out, p, i)
	}
	for ; m < len(p.Marks); m++ {
		out = appendMark(out, p.Marks[m])
	}
	sentence, clause, inner := 0, 0, 0
	for i := range out {
		if t := &out[i]; t.word {
			t.denial = p.Words[t.at].Denial
			c := p.Words[t.at].Clause
			inner = int(c)
			if sentence = int(p.Clauses[c].Sentence); !p.Clauses[c].Inner {
				clause = int(c)
			}
		}
		out[i].sent, out[i].clause, out[i].inner = sentence, clause, inner
		if p.Replies != nil {
			out[i].reply, out[i].asks = p.Replies[int32(sentence)], p.Asks(int32(sentence))
		}
	}
	return out
}

func appendMark(out []token, m english.Mark) []token {
	if m.Rune == english.Soft {
		return out
	}
	return append(out, token{text: markText(m.Rune), at: m.At, line: int(m.Line), bold: m.Bold})
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

// appendWord adds a word; one in camel case holds several, and so does SEV2, which may be written SEV-2.
func appendWord(out []token, p *english.Text, i int) []token {
	w := &p.Words[i]
	run := p.Source[w.Start:w.End]
	t := token{text: w.Text, base: w.Base(), word: true, upper: w.Literal || upperAt(run), glued: w.Glued, bold: w.Bold, struck: w.Struck, signed: w.Signed,
		at: i, quoted: bracketBefore(p.Source, int(w.Start)) && bracketAt(p.Source, int(w.End)), line: int(w.Line)}
	if last := len(out) - 1; t.glued && last >= 0 && out[last].text == "un" {
		out[last].text += t.text // un-verified
		return out
	}
	if cut := figures(w.Text); cut > 0 && !w.Literal && len(w.Text) == len(run) {
		t.text, t.loud, t.signed = w.Text[:cut], english.Capital(run[:cut]), false
		out = append(out, t)
		t.text, t.upper, t.loud, t.signed, t.glued = w.Text[cut:], false, false, w.Signed, true
		return append(out, t)
	}
	if w.Literal || !humped(run) || t.base != "" || len(w.Text) != len(run) {
		t.loud = w.Capitals
		return append(out, t)
	}
	for _, part := range camel(run) {
		t.text, t.upper, t.loud = strings.ToLower(part), upperAt(part), english.Capital(part)
		t.signed = false
		out = append(out, t)
		t.glued = true
	}
	return out
}

// figures is where the digits begin that end a word of letters; 0 if it is no such word.
func figures(word string) int {
	cut := len(word)
	for cut > 0 && english.DigitAt(word, cut-1) {
		cut--
	}
	for i := range cut {
		if c := word[i]; c < 'a' || c > 'z' {
			return 0
		}
	}
	return cut % len(word)
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
	return strings.ContainsRune("\"'([{*", english.RuneBefore(text, at))
}

func bracketAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return strings.ContainsRune("\"')]}*", r)
}

// MaxBytes bounds the text that is searched: a label stands at the beginning or at the end of an answer.
const MaxBytes = 128 << 10

func middleCut(text string) string {
	if len(text) <= MaxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:MaxBytes/2], "") + "\n\n" + strings.ToValidUTF8(text[len(text)-MaxBytes/2:], "")
}
