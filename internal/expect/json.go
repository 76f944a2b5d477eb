package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Names of the heuristics, in the order they are tried (document 003, section 5).
const (
	repairFence   = "fenced_block"
	repairSpan    = "bracket_span"
	repairCommas  = "trailing_commas"
	repairEscapes = "string_escapes"
)

// jsonReading is what came of reading a text as JSON. Objects are map[string]any (of a key written twice the last value
// counts, as encoding/json has it), arrays []any, numbers json.Number.
type jsonReading struct {
	value   any
	repairs []string // in the order they were made
	fault   string   // "" if value was read
}

// strictJSON reads text as exactly one JSON value, with no white space around it but JSON's own.
func strictJSON(text string) jsonReading {
	value, fault := decodeJSON(text)
	if fault != nil {
		return jsonReading{fault: fault.in(text, fault.at)}
	}
	return jsonReading{value: value}
}

// jsonFault is where and why a text is not JSON.
type jsonFault struct {
	at   int    // byte offset of the character that does not fit
	what string // "" for an unexpected character
	char rune
}

// in words the fault; at is its byte offset in the text that the reader knows. Positions count characters from 0.
func (f *jsonFault) in(text string, at int) string {
	switch f.what {
	case faultEnd:
		return f.what
	case "":
		return fmt.Sprintf("Unexpected token %q in JSON at position %d", f.char, utf8.RuneCountInString(text[:at]))
	}
	return fmt.Sprintf("%s in JSON at position %d", f.what, utf8.RuneCountInString(text[:at]))
}

const (
	faultEnd   = "Unexpected end of JSON input"
	faultUTF8  = "Invalid UTF-8"
	faultDepth = "Nesting deeper than 10000 levels"

	// faultBlocks is the fault of an answer with several readings, none of which is wrong by itself.
	faultBlocks = "Two JSON blocks that say different things: ask for one"
)

// decodeJSON reads one JSON value. Its cost is linear and its depth bounded, both by encoding/json.
func decodeJSON(text string) (any, *jsonFault) {
	if at := invalidUTF8(text); at >= 0 {
		// encoding/json would read a replacement character, and unequal texts would be equal.
		return nil, &jsonFault{at: at, what: faultUTF8}
	}
	// Unmarshal checks the whole text first, and its fault has an offset that a Decoder's has not.
	var checked ignore
	if err := json.Unmarshal([]byte(text), &checked); err != nil {
		return nil, newJSONFault(text, err)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil && !errors.Is(err, io.EOF) {
		return nil, newJSONFault(text, err)
	}
	return value, nil
}

// ignore takes any JSON.
type ignore struct{}

func (*ignore) UnmarshalJSON([]byte) error { return nil }

func invalidUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

func newJSONFault(text string, err error) *jsonFault {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || int(syntax.Offset) > len(text) || strings.HasPrefix(err.Error(), "unexpected end") {
		return &jsonFault{at: len(text), what: faultEnd}
	}
	at := max(0, int(syntax.Offset)-1) // Offset counts the bytes read, the one that does not fit among them
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	if strings.Contains(err.Error(), "max depth") {
		return &jsonFault{at: at, what: faultDepth}
	}
	char, _ := utf8.DecodeRuneInString(text[at:])
	return &jsonFault{at: at, char: char}
}
