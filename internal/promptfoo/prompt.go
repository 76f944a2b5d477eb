package promptfoo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// prompt is a prompt of promptfoo. It becomes a suite.
type prompt struct {
	origin   node
	label    string // promptfoo's name for it, or ""
	name     string // name of the suite, without an ending
	source   string // path of the file that it was read from, or ""
	file     string // path of the file that a suite can name as its prompt; "" if the suite contains the prompt
	messages []message
	vars     []string // names of the variables in the messages
}

type message struct{ role, text string }

const (
	noSuite       = "no suite for the prompt" // begins findings about prompts that are left out
	filePerPrompt = "a file for each prompt: text or messages, with `{{ name }}` for variables"
)

// readPrompts returns the prompts that n lists. A listed file may hold several prompts.
func readPrompts(n node) (out []*prompt) {
	for _, item := range n.items() {
		if item = resolve(item); item.isScalar() {
			out = append(out, readPromptText(item, "")...)
			continue
		}
		var raw, id, label node
		handleKeys(item, "of a prompt", handlers{"raw": storeIn(&raw), "id": storeIn(&id), "label": storeIn(&label),
			"display": storeIn(&label)})
		if raw.isMissing() {
			raw = id
		}
		if raw.isMissing() {
			addFinding(ToDo, item, noSuite, "it has neither `raw` nor `id`")
			continue
		}
		out = append(out, readPromptText(raw, label.text())...)
	}
	return out
}

// codeFile matches the name of a file with code, alone or followed by a colon and the name of a function.
var codeFile = regexp.MustCompile(`\.(js|cjs|mjs|ts|cts|mts|tsx|py|rb|go|sh)(:[A-Za-z_][A-Za-z0-9_.]*)?$`)

var (
	// promptFile matches what names a file for promptfoo: a name with an ending, or a word with a dot, a slash or a
	// star.
	promptFile  = regexp.MustCompile(`^(file://.*|[^\n{}]*\.(txt|md|json|jsonl|yaml|yml|csv|j2)|[^\s{}]*[./*][^\s{}]*)$`)
	otherStores = regexp.MustCompile(`^((langfuse|portkey|helicone|huggingface|prompty)://?|exec:)`)
)

// readPromptText returns the prompt n if it is written in the configuration, or the prompts in the files that n names.
func readPromptText(n node, label string) (out []*prompt) {
	text := n.text()
	switch {
	case otherStores.MatchString(text):
		addFinding(ToDo, n, noSuite+" "+document.Quote(text), "it is stored elsewhere, or a program makes it",
			"the prompt as a file of the repository, which a change of it shows")
	case promptFile.MatchString(text):
		for _, file := range filesOf(n.src.dir, n, noSuite+" "+document.Quote(text)) {
			prompts := readPromptFile(n, file)
			name := slug(strings.TrimSuffix(strings.TrimSuffix(path.Base(file), path.Ext(file)), ".prompt"))
			if len(prompts) == 1 && label != "" {
				name = slug(label)
			}
			for _, p := range prompts {
				p.name, p.source = name, file
			}
			out = append(out, prompts...)
		}
	default:
		if p := parsePrompt(n, text, false); p != nil {
			p.name = slug(label)
			out = append(out, p)
		}
	}
	for _, p := range out {
		p.label = label
	}
	return out
}

// readPromptFile returns the prompts in the file that n names.
func readPromptFile(n node, file string) (out []*prompt) {
	ext := strings.ToLower(path.Ext(file))
	if codeFile.MatchString(file) || ext == ".csv" || ext == ".jsonl" {
		addFinding(ToDo, n, noSuite+" "+document.Quote(file), "it is code, which is not run, or a table", filePerPrompt)
		return nil
	}
	text, ok := readText(file, n)
	if !ok {
		return nil
	}
	if ext == ".json" || ext == ".yaml" || ext == ".yml" {
		root, ds := document.Parse(file, []byte(withoutDump(text)))
		if parsed, ok := reportErrors(node{root, file, n.src}, ds); ok {
			if p := readChat(n, parsed); p != nil {
				if withoutDump(text) != text {
					p.file = ""
				}
				out = append(out, p)
			}
		}
		return out
	}
	return splitPrompts(n, text, file)
}

