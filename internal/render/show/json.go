package show

import (
	"bytes"
	"encoding/json"
	"io"
)

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
