package suite

import (
	"regexp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

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
		c.faults.ErrorAt(name.Pos, "tools", "target %s is of provider %s, which is sent no tools; openai and anthropic are",
			document.Quote(c.suite.Target), c.envelope.target.Provider)
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
	if names, ok := toolNames(c.faults, from.Path, root); ok {
		c.envelope.request.Tools, c.tools.names = oneLine([]byte(text)), names
	}
	from.Kind = KindTools
	c.suite.shared = append([]message{{role: toolsRole, text: text, file: from}}, c.suite.shared...)
	c.addFile(from)
}

// toolNames returns the names of the tools in the file path, whose tree is root. ok is false if the file has an error,
// which toolNames reports.
func toolNames(f *diagnostics, path string, root *document.Node) (names []string, ok bool) {
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
