package recorded

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// member is a name in a line of a recording, and its value as it is written there.
type member struct{ name, value string }

// rewrite returns a recording in which the lines that by names, counted from 1, have the members that change makes of theirs. What
// stands around an object stays to the byte, and so does every other line. Load has read the text, so there are no faults in it.
func rewrite[V any](text []byte, by map[int]V, change func([]member, V) []member) []byte {
	var out []byte
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if v, ok := by[number]; ok {
			start, end := bytes.IndexByte(line, '{'), bytes.LastIndexByte(line, '}')+1
			object := joined(change(members(line[start:end]), v), separators(line))
			line = slices.Concat(line[:start], object, line[end:])
		}
		out = append(out, line...)
	}
	return out
}

// separators are what stands between members and after their names: with a space, as people and Python write them, or without.
func separators(line []byte) [2]string {
	if bytes.Contains(line, []byte(`": `)) {
		return [2]string{", ", ": "}
	}
	return [2]string{",", ":"}
}

func members(object []byte) (out []member) {
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // the brace
	for dec.More() {
		token, _ := dec.Token()
		name, _ := token.(string)
		var value json.RawMessage
		_ = dec.Decode(&value)
		out = append(out, member{name, string(value)})
	}
	return out
}

func joined(all []member, between [2]string) []byte {
	var fields []string
	for _, m := range all {
		fields = append(fields, written(m.name)+between[1]+m.value)
	}
	return []byte("{" + strings.Join(fields, between[0]) + "}")
}

// written is a value as it is written into a line: JSON, with the characters of HTML as they are.
func written(value any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic("recorded: " + err.Error()) // strings and booleans always marshal
	}
	return strings.TrimSuffix(text.String(), "\n")
}
