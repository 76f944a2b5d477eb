package page

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// Bounds of the answers on the page, in bytes as the page writes them.
const (
	longestAnswer  = 16 << 10
	shortestAnswer = 1 << 10
	answersBytes   = 3 << 20
)

// answer is one side's answer in the trial that the report shows, truncated to what the page shows.
type answer struct {
	text      string
	truncated bool // the text is truncated
}

// find returns the result of the trial of a case that the report shows, on the given side. It returns false if the
// result is not available. After an error it finds nothing.
func (p *printer) find(side string, c report.Change) (report.Result, bool) {
	f := p.finders.Head
	if side == "base" {
		f = p.finders.Base
	}
	if f == nil || p.err != nil {
		return report.Result{}, false
	}
	r, found, err := f(c)
	if err != nil {
		p.err = fmt.Errorf("read the %s's answers: %w", side, err)
	}
	return r, found && err == nil
}

// answer returns a side's answer to a shown case, or its excerpt if the whole answer is not available.
func (p *printer) answer(side string, c report.Change, o *report.Outcome) (a answer) {
	if o == nil {
		return a
	}
	limit := min(longestAnswer, max(shortestAnswer, answersBytes/(2*len(p.shownCases))))
	r, found := p.find(side, c)
	if found && worddiff.IsExcerpt(string(o.Excerpt), string(r.ShownAnswer())) { // else the result is of another run
		return cutAnswer(string(r.ShownAnswer()), limit)
	}
	a = cutAnswer(string(o.Excerpt), limit)
	a.truncated = a.truncated || strings.Contains(string(o.Excerpt), "…")
	return a
}

// cutAnswer returns the beginning of an answer, with invisible characters made visible, cut to limit bytes as the page
// writes them.
func cutAnswer(all string, limit int) answer {
	start := text.FirstBytes(all, limit)
	shown := show.Visible(strings.Trim(strings.ReplaceAll(start, "\r\n", "\n"), "\n"))
	end, room := 0, limit
	for end < len(shown) {
		_, size := utf8.DecodeRuneInString(shown[end:])
		if room -= max(size, escapedBytes(shown[end])); room < 0 {
			break
		}
		end += size
	}
	return answer{strings.Clone(shown[:end]), len(start) < len(all) || end < len(shown)}
}

// escapedBytes returns the number of bytes in which html/template writes the byte c of a text.
func escapedBytes(c byte) int {
	switch c {
	case '"', '\'', '&', '+':
		return len("&#34;")
	case '<', '>':
		return len("&lt;")
	}
	return 1
}

// The limits of the answers of passing cases in the table of all cases: the bytes of one answer, the bytes of all
// answers, and the number of answers that are read.
const (
	maxPassingAnswer = 1 << 10
	maxPassingBytes  = 1 << 20
	maxPassingReads  = 2_000
)

// addAnswer adds the folded answer to the row of a passing case without a card, unless a limit for all rows is reached.
func (p *printer) addAnswer(row *caseRow, c report.Change) {
	if row.Href != "" || !c.Head.Right() || p.passingBytes >= maxPassingBytes || p.passingReads >= maxPassingReads {
		return
	}
	p.passingReads++
	if r, found := p.find("head", c); found {
		a := cutAnswer(string(r.RawResponse), maxPassingAnswer)
		row.Input, row.Answer, row.Truncated = strings.TrimSpace(show.Visible(string(r.Input))), a.text, a.truncated
		p.passingBytes += len(row.Input) + len(row.Answer)
	}
}

type answerBlock struct {
	Side      string // base or head; empty where there is one side only
	Trial     string
	Pieces    []answerPiece
	Empty     bool
	Truncated bool   // the answer is longer than what is shown
	File      string // the file with the whole answer
	Long      bool   // the page gives it a box of its own to scroll
}

// answerPiece is a part of an answer. The part is in both answers or in only one. The middle of a long common part is
// folded, so that differences are seen without scrolling.
type answerPiece struct {
	Text      string
	Changed   bool   // only one of the answers has it
	Fold      string // what is folded after Text; "" for nothing
	AfterFold string // what follows the fold
	Size      string // size of the fold, in words
	Broke     bool   // this piece of a prompt broke something
	Note      string // what it broke; set for the last piece of such a part
}

