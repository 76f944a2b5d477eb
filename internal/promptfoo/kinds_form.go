package promptfoo

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// convertJSON converts an assertion that expects JSON, with or without a schema.
func convertJSON(a *assertion) error {
	schema, err := schemaOf(a.im.src, a.value)
	switch {
	case err != nil:
		return err
	case a.negative:
		a.addExpression("response.json != nil")
		a.addDifference("an answer counts as JSON if removing the text around it leaves JSON")
		return nil
	case a.part != "" && schema == "":
		a.ofPart("")
		return nil
	case a.part != "":
		return refusal{"it looks at a part of the answer", "an expression over `response.json`"}
	case a.tools && schema == "":
		a.addDifference("if the model has tools, the answer's JSON is its tool call")
		a.addExpression("len(response.tool_calls) > 0")
		return nil
	}
	strict := a.kind == "is-json"
	if schema != "" {
		if _, err := expect.CompileFormat("json", strict, []byte(schema), ""); err != nil {
			return refusal{"its schema is refused: " + err.Error(),
				"a schema that refers to nothing outside of itself"}
		}
	}
	return a.formed(&format{kind: "json", strict: strict, schema: schema})
}

// schemaOf returns n, the value of an assertion or a file that it names, as a JSON Schema. It returns "" if n is
// missing.
func schemaOf(src *source, n node) (string, error) {
	switch {
	case n.missing():
		return "", nil
	case n.namesFile():
		if n = src.fromFile(n, document.Quote(n.Text)); n.missing() {
			return "", refusal{"its schema cannot be read", ""}
		}
	case n.isText():
		root, ds := document.Parse(n.path, []byte(n.Text))
		if document.HasErrors(ds) || root == nil {
			return "", refusal{"its schema is not JSON", ""}
		}
		n.Node = root
	}
	return jsonOf(n.Node), nil
}

func convertXML(a *assertion) error {
	if !a.value.missing() || a.negative || a.part != "" {
		return refusal{"XML is only checked to be well-formed; elements are not",
			"`expected_format: xml`, and `contains` for each element"}
	}
	return a.formed(&format{kind: "xml", strict: a.kind == "is-xml"})
}

// formed adds the expectation of the format f, merged with the format that is expected already.
func (a *assertion) formed(f *format) error {
	old := a.to.format
	if old == nil && a.to.shared != nil {
		old = a.to.shared.format
	}
	if old != nil {
		if old.kind != f.kind || old.schema != "" && f.schema != "" && old.schema != f.schema {
			return refusal{"an answer has one format, and another is required already", "one schema that says both"}
		}
		f.strict = f.strict || old.strict
		if f.schema == "" {
			f.schema, f.file = old.schema, old.file
		}
	}
	if f.schema != "" && f.file == "" {
		root, _ := document.Parse("schema.json", []byte(f.schema))
		f.file = a.im.out.jsonFile("schemas/"+cmp.Or(slug(root.Get("title").AsText()), "answer")+
			".schema.json", f.schema)
	}
	if old == nil || *old != *f {
		a.to.format = f
	}
	return nil
}

func convertRefusal(a *assertion) error {
	switch {
	case a.part != "":
		return refusal{"it looks at a part of the answer", ""}
	case a.negative:
		a.im.src.add(LeftOut, a.from, "`not-is-refusal`", "a refusal passes only if it is expected", "")
	default:
		a.to.refusal = true
	}
	return nil
}
