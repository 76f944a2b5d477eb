package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/text"
)

// Names of the heuristics, in the order in which they are tried.
const (
	repairFence   = "fenced_block"
	repairSpan    = "bracket_span"
	repairCommas  = "trailing_commas"
	repairEscapes = "string_escapes"
)

// jsonReading is the result of reading a text as JSON. Values have the types of encoding/json, with json.Number. The
// last value of a repeated key counts.
type jsonReading struct {
	value   any
	repairs []string // heuristics that were used, in order
	fault   string   // "" if the text was read
}

// strictJSON reads text as exactly one JSON value.
func strictJSON(text string) jsonReading {
	value, fault := decodeJSON(text)
	if fault != nil {
		return jsonReading{fault: fault.message(text, fault.offset)}
	}
	return jsonReading{value: value}
}

// jsonFault is a syntax error of JSON.
type jsonFault struct {
	offset int // byte offset of the character that does not fit
	reason string
}

// message returns the error's message, given its byte offset in text. Positions in messages count characters from 0.
func (f *jsonFault) message(text string, offset int) string {
	if f.reason == faultEnd {
		return f.reason
	}
	return fmt.Sprintf("%s in JSON at position %d", f.reason, utf8.RuneCountInString(text[:offset]))
}

const (
	faultEnd   = "Unexpected end of JSON input"
	faultUTF8  = "Invalid UTF-8"
	faultDepth = "Nesting deeper than 10000 levels"

	// faultBlocks is the error of an answer with several valid JSON blocks that differ.
	faultBlocks = "Two JSON blocks that say different things: ask for one"
)

// decodeJSON reads one JSON value. encoding/json makes the cost linear and limits the depth.
func decodeJSON(source string) (any, *jsonFault) {
	if at := text.InvalidUTF8(source); at >= 0 {
		// encoding/json would read replacement characters, and different texts would be equal.
		return nil, &jsonFault{at, faultUTF8}
	}
	d := json.NewDecoder(strings.NewReader(source))
	d.UseNumber()
	var value any
	if d.Decode(&value) == nil && strings.TrimLeft(source[d.InputOffset():], jsonSpace) == "" {
		return value, nil
	}
	return nil, newJSONFault(source)
}

// newJSONFault returns the error of a text that is not JSON. It calls Unmarshal, whose error has an offset, unlike a
// Decoder's error.
func newJSONFault(text string) *jsonFault {
	var read json.RawMessage
	err := json.Unmarshal([]byte(text), &read)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok || int(syntax.Offset) > len(text) || strings.HasPrefix(err.Error(), "unexpected end") {
		return &jsonFault{len(text), faultEnd}
	}
	at := max(0, int(syntax.Offset)-1) // Offset counts the bytes read, including the unexpected one
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	if strings.Contains(err.Error(), "max depth") {
		return &jsonFault{at, faultDepth}
	}
	char, _ := utf8.DecodeRuneInString(text[at:])
	return &jsonFault{at, fmt.Sprintf("Unexpected token %q", char)}
}

func newJSONCheck(text string) (checkFunc, error) {
	want := strictJSON(strings.TrimSpace(text))
	if want.fault != "" {
		return nil, faultf(0, "the expected text is not JSON: %s", want.fault)
	}
	return func(a *Answer) string {
		got := a.json()
		if got.fault != "" {
			return "not JSON: " + got.fault
		}
		if d := firstDifference(want.value, got.value, false); d != nil {
			return d.String()
		}
		return ""
	}, nil
}

// jsonPointer is a JSON Pointer with its steps in reverse order.
type jsonPointer []string

