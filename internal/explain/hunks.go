package explain

import (
	"slices"
	"strings"
	"unicode/utf8"

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
	Hunks []report.Hunk
	files []file
}

type file struct {
	path   string
	pieces []piece
}

// piece is a line, or a sentence of a long line.
type piece struct {
	text       string
	base, head bool // whether the side has the piece
	hunk       int  // number of the hunk; -1 if both sides have the piece
}

// NewChange divides the differences of the texts into hunks. A hunk consists of whole lines, or of sentences of a long
// line. If there are more than limit hunks, adjacent hunks are joined.
func NewChange(texts []Text, limit int) Change {
	c := Change{}
	for _, t := range texts {
		f := file{path: t.Path}
		inside := false // in a hunk
		for _, l := range worddiff.Lines(encodePieces(t.Base), encodePieces(t.Head)) {
			p := piece{text: decodePiece(l.Text), base: l.Base, head: l.Head, hunk: -1}
			before := inside
			if inside = !(l.Base && l.Head); inside && !before {
				c.Hunks = append(c.Hunks, report.Hunk{})
			}
			if inside {
				p.hunk = len(c.Hunks) - 1
			}
			f.pieces = append(f.pieces, p)
		}
		c.files = append(c.files, f)
	}
	c.setRegions()
	return c.Joined(limit)
}

// Texts returns the text of each file, by path, with only some hunks applied. The function applied reports whether to
// apply a hunk.
func (c Change) Texts(applied func(hunk int) bool) map[string]string {
	out := map[string]string{}
	for _, f := range c.files {
		var b strings.Builder
		for _, p := range f.pieces {
			if p.hunk < 0 || applied(p.hunk) && p.head || !applied(p.hunk) && p.base {
				b.WriteString(p.text)
			}
		}
		out[f.path] = b.String()
	}
	return out
}

// Only returns the change with only some hunks. The function keep reports whether to keep a hunk. The other hunks
// become text that both sides have, in the head's version.
func (c Change) Only(keep func(hunk int) bool) Change {
	numbers := make([]int, len(c.Hunks))
	for hunk := range numbers {
		if numbers[hunk] = hunk; !keep(hunk) {
			numbers[hunk] = -1
		}
	}
	return c.renumbered(func(hunk int) int { return numbers[hunk] })
}

// Joined returns the change with adjacent hunks joined until at most limit are left. It joins the shortest hunks first,
// and hunks of one file before hunks of different files.
func (c Change) Joined(limit int) Change {
	for len(c.Hunks) > limit {
		spans := c.spans()
		at := slices.Index(spans, slices.Min(spans))
		c = c.renumbered(func(hunk int) int {
			if hunk == at+1 {
				return at
			}
			return hunk
		})
	}
	return c
}

// fileGap is added to the span of two adjacent hunks in different files, so that they are joined last.
const fileGap = 1 << 30

// spans returns a length in bytes for each two adjacent hunks. The length covers both hunks and the text between them.
func (c Change) spans() []int {
	out := make([]int, len(c.Hunks)-1)
	for _, f := range c.files {
		last, bytes := -1, 0
		for _, p := range f.pieces {
			switch {
			case p.hunk < 0:
				bytes += len(p.text)
				continue
			case last < 0 && p.hunk > 0:
				out[p.hunk-1] += fileGap
			case last >= 0 && last != p.hunk:
				out[last] += bytes
			}
			for _, at := range []int{p.hunk - 1, p.hunk} {
				if 0 <= at && at < len(out) {
					out[at] += len(p.text)
				}
			}
			last, bytes = p.hunk, 0
		}
	}
	return out
}

// renumbered returns the change with each hunk renumbered by numberOf. The number -1 turns a hunk into unchanged text,
// and hunks with equal numbers become one. Gaps between the numbers are closed.
func (c Change) renumbered(numberOf func(hunk int) int) Change {
	out, numbers := Change{}, map[int]int{}
	for _, f := range c.files {
		next := file{path: f.path}
		for _, p := range f.pieces {
			if p.hunk >= 0 {
				if p.hunk = numberOf(p.hunk); p.hunk >= 0 {
					n, known := numbers[p.hunk]
					if !known {
						n = len(numbers)
						numbers[p.hunk] = n
					}
					p.hunk = n
				} else if !p.head {
					continue
				} else {
					p.base = true
				}
			}
			next.pieces = append(next.pieces, p)
		}
		out.files = append(out.files, next)
	}
	out.Hunks = make([]report.Hunk, len(numbers))
	out.setRegions()
	return out
}

// long is the largest number of bytes of a line that is not divided into sentences.
const long = 160

// endsLine and withinLine are written after each piece. endsLine says that the piece ends its line, and withinLine that
// the line goes on.
const (
	endsLine   = "$"
	withinLine = "|"
)

