package suite

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"regexp"
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
func (c *collector) readFormat(k *Case, checks *expectationContent, n fields) {
	at := n.get("expected_format")
	if at == nil {
		return
	}
	compiled := c.formats.get(string(document.AppendNode(nil, at)), func() *compiledFormat { return c.compileFormat(at) })
	if compiled == nil {
		return
	}
	if compiled.format.AlwaysTrue() {
		c.WarnAt(at.Get("pattern").Pos, "always-true", alwaysMet)
	}
	k.Expect.Format, checks.Format, checks.schema = compiled.format, compiled.key, compiled.schema
}

func (c *collector) compileFormat(node *document.Node) *compiledFormat {
	key := &formatKey{Type: node.AsText()}
	if node.Kind == document.Map {
		key = &formatKey{Type: node.Get("type").AsText(), Strict: node.Get("strict").IsTrue(), Pattern: node.Get("pattern").AsText()}
	}
	if !slices.Contains(formats, key.Type) || !checkFormat(c.file, node, key) {
		return nil
	}
	var schema []byte
	line := ""
	if name := node.Get("schema"); name != nil {
		if schema, key.Schema = c.answerSchema(name); schema == nil {
			return nil
		}
		if key.Type == expect.FormatJSON {
			line = oneLine(schema)
		}
	}
	format, err := expect.CompileFormat(key.Type, key.Strict, schema, key.Pattern)
	if err != nil {
		reportFormatError(c.file, node, err)
		return nil
	}
	return &compiledFormat{line, format, key}
}

// oneLine returns the JSON in text without white space between tokens. Keys keep their order, because a model writes
// the keys of its answer in the order of the schema.
func oneLine(text []byte) string {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		panic("suite: schema: " + err.Error()) // it was parsed
	}
	return out.String()
}

// checkFormat reports whether the details of a format belong to its type. It adds an error for each detail that does
// not.
func checkFormat(f *file, node *document.Node, key *formatKey) bool {
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
func (f *file) answerSchema(name *document.Node) (text []byte, fingerprint string) {
	if name.AsText() == "" {
		return nil, ""
	}
	path, ok := f.locate(name, "schema file", false)
	if !ok {
		return nil, ""
	}
	schema := f.loader.schemas.get(path, func() *schemaFile { return readSchema(f.loader.fsys, path) })
	f.Add(schema.faults...)
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
// schema, or else at the format itself.
func reportFormatError(f *file, format *document.Node, err error) {
	for _, detail := range []string{"pattern", "schema"} {
		if n := format.Get(detail); n != nil {
			f.reportCompileError(n, map[bool]string{true: n.Text}[detail == "pattern"], "expected_format, "+detail, err)
			return
		}
	}
	f.reportCompileError(format, "", "expected_format", err)
}

// maxTools is the largest number of tools in one request. OpenAI has the same limit.
const maxTools = 128

// toolName matches names of tools that all providers accept.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// tools are the tools that a suite offers the model.
type tools struct {
	names   []string
	hasFile bool // the suite names a file of tools, valid or not
}

// readToolFile reads the file of tools that a suite names. If the file has errors, it reports them and offers no tool.
func (c *collector) readToolFile(name *document.Node) {
	if name.AsText() == "" {
		return
	}
	c.tools.hasFile = true
	if c.envelope.target.Toolless() {
		c.ErrorAt(name.Pos, "tools", "target %s is of provider %s, which is sent no tools; openai and anthropic are",
			document.Quote(c.suite.Target), c.envelope.target.Provider)
		return
	}
	text, from, ok := c.readNamedFile(name, "file of tools")
	if !ok {
		return
	}
	c.loader.nonSuites[from.Path] = true
	root, ds := anyJSON(from.Path, text)
	if c.Add(ds...); root == nil || document.HasErrors(ds) {
		return
	}
	if names, ok := toolNames(c.file, from.Path, root); ok {
		c.envelope.request.Tools, c.tools.names = oneLine([]byte(text)), names
	}
	from.Kind = KindTools
	c.suite.shared = append([]message{{role: toolsRole, text: text, files: []SentFile{from}}}, c.suite.shared...)
	c.addFile(from)
}

// toolNames returns the names of the tools in the file path, whose tree is root. ok is false if the file has an error,
// which toolNames reports.
func toolNames(f *file, path string, root *document.Node) (names []string, ok bool) {
	ok = true
	report := func(at document.Position, message string) {
		ok = false
		f.Add(document.NewError(path, at, "tools", "%s", message))
	}
	if root.Kind != document.List || len(root.List()) == 0 || len(root.List()) > maxTools {
		report(root.Pos, "a file of tools is a list of 1 to 128 tools, each { \"type\": \"function\", \"function\": { \"name\", \"description\", \"parameters\" } }")
		return nil, false
	}
	kinds := map[string]document.Kind{"name": document.String, "description": document.String, "parameters": document.Map, "strict": document.Bool}
	for _, item := range root.List() {
		function := item.Get("function").AsMap()
		if item.Get("type").AsText() != "function" || function == nil || len(item.Keys) != 2 {
			report(item.Pos, "a tool has a `type`, which is function, and a `function`, and nothing else")
			continue
		}
		for key, value := range function.Entries() {
			switch kind, known := kinds[key.Text]; {
			case !known:
				report(key.Pos, "unknown key "+document.Quote(key.Text)+"; a function has a name, a description, parameters and strict")
			case value.Kind != kind:
				report(value.Pos, "`"+key.Text+"` is "+map[document.Kind]string{document.String: "a text", document.Map: "a JSON Schema", document.Bool: "true or false"}[kind])
			}
		}
		name := function.Get("name").AsText()
		switch {
		case !toolName.MatchString(name):
			report(function.KeyPos("name"), "a function's `name` is 1 to 64 letters, digits, '_' and '-'")
		case slices.Contains(names, name):
			report(function.KeyPos("name"), "the tool "+document.Quote(name)+" is there twice")
		}
		names = append(names, name)
	}
	return names, ok
}

// readTools reads the tool calls that an answer must make, at node at, into k and checks.
func readTools(c *collector, k *Case, checks *expectationContent, node *document.Node) {
	if node == nil || node.Kind != document.List {
		return
	}
	if len(c.tools.names) == 0 {
		if !c.tools.hasFile {
			c.ErrorAt(node.Pos, "tools", "`expected_tools` needs `tools` of the suite: without any, the model can call none")
		}
		return
	}
	expected := make([]expect.ExpectedCall, 0, len(node.List()))
	for _, item := range node.List() {
		name := item.Get("name")
		if name.AsText() == "" {
			return // the schema reports it
		}
		if !slices.Contains(c.tools.names, name.Text) {
			c.ErrorAt(name.Pos, "tools", "the suite's tools have no %s; they have %s", document.Quote(name.Text), nameList(c.tools.names))
			return
		}
		arguments, _ := item.Get("arguments").Value().(map[string]any)
		expected = append(expected, expect.ExpectedCall{Name: name.Text, Arguments: arguments})
	}
	match := expect.CompileTools(expected)
	k.Expect.Criteria = append(k.Expect.Criteria, match)
	checks.Tools = match.Expected
}
