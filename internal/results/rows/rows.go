// Package rows holds what the readers of other runners' results have in common: a row, which is one run of one case,
// and the bounds of what is read.
package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The bounds of a file.
const (
	MaxFile  = 64 << 20 // bytes
	MaxText  = 1 << 20  // bytes of one text
	MaxDepth = 64       // values inside each other
)

// Row is one run of one case, as its runner wrote it. Its texts may come from a model.
type Row struct {
	At       string // its place in the file: line 12, row 12
	Suite    string // "" where the runner names none
	Case     string // what the case is called
	Key      string // by what it is known on both sides; "": by what it is called
	Title    string // tells cases of one key apart
	Provider Name
	Prompt   Name
	Run      string // which run of the case it is; "": the rows are counted

	Passed *bool    // nil: the score decides
	Score  *float64 // in [0, 1]
	Failed bool     // no answer came to judge

	Input, Output, Reason string
	Expected              string // what the runner judged by, equal for equal; "" where it does not show that
	Path                  string // of the test in the repository; ""
	Line                  int
}

// Name is a runner's name for a part of a case that a change may rename.
type Name struct{ Long, Short string }

// Shape is what a file shows at its beginning, by which its format is known.
type Shape struct {
	XML  bool
	Root string          // of XML: the name of the first element; "" where there is none, or something is wrong before it
	Keys map[string]bool // of JSON: those of the first value; of what "results" holds, as results.KEY
	Bad  error           // of JSON that begins as an object: why it is none
}

// ShapeOf reads the shape of a file. What is neither JSON nor XML has none.
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
	for dec.More() {
		var value json.RawMessage
		t, err := dec.Token()
		key, _ := t.(string)
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil { // the reader of the format says it, if the keys before tell the format
			s.Bad = invalid(err)
			return s
		}
		s.Keys[key] = true
		var within map[string]json.RawMessage
		if key == "results" && json.Unmarshal(value, &within) == nil {
			for key := range within {
				s.Keys["results."+key] = true
			}
		}
	}
	return s
}

// Lines calls take for each line that is not blank, with its number.
func Lines(data []byte, take func(n int, line []byte) error) error {
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

// Decode decodes one JSON object strictly: a repeated key, depth or text beyond the bounds, and a value of another kind
// than into has are errors.
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

// check holds one JSON value to the bounds.
func check(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var in nesting
	for {
		t, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF) && len(in) == 0:
			return nil
		case err != nil:
			return invalid(err)
		}
		if err := in.take(t); err != nil {
			return err
		}
		if len(in) == 0 && dec.More() {
			return errors.New("something follows the JSON value; expected nothing more")
		}
	}
}

func invalid(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends within a JSON value; expected the whole value, and of JSON lines each on one line")
	}
	return errors.New("it is no valid JSON: " + strings.TrimPrefix(err.Error(), "json: "))
}

// nesting are the values that a token stands in, the outermost first.
type nesting []level

type level struct {
	keys map[string]bool // nil in a list
	key  bool            // a key comes next
}

func (n *nesting) take(t json.Token) error {
	at := len(*n) - 1
	text, isText := t.(string)
	switch {
	case isText && len(text) > MaxText:
		return errors.New("it holds a text of more than 1 MiB")
	case isText && at >= 0 && (*n)[at].key:
		return n.name(text)
	case t == json.Delim('{'), t == json.Delim('['):
		return n.open(t == json.Delim('{'))
	case t == json.Delim('}'), t == json.Delim(']'):
		*n = (*n)[:at]
		at--
	}
	if at >= 0 {
		(*n)[at].key = (*n)[at].keys != nil
	}
	return nil
}

func (n *nesting) open(object bool) error {
	if len(*n) == MaxDepth {
		return fmt.Errorf("it is deeper than %d values inside each other", MaxDepth)
	}
	next := level{}
	if object {
		next = level{map[string]bool{}, true}
	}
	*n = append(*n, next)
	return nil
}

// name notes a key. Keys of the outer object that differ in letter case alone are equal, as a decoder takes them.
func (n *nesting) name(key string) error {
	in, name := &(*n)[len(*n)-1], key
	if len(*n) == 1 {
		name = strings.ToLower(strings.ToUpper(key)) // as encoding/json folds them
	}
	if in.keys[name] {
		return fmt.Errorf("key %q stands twice", key)
	}
	in.keys[name], in.key = true, false
	return nil
}

// Text is a text, or another value as compact JSON; "" for null.
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

// Canonical returns a form of a JSON value that is equal for equal values; "" for null and for none.
func Canonical(data []byte) string {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || v == nil {
		return ""
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// CheckScore refuses a score that is none.
func CheckScore(score *float64) error {
	if score != nil && !(*score >= 0 && *score <= 1) {
		return fmt.Errorf("score is %v; expected 0 to 1", *score)
	}
	return nil
}