// encodePieces returns the pieces of text, each on a line of its own that ends in endsLine or withinLine. Line ends
// become LF.
func encodePieces(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		for cut := len(line) > long; line != ""; {
			n := len(line)
			if cut {
				n = sentenceLength(line)
			}
			piece, ended := strings.CutSuffix(line[:n], "\n")
			end := withinLine
			if ended {
				end = endsLine
			}
			b.WriteString(piece + end + "\n")
			line = line[n:]
		}
	}
	return b.String()
}

func decodePiece(written string) string {
	if text, ended := strings.CutSuffix(written, endsLine); ended {
		return text + "\n"
	}
	return strings.TrimSuffix(written, withinLine)
}

// sentenceLength returns the length in bytes of the first sentence of line, with the space after it.
func sentenceLength(line string) int {
	for i := 0; i < len(line); i++ {
		for _, end := range []string{".", "!", "?", ";", "。", "！", "？"} {
			if !strings.HasPrefix(line[i:], end) {
				continue
			}
			rest := line[i+len(end):]
			blank := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
			if blank > 0 || len(end) > 1 {
				return i + len(end) + blank
			}
		}
	}
	return len(line)
}

func (c *Change) setRegions() {
	for i := range c.Hunks {
		c.Hunks[i].Regions = nil
	}
	for _, f := range c.files {
		head, base := 1, 1
		midLine := false // the base's line began before this piece
		for _, p := range f.pieces {
			ends := strings.HasSuffix(p.text, "\n")
			if p.hunk >= 0 {
				region := c.region(p.hunk, f.path, head, base)
				if p.head || midLine || !ends {
					region.Last = max(region.Last, head)
				}
				if p.base || !ends {
					region.BaseLast = max(region.BaseLast, base)
				}
			}
			if p.base {
				midLine = !ends
			}
			if p.head && ends {
				head++
			}
			if p.base && ends {
				base++
			}
		}
	}
}

// Words returns the words that the hunk added within one line, and the column where they begin, in characters from 1.
// If the hunk added none, Words returns the words that it removed, and gone is true. A line that was removed as a whole
// is such words, with the column 0. If the hunk is something else, words is "".
func (c Change) Words(hunk int) (words string, column int, gone bool) {
	if len(c.Hunks[hunk].Regions) != 1 {
		return "", 0, false
	}
	if at := c.Hunks[hunk].Regions[0]; at.Last < at.First && at.BaseFirst == at.BaseLast {
		words = c.removed(hunk)
		return words, 0, words != ""
	}
	words, column = c.hunkWords(hunk, func(p piece) bool { return p.head })
	if gone = words == "" && column == 0; gone {
		words, column = c.hunkWords(hunk, func(p piece) bool { return p.base })
	}
	if words == "" {
		return "", 0, false
	}
	return words, column, gone
}

// removed returns the text of a hunk that removed one line.
func (c Change) removed(hunk int) string {
	for _, f := range c.files {
		for _, p := range f.pieces {
			if p.hunk == hunk {
				return strings.TrimSuffix(p.text, "\n")
			}
		}
	}
	return ""
}

// hunkWords returns the words of the hunk on one side, and their column. has reports whether the side has a piece.
// words is "" if the hunk is whole lines. column is 0 if the side has no piece of the hunk.
func (c Change) hunkWords(hunk int, has func(piece) bool) (words string, column int) {
	var text strings.Builder
	within, apart := false, false // the line has other pieces too; the hunk has other pieces between its own
	for _, f := range c.files {
		before, ended := 0, false // characters before the piece in its line; whether the hunk has ended
		for _, p := range f.pieces {
			switch {
			case !has(p):
				continue
			case p.hunk != hunk:
				ended = text.Len() > 0
				within = within || ended && !strings.HasSuffix(text.String(), "\n")
			case column == 0:
				column, within = before+1, before > 0
				text.WriteString(p.text)
			default:
				apart = apart || ended
				text.WriteString(p.text)
			}
			if before += utf8.RuneCountInString(p.text); strings.HasSuffix(p.text, "\n") {
				before = 0
			}
		}
	}
	words = strings.TrimSuffix(text.String(), "\n")
	if !within || apart || strings.Contains(words, "\n") {
		return "", column
	}
	return words, column
}

// region returns the last region of a hunk. If the last region is in another file than path, or there is none, region
// first adds a region in path.
func (c *Change) region(hunk int, path string, head, base int) *report.Region {
	all := &c.Hunks[hunk].Regions
	if n := len(*all); n == 0 || (*all)[n-1].Path != path {
		*all = append(*all, report.Region{Path: path, First: head, Last: head - 1, BaseFirst: base, BaseLast: base - 1})
	}
	return &(*all)[len(*all)-1]
}
