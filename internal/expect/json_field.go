package expect

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/answer"
)

// JSONField returns what stands in one field of a text that is read as JSON by the heuristics: a string, number or boolean as it is
// written, and of an array each of them. path names the field by keys and array indices with dots between them,
// "result.0.severity"; a key that has dots itself is found too. It returns nil where nothing stands there. Where a text holds several objects,
// one corrected by the next, what differs in them comes too. What a reader of the text does not see is not read.
func JSONField(text, path string) []string {
	if begin := strings.TrimSpace(text); !strings.HasPrefix(begin, "{") && !strings.HasPrefix(begin, "[") {
		text = answer.Seen(text)
	}
	r := readJSON(text)
	var out []string
	if r.fault == "" {
		out = scalars(field(r.value, path))
	}
	if r.fault == "" && len(r.repairs) == 0 {
		return out
	}
	for _, value := range objects(text) {
		for _, other := range scalars(field(value, path)) {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// triedObjects bounds how often an object is looked for in a text.
const triedObjects = 32

// objects returns the JSON objects of a text that stand in no other.
func objects(text string) (out []any) {
	for range triedObjects {
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

// field follows a path; nil where it leads nowhere.
func field(value any, path string) any {
	switch v := value.(type) {
	case map[string]any:
		if whole, ok := v[path]; ok {
			return whole
		}
		for at := strings.IndexByte(path, '.'); at >= 0; {
			if inner, ok := v[path[:at]]; ok {
				return field(inner, path[at+1:])
			}
			next := strings.IndexByte(path[at+1:], '.')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	case []any:
		first, rest, more := strings.Cut(path, ".")
		i, err := strconv.Atoi(first)
		if err != nil || i < 0 || i >= len(v) {
			return nil
		}
		if !more {
			return v[i]
		}
		return field(v[i], rest)
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
