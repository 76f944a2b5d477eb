package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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
		if slices.Contains(nested, folded) {
			if why := ambiguous(value); why != "" {
				return why
			}
		}
	}
	return ""
}

// nested are the objects in a line: whom an answer is from, and what else that was asked by.
var nested = []string{strings.Map(smallest, "target"), strings.Map(smallest, "settings")}

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
