package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a compiled JSON Schema of draft 2020-12.
type Schema struct {
	compiled *jsonschema.Schema
	raw      any             // the schema's own text, decoded: messages quote it
	inParts  map[string]bool // lists of the root that may be checked a part at a time
}

// EmbeddedSchema compiles a schema that is part of the program where it is first asked for, and once. It may be used by several at once.
func EmbeddedSchema(name string, text func() []byte) func() *Schema {
	return sync.OnceValue(func() *Schema {
		s, err := CompileSchema(name, text())
		if err != nil {
			panic("document: embedded " + err.Error()) // a test compiles it
		}
		return s
	})
}

// CompileSchema compiles a schema that refers to nothing outside of its text. An error is a fault of that text, and calls it name.
func CompileSchema(name string, text []byte) (*Schema, error) {
	const address = "mem:///schema.json" // absolute, or the folder that failproof runs in would be read as a part of an address
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(other string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is outside of the schema", other)
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
	s.inParts = listsInParts(s.raw)
	return s, nil
}

// Check returns everything in which a tree differs from the schema, in file order: one diagnostic a cause, at the value,
// at the key that is unknown, or at the map that lacks one. What Parse has reported is not reported again. The words
// yes, no, on and off are refused except where an enum of the schema lists them.
func (s *Schema) Check(path string, root *Node) []Diagnostic {
	if root == nil {
		return nil
	}
	c := &check{schema: s, root: root, path: path, index: map[*Node]map[string]int{}, rules: map[string]map[string]any{}}
	leaves := c.validate((*Node).Value)
	sortLeaves(leaves)
	for _, l := range leaves {
		if l.node != nil && !l.node.faulty { // else it, or what it stands in, has its diagnostic already
			c.report(l)
		}
	}
	c.words(leaves)
	Sort(c.list)
	f := faults{path: path}
	for _, d := range slices.Compact(c.list) {
		f.add(d)
	}
	return f.all()
}

// check is one run of a schema over a tree.
type check struct {
	schema *Schema
	root   *Node
	path   string
	list   []Diagnostic
	index  map[*Node]map[string]int  // of large maps: where each key is
	rules  map[string]map[string]any // by the place of a keyword in the schema
	part   part                      // what is being validated

	longList, longItem *Node // the item of a long list that was last asked for
	longIndex          int
}

func (c *check) errorAt(at Position, rule, format string, args ...any) {
	c.list = append(c.list, NewFault(c.path, at, rule, format, args...))
}

// validate returns the single causes for which the tree, as the values that valueOf makes of it, does not meet the schema.
func (c *check) validate(valueOf func(*Node) any) (all []leaf) {
	for one := range c.root.parts(c.schema.inParts) {
		c.part = one
		if err := c.schema.compiled.Validate(valueOf(one.root)); err != nil {
			invalid := err.(*jsonschema.ValidationError)                               // any other is a fault of the schema, which is a part of the program
			all = append(all, slices.DeleteFunc(c.leaves(invalid), func(l leaf) bool { // what stands outside of the list is told by the first part
				return one.from > 0 && (len(l.path) < 2 || l.path[0] != one.list)
			})...)
		}
	}
	return all
}

const wordMessage = "%s is read as true or false by some readers of YAML and as text by others; put it in quotes if it is text, " +
	"or write true or false"

// words refuses the words that the schema took as any text, or would have taken as a boolean.
func (c *check) words(leaves []leaf) {
	told := map[*Node]bool{}
	for _, l := range leaves {
		told[l.node] = true
	}
	open := slices.DeleteFunc(wordsIn(c.root, nil), func(n *Node) bool { return told[n] })
	if len(open) == 0 {
		return
	}
	listed := map[*Node]bool{}
	for _, l := range c.validate((*Node).booleans) {
		listed[l.node] = listed[l.node] || l.lists()
	}
	for _, word := range open {
		if !listed[word] {
			c.errorAt(word.Pos, "word", wordMessage, Quote(word.Text))
		}
	}
}

// wordsIn looks into no long list: only JSON has one, and no such word.
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

// partItems is how many items of a long list are checked at once. Package jsonschema checks values of Go, which take several times the
// memory of the file: of a file of 100,000 cases only a part is ever made.
const partItems = 512

// part is a tree with some of the items of one list of its root, the whole tree if list is "".
type part struct {
	root *Node
	list string // key of the list
	from int    // index of its first item in the whole list
}

// parts yields root a part at a time: with all else, some items of the longest list of the root that may be taken apart.
func (root *Node) parts(apart map[string]bool) iter.Seq[part] {
	return func(yield func(part) bool) {
		at := -1
		for i, key := range root.Keys {
			if apart[key.Text] && (at < 0 || root.Values[i].Len() > root.Values[at].Len()) {
				at = i
			}
		}
		if at < 0 || root.Values[at].Len() <= partItems {
			yield(part{root: root})
			return
		}
		list := root.Values[at]
		for from := 0; from < list.Len(); from += partItems {
			some, one := *list, *root
			some.long, some.items = nil, make([]*Node, 0, partItems)
			for i := from; i < min(from+partItems, list.Len()); i++ {
				some.items = append(some.items, list.Item(i))
			}
			one.Values = slices.Clone(root.Values)
			one.Values[at] = &some
			if !yield(part{&one, root.Keys[at].Text, from}) {
				return
			}
		}
	}
}

// whole turns the path of a value in the part into its path in the whole tree.
func (p part) whole(path []string) []string {
	if p.from == 0 || len(path) < 2 || path[0] != p.list {
		return path
	}
	if i, err := strconv.Atoi(path[1]); err == nil {
		path[1] = strconv.Itoa(p.from + i)
	}
	return path
}

// listsInParts finds the lists of a schema's root of which it says no more than what each item is, and that there is one, be it beside
// other things that may stand there. The root
// must be an object and no choice, so that its properties have nothing to do with each other.
func listsInParts(schema any) map[string]bool {
	root, _ := schema.(map[string]any)
	if !only(root, "$schema", "$id", "$defs", "title", "description", "type", "additionalProperties", "required", "properties") {
		return nil
	}
	lists := map[string]bool{}
	properties, _ := root["properties"].(map[string]any)
	for key, value := range properties {
		one, _ := value.(map[string]any)
		options, choice := one["anyOf"].([]any)
		if !choice {
			options = []any{value}
		}
		for _, option := range options {
			if anyLength(option) && (!choice || only(one, "description", "anyOf")) {
				lists[key] = true
			}
		}
	}
	return lists
}

// anyLength reports whether a schema says no more of a list than what each item is, and that there is one.
func anyLength(schema any) bool {
	list, _ := schema.(map[string]any)
	least, bounded := list["minItems"]
	return list["type"] == "array" && only(list, "description", "type", "minItems", "items") && (!bounded || least == 1.0)
}

// only reports whether a map has no other keys than these.
func only(m map[string]any, keys ...string) bool {
	for key := range m {
		if !slices.Contains(keys, key) {
			return false
		}
	}
	return true
}
