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

// decodeStrict reads exactly one JSON value. Unlike package json, it rejects unknown and repeated keys and keys in
// another letter case.
func decodeStrict(text []byte, s *shape, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(into); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return checkKeys(json.NewDecoder(bytes.NewReader(text)), s)
}

// shape holds the allowed keys of the objects of a document. A nil shape is a value without keys.
type shape struct {
	fields map[string]*shape // of a struct
	elem   *shape            // of a list, or of a map with arbitrary keys
}

// The documents' shapes, which never change.
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
		s := &shape{fields: map[string]*shape{}}
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
				s.fields[name] = shapeOf(f.Type)
			}
		}
		return s
	}
	return nil
}

// checkKeys checks the keys of a JSON value. The value must have been decoded before, which shows that it is valid and
// fits the shape.
func checkKeys(dec *json.Decoder, s *shape) error {
	open, err := dec.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return err
	}
	seen := map[string]bool{}
	for dec.More() {
		inner := s.elem
		if open == json.Delim('{') {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key, _ := token.(string)
			if s.fields != nil {
				field, known := s.fields[key]
				if !known {
					return fmt.Errorf("unknown key %q", key)
				}
				inner = field
			}
			if seen[key] {
				return fmt.Errorf("key %q stands twice", key)
			}
			seen[key] = true
		}
		if err := checkKeys(dec, inner); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}