// Limits of the comparison word by word.
const (
	leastCommon = 0.2 // share of common words; with fewer, the texts are too different for marks to help
	mostMarks   = 200
	shortTexts  = 300 // bytes of both; differences of such short texts are seen without marks or a note
)

// answerBlocks returns both answers with the differing words marked, or the only answer. note says why none is marked.
func answerBlocks(v *story.Story, c report.Change, base, head answer) (out []answerBlock, note string) {
	if base.text+head.text == "" {
		return nil, ""
	}
	d := unmarked(base.text, head.text)
	switch {
	case c.Head == nil:
		return []answerBlock{newAnswerBlock("base", c.Base, d.Base, base)}, ""
	case !v.Compared || c.Base == nil || base.text == "" && c.Base.Right() && c.Head.Right():
		return []answerBlock{newAnswerBlock(show.When(v.Compared, "head"), c.Head, d.Head, head)}, ""
	}
	marked := worddiff.Words(base.text, head.text)
	switch {
	case base.text == head.text:
		note = "Both sides gave the same answer."
	case base.text == "" || head.text == "", marked.Common < leastCommon && len(base.text)+len(head.text) < shortTexts:
	case marked.Common < leastCommon || marked.Cut || len(marked.Base) > mostMarks || len(marked.Head) > mostMarks:
		note = "The answers differ in too many words to mark them."
	default:
		d = marked
	}
	return []answerBlock{newAnswerBlock("base", c.Base, d.Base, base), newAnswerBlock("head", c.Head, d.Head, head)},
		note
}

// longText and longLines are the most bytes and line ends of an answer that is shown without scrolling.
const longText, longLines = 700, 14

func unmarked(base, head string) worddiff.Diff {
	return worddiff.Diff{Base: []worddiff.Piece{{Text: base}}, Head: []worddiff.Piece{{Text: head}}}
}

func newAnswerBlock(side string, o *report.Outcome, pieces []worddiff.Piece, a answer) answerBlock {
	b := newTextBlock(side, a.text, foldCommon(pieces))
	b.Truncated, b.File = a.truncated, show.If(side == "base", "base.jsonl", "results.jsonl")
	b.Trial = show.When(o.Trials > 1 && o.Trial > 0, fmt.Sprintf("answer %d of %d", o.Trial, o.Trials))
	return b
}

// alikeEnds is how many bytes of a common part are shown around a fold. alikeFold is the least number of bytes to fold.
const alikeEnds, alikeFold = 160, 300

// foldCommon folds the long runs that both answers have. An answer of one piece has no differences, and stays whole.
func foldCommon(pieces []worddiff.Piece) []answerPiece {
	out := make([]answerPiece, len(pieces))
	for i, p := range pieces {
		out[i] = answerPiece{Text: p.Text, Changed: p.Changed}
		if p.Changed || len(pieces) == 1 || len(p.Text) < 2*alikeEnds+alikeFold {
			continue
		}
		start, end := wordEnd(p.Text, alikeEnds), wordEnd(p.Text, len(p.Text)-alikeEnds)
		out[i].Text, out[i].Fold, out[i].AfterFold = p.Text[:start], p.Text[start:end], p.Text[end:]
		out[i].Size = show.Count(utf8.RuneCountInString(out[i].Fold), "character") + " alike"
	}
	return out
}

// wordEnd returns the offset after the first space in the 40 bytes from the offset from on. If there is no space, it
// returns the offset of the next character.
func wordEnd(text string, from int) int {
	if space := strings.IndexByte(text[from:min(len(text), from+40)], ' '); space >= 0 {
		return from + space + 1
	}
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}

// promptBlock is a changed prompt, with its texts word by word.
type promptBlock struct {
	Place  place
	From   string // path of the prompt that this prompt replaces; "" for none
	Suites []show.Span
	Cases  []show.Span // the only cases that get this prompt; nil for all
	Texts  []answerBlock
	Open   bool
}

