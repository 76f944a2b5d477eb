package suite

import (
	"regexp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// maxTools is how many tools OpenAI takes in one request.
const maxTools = 128

// toolName is the form of a tool's name that all providers take.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// tools are those that a suite offers the model.
type tools struct {
	text  string // JSON on one line; "" for none
	names []string
	named bool // a file is named, faulty or not
}

// offer reads the file of tools. Its faults are told in their place, and no tool is offered then.
func (c *collector) offer(name *document.Node) {
	if name.AsText() == "" {
		return
	}
	c.offered.named = true
	if target := c.config.Targets[c.suite.Target]; target.Toolless() {
		c.faults.errorAt(name.Pos, "tools", "target %s is of provider %s, which is sent no tools; openai and anthropic are",
			document.Quote(c.suite.Target), target.Provider)
		return
	}
	text, from, ok := c.named(name, "file of tools")
	if !ok {
		return
	}
	c.others[from.Path] = true
	root, ds := document.ParseJSON(from.Path, []byte(text), document.Position{Line: 1, Column: 1})
	ds = slices.DeleteFunc(ds, func(d document.Diagnostic) bool { return d.Rule == "number" }) // a JSON Schema's may have any form
	if c.faults.add(ds...); root == nil || document.HasErrors(ds) {
		return
	}
	t := &toolFile{file: c.file, path: from.Path}
	t.list(root)
	if from.Kind = KindTools; len(t.names) == root.Len() && !t.wrong {
		c.offered.text, c.offered.names = oneLine([]byte(text)), t.names
	}
	c.suite.shared = append(slices.Clone(c.suite.shared), sending{from.Path, Instructed})
	c.suite.said = append([]message{{role: toolsRole, text: text, from: from}}, c.suite.said...)
	c.asks(from)
}

// toolFile checks a file of tools.
type toolFile struct {
	*file
	path  string
	names []string
	wrong bool
}

func (t *toolFile) fault(at document.Position, message string) {
	t.wrong = true
	t.faults.add(document.NewFault(t.path, at, "tools", "%s", message))
}

func (t *toolFile) list(root *document.Node) {
	if root.Kind != document.List || root.Len() == 0 || root.Len() > maxTools {
		t.fault(root.Pos, "a file of tools is a list of 1 to 128 tools, each { \"type\": \"function\", \"function\": { \"name\", \"description\", \"parameters\" } }")
		return
	}
	for _, item := range root.Items() {
		function := item.Get("function").AsMap()
		if item.Get("type").AsText() != "function" || function == nil || len(item.Keys) != 2 {
			t.fault(item.Pos, "a tool has a `type`, which is function, and a `function`, and nothing else")
			continue
		}
		t.function(function)
	}
}

func (t *toolFile) function(n *document.Node) {
	kinds := map[string]document.Kind{"name": document.String, "description": document.String, "parameters": document.Map, "strict": document.Bool}
	for i, key := range n.Keys {
		switch kind, known := kinds[key.Text]; {
		case !known:
			t.fault(key.Pos, "unknown key "+document.Quote(key.Text)+"; a function has a name, a description, parameters and strict")
		case n.Values[i].Kind != kind:
			t.fault(n.Values[i].Pos, "`"+key.Text+"` is "+map[document.Kind]string{document.String: "a text", document.Map: "a JSON Schema", document.Bool: "true or false"}[kind])
		}
	}
	name := n.Get("name").AsText()
	switch {
	case !toolName.MatchString(name):
		t.fault(n.KeyPos("name"), "a function's `name` is 1 to 64 letters, digits, '_' and '-'")
	case slices.Contains(t.names, name):
		t.fault(n.KeyPos("name"), "the tool "+document.Quote(name)+" is there twice")
	default:
		t.names = append(t.names, name)
	}
}

// tools compiles what tools an answer must call.
func (j *judge) tools(k *Case, by *judgedBy, at *document.Node) {
	if at == nil || at.Kind != document.List {
		return
	}
	if len(j.offered.names) == 0 {
		if !j.offered.named {
			j.faults.errorAt(at.Pos, "tools", "`expected_tools` needs `tools` of the suite: without any, the model can call none")
		}
		return
	}
	expected := make([]expect.ExpectedCall, 0, at.Len())
	for _, item := range at.Items() {
		name := item.Get("name")
		if name.AsText() == "" {
			return // reported by the schema
		}
		if !slices.Contains(j.offered.names, name.Text) {
			j.faults.errorAt(name.Pos, "tools", "the suite's tools have no %s; they have %s", document.Quote(name.Text), listed(j.offered.names))
			return
		}
		arguments, _ := item.Get("arguments").Value().(map[string]any)
		expected = append(expected, expect.ExpectedCall{Name: name.Text, Arguments: arguments})
	}
	match := expect.CompileTools(expected)
	k.Expect.Criteria = append(k.Expect.Criteria, match)
	by.Tools = match.Expected()
}
