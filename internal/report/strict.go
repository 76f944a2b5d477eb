package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// decodeStrict reads exactly one JSON value. Package json takes keys in any case and the last of repeated ones; here
// each key is written as the type says, and stands once.
func decodeStrict(text []byte, s *shape, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	keys := json.NewDecoder(bytes.NewReader(text))
	return checkKeys(keys, s)
}

func explain(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the JSON value is cut off")
	}
	return err
}

// shape says which keys the objects of a document may have. A nil shape is a value without keys.
type shape struct {
	fields map[string]*shape // of a struct
	elem   *shape            // of a list, or of a map, whose keys are free
}

// The documents' shapes, made once and never changed.
var (
	resultShape = shapeOf(reflect.TypeFor[Result]())
	reportShape = shapeOf(reflect.TypeFor[Report]())
)

func shapeOf(t reflect.Type) *shape {
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Slice, reflect.Map:
		return &shape{elem: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{fields: make(map[string]*shape, t.NumField())}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			s.fields[name] = shapeOf(t.Field(i).Type)
		}
		return s
	}
	return nil
}

// value returns the shape of what stands under key.
func (s *shape) value(key string) (*shape, error) {
	if s.fields == nil {
		return s.elem, nil
	}
	value, ok := s.fields[key]
	if !ok {
		return nil, fmt.Errorf("unknown key %q", key)
	}
	return value, nil
}

// checkKeys walks the next value, which has been decoded once: it is sound JSON, and has objects and lists only where
// the shape has them.
func checkKeys(dec *json.Decoder, s *shape) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return checkObject(dec, s)
	case json.Delim('['):
		for dec.More() {
			if err := checkKeys(dec, s.elem); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	}
	return err
}

func checkObject(dec *json.Decoder, s *shape) error {
	seen := make(map[string]bool, 8)
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		key := token.(string) // what stands before a colon is a string
		if seen[key] {
			return fmt.Errorf("key %q stands twice", key)
		}
		seen[key] = true
		value, err := s.value(key)
		if err != nil {
			return err
		}
		if err := checkKeys(dec, value); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
