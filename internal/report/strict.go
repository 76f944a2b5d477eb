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
	"github.com/failproof/failproof/internal/text"
)

// decodeStrict reads exactly one JSON value. Unlike package json, it rejects unknown and repeated keys and keys in
// another letter case.
func decodeStrict(data []byte, s *shape, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(into); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return checkKeys(json.NewDecoder(bytes.NewReader(data)), s)
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
	switch open {
	case json.Delim('['):
		return text.Items(dec, func() error { return checkKeys(dec, s.elem) })
	case json.Delim('{'):
		return text.Members(dec, func(key string) error {
			inner, known := s.fields[key]
			switch {
			case s.fields == nil:
				inner = s.elem
			case !known:
				return fmt.Errorf("unknown key %q", key)
			}
			return checkKeys(dec, inner)
		})
	}
	return err
}
