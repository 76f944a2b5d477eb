package suite

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// formats are the types of expected_format that the schema allows.
var formats = []string{expect.FormatJSON, expect.FormatYAML, expect.FormatXML, expect.FormatRegex}

// compiledFormat is a compiled expected_format. key is what it adds to the expectation key.
type compiledFormat struct {
	schema string // JSON Schema of the answer on one line; "" if the format has none or is not JSON
	format *expect.Format
	key    *formatKey
}

// readFormat reads expected_format into k, and what it adds to the expectation key into checks.
func (j *expectationCompiler) readFormat(k *Case, checks *expectationContent, n fields) {
	at := n.get("expected_format")
	if at == nil {
		return
	}
	compiled := j.formats.get(at.JSON(), func() *compiledFormat { return j.compileFormat(at) })
	if compiled == nil {
		return
	}
	if compiled.format.AlwaysTrue() {
		j.faults.WarnAt(at.Get("pattern").Pos, "always-true", alwaysMet)
	}
	k.Expect.Format, checks.Format, checks.schema = compiled.format, compiled.key, compiled.schema
}

func (j *expectationCompiler) compileFormat(node *document.Node) *compiledFormat {
	key := &formatKey{Type: node.AsText()}
	if node.Kind == document.Map {
		key = &formatKey{Type: node.Get("type").AsText(), Strict: node.Get("strict").IsTrue(), Pattern: node.Get("pattern").AsText()}
	}
	if !slices.Contains(formats, key.Type) || !checkFormat(j.faults, node, key) {
		return nil
	}
	var schema []byte
	line := ""
	if name := node.Get("schema"); name != nil {
		if schema, key.Schema = j.collector.file.reader.answerSchema(name); schema == nil {
			return nil
		}
		if key.Type == expect.FormatJSON {
			line = oneLine(schema)
		}
	}
	format, err := expect.CompileFormat(key.Type, key.Strict, schema, key.Pattern)
	if err != nil {
		reportFormatError(j.faults, node, err)
		return nil
	}
	return &compiledFormat{line, format, key}
}

// oneLine returns the JSON in text without white space between tokens. Keys keep their order, because a model writes
// the keys of its answer in the order of the schema.
func oneLine(text []byte) string {
	var out bytes.Buffer
	_ = json.Compact(&out, text) // it was parsed
	return out.String()
}

// checkFormat reports whether the details of a format belong to its type. It adds an error for each detail that does
// not.
func checkFormat(f *diagnostics, node *document.Node, key *formatKey) bool {
	ok := true
	for detail, with := range map[string][]string{"schema": formats[:2], "strict": formats[:3], "pattern": formats[3:]} {
		if node.Get(detail) != nil && !slices.Contains(with, key.Type) {
			f.ErrorAt(node.KeyPos(detail), "format", "`%s` goes with type %s only; this is %s", detail, text.List(with, "or"), key.Type)
			ok = false
		}
	}
	if key.Type == expect.FormatRegex && key.Pattern == "" {
		f.ErrorAt(node.Pos, "format", "the format regex needs a pattern: { type: regex, pattern: … }")
		ok = false
	}
	return ok
}

// answerSchema returns the text and the fingerprint of the JSON Schema file name. text is nil if the file cannot be
// used.
func (r *reader) answerSchema(name *document.Node) (text []byte, fingerprint string) {
	path, ok := r.locate(name, "schema file", false)
	if !ok {
		return nil, ""
	}
	schema := r.loader.schemas.get(path, func() *schemaFile { return readSchema(r.loader.fsys, path) })
	r.faults.Add(schema.faults...)
	return schema.text, schema.fingerprint
}

// schemaFile is a JSON Schema file. text is nil if the file cannot be used. The fingerprint ignores layout.
type schemaFile struct {
	text        []byte
	fingerprint string
	notSuite    bool // the file is clearly not meant as a suite, so errors about it as a suite are dropped
	faults      []document.Diagnostic
}

func readSchema(fsys fs.FS, path string) *schemaFile {
	data, faults := document.Read(fsys, path)
	if document.HasErrors(faults) {
		return &schemaFile{faults: faults}
	}
	root, more := anyJSON(path, string(data))
	if faults = append(faults, more...); document.HasErrors(faults) {
		return &schemaFile{faults: faults}
	}
	aSuite := root.Get("version") != nil || root.Get("cases") != nil
	noSuite := root.Kind == document.Null || root.AsMap() != nil && !aSuite
	return &schemaFile{data, hash(root.Value()), noSuite, faults}
}

// anyJSON parses JSON in which numbers may have any form. Suite files allow only plain decimal numbers.
func anyJSON(path, text string) (*document.Node, []document.Diagnostic) {
	return document.ParseLenient(path, text, document.Position{Line: 1, Column: 1})
}

// reportFormatError reports an error of compiling a format. The error is placed at the format's pattern, or else at its
// schema.
func reportFormatError(f *diagnostics, format *document.Node, err error) {
	if n := format.Get("pattern"); n != nil {
		f.reportCompileError(n, n.Text, "expected_format, pattern", err)
		return
	}
	f.reportCompileError(format.Get("schema"), "", "expected_format, schema", err)
}
