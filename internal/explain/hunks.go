package explain

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/worddiff"
)

// Text is a file as both sides have it. "" for a side that has none.
type Text struct {
	Path       string // of the head
	Base, Head string
}

// Hunk is what changed at one place of a text, or at some neighbouring ones.
type Hunk []Region

// Region is where a hunk stands.
type Region struct {
	Path        string
	First, Last int    // lines of the head, from 1 on; Last is First-1 where lines were only taken out, before line First
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

// Compare cuts the difference of texts into hunks of lines, and in long lines of sentences. Beyond most of them neighbours are joined, the
// nearest first.
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

// Text is a file of the change with some hunks in force and the others taken back.
func (c Change) Text(path string, in func(hunk int) bool) string {
	var b strings.Builder
	for _, f := range c.files {
		if f.path != path {
			continue
		}
		for _, p := range f.pieces {
			if p.hunk < 0 || in(p.hunk) && p.head || !in(p.hunk) && p.base {
				b.WriteString(p.text)
			}
		}
	}
	return b.String()
}

// Paths are the files of the change.
func (c Change) Paths() (out []string) {
	for _, f := range c.files {
		out = append(out, f.path)
	}
	return out
}

// Only keeps some of the hunks; the others are no longer told apart from what both sides have, and always in force.
func (c Change) Only(keep func(hunk int) bool) Change {
	to := make([]int, len(c.Hunks))
	for hunk := range to {
		if to[hunk] = hunk; !keep(hunk) {
			to[hunk] = -1
		}
	}
	return c.renumbered(func(hunk int) int { return to[hunk] })
}

// Joined joins neighbours until there are no more than most hunks: first those that make the shortest hunk, so that none swallows the others, and
// parts of one file before parts of two.
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

// spans are how many bytes each hunk and the next take with what stands between them.
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

// renumbered gives each hunk the number of another one, or -1 for none, and closes the gaps.
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
