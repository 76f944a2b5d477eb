package answer

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decoded returns text with its JSON escapes decoded, as a reader of the JSON gets it: `\u0077ill` is "will". If text
// has no escapes or cannot be JSON, Decoded returns it unchanged.
func Decoded(text string) string {
	if strings.IndexByte(text, '\\') < 0 || strings.IndexByte(text, '"') < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		character, size := escape(text[at:])
		b.WriteString(text[:at])
		b.WriteString(character)
		text = text[at+size:]
	}
}

// onlyValue matches a JSON object with a string as its only value.
var onlyValue = regexp.MustCompile(`^\s*\{\s*"(?:[^"\\]|\\.){1,80}"\s*:\s*"((?:[^"\\]|\\.)*)"\s*\}\s*$`)

// maxValue is the largest size, in bytes, of a text that Spoken tests for being a JSON object.
const maxValue = 4096

// Spoken returns the decoded string if text is a JSON object with a string as its only value. Otherwise it returns
// text.
func Spoken(text string) string {
	if len(text) > maxValue || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return text
	}
	at := onlyValue.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	value := text[at[2]:at[3]]
	decoded := Decoded(`"` + value + `"`)
	return decoded[1 : len(decoded)-1]
}

// escaped maps the letter of each short JSON escape to the character that the escape stands for.
var escaped = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '/': "/", '"': `"`, '\\': `\`}

// escape decodes the escape at the beginning of text. It returns the character and the length of the escape. A
// backslash that begins no escape stands for itself.
func escape(text string) (string, int) {
	if len(text) < 2 {
		return text, len(text)
	}
	if character, ok := escaped[text[1]]; ok {
		return character, 2
	}
	high, ok := unit(text)
	if !ok {
		return text[:1], 1
	}
	if utf16.IsSurrogate(high) {
		if low, ok := unit(text[6:]); ok && utf16.DecodeRune(high, low) != utf8.RuneError {
			return string(utf16.DecodeRune(high, low)), 12
		}
	}
	return string(high), 6
}

// unit returns the UTF-16 code unit of the \uXXXX escape at the beginning of text. It returns false if there is none.
func unit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
