package text

import (
	"bytes"
	"encoding/json"
)

// JSON is a value as JSON on one line, without the escapes that HTML needs.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// AppendJSON appends a string as encoding/json writes it. Most strings stand for themselves, which is seen in one look.
func AppendJSON(buf []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic("text: " + err.Error()) // a string always marshals
			}
			return append(buf, quoted...)
		}
	}
	buf = append(buf, '"')
	return append(append(buf, s...), '"')
}