// splitPrompts returns the prompts in the text of the file that n names. Lines of `---` separate them.
func splitPrompts(n node, text, file string) (out []*prompt) {
	parts := strings.Split("\n"+text+"\n", "\n---\n")
	for _, part := range parts {
		body := strings.TrimSpace(part)
		if body == "" {
			continue
		}
		line := 1 + strings.Count(text[:strings.Index(text, body)], "\n")
		start := document.Position{Line: line, Column: 1}
		origin := node{&document.Node{Kind: document.String, Text: body, Pos: start}, file, n.src}
		if p := parsePrompt(origin, body, true); p != nil {
			if len(parts) > 1 {
				p.file = ""
			}
			out = append(out, p)
		}
	}
	return out
}

// parsePrompt returns the prompt in text, which may be messages in JSON or YAML. fromFile says whether text comes from
// a file. It returns nil if there is no valid prompt.
func parsePrompt(n node, text string, fromFile bool) *prompt {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, `"role"`) || strings.HasPrefix(trimmed, "- role:") {
		if root, ds := document.Parse(n.path, []byte(withoutDump(trimmed))); !document.HasErrors(ds) && root != nil &&
			root.Kind == document.List {
			root.Shift(n.Pos.Line - 1)
			return readChat(n, n.with(root))
		}
	}
	t, err := parseTemplate(text)
	if trimmed == "" {
		err = because("it is empty")
	}
	p := &prompt{origin: n, messages: []message{{"user", t.text}}, vars: t.vars}
	if fromFile {
		p.file, n.Node = n.path, &document.Node{Pos: n.Pos.Behind(text[:t.offset])}
	}
	if err != nil {
		addError(n, noSuite, err)
		return nil
	}
	return p
}

// dumpFilter matches a variable that promptfoo replaces by its value as JSON: {{ name | dump }}.
var dumpFilter = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\|\s*dump\s*\}\}`)

// withoutDump returns text with each {{ name | dump }} written as "{{ name }}", which means the same.
func withoutDump(text string) string { return dumpFilter.ReplaceAllString(text, `"{{ $1 }}"`) }

// readChat returns the prompt with the messages in root. origin is the node that names the messages. If the list has a
// file of its own, from which failproof reads the same messages, the prompt names that file.
func readChat(origin, root node) *prompt {
	p := &prompt{origin: origin}
	if root.path != origin.path {
		p.file = root.path
	}
	for _, item := range root.items() {
		m := message{role: item.get("role").text()}
		if m.role == "developer" {
			addFinding(Changed, item, "the role `developer`", "it is `system` here")
			m.role, p.file = "system", ""
		}
		content := item.get("content")
		if !content.isText() || content.Text == "" || !slices.Contains([]string{"system", "user", "assistant"}, m.role) {
			addFinding(ToDo, item, noSuite,
				"a message is not text with the role `system`, `user` or `assistant` (a picture, a file or a tool call)",
				"the text alone, if that is enough")
			return nil
		}
		if len(item.Keys) > 2 {
			p.file = ""
		}
		handleKeys(item, "of a message", handlers{"role": nil, "content": nil})
		t, err := parseTemplate(content.Text)
		if err != nil {
			addError(content, noSuite, err)
			return nil
		}
		m.text = t.text
		p.messages, p.vars = append(p.messages, m), append(p.vars, t.vars...)
	}
	if len(p.messages) == 0 {
		addFinding(ToDo, origin, noSuite, "it has no messages")
		return nil
	}
	return p
}

// readResponseFormat returns the JSON Schema in a response_format. It reports a response_format that has no schema.
func readResponseFormat(n node) (schema node) {
	if n = copyOf(n, "`response_format`"); n.Node == nil {
		return node{}
	}
	inner := n.get("json_schema")
	if inner.isMissing() {
		inner = n
	}
	if inner.get("schema").isMissing() {
		addFinding(ToDo, n, "`response_format`", "only a JSON Schema is sent to an endpoint as the format",
			"`expected_format: { type: json, schema: … }` of the suite with `structured_output: true` of the target")
		return node{}
	}
	unset := func(n node) {
		addFinding(LeftOut, n, "`strict` or `name` of a `response_format`", "it is not set with `structured_output`")
	}
	handleKeys(inner, "of a `response_format`",
		handlers{"schema": storeIn(&schema), "type": nil, "strict": unset, "name": unset})
	return schema
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// slug returns the words of s in lower case, joined by hyphens, as a part of an id. It has at most 40 characters.
func slug(s string) string {
	s = strings.Trim(notInName.ReplaceAllString(strings.ToLower(s), "-"), "-._")
	if len(s) > 40 {
		s = s[:40]
		if i := strings.LastIndexAny(s, "-"); i > 15 {
			s = s[:i]
		}
	}
	return strings.Trim(s, "-._")
}
