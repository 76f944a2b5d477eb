package suite

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// toolsSchema is the schema of a file of tools. The names are such that all providers accept them, and OpenAI has the
// same limit for the number of tools in a request.
var toolsSchema = schemaOf(`
	"type": "array", "minItems": 1, "maxItems": 128, "items": {
		"type": "object", "additionalProperties": false, "required": ["type", "function"], "properties": {
			"type": { "const": "function" },
			"function": { "type": "object", "additionalProperties": false, "required": ["name"], "properties": {
				"name": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "1 to 64 letters, digits, '_' and '-'" },
				"description": { "type": "string" }, "parameters": { "type": "object" }, "strict": { "type": "boolean" } } } } }`)

// tools are the tools that a suite offers the model.
type tools struct {
	text    string // JSON on one line, as it is sent
	names   []string
	hasFile bool // the suite names a file of tools, valid or not
}

// readToolFile reads the file of tools that a suite names. If the file has errors, it reports them and offers no tool.
func (c *collector) readToolFile(name *document.Node) {
	if name.AsText() == "" {
		return
	}
	c.tools.hasFile = true
	toolless := 0
	for _, t := range c.targets {
		if t.Toolless() {
			toolless++
			c.faults.ErrorAt(name.Pos, "tools", "target %s is of provider %s, which is sent no tools; openai and anthropic are",
				document.Quote(t.name), t.Provider)
		}
	}
	if toolless == len(c.targets) {
		return
	}
	text, from, ok := c.file.reader.readNamedFile(name, "file of tools")
	if !ok {
		return
	}
	c.loader.nonSuites[from.Path] = true
	root, ds := anyJSON(from.Path, text)
	if c.faults.Add(ds...); root == nil || document.HasErrors(ds) {
		return
	}
	c.tools.text, c.tools.names = oneLine([]byte(text)), toolNames(c.faults, from.Path, root)
	from.Kind = KindTools
	c.suite.shared = append([]message{{role: toolsRole, text: text, files: []SentFile{from}}}, c.suite.shared...)
	c.addFile(from)
}

// toolNames returns the names of the tools in the file path, whose tree is root. It returns none if the file has an
// error, which it reports.
func toolNames(f *diagnostics, path string, root *document.Node) (names []string) {
	if ds := toolsSchema().Check(path, root); len(ds) > 0 {
		f.Add(ds...)
		return nil
	}
	for _, item := range root.List() {
		name := item.Get("function").Get("name")
		if slices.Contains(names, name.Text) {
			f.Add(document.NewError(path, name.Pos, "tools", "the tool %s is there twice", document.Quote(name.Text)))
		}
		names = append(names, name.Text)
	}
	return names
}

// readTools reads the tool calls that an answer must make, at node at, into k and checks.
func readTools(c *collector, k *Case, checks *expectationContent, node *document.Node) {
	if node == nil || node.Kind != document.List {
		return
	}
	if len(c.tools.names) == 0 {
		if !c.tools.hasFile {
			c.faults.ErrorAt(node.Pos, "tools", "`expected_tools` needs `tools` of the suite: without any, the model can call none")
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
			c.faults.ErrorAt(name.Pos, "tools", "the suite's tools have no %s; they have %s", document.Quote(name.Text), nameList(c.tools.names))
			return
		}
		arguments, _ := item.Get("arguments").Value().(map[string]any)
		expected = append(expected, expect.ExpectedCall{Name: name.Text, Arguments: arguments})
	}
	match := expect.CompileTools(expected)
	k.Expect.Criteria = append(k.Expect.Criteria, match)
	checks.Tools = match.Expected
}
