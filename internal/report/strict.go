package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/schemas"
)

// keywords is a part of a JSON Schema.
type keywords = map[string]any

// schema is the JSON Schema of a stored document.
type schema struct {
	root, definitions keywords
}

var (
	resultSchema = sync.OnceValue(func() *schema { return newSchema(schemas.Result()) })
	reportSchema = sync.OnceValue(func() *schema { return newSchema(schemas.Report()) })
)

func newSchema(data []byte) *schema {
	s := &schema{root: text.MustParse[keywords](data)}
	s.definitions, _ = s.root["$defs"].(keywords)
	return s
}

// resolve follows the references of a part of the schema. Of the two branches of an anyOf, the second is null.
func (s *schema) resolve(part keywords) keywords {
	if branches, ok := part["anyOf"].([]any); ok {
		part, _ = branches[0].(keywords)
	}
	if ref, ok := part["$ref"].(string); ok {
		part, _ = s.definitions[strings.TrimPrefix(ref, "#/$defs/")].(keywords)
	}
	return part
}

// check returns an error for the first key or value in data that the schema does not allow, for a repeated key, and for
// a key in another letter case. It also returns the line of the error. data has been decoded, which checks syntax and
// types. A missing key is allowed, because a report of an earlier version lacks newer keys. null counts as missing.
func (s *schema) check(data []byte) (line int, err error) {
	c := checker{json.NewDecoder(bytes.NewReader(data)), s}
	err = c.check("", s.root)
	return 1 + bytes.Count(data[:c.InputOffset()], []byte{'\n'}), err
}

// checker checks a JSON value while it reads it, because a document may be too large to be kept as a tree. It applies
// the keywords enum, minimum, maximum, properties, additionalProperties and items.
type checker struct {
	*json.Decoder
	schema *schema
}

// check checks the next value, which has the given name and belongs to the given part of the schema.
func (c *checker) check(name string, part keywords) error {
	token, err := c.Token()
	if err != nil {
		return err
	}
	part = c.schema.resolve(part)
	switch token {
	case json.Delim('['):
		inner, _ := part["items"].(keywords)
		return text.Items(c.Decoder, func() error { return c.check(name, inner) })
	case json.Delim('{'):
		return text.Members(c.Decoder, func(key string) error {
			inner, known := property(part, key)
			if !known {
				return fmt.Errorf("unknown key %q", key)
			}
			return c.check(key, inner)
		})
	}
	if allowed, ok := part["enum"].([]any); ok && token != nil && !slices.Contains(allowed, any(token)) {
		return fmt.Errorf("%s is %#v; expected one of %v", name, token, allowed)
	}
	if x, ok := token.(float64); ok {
		return checkRange(name, x, part)
	}
	return nil
}

// property returns the part of the schema for a key of an object, and whether the object may have the key.
func property(object keywords, key string) (part keywords, known bool) {
	properties, _ := object["properties"].(keywords)
	if part, known = properties[key].(keywords); known {
		return part, true
	}
	part, known = object["additionalProperties"].(keywords)
	return part, known
}

func checkRange(name string, x float64, part keywords) error {
	low, hasLow := part["minimum"].(float64)
	high, hasHigh := part["maximum"].(float64)
	switch {
	case hasLow && !(x >= low-tolerance):
		return fmt.Errorf("%s is %v; expected %s or more", name, x, text.Decimal(low))
	case hasHigh && !(x <= high+tolerance):
		return fmt.Errorf("%s is %v; expected at most %s", name, x, text.Decimal(high))
	}
	return nil
}
