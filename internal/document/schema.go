package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/failproof/failproof/internal/text"
)

// Schema is a compiled JSON Schema of draft 2020-12.
type Schema struct {
	compiled *jsonschema.Schema
	raw      any // the schema's text, decoded; messages use parts of it
}

// EmbeddedSchema returns a function that compiles a schema of the program at its first call, and returns the schema.
// The function is safe for concurrent use.
func EmbeddedSchema(name string, read func() []byte) func() *Schema {
	return sync.OnceValue(func() *Schema { return text.Must(CompileSchema(name, read())) })
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

// Check returns the errors of the tree root by the schema, in file order. There is one error for each cause. An error
// stands at the wrong value, at the unknown key, or at the map that lacks a key. Check does not repeat errors of Parse.
// It rejects the words yes, no, on and off, except where an enum of the schema lists the word.
func (s *Schema) Check(path string, root *Node) []Diagnostic { return s.check(path, root, false) }

// CheckForeign does what Check does, for a file of another tool. The words yes, no, on and off are text in it.
func (s *Schema) CheckForeign(path string, root *Node) []Diagnostic { return s.check(path, root, true) }

func (s *Schema) check(path string, root *Node, foreign bool) []Diagnostic {
	if root == nil {
		return nil
	}
	c := &checker{schema: s, root: root, path: path, index: map[*Node]map[string]int{},
		rules: map[string]map[string]any{}}
	leaves := c.validate(!foreign)
	sortLeaves(leaves)
	known := map[*Node]bool{}
	for _, l := range leaves {
		known[l.node] = true
		if l.node != nil && !l.node.faulty && !l.listsWord() { // a faulty node has a diagnostic already
			c.report(l)
		}
	}
	for _, word := range wordsIn(root, nil) {
		if !foreign && !known[word] { // it is valid as true or false
			c.errorAt(word.Pos, "word", "%s is read as true or false by some readers of YAML and as text by others; "+
				"put it in quotes if it is text, or write true or false", Quote(word.Text))
		}
	}
	Sort(c.diagnostics)
	return c.diagnostics
}

// checker checks one tree by a schema.
type checker struct {
	schema      *Schema
	root        *Node
	path        string
	diagnostics []Diagnostic
	index       map[*Node]map[string]int  // index in Keys of each key of a large map
	rules       map[string]map[string]any // for the location of a keyword: the part of the schema that has the keyword
}

func (c *checker) errorAt(at Position, rule, format string, args ...any) {
	c.diagnostics = append(c.diagnostics, NewError(c.path, at, rule, format, args...))
}

// validate returns the reasons why the tree does not match the schema. If yesNo is set, the words yes, no, on and off
// are booleans, and otherwise strings.
func (c *checker) validate(yesNo bool) []leaf {
	err := c.schema.compiled.Validate(c.root.value(yesNo))
	if err == nil {
		return nil
	}
	// Validate returns other errors only for an invalid schema, and the schemas are part of the program.
	return c.flatten(err.(*jsonschema.ValidationError))
}

// wordsIn returns found with the words yes, no, on and off below n.
func wordsIn(n *Node, found []*Node) []*Node {
	if n.isAmbiguous() {
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
