package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// answerBlock is one side's answer.
type answerBlock struct {
	Side   string // base or head; empty where there is one side only
	Trial  string
	Pieces []answerPiece
	Empty  bool
	Left   bool   // there is more of it
	Whole  string // the file in which all of it stands
	Long   bool   // the page gives it a box of its own to scroll
}

// answerPiece is a run of an answer. Of a long run that both answers have, the middle is folded, so that the words that differ
// are seen without scrolling.
type answerPiece struct {
	Text string
	Own  bool
	Fold string // what is folded after Text; "" for nothing
	Tail string // what follows the fold
	Size string // of the fold, in words
	Did  bool   // of a prompt: it broke something
	Note string // what, behind its last piece
}

// Where answers are compared word by word.
const (
	leastCommon = 0.2 // of their words; texts that share fewer are other texts, and marks would only disturb
	mostMarks   = 200
	shortTexts  = 300 // bytes of both, in which the eye needs neither marks nor a word on their absence
)

// answerBlocks are both answers with the words that differ, or the one there is.
func (v printer) answerBlocks(c report.Change, base, head answer) (out []answerBlock, note string) {
	both := v.Compared && c.Base != nil && c.Head != nil
	if base.text == "" && head.text == "" {
		return nil, ""
	}
	if !both || base.text == "" && c.Base.Right() && c.Head.Right() {
		return v.oneAnswer(c, base, head), ""
	}
	d := worddiff.Words(base.text, head.text)
	switch {
	case base.text == head.text:
		note = "Both sides gave the same answer."
	case base.text == "" || head.text == "", d.Common < leastCommon && len(base.text)+len(head.text) < shortTexts:
		d = unmarked(base.text, head.text)
	case d.Common < leastCommon || len(d.Base) > mostMarks || len(d.Head) > mostMarks:
		d, note = unmarked(base.text, head.text), "The answers differ in most of their words, so none is marked."
	}
	return []answerBlock{answerOf("base", c.Base, d.Base, base), answerOf("head", c.Head, d.Head, head)}, note
}

// What a box of an answer holds without scrolling, on a telephone too.
const longText, longLines = 700, 14

func unmarked(base, head string) worddiff.Diff {
	return worddiff.Diff{Base: []worddiff.Piece{{Text: base}}, Head: []worddiff.Piece{{Text: head}}}
}

func (v printer) oneAnswer(c report.Change, base, head answer) []answerBlock {
	switch d := unmarked(base.text, head.text); {
	case c.Head == nil:
		return []answerBlock{answerOf("base", c.Base, d.Base, base)}
	case v.Compared:
		return []answerBlock{answerOf("head", c.Head, d.Head, head)}
	default:
		return []answerBlock{answerOf("", c.Head, d.Head, head)}
	}
}

func answerOf(side string, o *report.Outcome, pieces []worddiff.Piece, a answer) answerBlock {
	b := answerBlock{Side: side, Pieces: foldAlike(pieces), Empty: a.text == "", Left: a.left,
		Long: len(a.text) > longText || strings.Count(a.text, "\n") > longLines}
	if b.Whole = "results.jsonl"; side == "base" {
		b.Whole = "base.jsonl"
	}
	if o.Trials > 1 && o.Trial > 0 {
		b.Trial = fmt.Sprintf("answer %d of %d", o.Trial, o.Trials)
	}
	return b
}

// Of a run that both answers have, what is shown before and after a fold, and the least that is worth one, in bytes.
const alikeEnds, alikeFold = 160, 300

// foldAlike folds the long runs that both answers have. An answer of one piece has nothing that differs, and stays whole.
func foldAlike(pieces []worddiff.Piece) []answerPiece {
	out := make([]answerPiece, len(pieces))
	for i, p := range pieces {
		out[i] = answerPiece{Text: p.Text, Own: p.Own}
		if p.Own || len(pieces) == 1 || len(p.Text) < 2*alikeEnds+alikeFold {
			continue
		}
		start, end := wordEnd(p.Text, alikeEnds), wordEnd(p.Text, len(p.Text)-alikeEnds)
		out[i].Text, out[i].Fold, out[i].Tail = p.Text[:start], p.Text[start:end], p.Text[end:]
		out[i].Size = show.Count(utf8.RuneCountInString(out[i].Fold), "character") + " alike"
	}
	return out
}

// wordEnd is the first end of a word at or after a place of a text, or the next character where there is no space nearby.
func wordEnd(text string, from int) int {
	if space := strings.IndexByte(text[from:min(len(text), from+40)], ' '); space >= 0 {
		return from + space + 1
	}
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}
