package explain

import "strings"

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

// whole is a piece as it stands in its text.
func whole(written string) string {
	if text, ended := strings.CutSuffix(written, endsLine); ended {
		return text + "\n"
	}
	return strings.TrimSuffix(written, withinLine)
}

// sentence is the length of the first sentence of a line, with the space behind it.
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

// place says where each hunk stands.
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

// region is where a hunk stands in a file; it begins here if it has not begun.
func (c *Change) region(hunk int, path string, head, base int) *Region {
	h := &c.Hunks[hunk]
	if n := len(*h); n == 0 || (*h)[n-1].Path != path {
		*h = append(*h, Region{Path: path, First: head, Last: head - 1, Base: [2]int{base, base - 1}})
	}
	return &(*h)[len(*h)-1]
}
