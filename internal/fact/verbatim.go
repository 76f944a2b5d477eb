package fact

import (
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// maxVerbatimWords is the largest number of words of a fact that isVerbatim looks for.
const maxVerbatimWords = 128

// isVerbatim reports whether an answer has the fact's words side by side and in order. The rest of the answer must not
// deny, ask, suppose or limit what they say. isVerbatim is tried before all other rules, and none of them overrules it.
func isVerbatim(f *frame, p *english.Text) bool {
	if len(f.text.Words) > maxVerbatimWords {
		return false
	}
	var buffer [maxVerbatimWords]termMatch
	for at := p.FirstOf(f.text.Words[0].Stem); at != english.NoWord; at = p.Next[at] {
		row, ok := matchRow(f, p, int(at), buffer[:0])
		if !ok || !sameManner(f, p, row) || row[0].from > 0 && p.Words[row[0].from-1].Text == "not" {
			continue
		}
		if !f.strictness.strict {
			return true
		}
		if r := newReading(f, p); r == nil || !isPartial(r, row) {
			return true
		}
	}
	return false
}

// matchRow matches the fact's words with the answer's words from words[start] on, which must be side by side. It
// appends each matched word of the answer to row. It returns false if the words differ.
func matchRow(f *frame, p *english.Text, start int, row []termMatch) (_ []termMatch, ok bool) {
	own, i := f.text, start
	for k := range own.Words {
		if i == len(p.Words) {
			return nil, false
		}
		word := termMatch{place: place{i, i + 1}, term: f.termOf[k]}
		valued := k > 0 && isValue(p, i)
		if valued && presentVerbs[own.Words[k].Text] && !presentVerbs[p.Words[i].Text] {
			row = append(row, word) // "Refund: guaranteed" has no "is"
			continue
		}
		if !sameWord(f, p, i, k) || k > 0 && !valued && p.MarkBefore(i) != 0 && own.MarkBefore(k) == 0 ||
			k > 0 && p.SentenceOf(i)-p.SentenceOf(i-1) != own.SentenceOf(k)-own.SentenceOf(k-1) {
			return nil, false
		}
		row, i = append(row, word), i+1
	}
	return row, true
}

// sameWord reports whether the answer's word at i is the fact's word at k, in any inflection.
func sameWord(f *frame, p *english.Text, i, k int) bool {
	a, b := &f.text.Words[k], &p.Words[i]
	name := a.AllCaps && a.Is(english.IsFunction) && strings.ToUpper(f.source) != f.source // IT, and not it
	return (a.Stem == b.Stem || presentVerbs[a.Text] && presentVerbs[b.Text]) && signOf(f.text, k) == signOf(p, i) &&
		(!name || b.AllCaps) && (a.Quantity == nil || b.Quantity != nil && a.Quantity.Matches(*b.Quantity))
}

// signOf returns the sign that is part of the word at i and gives it another meaning: the + of C++, the - of -1. It
// returns "" if there is none.
func signOf(p *english.Text, i int) string {
	switch w := &p.Words[i]; {
	case !w.HasSign:
		return ""
	case int(w.End) < len(p.Source) && (p.Source[w.End] == '+' || p.Source[w.End] == '#'):
		return p.Source[w.End : w.End+1]
	default:
		return p.Source[max(0, w.Start-1):w.Start]
	}
}

// isValue reports whether the word at i may be the value of a key: a colon or a cell border comes right before it.
func isValue(p *english.Text, i int) bool { return p.MarkBefore(i) == ':' || p.MarkBefore(i) == '|' }

// sameManner reports whether the answer denies, asks and doubts each of the fact's words only as far as the fact does.
// The fact's own "no" and "if" belong to the fact.
func sameManner(f *frame, p *english.Text, row []termMatch) bool {
	own, from, to := f.text, row[0].from, row[len(row)-1].to
	for k, word := range row {
		i := word.from
		if p.DeniesOutside(i, from, to) != own.DeniesOutside(k, 0, len(own.Words)) || polarityDiffers(f, p, i, k) ||
			p.FactualityOf(i, f.uses) > own.FactualityOf(k, f.uses) {
			return false
		}
	}
	return true
}

// polarityDiffers compares two equal words: the answer's at i and the fact's at k. It reports whether only one of the
// two has a denial within it, as non-compliant has. "bug free" counts as "bug-free".
func polarityDiffers(f *frame, p *english.Text, i, k int) bool {
	a, b := &f.text.Words[k], &p.Words[i]
	prefixed := k > 0 && f.text.Words[k-1].Text == "non" || k+1 < len(f.text.Words) && f.text.Words[k+1].Text == "free"
	return !prefixed && (a.Negative || a.IsDenial) != (b.Negative || b.IsDenial)
}