func (p jsonPointer) String() string {
	if len(p) == 0 {
		return "the answer"
	}
	var b strings.Builder
	for _, step := range slices.Backward(p) {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return b.String()
}

// jsonDifference is the first place, in key order, where two values differ.
type jsonDifference struct {
	path jsonPointer
	why  string
}

func (d *jsonDifference) String() string {
	if len(d.path) == 0 {
		return d.why
	}
	return truncate(d.path.String(), 100) + ": " + d.why
}

func (d *jsonDifference) addStep(step string) *jsonDifference {
	d.path = append(d.path, step)
	return d
}

// firstDifference returns the first difference, or nil for equal values. Numbers are compared exactly by value: 1, 1.0
// and 1e0 are equal. If open is true, objects of got may have more keys, except in lists.
func firstDifference(want, got any, open bool) *jsonDifference {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return objectDifference(w, g, open)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return arrayDifference(w, g)
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(string(w), string(g)) {
			return nil
		}
	case string:
		g, ok := got.(string)
		switch {
		case ok && w == g:
			return nil
		case ok && sameButForm(w, g):
			return &jsonDifference{why: onlyForm}
		}
	default:
		if want == got {
			return nil
		}
	}
	return &jsonDifference{why: fmt.Sprintf("expected %s, got %s", describeJSON(want), describeJSON(got))}
}

func objectDifference(want, got map[string]any, open bool) *jsonDifference {
	for _, key := range sortedKeys(want) {
		g, ok := got[key]
		if !ok {
			return (&jsonDifference{why: "missing"}).addStep(key)
		}
		if d := firstDifference(want[key], g, open); d != nil {
			return d.addStep(key)
		}
	}
	for _, key := range sortedKeys(got) {
		if _, ok := want[key]; !ok && !open {
			return (&jsonDifference{why: "not expected"}).addStep(key)
		}
	}
	return nil
}

func arrayDifference(want, got []any) *jsonDifference {
	for i := range min(len(want), len(got)) {
		if d := firstDifference(want[i], got[i], false); d != nil {
			return d.addStep(fmt.Sprint(i))
		}
	}
	if len(want) != len(got) {
		return &jsonDifference{why: fmt.Sprintf("expected %d items, got %d", len(want), len(got))}
	}
	return nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// describeJSON quotes a scalar, or names the kind of any other value.
func describeJSON(v any) string {
	switch v := v.(type) {
	case string:
		return quoteTruncated(v)
	case json.Number:
		return truncate(string(v), 60)
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case []any:
		return "an array"
	}
	return "an object"
}

// JSONFieldValues returns the values of a field in a text that the heuristics read as JSON: a string, number or boolean
// as written, or the elements of an array. path has keys and array indices joined by dots, such as "result.0.severity".
// Keys may themselves have dots. A missing field is nil. If the text has several objects, all different values are
// returned. Text that a page hides is ignored.
func JSONFieldValues(text, path string) []string {
	if begin := strings.TrimSpace(text); !strings.HasPrefix(begin, "{") && !strings.HasPrefix(begin, "[") {
		text = answer.RemoveHidden(text)
	}
	r := readJSON(text)
	var out []string
	if r.fault == "" {
		out = scalars(fieldValue(r.value, path))
	}
	if r.fault == "" && len(r.repairs) == 0 {
		return out
	}
	for _, value := range objects(text) {
		for _, other := range scalars(fieldValue(value, path)) {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// maxObjectStarts is how many braces of a text are tried as the beginning of an object.
const maxObjectStarts = 32

// objects returns the JSON objects of a text that are not within another one.
func objects(text string) (out []any) {
	for range maxObjectStarts {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			break
		}
		text = text[at:]
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			text = text[1:]
			continue
		}
		out = append(out, value)
		text = text[d.InputOffset():]
	}
	return out
}

// fieldValue returns the value at path, keys separated by dots, or nil. A key of value may have dots itself.
func fieldValue(value any, path string) any {
	switch v := value.(type) {
	case map[string]any:
		if whole, ok := v[path]; ok {
			return whole
		}
		for dot := range len(path) {
			if path[dot] != '.' {
				continue
			}
			if found := fieldValue(v[path[:dot]], path[dot+1:]); found != nil {
				return found
			}
		}
	case []any:
		first, rest, more := strings.Cut(path, ".")
		switch i, err := strconv.Atoi(first); {
		case err != nil || i < 0 || i >= len(v):
			return nil
		case more:
			return fieldValue(v[i], rest)
		default:
			return v[i]
		}
	}
	return nil
}

func scalars(value any) (out []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case json.Number:
		return []string{v.String()}
	case bool:
		return []string{strconv.FormatBool(v)}
	case []any:
		for _, item := range v {
			if _, list := item.([]any); !list {
				out = append(out, scalars(item)...)
			}
		}
	}
	return out
}
