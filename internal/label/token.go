package label

import (
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// token is a word, in lower case and with contractions written out, or a mark that ends or divides something.
type token struct {
	text          string
	at            int // index in Text.Words of this word; for a mark, of the next word
	word          bool
	upper         bool // its first letter was upper case
	loud          bool // at least two letters, all in upper case
	glued         bool // joined to the word before it by a hyphen or an underscore
	bold          bool
	struck        bool           // crossed out by ~~
	denial        bool           // denies what follows, alone or with the next word as in "far from"
	signed        bool           // a sign makes it another word: the C of C++, the 1 of -1, the 10 of <10
	owner         bool           // ends in "'s": what follows is somebody's
	constructions []construction // the rows that are searched for at it
	doubt         int            // index of the word that hedges its statement, or none

	lineNumber     int32 // number of its line
	clause         int32 // index of the first token of its clause
	inner          int32 // number of the part of its clause that says or denies one thing
	line, sentence span
}

// span is a half-open range of tokens.
type span struct{ from, to int32 }

// tokensOf returns the words and the marks of p in their order.
func tokensOf(p *english.Text) tokens {
	out := make(tokens, 0, len(p.Words)+len(p.Marks))
	m := 0
	for i := range len(p.Words) + 1 {
		for ; m < len(p.Marks) && p.Marks[m].At <= i; m++ {
			if mark := &p.Marks[m]; mark.Rune != english.Soft {
				out = append(out, token{text: string(mark.Rune), at: i, lineNumber: mark.Line, bold: mark.Bold})
			}
		}
		if i < len(p.Words) {
			out = appendWord(out, p, i)
		}
	}
	place(out, p)
	markDoubts(out)
	return out
}

// place sets the line, the sentence, the clause and the rows of each token. A mark belongs to the sentence and the
// clause of the word before it.
func place(out tokens, p *english.Text) {
	for i := range out {
		t, before := &out[i], &out[max(0, i-1)]
		t.line, t.sentence, t.clause, t.inner = before.line, before.sentence, before.clause, before.inner
		t.constructions = rowsAt[t.text]
		if t.lineNumber != before.lineNumber {
			t.line.from = int32(i)
		}
		if !t.word {
			continue
		}
		inner := p.Words[t.at].Clause
		c := &p.Clauses[inner]
		if c.Sentence != p.Clauses[t.inner].Sentence {
			t.sentence.from = int32(i)
		}
		if inner != t.inner && !c.Inner {
			t.clause = int32(i)
		}
		t.inner = inner
	}
	for i := len(out) - 1; i >= 0; i-- {
		t, next := &out[i], &out[min(i+1, len(out)-1)]
		t.line.end(i, next.line)
		t.sentence.end(i, next.sentence)
	}
}

// end sets the end of s, the span of the token at i. next is the span of the next token, which may be the same.
func (s *span) end(i int, next span) {
	if s.to = int32(i + 1); next.from == s.from {
		s.to = max(s.to, next.to)
	}
}

// appendWord appends the word at i. It joins "un" to the word behind it, and letters to digits, because SEV2 may also
// be written SEV-2.
func appendWord(out tokens, p *english.Text, i int) tokens {
	w := &p.Words[i]
	run := p.Source[w.Start:w.End]
	t := token{text: w.Text, word: true, upper: w.Literal || p.IsCapitalized(i), loud: w.AllCaps,
		glued: w.Hyphenated, bold: w.Bold, struck: w.Struck, denial: w.IsDenial, signed: w.HasSign, at: i, lineNumber: w.Line,
		owner: strings.HasSuffix(run, "'s") || strings.HasPrefix(p.Source[w.End:], "'s")}
	if last := len(out) - 1; t.glued && last >= 0 {
		before := &out[last].text
		if *before == "un" || english.IsDigitAt(t.text, 0) && (*before)[0] >= 'a' {
			*before += t.text // un-verified, SEV-2
			return out
		}
	}
	return append(out, t)
}

// MaxBytes is the largest length of a text that is searched whole. Of a longer text, only the beginning and the end are
// searched, because a label stands there.
const MaxBytes = 128 << 10