func promptBlocks(v *story.Story) (out []promptBlock) {
	names := func(all []string) []show.Span {
		phrases := show.MapPhrases(all, func(name string) show.Phrase { return show.Phrase{show.Name(name, "")} })
		return show.JoinFirst(maxPromptNames, ", ", " and ", phrases).Spans(show.NameRunes)
	}
	for _, x := range v.Report.Prompts {
		var suites []string
		for _, id := range x.Suites {
			suites = append(suites, show.Suite(id))
		}
		out = append(out, promptBlock{Place: headPlace(v, x.Path, 0, 0), From: headPlace(v, x.BasePath, 0, 0).Name,
			Suites: names(suites), Texts: promptTexts(x, v.Lines), Cases: names(x.Cases),
			Open: len(v.Report.Prompts) <= promptsOpen})
	}
	return out
}

// promptTexts returns both texts of a prompt with the differing words marked, or the only text.
func promptTexts(x report.Prompt, findings []story.LineFinding) []answerBlock {
	base, head := show.Visible(string(x.Base)), show.Visible(string(x.Head))
	if x.Inline { // the regions have line numbers of the suite's file
		findings = nil
	}
	d := worddiff.Words(base, head)
	if d.Cut || len(d.Base) > mostMarks || len(d.Head) > mostMarks || base == "" {
		d = unmarked(base, head)
	}
	now := newTextBlock("head", head, promptPieces(d.Head, causeMarks(findings, "head", x.Path, head)))
	if base == "" {
		return []answerBlock{now}
	}
	return []answerBlock{newTextBlock("base", base, promptPieces(d.Base, causeMarks(findings, "base", x.Path, base))),
		now}
}

func newTextBlock(side, text string, pieces []answerPiece) answerBlock {
	return answerBlock{Side: side, Pieces: pieces, Empty: text == "", Long: len(text) > longText ||
		strings.Count(text, "\n") > longLines}
}

// causeMark is a part of a prompt's text that broke something, with the offset of its end and what it broke.
type causeMark struct {
	to   int
	note string
}

// causeMarks returns, for each byte of one side of a prompt, the part that broke something, or nil. On the head, such
// parts are added or changed lines; on the base, they are removed lines. If two parts overlap, the first one counts.
func causeMarks(all []story.LineFinding, side, path, text string) []*causeMark {
	marks := make([]*causeMark, len(text))
	for _, one := range all {
		for _, r := range one.Regions {
			from, to := lineSpan(text, r.First, r.Last)
			if side == "base" {
				from, to = lineSpan(text, r.BaseFirst, r.BaseLast)
			}
			if r.Path != path || side == "base" && r.Last >= r.First {
				continue
			}
			mark := &causeMark{to, one.Phrase.Plain(show.NameRunes)}
			for i := from; i < to; i++ {
				marks[i] = cmp.Or(marks[i], mark)
			}
		}
	}
	return marks
}

// lineSpan returns the byte range from firstLine to lastLine, without the line end after lastLine. Lines count from 1.
// The range is empty if the text lacks one of the two lines.
func lineSpan(text string, firstLine, lastLine int) (start, end int) {
	at, n := 0, 1
	for line := range strings.SplitSeq(text, "\n") {
		if n == firstLine {
			start = at
		}
		if n == lastLine && 1 <= firstLine && firstLine <= lastLine {
			return start, at + len(line)
		}
		at, n = at+len(line)+1, n+1
	}
	return 0, 0
}

// promptPieces returns the pieces of a prompt's text, split at both ends of each part that broke something.
func promptPieces(pieces []worddiff.Piece, marks []*causeMark) (out []answerPiece) {
	at := 0
	var plain []worddiff.Piece
	for _, p := range pieces {
		for text := p.Text; text != ""; {
			n, mark := 1, marks[at]
			for n < len(text) && marks[at+n] == mark {
				n++
			}
			if mark == nil {
				plain = append(plain, worddiff.Piece{Text: text[:n], Changed: p.Changed})
			} else {
				out, plain = append(out, foldCommon(plain)...), nil
				out = append(out, answerPiece{Text: text[:n], Changed: p.Changed, Broke: true,
					Note: show.When(at+n == mark.to, mark.note)})
			}
			text, at = text[n:], at+n
		}
	}
	return append(out, foldCommon(plain)...)
}
