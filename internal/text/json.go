package text

import "encoding/json"

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
