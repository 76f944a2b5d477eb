// Package rows has what the readers of other runners' results share. A row is one run of one case.
package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// The limits of a file of results.
const (
	MaxFile  = 64 << 20 // bytes of a file
	MaxText  = 1 << 20  // bytes of one text
	MaxDepth = 64       // values inside each other
)

// Row is one run of one case, as its runner wrote it. Its texts may come from a model.
type Row struct {
	At       string // place of the row in the file, such as line 12 or row 12
	Suite    string // "" if the runner names none
	Case     string // the name of the case
	Key      string // identifies the case on both sides; "" means that Case does
	Title    string // distinguishes cases with the same Key, but no runs with a number; "" if the row does not show it
	Provider Name
	Prompt   Name
	Run      string // the number of the run, or ""

	Passed   *bool    // nil means that Score decides
	Score    *float64 // in [0, 1]
	NoAnswer bool     // whether there is no answer to judge
	Skipped  bool     // whether the runner left the case out, so that there is no run
	Unjudged bool     // whether the runner holds the answer to nothing, so that any passes

	Input, Output, Reason string
	Expected              string // how the runner judges, in a canonical form; "" if it does not show that
	Path                  string // the test's file in the repository, or ""
	Line                  int
}

// Name is the name that a runner has for a provider or a prompt. A change may rename it. Short is a part of Long that
// may be the same on both sides, or "".
type Name struct{ Long, Short string }

// Shape is what the beginning of a file shows of its format.
type Shape struct {
	XML  bool
	Root string          // name of the first XML element; "" if there is none or an error comes before it
	Keys map[string]bool // keys of the first JSON object; a key KEY of its "results" is results.KEY
	Err  error           // the syntax error in the first JSON object
}

// ShapeOf returns the shape of a file. The shape is empty if the file is neither JSON nor XML.
func ShapeOf(data []byte) Shape {
	if begun := bytes.TrimSpace(bytes.TrimPrefix(data, bom)); bytes.HasPrefix(begun, []byte("<")) {
		return Shape{XML: true, Root: rootOf(begun)}
	}
	return shapeOfJSON(bytes.TrimPrefix(data, bom))
}

var bom = []byte("\ufeff")

func shapeOfJSON(data []byte) Shape {
	s, dec := Shape{Keys: map[string]bool{}}, json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return s
	}
	// If the keys before an error show the format, the format's reader reports the error.
	s.Err = invalid(text.Members(dec, func(key string) error {
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		s.Keys[key] = true
		var within map[string]json.RawMessage
		if key == "results" && json.Unmarshal(value, &within) == nil {
			for key := range within {
				s.Keys["results."+key] = true
			}
		}
		return nil
	}))
	return s
}

// EachLine calls take for each line that is not blank, until take returns an error. n is the number of the line.
func EachLine(data []byte, take func(n int, line []byte) error) error {
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, bom)) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := take(n, line); err != nil {
			return err
		}
	}
	return nil
}

// Decode decodes one JSON object strictly into the given value. It returns an error for a repeated key, a value beyond
// the limits, and a value of another type.
func Decode(data []byte, into any) error {
	if err := check(data); err != nil {
		return err
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, into); {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("it is a JSON %s; expected an object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is a JSON %s, which does not fit", wrong.Field, wrong.Value)
	default:
		return err
	}
}

// check returns an error if data is not exactly one valid JSON value within the limits. data must not be empty.
func check(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := checkValue(dec, 0); err != nil {
		return invalid(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value; expected nothing more")
	}
	return nil
}

// checkValue reads one value, which is inside of depth other values. It returns an error if the value is invalid,
// exceeds a limit or repeats a key. In the outermost object, keys that differ only in letter case are equal, as for
// encoding/json.
func checkValue(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	open, nests := token.(json.Delim)
	switch {
	case err != nil:
		return err
	case !nests:
		return checkText(token)
	case depth == MaxDepth:
		return fmt.Errorf("it is deeper than %d values inside each other", MaxDepth)
	case open == '[':
		return text.Items(dec, func() error { return checkValue(dec, depth+1) })
	}
	folded := map[string]bool{}
	return text.Members(dec, func(key string) error {
		name := strings.ToLower(strings.ToUpper(key)) // as encoding/json folds them
		if depth == 0 && folded[name] {
			return fmt.Errorf("the key %q is there twice", key)
		}
		folded[name] = true
		if err := checkText(key); err != nil {
			return err
		}
		return checkValue(dec, depth+1)
	})
}

// checkText returns an error for a text beyond the limit.
func checkText(token json.Token) error {
	if s, ok := token.(string); ok && len(s) > MaxText {
		return errors.New("it holds a text of more than 1 MiB")
	}
	return nil
}

// invalid explains a syntax error, and returns any other error unchanged.
func invalid(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends within a JSON value; expected the whole value, and of JSON lines each on one line")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no valid JSON: %w", syntax)
	}
	return err
}

// Text is the text of a JSON string, or any other JSON value in compact form. It is "" for null.
type Text string

func (t *Text) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t = Text(text)
		return nil
	}
	*t = Text(Canonical(data))
	return nil
}

// Canonical returns a JSON value in a form that is the same for equal values. It returns "" for null and invalid JSON.
func Canonical(data []byte) string {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || v == nil {
		return ""
	}
	return string(text.MustJSON(v)) // it was decoded from JSON
}

// CheckScore returns an error if a score is outside of [0, 1].
func CheckScore(score *float64) error {
	if score != nil && !(*score >= 0 && *score <= 1) {
		return fmt.Errorf("score is %v; expected 0 to 1", *score)
	}
	return nil
}
