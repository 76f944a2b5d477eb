package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
)

// lineWriter writes a document line by line, each as change has it: one in which the runner finds no command, should the document be
// printed into its log. Call flush at the end.
type lineWriter struct {
	w      io.Writer
	change func(line []byte) []byte
	rest   []byte // of a line that is not whole
}

func (l *lineWriter) Write(text []byte) (int, error) {
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

func (l *lineWriter) flush() error {
	_, err := l.w.Write(l.change(l.rest))
	l.rest = nil
	return err
}

// harmless is a line of HTML without a command: whatever begins one in an answer becomes a character reference, which every browser
// reads as the same text. Style and script of ours hold nothing of the kind: of `##[` the bracket, of `::` at its beginning the first colon is spelled out.
func harmless(line []byte) []byte {
	line = spelled(line, "&#x%X;")
	text := bytes.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || passedOver(r) })
	colon, size := utf8.DecodeRune(text)
	second, _ := utf8.DecodeRune(bytes.TrimLeftFunc(text[size:], passedOver))
	if !isColon(colon) || (colon != '∷' && colon != '⩴' && !isColon(second)) {
		return line
	}
	start := line[:len(line)-len(text)]
	return slices.Concat(start, fmt.Appendf(nil, "&#x%X;", colon), text[size:])
}

// passedOver is a character that a comparison may not see.
func passedOver(r rune) bool { return unicode.In(r, unicode.Cf, unicode.M) }
