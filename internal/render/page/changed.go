package page

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// changedPart says what the change touches and why suites run, and shows the prompt files, word by word.
type changedPart struct {
	Words   show.Phrase
	Did     []view.Lines // which of the lines broke what is broken
	Prompts []promptBlock
}

// promptBlock is a prompt file that changed.
type promptBlock struct {
	Place  place
	Suites string
	Cases  string // that alone are sent it; "" for all
	Texts  []answerBlock
	Open   bool
}

// How many prompts are shown unfolded, where so few changed, and how many suites of one are named.
const promptsOpen, suitesNamed, casesNamed = 1, 5, 5

func plainName(id string) string { return id }

// changedPart is nil where nothing is known of what changed.
func (v printer) changedPart() *changedPart {
	p := &changedPart{Words: v.View.Changed(), Did: v.WhichLines()}
	for _, x := range v.Report.Prompts {
		p.Prompts = append(p.Prompts, promptBlock{Place: v.At(x.Path, 0, 0), Suites: show.Some(x.Suites, suitesNamed, ", ", " and ", suiteName),
			Texts: promptTexts(x, p.Did), Cases: show.Some(x.Cases, casesNamed, ", ", " and ", plainName),
			Open: len(v.Report.Prompts) <= promptsOpen})
	}
	if len(p.Words)+len(p.Did)+len(p.Prompts) == 0 {
		return nil
	}
	return p
}

// promptTexts are both texts of a prompt with the words that differ, or the one there is.
func promptTexts(x report.Prompt, which []view.Lines) []answerBlock {
	base, head := show.Visible(string(x.Base)), show.Visible(string(x.Head))
	if x.Inline { // the lines of the suite's file are others
		which = nil
	}
	d := worddiff.Words(base, head)
	if len(d.Base) > mostMarks || len(d.Head) > mostMarks || base == "" {
		d = unmarked(base, head)
	}
	now := promptText("head", head, promptPieces(d.Head, didMarks(which, "head", x.Path, head)))
	if base == "" {
		return []answerBlock{now}
	}
	return []answerBlock{promptText("base", base, promptPieces(d.Base, didMarks(which, "base", x.Path, base))), now}
}

func promptText(side, text string, pieces []answerPiece) answerBlock {
	return answerBlock{Side: side, Pieces: pieces, Empty: text == "", Long: len(text) > longText || strings.Count(text, "\n") > longLines}
}

// didMark is a part of a prompt that broke something, in bytes of its text, and what it did.
type didMark struct {
	from, to int
	note     string
}

// didMarks are those of a side of a prompt: at the head the lines that are there, at the base those that were taken out.
func didMarks(all []view.Lines, side, path, text string) (out []didMark) {
	for _, one := range all {
		for _, r := range one.Regions {
			from, to := lineSpan(text, r.First, r.Last)
			if side == "base" {
				from, to = lineSpan(text, r.BaseFirst, r.BaseLast)
			}
			if r.Path == path && from < to && (side != "base" || r.Last < r.First) {
				out = append(out, didMark{from, to, one.Phrase.Plain(show.NameRunes)})
			}
		}
	}
	return out
}

// lineSpan is where lines stand in a text, from 1 on, without the end of the last one; nowhere where the text does not have them all.
func lineSpan(text string, first, last int) (from, to int) {
	at, n := 0, 1
	for line := range strings.SplitSeq(text, "\n") {
		if n == first {
			from = at
		}
		if n == last && 1 <= first && first <= last {
			return from, at + len(line)
		}
		at, n = at+len(line)+1, n+1
	}
	return 0, 0
}

// promptPieces are the pieces of a prompt's text with the parts marked that broke something. Of two that overlap the first counts.
func promptPieces(pieces []worddiff.Piece, marks []didMark) (out []answerPiece) {
	if len(marks) == 0 {
		return foldAlike(pieces)
	}
	at := 0
	var plain []worddiff.Piece
	flush := func() {
		if len(plain) > 0 {
			out = append(out, foldAlike(plain)...)
			plain = nil
		}
	}
	for _, p := range pieces {
		for text := p.Text; text != ""; {
			mark, n := nextMark(marks, at, len(text))
			if mark == nil {
				plain = append(plain, worddiff.Piece{Text: text[:n], Own: p.Own})
			} else {
				flush()
				one := answerPiece{Text: text[:n], Own: p.Own, Did: true}
				if at+n == mark.to {
					one.Note = mark.note
				}
				out = append(out, one)
			}
			text, at = text[n:], at+n
		}
	}
	flush()
	return out
}

// nextMark is the mark that a place of a text lies in, nil for none, and how far it goes on so, at most so many bytes.
func nextMark(marks []didMark, at, most int) (*didMark, int) {
	n := most
	for i := range marks {
		m := &marks[i]
		switch {
		case m.from <= at && at < m.to:
			return m, min(most, m.to-at)
		case m.from > at:
			n = min(n, m.from-at)
		}
	}
	return nil, n
}
