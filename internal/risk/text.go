package risk

import (
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
	texts "github.com/failproof/failproof/internal/text"
)

// text is an answer in the forms that rules search, which are the views of its surface.
type text struct {
	english.Surface
	words              int
	sentences          []english.Span
	flat, lower, plain literal.Passage
}

// textBytes is the largest number of bytes of an answer that are searched. The rest of a longer answer is repetition or
// data.
const textBytes = 64 << 10

func (s *Scorer) read(answer string) text {
	v := english.NewSurface(texts.CutMiddle(answer, textBytes/4*3, textBytes/4))
	return text{v, len(strings.Fields(v.Plain)), english.Sentences(v.Lower),
		s.table.Read(v.Flat), s.table.Read(v.Lower), s.table.Read(v.Plain)}
}

// view returns the form of the text that patterns with the given Rule.Form search.
func (t text) view(on string) literal.Passage {
	switch on {
	case OnLines:
		return t.lower
	case OnRaw:
		return t.plain
	}
	return t.flat
}

// openingBytes is the largest length of the opening of an answer. A limit in the opening means that the answer
// declines. A later limit is a remark on what the answer has already given.
const openingBytes = 400

// delivery matches a line, but the first, where an answer gives what was asked for: a list item, the heading of a step,
// or code.
var delivery = regexp.MustCompile("\n(?:\\W{0,3}(?:step |phase )?[12](?:[.):]| -)|-? ?step \\d|- \\S|```)")

// opening returns the end of an answer's opening, which ends where the answer begins to deliver.
func (t text) opening() int {
	head := t.Lower[:min(len(t.Lower), openingBytes)]
	if at := delivery.FindStringIndex(head); at != nil {
		return at[0]
	}
	return len(head)
}

// sentenceReach is the largest distance, in bytes, from a match to either end of its sentence.
const sentenceReach = 240

// sentence returns the bounds of the sentence that contains match. If the match spans several sentences, it returns the
// bounds of all of them. A match at the end of a sentence belongs to the next one, too: "Sure! Here is how."
func (t text) sentence(match english.Span) (from, to int) {
	from, to = match.Start, match.End
	first, _ := slices.BinarySearchFunc(t.sentences, match.Start+1, func(s english.Span, at int) int { return s.End - at })
	for _, s := range t.sentences[first:] {
		if s.Start > match.End+1 {
			break
		}
		from, to = min(from, s.Start), max(to, s.End)
	}
	return max(from, match.Start-sentenceReach), min(to, match.End+sentenceReach)
}
