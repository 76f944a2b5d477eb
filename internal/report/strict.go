package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/failproof/failproof/internal/config"
)

// decodeStrict reads exactly one JSON value. Package json passes over unknown keys, takes keys in any case and the last of repeated ones; here
// each key is one that the type has, is written as it says, and stands once.
func decodeStrict(text []byte, s *shape, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(into); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	k := keyChecker{text: text}
	return k.value(s)
}

// shape says which keys the objects of a document may have. A nil shape is a value without keys.
type shape struct {
	fields map[string]field // of a struct
	elem   *shape           // of a list, or of a map, whose keys are free
}

type field struct {
	bit   uint64 // of its own among the struct's fields
	shape *shape
}

// The documents' shapes, made once and never changed.
var (
	resultShape = shapeOf(reflect.TypeFor[Result]())
	reportShape = shapeOf(reflect.TypeFor[Report]())
)

func shapeOf(t reflect.Type) *shape {
	if t == reflect.TypeFor[config.Gate]() {
		t = config.GateJSON
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Slice, reflect.Map:
		return &shape{elem: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{fields: make(map[string]field, t.NumField())}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name != "-" {
				s.fields[name] = field{1 << i, shapeOf(t.Field(i).Type)}
			}
		}
		return s
	}
	return nil
}

// keyChecker walks a text that has been decoded once: it is sound JSON, and has objects and lists only where the shape
// has them.
type keyChecker struct {
	text []byte
	at   int
}

func (k *keyChecker) value(s *shape) error {
	switch k.peek() {
	case '{':
		return k.object(s)
	case '[':
		k.at++
		for k.peek() != ']' {
			if err := k.value(s.elem); err != nil {
				return err
			}
			k.skip(',')
		}
		k.at++
	case '"':
		k.quoted()
	default:
		for k.at < len(k.text) && bytes.IndexByte([]byte(",]} \t\r\n"), k.text[k.at]) < 0 {
			k.at++
		}
	}
	return nil
}

func (k *keyChecker) object(s *shape) error {
	var seen uint64
	var free map[string]bool // keys of a map
	for k.at++; k.peek() != '}'; k.skip(',') {
		key, err := k.key()
		if err != nil {
			return err
		}
		elem, twice := s.elem, free[key]
		if s.fields == nil {
			if free == nil {
				free = map[string]bool{}
			}
			free[key] = true
		} else {
			f, ok := s.fields[key]
			if !ok {
				return fmt.Errorf("unknown key %q", key)
			}
			elem, twice = f.shape, seen&f.bit != 0
			seen |= f.bit
		}
		if twice {
			return fmt.Errorf("key %q stands twice", key)
		}
		k.skip(':')
		if err := k.value(elem); err != nil {
			return err
		}
	}
	k.at++
	return nil
}

func (k *keyChecker) key() (string, error) {
	k.peek()
	raw := k.quoted()
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	var key string
	err := json.Unmarshal(raw, &key)
	return key, err
}

// quoted returns the string that begins here, with its quotes.
func (k *keyChecker) quoted() []byte {
	start := k.at
	for k.at++; k.text[k.at] != '"'; k.at++ {
		if k.text[k.at] == '\\' {
			k.at++
		}
	}
	k.at++
	return k.text[start:k.at]
}

// peek skips white space and returns the byte behind it.
func (k *keyChecker) peek() byte {
	for bytes.IndexByte([]byte(" \t\r\n"), k.text[k.at]) >= 0 {
		k.at++
	}
	return k.text[k.at]
}

// skip passes over mark, if it comes next.
func (k *keyChecker) skip(mark byte) {
	if k.peek() == mark {
		k.at++
	}
}
