// Package rows holds what the readers of other runners' results have in common: a row, which is one run of one case, and
// the bounds of what is read.
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

// Name is what a runner calls a part of a case that a change may rename.
type Name struct{ Long, Short string }

// Shape is what a file shows at its beginning, by which its format is known.
type Shape struct {
	XML    bool
	Root   string          // of XML: the name of the first element; "" where there is none, or something is wrong before it
	Keys   map[string]bool // of JSON: those of the first value; of what "results" holds, as results.KEY
	Single bool            // the first value of JSON is the only one
}

// ShapeOf reads the shape of a file. What is neither JSON nor XML has none.
func ShapeOf(data []byte) Shape {
	if begun := bytes.TrimSpace(bytes.TrimPrefix(data, bom)); bytes.HasPrefix(begun, []byte("<")) {
		return Shape{XML: true, Root: rootOf(begun)}
	}
	return shapeOfJSON(bytes.NewReader(bytes.TrimPrefix(data, bom)))
}

var bom = []byte("\ufeff")

func shapeOfJSON(r io.Reader) Shape {
	s, dec := Shape{Keys: map[string]bool{}}, json.NewDecoder(r)
	var keys []string // that lead to the next value
	list := make([]bool, 0, MaxDepth)
	isKey := false
	for {
		t, err := dec.Token()
		if err != nil {
			return s
		}
		switch d, delim := t.(json.Delim); {
		case delim && (d == '{' || d == '['):
			if len(list) >= MaxDepth {
				return s
			}
			list, keys, isKey = append(list, d == '['), append(keys, ""), d == '{'
			continue
		case delim:
			list, keys = list[:len(list)-1], keys[:len(keys)-1]
		case isKey && len(list) > 0 && !list[len(list)-1]:
			key, _ := t.(string)
			keys[len(keys)-1], isKey = key, false
			if len(keys) == 1 {
				s.Keys[key] = true
			} else if len(keys) == 2 && keys[0] == "results" {
				s.Keys["results."+key] = true
			}
			continue
		}
		if len(list) == 0 {
			_, err := dec.Token()
			s.Single = errors.Is(err, io.EOF)
			return s
		}
		isKey = !list[len(list)-1]
	}
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

// Decode decodes one JSON object. It is strict: a key that stands twice, more depth or a longer text than the bounds
// allow, and a value of another kind than into has, is an error.
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

// check holds one JSON value to the bounds. Keys of the outer object are one key if they differ in their case alone,
// since a decoder takes them for one.
func check(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		keys map[string]bool // nil in a list
		key  bool            // a key comes next
	}
	var in []level
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) && len(in) == 0 {
			return nil
		}
		if err != nil {
			return errors.New("it is no valid JSON: " + strings.TrimPrefix(err.Error(), "json: "))
		}
		at := len(in) - 1
		switch v := t.(type) {
		case json.Delim:
			switch v {
			case '{', '[':
				if len(in) == MaxDepth {
					return fmt.Errorf("it is deeper than %d values inside each other", MaxDepth)
				}
				next := level{}
				if v == '{' {
					next = level{map[string]bool{}, true}
				}
				in = append(in, next)
				continue
			}
			in = in[:at]
			at--
		case string:
			if len(v) > MaxText {
				return errors.New("it holds a text of more than 1 MiB")
			}
			if at >= 0 && in[at].key {
				name := v
				if at == 0 {
					name = strings.ToLower(v)
				}
				if in[at].keys[name] {
					return fmt.Errorf("key %q stands twice", v)
				}
				in[at].keys[name], in[at].key = true, false
				continue
			}
		}
		if at >= 0 && in[at].keys != nil {
			in[at].key = true
		}
		if at < 0 && dec.More() {
			return errors.New("something follows the JSON value; expected nothing more")
		}
	}
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

// Canonical returns a JSON value in a form that is equal for equal values; "" for null and for none.
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
