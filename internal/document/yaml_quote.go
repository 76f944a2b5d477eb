package document

import (
	"bytes"
	"strings"
)

// openQuote finds the quote whose text goes over the end of its line on the way from one place to another, the common reason why a parser stumbles
// only lines later. false where there is none.
func openQuote(data []byte, from, to Position) (Position, bool) {
	lines := bytes.Split(data, []byte("\n"))
	mark, at := rune(0), Position{}
	for n := max(from.Line, 1); n <= min(to.Line, len(lines)); n++ {
		if mark != 0 {
			return at, true
		}
		before := ' '
		for i, r := range []rune(string(lines[n-1])) {
			switch {
			case n == to.Line && i+1 >= to.Column:
				return at, mark != 0 && at.Line < to.Line
			case mark == 0 && r == '#' && before == ' ':
				mark = '#' // to the end of the line
			case mark == 0 && (r == '"' || r == '\'') && strings.ContainsRune(" \t[{,:", before):
				mark, at = r, Position{Line: n, Column: i + 1}
			case r == mark && (mark != '"' || before != '\\'):
				mark = 0
			}
			before = r
		}
		if mark == '#' {
			mark = 0
		}
	}
	return at, mark != 0
}
