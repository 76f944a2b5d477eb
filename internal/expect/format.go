package expect

import (
	"fmt"
	"slices"
)

// Kinds of a format.
const (
	FormatJSON  = "json"
	FormatYAML  = "yaml"
	FormatXML   = "xml"
	FormatRegex = "regex"
)

// Format is the shape an answer must have, compiled.
type Format struct {
	kind    string
	strict  bool
	schema  *schema  // json, yaml; nil: any
	pattern *pattern // regex
	source  string   // of pattern
}

// CompileFormat compiles an expected format. strict switches the JSON heuristics and the unwrapping of fenced blocks off;
// schema is the text of a JSON Schema for json and yaml, or nil; pattern is for regex alone. The error is a *CompileError.
func CompileFormat(kind string, strict bool, schema []byte, pattern string) (*Format, error) {
	f := &Format{kind: kind, strict: strict, source: pattern}
	if err := f.checkParts(schema != nil, pattern != ""); err != nil {
		return nil, err
	}
	var err error
	if schema != nil {
		f.schema, err = compileSchema(schema)
	}
	if kind == FormatRegex {
		f.pattern, err = compilePattern(pattern)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (f *Format) checkParts(schema, pattern bool) error {
	switch {
	case !slices.Contains([]string{FormatJSON, FormatYAML, FormatXML, FormatRegex}, f.kind):
		return faultf(0, "unknown format %s; expected json, yaml, xml or regex", quoteCut(f.kind))
	case schema && f.kind != FormatJSON && f.kind != FormatYAML:
		return faultf(0, "a schema is for the formats json and yaml, not for %s", f.kind)
	case pattern && f.kind != FormatRegex:
		return faultf(0, "a pattern is for the format regex, not for %s", f.kind)
	case !pattern && f.kind == FormatRegex:
		return faultf(0, "the format regex needs a pattern")
	}
	return nil
}

// AlwaysTrue reports that every answer has the format: a pattern that matches the empty string anywhere.
func (f *Format) AlwaysTrue() bool { return f.pattern != nil && f.pattern.empty }

// fault says why the answer does not have the format; "" if it does.
func (f *Format) fault(a *Answer) string {
	switch f.kind {
	case FormatJSON:
		return f.jsonFault(a)
	case FormatYAML:
		value, fault := readYAML(f.unwrapped(a.Text))
		if fault != "" {
			return fault
		}
		return f.schema.fault(value)
	case FormatXML:
		return xmlFault(f.unwrapped(a.Text))
	}
	return f.patternFault(a)
}

func (f *Format) jsonFault(a *Answer) string {
	var r jsonReading
	if f.strict {
		r = strictJSON(a.Text)
	} else {
		r = a.json()
	}
	if r.fault != "" {
		return r.fault
	}
	return f.schema.fault(r.value)
}

func (f *Format) patternFault(a *Answer) string {
	met, why := f.pattern.search(a.Text)
	switch {
	case met:
		return ""
	case why != "":
		return "the format " + why
	}
	return fmt.Sprintf("The answer does not match the pattern %s", quoteCut(f.source))
}

// unwrapped returns the content of the first fenced block when the answer is wrapped in one, unless strict.
func (f *Format) unwrapped(text string) string {
	if found := blocks(text); !f.strict && len(found) > 0 {
		return text[found[0].from:found[0].to]
	}
	return text
}
