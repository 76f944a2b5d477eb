package answer

import (
	"encoding/json"
	"regexp"
	"strings"
)

// escapes matches JSON escapes in a row.
var escapes = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4}|\\[ntrbf/"\\])+`)

// DecodeEscapes returns text with its JSON escapes decoded, as a reader of the JSON gets it: `\u0077ill` is "will". If
// text has no escapes or cannot be JSON, DecodeEscapes returns it unchanged.
func DecodeEscapes(text string) string {
	if strings.IndexByte(text, '\\') < 0 || strings.IndexByte(text, '"') < 0 {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(row string) (decoded string) {
		_ = json.Unmarshal([]byte(`"`+row+`"`), &decoded) // the pattern matches valid escapes only
		return decoded
	})
}

// onlyValue matches a JSON object with a string as its only value.
var onlyValue = regexp.MustCompile(`^\s*\{\s*"(?:[^"\\]|\\.){1,80}"\s*:\s*"((?:[^"\\]|\\.)*)"\s*\}\s*$`)

// maxValue is the largest size, in bytes, of a text that UnwrapJSON tests for being a JSON object.
const maxValue = 4096

// UnwrapJSON returns the decoded string if text is a JSON object with a string as its only value. Otherwise it returns
// text.
func UnwrapJSON(text string) string {
	if len(text) > maxValue || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return text
	}
	at := onlyValue.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	value := text[at[2]:at[3]]
	decoded := DecodeEscapes(`"` + value + `"`)
	return decoded[1 : len(decoded)-1]
}
