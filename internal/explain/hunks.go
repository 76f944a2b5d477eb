package explain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/worddiff"
)

// Text is a file on both sides; "" for a side that lacks it.
type Text struct {
	Path       string // of the head
	Base, Head string
}

// Hunk is what changed at one place of a text, or at some neighbouring ones.
type Hunk []Region

// Region is where a hunk stands.
type Region struct {
	Path string
	// lines of the head, from 1 on; Last is First-1 where lines were only taken out, before line First
	First, Last int
	Base        [2]int // the lines of the base in their place, likewise
}

// Change is the difference of some texts, cut into hunks.
type Change struct {
	Hunks []Hunk
	files []file
}

type file struct {
	path   string
	pieces []piece
}

// piece is a line, or a sentence of a long one.
type piece struct {
	text       string
	base, head bool // which side has it
	hunk       int  // that it belongs to; -1 for what both have
}

// Compare cuts the difference of texts into hunks of lines, and of sentences within long lines. If there are more than
// most, neighbours are joined, nearest first.
func Compare(texts []Text, most int) Change {
	c := Change{}
	for _, t := range texts {
		f := file{path: t.Path}
		inside := false // a hunk
		for _, l := range worddiff.Lines(pieces(t.Base), pieces(t.Head)) {
			p := piece{text: whole(l.Text), base: l.Base, head: l.Head, hunk: -1}
			before := inside
			if inside = !(l.Base && l.Head); inside && !before {
				c.Hunks = append(c.Hunks, nil)
			}
			if inside {
				p.hunk = len(c.Hunks) - 1
			}
			f.pieces = append(f.pieces, p)
		}
		c.files = append(c.files, f)
	}
	c.place()
	return c.Joined(most)
}

// Texts returns the files of the change, by path, with some hunks in force and the others taken back.
func (c Change) Texts(in func(hunk int) bool) map[string]string {
	out := map[string]string{}
	for _, f := range c.files {
		var b strings.Builder
		for _, p := range f.pieces {
			if p.hunk < 0 || in(p.hunk) && p.head || !in(p.hunk) && p.base {
				b.WriteString(p.text)
			}
		}
		out[f.path] = b.String()
	}
	return out
}

// Only keeps some of the hunks apart. The others are always in force.
func (c Change) Only(keep func(hunk int) bool) Change {
	to := make([]int, len(c.Hunks))
	for hunk := range to {
		if to[hunk] = hunk; !keep(hunk) {
			to[hunk] = -1
		}
	}
	return c.renumbered(func(hunk int) int { return to[hunk] })
}

// Joined joins neighbours until there are at most most hunks: first those that make the shortest hunk, so that none
// swallows the others, and parts of one file before parts of two.
func (c Change) Joined(most int) Change {
	for len(c.Hunks) > most {
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

// between is what stands between parts of two files.
const between = 1 << 30

// spans returns the bytes that each hunk and the next take, with the text between them.
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
				out[p.hunk-1] += between
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

// renumbered gives each hunk another number, or -1 for none, and closes the gaps.
func (c Change) renumbered(to func(hunk int) int) Change {
	out, numbers := Change{}, map[int]int{}
	for _, f := range c.files {
		next := file{path: f.path}
		for _, p := range f.pieces {
			if p.hunk >= 0 {
				if p.hunk = to(p.hunk); p.hunk >= 0 {
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
	out.Hunks = make([]Hunk, len(numbers))
	out.place()
	return out
}

// long is how many bytes a line may have before it is cut into sentences.
const long = 160

// Ends of a piece among others, one on each line: of one that ends its line, and of one that does not.
const (
	endsLine   = "$"
	withinLine = "|"
)

// pieces writes each piece of a text on a line of its own. Line ends are LF.
func pieces(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		for cut := len(line) > long; line != ""; {
			n := len(line)
			if cut {
				n = sentence(line)
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

func whole(written string) string {
	if text, ended := strings.CutSuffix(written, endsLine); ended {
		return text + "\n"
	}
	return strings.TrimSuffix(written, withinLine)
}

// sentence returns the length of a line's first sentence, with the space behind it.
func sentence(line string) int {
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

func (c *Change) place() {
	for i := range c.Hunks {
		c.Hunks[i] = nil
	}
	for _, f := range c.files {
		head, base := 1, 1
		within := false // the base's line began before the piece
		for _, p := range f.pieces {
			ends := strings.HasSuffix(p.text, "\n")
			if p.hunk >= 0 {
				at := c.region(p.hunk, f.path, head, base)
				if p.head || within || !ends {
					at.Last = max(at.Last, head)
				}
				if p.base || !ends {
					at.Base[1] = max(at.Base[1], base)
				}
			}
			if p.base {
				within = !ends
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

// Words returns the words that a hunk added, or those that it removed if it added none, and the column in characters,
// from 1, where they begin, if the hunk is part of one line; otherwise "".
func (c Change) Words(hunk int) (words string, column int, gone bool) {
	if len(c.Hunks[hunk]) != 1 {
		return "", 0, false
	}
	words, column = c.part(hunk, func(p piece) bool { return p.head })
	if gone = words == "" && column == 0; gone {
		words, column = c.part(hunk, func(p piece) bool { return p.base })
	}
	if words == "" {
		return "", 0, false
	}
	return words, column, gone
}

// part returns the words of a hunk on one side, and the column where they begin; no words if they are whole lines, and
// column 0 if the side has nothing of the hunk.
func (c Change) part(hunk int, has func(piece) bool) (words string, column int) {
	var own strings.Builder
	within, apart := false, false // a line that the hunk shares with other pieces; pieces of it with others between
	for _, f := range c.files {
		before, left := 0, false // characters of the line before the piece; the hunk was left
		for _, p := range f.pieces {
			switch {
			case !has(p):
				continue
			case p.hunk != hunk:
				left = own.Len() > 0
				within = within || left && !strings.HasSuffix(own.String(), "\n")
			case column == 0:
				column, within = before+1, before > 0
				own.WriteString(p.text)
			default:
				apart = apart || left
				own.WriteString(p.text)
			}
			if before += utf8.RuneCountInString(p.text); strings.HasSuffix(p.text, "\n") {
				before = 0
			}
		}
	}
	words = strings.TrimSuffix(own.String(), "\n")
	if !within || apart || strings.Contains(words, "\n") {
		return "", column
	}
	return words, column
}

// region returns the place of a hunk in a file, and begins one if there is none yet.
func (c *Change) region(hunk int, path string, head, base int) *Region {
	h := &c.Hunks[hunk]
	if n := len(*h); n == 0 || (*h)[n-1].Path != path {
		*h = append(*h, Region{Path: path, First: head, Last: head - 1, Base: [2]int{base, base - 1}})
	}
	return &(*h)[len(*h)-1]
}
