package show

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
)

// LineWriter writes a document line by line, each as change has it: one in which the runner finds no command, should the document be
// printed into its log. Call Flush at the end.
type LineWriter struct {
	w      io.Writer
	change func(line []byte) []byte
	rest   []byte // of a line that is not whole
}

// NewLineWriter returns a LineWriter to w.
func NewLineWriter(w io.Writer, change func(line []byte) []byte) *LineWriter {
	return &LineWriter{w: w, change: change}
}

func (l *LineWriter) Write(text []byte) (int, error) {
	end := bytes.LastIndexByte(text, '\n') + 1
	if end > 0 {
		end += len(l.rest)
	}
	l.rest = append(l.rest, text...)
	if end == 0 {
		return len(text), nil
	}
	for line := range bytes.Lines(l.rest[:end]) {
		if _, err := l.w.Write(l.change(line)); err != nil {
			return 0, err
		}
	}
	l.rest = append(l.rest[:0], l.rest[end:]...)
	return len(text), nil
}

// Flush writes what is left of the last line.
func (l *LineWriter) Flush() error {
	_, err := l.w.Write(l.change(l.rest))
	l.rest = nil
	return err
}

// PassedOver is a character that a comparison may not see.
func PassedOver(r rune) bool { return unicode.In(r, unicode.Cf, unicode.M) }

// signLead begins every number sign but # in UTF-8.
const signLead = 0xEF

// Spelled escapes a bracket after a number sign, by which the runner may begin a command wherever it reads a log, so that
// readers of a document see the same text and the runner sees none. The escape is the document language's, for Sprintf. No
// structure of XML or JSON is such a bracket.
func Spelled(text []byte, escape string) []byte {
	if bytes.IndexByte(text, '#') < 0 && bytes.IndexByte(text, signLead) < 0 {
		return text // most lines, at a glance
	}
	var out bytes.Buffer
	out.Grow(len(text))
	sign := false
	for _, r := range string(text) {
		if sign && isBracket(r) {
			fmt.Fprintf(&out, escape, r)
			sign = false
			continue
		}
		out.WriteRune(r)
		if !unicode.Is(unicode.M, r) { // may be passed over
			sign = isSign(r)
		}
	}
	return out.Bytes()
}

// JSONWriter returns a writer of JSON in which the runner finds no command. In JSON a number sign stands in texts only, so
// the second of `##[` can be written as an escape and every reader still reads the same. A command of the other kind begins
// a line, which no text in JSON does. A text must not be split over two writes.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

// WriteJSON writes a value as JSON, indented by two blanks, in which the runner finds no command.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(JSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(text []byte) (int, error) {
	if _, err := j.w.Write(bytes.ReplaceAll(text, []byte("##["), []byte(`#\u0023[`))); err != nil {
		return 0, err
	}
	return len(text), nil
}
