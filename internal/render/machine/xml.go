package machine

import (
	"encoding/xml"
	"io"
	"strings"
)

// xmlWriter writes XML, an element a line, set in by its depth. The first error is kept in err.
type xmlWriter struct {
	w     io.Writer
	err   error
	line  []byte   // under way
	names []string // of the elements that are open
	bare  bool     // the last of them holds nothing yet
}

// begin opens an element with these attributes, name by value; one whose name ends in ? is left out where it has no value.
func (x *xmlWriter) begin(name string, attributes ...string) {
	x.feed()
	x.line = append(append(x.line, '<'), name...)
	for i := 0; i < len(attributes); i += 2 {
		if key, optional := strings.CutSuffix(attributes[i], "?"); !optional || attributes[i+1] != "" {
			x.line = append(append(append(x.line, ' '), key...), `="`...)
			x.text(attributes[i+1])
			x.line = append(x.line, '"')
		}
	}
	x.line = append(x.line, '>')
	x.names, x.bare = append(x.names, name), true
}

// end closes the element that was opened last.
func (x *xmlWriter) end() {
	last := len(x.names) - 1
	name := x.names[last]
	x.names = x.names[:last]
	if !x.bare {
		x.feed()
	}
	x.line = append(append(append(x.line, "</"...), name...), '>')
	x.bare = false
}

// text writes text, escaped; line feeds are references in it: no line of the file begins with foreign text.
func (x *xmlWriter) text(text string) {
	if strings.IndexFunc(text, needsEscape) < 0 {
		x.line = append(x.line, text...)
		return
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // into memory
	x.line = append(x.line, b.String()...)
}

// needsEscape reports a character that XML may not have as it is, or not everywhere.
func needsEscape(r rune) bool {
	return r < ' ' || r > '~' || r == '<' || r == '>' || r == '&' || r == '"' || r == '\''
}

// feed begins a new line.
func (x *xmlWriter) feed() {
	x.line = append(x.line, '\n')
	x.flush()
	for range x.names {
		x.line = append(x.line, "  "...)
	}
}

func (x *xmlWriter) flush() {
	if x.err == nil {
		_, x.err = x.w.Write(x.line)
	}
	x.line = x.line[:0]
}
