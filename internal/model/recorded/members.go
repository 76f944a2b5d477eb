package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/document"
)

// ambiguous says which key of an object stands twice, or "": people read the first and parsers the last. encoding/json reads a name
// in any case of letters, so those are one key. text is valid JSON.
func ambiguous(text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	if brace, _ := dec.Token(); brace != json.Delim('{') {
		return "" // null has no keys
	}
	seen := map[string]string{}
	for dec.More() {
		name, value := member(dec)
		folded := strings.Map(smallest, name)
		switch first, twice := seen[folded]; {
		case twice && first == name:
			return fmt.Sprintf("key %s stands twice in the line; keep one of them", document.Quote(name))
		case twice:
			return fmt.Sprintf("keys %s and %s are read as one; keep one of them", document.Quote(first), document.Quote(name))
		}
		seen[folded] = name
		for _, object := range nested(folded, value) {
			if why := ambiguous(object); why != "" {
				return why
			}
		}
	}
	return ""
}

// nested are the objects in a member of a line: whom an answer is from, what else that was asked by, and the tools that it calls.
func nested(folded string, value json.RawMessage) (objects []json.RawMessage) {
	switch folded {
	case targetKey, settingsKey:
		return []json.RawMessage{value}
	case callsKey:
		_ = json.Unmarshal(value, &objects) // of what is no list, parse says so
	}
	return objects
}

var targetKey, settingsKey, callsKey = strings.Map(smallest, "target"), strings.Map(smallest, "settings"), strings.Map(smallest, "tool_calls")

// smallest is the first of the letters that differ by case alone.
func smallest(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
