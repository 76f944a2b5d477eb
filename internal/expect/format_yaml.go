package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Bounds of a YAML answer. Building nodes costs some hundred bytes for each byte of text.
const (
	maxYAMLBytes = 1 << 20
	maxYAMLDepth = 200
)

// readYAML reads text as one YAML document that is a mapping or a list, and returns it in the types of a JSON value, or
// why it is none.
func readYAML(text string) (value any, fault string) {
	if len(text) > maxYAMLBytes {
		return nil, fmt.Sprintf("The answer has %d bytes; YAML is read up to %d", len(text), maxYAMLBytes)
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil {
		return nil, yamlFault(err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, "More than one YAML document; expected one"
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlFault(err)
	}
	root := &document
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode && root.Kind != yaml.SequenceNode {
		return nil, "Expected a YAML mapping or list, but got a plain text"
	}
	return yamlValue(root, 0)
}

func yamlFault(err error) string {
	if errors.Is(err, io.EOF) {
		return "Expected a YAML mapping or list, but got no document"
	}
	return "Not YAML: " + cut(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: "), 200)
}

// yamlValue turns a node into the types of a JSON value.
func yamlValue(n *yaml.Node, depth int) (any, string) {
	switch {
	case depth > maxYAMLDepth:
		return nil, fmt.Sprintf("YAML nested deeper than %d levels at line %d", maxYAMLDepth, n.Line)
	case n.Kind == yaml.MappingNode:
		return yamlObject(n, depth)
	case n.Kind == yaml.SequenceNode:
		return yamlArray(n, depth)
	case n.Kind == yaml.AliasNode:
		// Following aliases can cost exponential time, and a model has no need of them.
		return nil, fmt.Sprintf("YAML alias at line %d; aliases are not followed", n.Line)
	}
	return yamlScalar(n), ""
}

func yamlObject(n *yaml.Node, depth int) (any, string) {
	out := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Sprintf("YAML key at line %d is not a plain text", key.Line)
		}
		if _, twice := out[key.Value]; twice {
			return nil, fmt.Sprintf("YAML key %s at line %d is there twice", quoteCut(key.Value), key.Line)
		}
		value, fault := yamlValue(n.Content[i+1], depth+1)
		if fault != "" {
			return nil, fault
		}
		out[key.Value] = value
	}
	return out, ""
}

func yamlArray(n *yaml.Node, depth int) (any, string) {
	out := make([]any, 0, len(n.Content))
	for _, item := range n.Content {
		value, fault := yamlValue(item, depth+1)
		if fault != "" {
			return nil, fault
		}
		out = append(out, value)
	}
	return out, ""
}

// yamlScalar keeps numbers that JSON could write as numbers; any other scalar is a text.
func yamlScalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if r := strictJSON(n.Value); r.fault == "" {
			if number, ok := r.value.(json.Number); ok {
				return number
			}
		}
	}
	return n.Value
}
