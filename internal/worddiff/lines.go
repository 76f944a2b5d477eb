package worddiff

import "strings"

// Line is a line of one text or of both.
type Line struct {
	Text       string
	Base, Head bool // which text has it here
}

// lineCells bounds the table that finds the most common lines: about 2,000 lines of each side that are neither at the beginning nor at
// the end of both. Beyond it all of them count as changed.
const lineCells = 4 << 20

// Lines compares two texts line by line: in order, each line that both have once, and each that one has alone, the base's first.
func Lines(base, head string) (out []Line) {
	a, b := splitLines(base), splitLines(head)
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	both := func(lines []string) {
		for _, l := range lines {
			out = append(out, Line{l, true, true})
		}
	}
	both(a[:start])
	out = append(out, between(a[start:len(a)-end], b[start:len(b)-end])...)
	both(a[len(a)-end:])
	return out
}

func splitLines(text string) []string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// between keeps the most lines that both parts have in order.
func between(a, b []string) (out []Line) {
	var pairs [][2]int
	if len(a)*len(b) <= lineCells {
		pairs = longest(a, b)
	}
	i, k := 0, 0
	for _, at := range append(pairs, [2]int{len(a), len(b)}) {
		for ; i < at[0]; i++ {
			out = append(out, Line{a[i], true, false})
		}
		for ; k < at[1]; k++ {
			out = append(out, Line{b[k], false, true})
		}
		if i < len(a) {
			out = append(out, Line{a[i], true, true})
			i, k = i+1, k+1
		}
	}
	return out
}
