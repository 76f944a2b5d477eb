package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a JSON Schema of draft 2020-12, of the keywords that are fields of rules. A value of an anyOf or oneOf
// fits at most one of its branches.
type Schema struct {
	*rules
	defs map[string]*rules // the parts that a $ref can name
}

// rules is a part of a schema: what it demands of a value, and words for messages about the value.
type rules struct {
	Description string
	Instead     map[string]string `json:"x-instead"`   // what to write in place of a key of another tool
	Otherwise   string            `json:"x-otherwise"` // advice about values and keys that the schema does not list

	Ref          string            `json:"$ref"` // #/$defs/ and the name of a part
	Defs         map[string]*rules `json:"$defs"`
	AllOf        []*rules
	AnyOf, OneOf []*rules

	Type                         types
	Const                        any
	Enum                         []any
	Minimum, Maximum             *float64
	Pattern                      *regexp.Regexp
	MinLength, MaxLength         *float64
	MinItems, MaxItems           *float64
	UniqueItems                  bool
	Items                        *rules
	MinProperties, MaxProperties *float64
	Required                     []string
	Properties                   map[string]*rules
	PropertyNames                *rules
	AdditionalProperties         *rules

	forbidden bool // the schema false, which no value fits
}

// UnmarshalJSON reads a schema, which may be true or false.
func (r *rules) UnmarshalJSON(text []byte) error {
	if r.forbidden = string(text) == "false"; r.forbidden || string(text) == "true" {
		return nil
	}
	type plain rules
	return json.Unmarshal(text, (*plain)(r))
}

// types are the names of the types that a value may have.
type types []string

// UnmarshalJSON reads one type or a list of types.
func (t *types) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// closed reports whether a map may have no keys besides Properties.
func (r *rules) closed() bool {
	return r.AdditionalProperties != nil && r.AdditionalProperties.forbidden
}

// keys returns the sorted names of Properties.
func (r *rules) keys() []string { return slices.Sorted(maps.Keys(r.Properties)) }

// allowedValues returns the values that the schema lists, or nil if it lists none.
func (r *rules) allowedValues() []any {
	if r.Const != nil {
		return []any{r.Const}
	}
	return r.Enum
}

// EmbeddedSchema returns a function that compiles a schema of the program at its first call, and returns the schema.
// The function is safe for concurrent use.
func EmbeddedSchema(name string, text func() []byte) func() *Schema {
	return sync.OnceValue(func() *Schema {
		s, err := CompileSchema(name, text())
		if err != nil {
			panic("document: embedded " + err.Error()) // a test compiles every schema
		}
		return s
	})
}

// CompileSchema compiles a schema without references to other files. name is its name in errors.
func CompileSchema(name string, text []byte) (*Schema, error) {
	// an absolute address, because jsonschema adds the current folder to any other
	const address = "mem:///schema.json"
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(other string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is not allowed here", other)
	}
	s := &Schema{rules: &rules{}}
	err := c.AddResource(address, bytes.NewReader(text))
	if err == nil {
		_, err = c.Compile(address) // finds what is no schema
	}
	if err == nil {
		err = json.Unmarshal(text, s.rules)
	}
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	s.defs = s.Defs
	return s, nil
}

// resolved returns r, or the part of the schema that its $ref names. r may be nil.
func (s *Schema) resolved(r *rules) *rules {
	switch {
	case r == nil:
		return &rules{}
	case r.Ref != "":
		return s.defs[strings.TrimPrefix(r.Ref, "#/$defs/")]
	}
	return r
}

// Part returns the part of the schema that $defs has under name.
func (s *Schema) Part(name string) *Schema { return &Schema{s.defs[name], s.defs} }
