package bisect

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/worddiff"
)

// Text is a file on both sides. The text of a side that lacks the file is "".
type Text struct {
	Path       string // path on the head
	Base, Head string
}

// Change is the difference of some texts, divided into hunks.
type Change struct {
	Hunks  []report.Hunk // the places of spans
	spans  []span
	pieces []piece // of all texts
}

// span is a hunk: the pieces from start up to end, which is excluded. Its common pieces are not part of the hunk.
type span struct{ start, end int }

// piece is a line, or a sentence of a long line.
type piece struct {
	worddiff.Line
	path         string
	start, after place
	offset       int // bytes before the piece, and fileGap for each file before it
}

// place is a place on both sides.
type place struct{ base, head position }

// position is a place in a text. Line and column count from 1, and columns in characters.
type position struct {
	line, column int
	left         int // bytes of the text from here
}

// fileGap is added to the distance of two adjacent hunks in different files, so that they are joined last.
const fileGap = 1 << 30

// NewChange divides the differences of the texts into hunks. A hunk consists of whole lines, or of sentences of a long
// line. If there are more than limit hunks, adjacent hunks are joined.
func NewChange(texts []Text, limit int) Change {
	c, offset := Change{}, 0
	for _, t := range texts {
		base, head := toLF(t.Base), toLF(t.Head)
		at := place{position{1, 1, len(base)}, position{1, 1, len(head)}}
		inside := false // in a hunk
		for _, l := range worddiff.Parts(splitPieces(base), splitPieces(head)) {
			p := piece{Line: l, path: t.Path, start: at, offset: offset}
			if l.Base {
				at.base = at.base.after(l.Text)
			}
			if l.Head {
				at.head = at.head.after(l.Text)
			}
			p.after, offset = at, offset+len(l.Text)
			before := inside
			if inside = l.Base != l.Head; inside && !before {
				c.spans = append(c.spans, span{start: len(c.pieces)})
			}
			if c.pieces = append(c.pieces, p); inside {
				c.spans[len(c.spans)-1].end = len(c.pieces)
			}
		}
		offset += fileGap
	}
	return c.Joined(limit)
}

// after returns the position after text. The end of the last line counts as a line end.
func (p position) after(text string) position {
	left := p.left - len(text)
	if strings.HasSuffix(text, "\n") || left == 0 {
		return position{p.line + 1, 1, left}
	}
	return position{p.line, p.column + utf8.RuneCountInString(text), left}
}

// Texts returns the text of each file, by path, with only some hunks applied. The function applied reports whether to
// apply a hunk.
func (c Change) Texts(applied func(hunk int) bool) map[string]string {
	parts := map[string][]string{}
	hunk := 0
	for i, p := range c.pieces {
		if hunk < len(c.spans) && i == c.spans[hunk].end {
			hunk++
		}
		isIn := p.Head
		if hunk < len(c.spans) && i >= c.spans[hunk].start && !applied(hunk) {
			isIn = p.Base
		}
		if !isIn {
			p.Text = ""
		}
		parts[p.path] = append(parts[p.path], p.Text)
	}
	out := map[string]string{}
	for path, all := range parts {
		out[path] = strings.Join(all, "")
	}
	return out
}

// Only returns the change with only some hunks. The function keep reports whether to keep a hunk. The others always
// stay applied.
func (c Change) Only(keep func(hunk int) bool) Change {
	var kept []span
	for hunk, s := range c.spans {
		if keep(hunk) {
			kept = append(kept, s)
		}
	}
	return c.withSpans(kept)
}

// Joined returns the change with adjacent hunks joined until at most limit are left. It joins the shortest hunks first,
// and hunks of one file before hunks of different files.
func (c Change) Joined(limit int) Change {
	spans := slices.Clone(c.spans)
	for len(spans) > limit {
		nearest, least := 0, -1
		for i, next := range spans[1:] {
			last := c.pieces[next.end-1]
			if n := last.offset + len(last.Text) - c.pieces[spans[i].start].offset; least < 0 || n < least {
				nearest, least = i, n
			}
		}
		spans[nearest].end = spans[nearest+1].end
		spans = slices.Delete(spans, nearest+1, nearest+2)
	}
	return c.withSpans(spans)
}

func (c Change) withSpans(spans []span) Change {
	c.spans, c.Hunks = spans, nil
	for _, s := range spans {
		h := report.Hunk{Regions: regions(c.pieces[s.start:s.end])}
		if len(h.Regions) == 1 {
			setWords(&h.Regions[0], c.pieces[s.start:s.end])
		}
		c.Hunks = append(c.Hunks, h)
	}
	return c
}

// regions returns the places of a hunk with the given pieces: one for each file.
func regions(pieces []piece) (out []report.Region) {
	var start place
	for _, p := range pieces {
		if p.Base && p.Head {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Path != p.path {
			start = p.start
			out = append(out, report.Region{Path: p.path, First: start.head.line, BaseFirst: start.base.line})
		}
		r := &out[len(out)-1]
		r.Last = lastLine(start.head, p.after.head, p.after.base)
		r.BaseLast = lastLine(start.base, p.after.base, p.after.head)
	}
	return out
}

// lastLine returns the last line of a region from start to end. It is the line before start if the side has nothing
// there, unless a part of that line changed. other is the end of the region on the other side.
func lastLine(start, end, other position) int {
	if end.column > 1 || end.line == start.line && other.column > 1 {
		return end.line
	}
	return end.line - 1
}

// setWords sets the words of region r, whose hunk has the given pieces. It sets none if several lines changed, or one
// line was added or replaced as a whole.
func setWords(r *report.Region, pieces []piece) {
	var base, head []string
	for _, p := range pieces {
		switch {
		case p.Base && p.Head: // joined hunks
			return
		case p.Base:
			base = append(base, p.Text)
		default:
			head = append(head, p.Text)
		}
	}
	first, last := pieces[0].start, pieces[len(pieces)-1].after
	own, start, end := head, first.head, last.head
	removed := len(head) == 0
	if removed {
		own, start, end = base, first.base, last.base
	}
	words := strings.TrimSuffix(strings.Join(own, ""), "\n")
	within := start.column > 1 || end.column > 1 // the line has other words too
	if words == "" || strings.Contains(words, "\n") || !within && !removed {
		return
	}
	if r.Words, r.Removed = model.Untrusted(words), removed; within {
		r.Column = start.column
	}
}

// maxLine is the largest number of bytes of a line that is not divided into sentences.
const maxLine = 160

// sentence matches a sentence, with the white space after it, or the rest of a line.
var sentence = regexp.MustCompile(`(?s).*?(?:[.!?;][ \t\n]+|[。！？][ \t\n]*|$)`)

func splitPieces(text string) (out []string) {
	for line := range strings.Lines(text) {
		if len(line) > maxLine {
			out = append(out, sentence.FindAllString(line, -1)...)
		} else {
			out = append(out, line)
		}
	}
	return out
}

func toLF(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
