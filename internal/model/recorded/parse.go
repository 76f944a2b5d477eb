package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// parse parses the line with the given number. problem says what is wrong with the line; it is "" if nothing is.
func parse(line string, number int) (r record, problem string) {
	root, faults := document.ParseLenient("", line, document.Position{Line: number, Column: 1})
	switch {
	case len(faults) > 0 && faults[0].Rule == document.RuleConflict:
		return r, faults[0].Message + ": take this file of one side (`git checkout --ours`), then " +
			"record stale and missing answers"
	case len(faults) > 0:
		problem = faults[0].Message
	case root.Kind != document.Map:
		problem = "it is not an object"
	default:
		if problem = misspelledKey("", root); problem == "" {
			problem = unfitValue(json.Unmarshal([]byte(line), &r))
		}
	}
	if problem != "" {
		return r, "not a recording: " + problem +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	return r, ""
}

// maxShownValue is the length in bytes to which a number in an error message is shortened.
const maxShownValue = 40

// unfitValue describes an error of json.Unmarshal, whose input is valid JSON. It returns "" if there is none.
func unfitValue(err error) string {
	if unfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s is %s, which does not fit", unfit.Field, text.TruncateBytes(unfit.Value, maxShownValue))
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// knownKeys holds the keys of a line, and those of the objects in it by the key of the object.
var knownKeys = map[string][]string{"": keysOf[record](), "target": keysOf[Target](), "tokens": keysOf[model.Tokens](),
	"tool_calls": keysOf[model.ToolCall](), "verdicts": keysOf[model.Verdict]()}

func keysOf[T any]() (names []string) {
	for f := range reflect.TypeFor[T]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// misspelledKey describes the first key in n that looks like a misspelled known one, or returns "". Other unknown keys
// are ignored. name is the key of n.
func misspelledKey(name string, n *document.Node) string {
	for key, value := range n.Entries() {
		if !slices.Contains(knownKeys[name], key.Text) {
			for _, known := range knownKeys[name] {
				if strings.EqualFold(key.Text, known) || text.IsMisspelling(key.Text, known) && n.Get(known) == nil {
					return fmt.Sprintf("key %s is written %s", document.Quote(key.Text), known)
				}
			}
			continue
		}
		for _, item := range append(value.List(), value) {
			if problem := misspelledKey(key.Text, item); problem != "" {
				return problem
			}
		}
	}
	return ""
}
