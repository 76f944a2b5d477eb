package promptfoo

import (
	"cmp"
	"path"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// convertJSON converts an assertion that expects JSON, with or without a schema.
func convertJSON(a *assertion) error {
	schema, err := schemaOf(a.value)
	switch {
	case err != nil:
		return err
	case a.negative && schema != "":
		return because("an answer may be other JSON, or none", "`not_javascript`")
	case a.negative:
		a.addExpression("response.json != nil")
		a.addDifference("an answer counts as JSON if removing the text around it leaves JSON")
		return nil
	case a.expect.hasTools && schema == "":
		a.addDifference("if the model has tools, the answer's JSON is its tool call")
		a.addExpression("len(response.tool_calls) > 0")
		return nil
	}
	strict := a.kind == "is-json"
	if schema != "" {
		if _, err := expect.CompileFormat("json", strict, []byte(schema), ""); err != nil {
			return because("its schema is refused: "+err.Error(), "a schema that refers to nothing outside of itself")
		}
	}
	return a.expectFormat(&format{kind: "json", strict: strict, schema: schema})
}

// schemaOf returns n, the value of an assertion or a file that it names, as a JSON Schema, or "" if there is none.
func schemaOf(n node) (string, error) {
	switch {
	case n.isMissing():
		return "", nil
	case n.namesFile():
		if n = contentOf(n); n.isMissing() {
			return "", because("its schema cannot be read")
		}
	case n.isText():
		root, ds := document.Parse(n.path, []byte(n.Text))
		if document.HasErrors(ds) || root == nil {
			return "", because("its schema is not JSON")
		}
		n.Node = root
	}
	return jsonOf(n.Node), nil
}

func convertXML(a *assertion) error {
	if !a.value.isMissing() || a.negative {
		return because("XML is only checked to be well-formed; elements are not",
			"`expected_format: xml`, and `contains` for each element")
	}
	return a.expectFormat(&format{kind: "xml", strict: a.kind == "is-xml"})
}

// expectFormat adds the expectation of the format f, merged with the format that is expected already.
func (a *assertion) expectFormat(f *format) error {
	old := cmp.Or(a.expect.format, a.expect.defaults.format)
	if old != nil {
		if old.kind != f.kind || old.schema != "" && f.schema != "" && old.schema != f.schema {
			return because("an answer has one format, and another is required already", "one schema that says both")
		}
		f.strict = f.strict || old.strict
		if f.schema == "" {
			f.schema, f.file = old.schema, old.file
		}
	}
	if f.schema != "" && f.file == "" {
		f.file = a.schemaFile(f.schema)
	}
	if old == nil || *old != *f {
		a.expect.format = f
	}
	return nil
}

// schemaFile returns the path of a file with the schema, relative to the folder suites. It is the file that the
// assertion names, or else a new one.
func (a *assertion) schemaFile(schema string) string {
	if a.value.namesFile() {
		name, _ := resolvePath(a.value.src.dir, a.value.Text)
		if path.Ext(name) == ".json" {
			ref, _ := a.im.out.reference(name)
			return ref
		}
		addCopied(a.value, "the schema", "the schema as a file of JSON")
	}
	root, _ := document.Parse("schema.json", []byte(schema))
	return a.im.out.jsonFile("schemas/"+cmp.Or(slug(root.Get("title").AsText()), "answer")+".schema.json", schema)
}

func convertRefusal(a *assertion) error {
	if a.negative {
		addFinding(LeftOut, a.origin, "`not-is-refusal`", "a refusal passes only if it is expected")
		return nil
	}
	a.expect.expectsRefusal = true
	return nil
}
