package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a compiled JSON Schema of draft 2020-12.
type Schema struct {
	compiled *jsonschema.Schema
	raw      any // the schema's own text, decoded, for messages
}

// EmbeddedSchema returns a function that compiles a schema of the program at its first call. It is safe for
// concurrent use.
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
	// absolute, or jsonschema would add the current folder to it
	const address = "mem:///schema.json"
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(other string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is not allowed here", other)
	}
	s := &Schema{}
	err := c.AddResource(address, bytes.NewReader(text))
	if err == nil {
		s.compiled, err = c.Compile(address)
	}
	if err == nil {
		err = json.Unmarshal(text, &s.raw)
	}
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	return s, nil
}

// Check returns the errors of a tree by the schema, in file order: one for each cause, at the value, the unknown key,
// or the map that lacks a key. It does not repeat errors of Parse. It rejects the words yes, no, on and off unless an
// enum of the schema lists them.
func (s *Schema) Check(path string, root *Node) []Diagnostic {
	if root == nil {
		return nil
	}
	c := &check{schema: s, root: root, path: path, index: map[*Node]map[string]int{},
		rules: map[string]map[string]any{}}
	leaves := c.validate(false)
	sortLeaves(leaves)
	for _, l := range leaves {
		if l.node != nil && !l.node.faulty { // else it has a diagnostic already
			c.report(l)
		}
	}
	c.words(leaves)
	Sort(c.list)
	f := NewFaults(path)
	f.Add(c.list...)
	return f.All()
}

// check is one run of a schema over a tree.
type check struct {
	schema *Schema
	root   *Node
	path   string
	list   []Diagnostic
	index  map[*Node]map[string]int  // places of keys in large maps
	rules  map[string]map[string]any // parts of the schema, by the place of their keyword
}

func (c *check) errorAt(at Position, rule, format string, args ...any) {
	c.list = append(c.list, NewFault(c.path, at, rule, format, args...))
}

// validate returns the reasons why the tree does not match the schema. If yesNo is set, yes, no, on and off are
// booleans.
func (c *check) validate(yesNo bool) []leaf {
	err := c.schema.compiled.Validate(c.root.value(yesNo))
	if err == nil {
		return nil
	}
	// only an invalid schema, which is part of the program, has other errors
	return c.flatten(err.(*jsonschema.ValidationError))
}

const wordMessage = "%s is read as true or false by some readers of YAML and as text by others; put it in quotes if " +
	"it is text, " +
	"or write true or false"

// words rejects yes, no, on and off where the schema expects a text or a boolean.
func (c *check) words(leaves []leaf) {
	reported := map[*Node]bool{}
	for _, l := range leaves {
		reported[l.node] = true
	}
	open := slices.DeleteFunc(wordsIn(c.root, nil), func(n *Node) bool { return reported[n] })
	if len(open) == 0 {
		return
	}
	listed := map[*Node]bool{}
	for _, l := range c.validate(true) {
		listed[l.node] = listed[l.node] || l.lists()
	}
	for _, word := range open {
		if !listed[word] {
			c.errorAt(word.Pos, "word", wordMessage, Quote(word.Text))
		}
	}
}

func wordsIn(n *Node, found []*Node) []*Node {
	if n.ambiguous() {
		return append(found, n)
	}
	for _, item := range n.items {
		found = wordsIn(item, found)
	}
	for _, value := range n.Values {
		found = wordsIn(value, found)
	}
	return found
}
