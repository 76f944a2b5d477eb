package expect

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Kinds of a format.
const (
	FormatJSON  = "json"
	FormatYAML  = "yaml"
	FormatXML   = "xml"
	FormatRegex = "regex"
)

// Format is a compiled expected_format.
type Format struct {
	kind    string
	strict  bool
	schema  *schema  // of json and yaml; nil for none
	pattern *pattern // of regex
	source  string   // of pattern
	written string   // of schema, on one line
}

// CompileFormat compiles an expected format of a kind. strict disables the JSON heuristics and the unwrapping of fenced
// blocks. schema is a JSON Schema for json and yaml, or nil. pattern is for regex. The error is a *CompileError.
func CompileFormat(kind string, strict bool, schema []byte, pattern string) (*Format, error) {
	f := &Format{kind: kind, strict: strict, source: pattern}
	var err error
	if schema != nil {
		f.schema, err = compileSchema(schema)
		var written bytes.Buffer
		_ = json.Compact(&written, schema) // what is no JSON does not compile either
		f.written = written.String()
	}
	if kind == FormatRegex {
		f.pattern, err = compilePattern(pattern)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// demands describes the format, and its schema apart.
func (f *Format) demands() []Requirement {
	words := f.kind
	switch {
	case f.source != "":
		words += " " + f.source
	case f.schema != nil:
		words += " by its schema"
	}
	if f.strict {
		words += ", strict"
	}
	all := []Requirement{{"expected_format", words}}
	if f.schema != nil {
		all = append(all, Requirement{"schema", f.written})
	}
	return all
}

// AlwaysTrue reports whether every answer has the format, because its pattern matches every text.
func (f *Format) AlwaysTrue() bool { return f.pattern != nil && f.pattern.matchesAll }

// fault returns why the answer lacks the format, or "".
func (f *Format) fault(a *Answer) string {
	var r jsonReading
	switch {
	case f.kind == FormatJSON && f.strict:
		r = strictJSON(a.Text)
	case f.kind == FormatJSON:
		r = a.json()
	case f.kind == FormatYAML:
		r.value, r.fault = readYAML(f.unwrapped(a.Text))
	case f.kind == FormatXML:
		return xmlFault(f.unwrapped(a.Text))
	default:
		met, why := f.pattern.search(a.Text)
		switch {
		case met:
			return ""
		case why != "":
			return "the format " + why
		}
		return fmt.Sprintf("The answer does not match the pattern %s", quoteTruncated(f.source))
	}
	if r.fault != "" {
		return r.fault
	}
	return f.schema.fault(r.value)
}

// unwrapped returns the content of the first fenced block. Without a block, or in a strict format, it returns the text.
func (f *Format) unwrapped(text string) string {
	if found := blocks(text); !f.strict && len(found) > 0 {
		return text[found[0].from:found[0].to]
	}
	return text
}

// xmlFault returns why text is not one well-formed XML element, or "". Its cost is linear, and it expands no entities.
func xmlFault(text string) string {
	d := xml.NewDecoder(strings.NewReader(strings.TrimSpace(text)))
	// The answer is UTF-8, whatever encoding it declares.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var outline xmlOutline
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			if outline.roots == 0 {
				return "Expected an XML element, but found none"
			}
			return ""
		case err != nil:
			return "Not XML: " + truncate(strings.TrimPrefix(err.Error(), "XML "), 200)
		}
		if fault := outline.add(token); fault != "" {
			line, column := d.InputPos()
			return fmt.Sprintf("%s at line %d, column %d", fault, line, column)
		}
	}
}

// xmlOutline checks what encoding/xml does not: a single root, no text outside it, and no repeated attribute.
type xmlOutline struct{ depth, roots int }

func (o *xmlOutline) add(token xml.Token) (fault string) {
	switch t := token.(type) {
	case xml.StartElement:
		if o.depth == 0 {
			o.roots++
		}
		o.depth++
		if o.roots > 1 {
			return "Second XML root element <" + truncate(t.Name.Local, 60) + ">"
		}
		seen := map[xml.Name]bool{}
		for _, a := range t.Attr {
			if seen[a.Name] {
				return "XML attribute " + truncate(a.Name.Local, 60) + " is there twice"
			}
			seen[a.Name] = true
		}
	case xml.EndElement:
		o.depth--
	case xml.CharData:
		if o.depth == 0 && strings.TrimSpace(string(t)) != "" {
			return "Text outside the XML root element"
		}
	}
	return ""
}

// Limits of a YAML answer. Nodes take some hundred bytes of memory per byte of text.
const (
	maxYAMLBytes = 1 << 20
	maxYAMLDepth = 200
)

// yamlLibrary matches how the library's errors begin.
var yamlLibrary = regexp.MustCompile(`^.*(?:go-yaml |yaml: )`)

// readYAML parses text as one YAML document. It returns the mapping or list in the types of JSON, or what is wrong.
func readYAML(text string) (value any, fault string) {
	if len(text) > maxYAMLBytes {
		return nil, fmt.Sprintf("The answer has %d bytes; YAML is read up to %d", len(text), maxYAMLBytes)
	}
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil {
		return nil, "Not YAML: " + yamlLibrary.ReplaceAllString(oneLine(err.Error()), "")
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

func yamlValue(n *yaml.Node, depth int) (any, string) {
	switch {
	case depth > maxYAMLDepth:
		return nil, fmt.Sprintf("YAML nested deeper than %d levels at line %d", maxYAMLDepth, n.Line)
	case n.Kind == yaml.AliasNode:
		// Following aliases can take exponential time, and models do not need them.
		return nil, fmt.Sprintf("YAML alias at line %d; aliases are not followed", n.Line)
	case n.Kind == yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Sprintf("YAML key at line %d is not a plain text", key.Line)
			}
			if _, twice := out[key.Value]; twice {
				return nil, fmt.Sprintf("YAML key %s at line %d is there twice", quoteTruncated(key.Value), key.Line)
			}
			value, fault := yamlValue(n.Content[i+1], depth+1)
			if fault != "" {
				return nil, fault
			}
			out[key.Value] = value
		}
		return out, ""
	case n.Kind == yaml.SequenceNode:
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
	return yamlScalar(n), ""
}

// yamlScalar returns a scalar's value. Numbers that JSON cannot write are texts.
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
