package promptfoo

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// prompt is one prompt, of which a suite is made.
type prompt struct {
	from     node
	label    string // as tests and providers call it; "" for none
	name     string // of the suite, without its ending
	file     string // of the tree, where the prompt is taken from it as it is; "" where it is written into the suite
	messages []message
	vars     []string // that it takes
	schema   node     // its own JSON Schema of the answer
}

type message struct{ role, text string }

// readPrompts reads the prompts; a file may hold several.
func readPrompts(src *source, n node) (out []*prompt) {
	for _, item := range n.items() {
		out = append(out, readPrompt(src, src.resolve(item))...)
	}
	return out
}

func readPrompt(src *source, n node) (out []*prompt) {
	if n.isScalar() {
		return readPromptText(src, n, "")
	}
	var raw, label, config node
	src.keys(n, "of a prompt", handlers{"raw": keep(&raw), "id": func(n node) {
		if raw.missing() {
			raw = n
		}
	}, "label": keep(&label), "display": keep(&label), "config": keep(&config),
		"function": src.toDo("`function` of a prompt", "it is code", "its output as a prompt file")})
	if raw.missing() {
		src.addToDo(n, "the prompt", "it has neither `raw` nor `id`", "")
		return nil
	}
	out = readPromptText(src, raw, label.text())
	src.keys(config, "of the prompt", handlers{"response_format": func(f node) {
		schema := readResponseFormat(src, f)
		for _, p := range out {
			p.schema = schema
		}
	}})
	return out
}

// codeFile matches the names of programs.
var codeFile = regexp.MustCompile(`\.(js|cjs|mjs|ts|cts|mts|tsx|py|rb|go|sh)(:[A-Za-z_][A-Za-z0-9_.]*)?$`)

var (
	promptFile  = regexp.MustCompile(`^[^\n{}]*\.(txt|md|json|jsonl|yaml|yml|csv|j2)$`)
	otherStores = regexp.MustCompile(`^(langfuse|portkey|helicone|exec|huggingface|prompty)://?`)
)

// readPromptText reads a prompt that is written in the configuration, or the files that it names.
func readPromptText(src *source, n node, label string) (out []*prompt) {
	text := n.text()
	switch {
	case otherStores.MatchString(text), strings.HasPrefix(text, "exec:"):
		src.addToDo(n, "the prompt "+document.Quote(text), "it is stored elsewhere, or a program makes it",
			"the prompt as a file of the repository, which a change of it shows")
	case strings.HasPrefix(text, "file://"), isThere(src, text), promptFile.MatchString(text),
		codeFile.MatchString(text) && !strings.ContainsAny(text, " \n"):
		files := src.filesOf(n, "the prompt "+document.Quote(text), text)
		if len(files) == 1 && !isPattern(files[0]) {
			if found := src.glob(files[0] + "/*"); len(found) > 0 {
				files = found
			}
		}
		for _, file := range files {
			some, name := readPromptFile(src, n, file), slug(strings.TrimSuffix(strings.TrimSuffix(path.Base(file),
				path.Ext(file)), ".prompt"))
			if len(some) == 1 && label != "" {
				name = slug(label)
			}
			for _, p := range some {
				p.name = name
			}
			out = append(out, some...)
		}
	default:
		if p := readWritten(src, n, text, false); p != nil {
			p.name = slug(label)
			out = append(out, p)
		}
	}
	for _, p := range out {
		p.label = label
	}
	return out
}

// isThere reports whether a text names a file or a folder.
func isThere(src *source, text string) bool {
	full, why := under(src.dir, text)
	if why != "" || strings.ContainsAny(text, " \n") || text == "" || text == "." {
		return false
	}
	_, err := fs.Stat(src.tree, full)
	return err == nil
}

// readPromptFile reads a file of prompts. In a text, lines of `---` separate them.
func readPromptFile(src *source, n node, file string) (out []*prompt) {
	what := "the prompt " + document.Quote(file)
	switch ext := strings.ToLower(path.Ext(file)); {
	case codeFile.MatchString(file):
		src.addToDo(n, what, "it is code, which is not run",
			"its output as a file of text or messages, with `{{ name }}` for variables")
		return nil
	case ext == ".csv", ext == ".jsonl":
		src.addToDo(n, what, "prompts are not read from a table", "a file for each prompt")
		return nil
	case ext == ".json", ext == ".yaml", ext == ".yml":
		return readChatFile(src, n, file)
	}
	text, ok := src.readText(file, n)
	if !ok {
		return nil
	}
	parts := strings.Split("\n"+text+"\n", "\n---\n")
	for _, part := range parts {
		body := strings.TrimSpace(part)
		if body == "" {
			continue
		}
		line := 1 + strings.Count(text[:strings.Index(text, body)], "\n")
		from := node{&document.Node{Kind: document.String, Text: body, Pos: document.Position{Line: line, Column: 1}},
			file}
		if p := readWritten(src, from, body, true); p != nil {
			if len(parts) == 1 && len(p.messages) == 1 && p.messages[0].text == parseAsIs(body) {
				p.file = file
			}
			out = append(out, p)
		}
	}
	return out
}

// parseAsIs returns a template that both tools read alike; else a text that no prompt has.
func parseAsIs(text string) string {
	if t := parseTemplate(text); t.problem == "" && !strings.Contains(text, "{#") && !strings.Contains(text, "safe") {
		return t.text
	}
	return "\x00"
}

// readWritten reads a prompt's text: a text, or messages in JSON or YAML.
func readWritten(src *source, n node, text string, file bool) *prompt {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, `"role"`) || strings.HasPrefix(trimmed, "- role:") {
		if root, ds := document.Parse(n.path, []byte(undumped(trimmed))); !document.HasErrors(ds) && root != nil &&
			root.Kind == document.List {
			root.Shift(n.Pos.Line - 1)
			return readChat(src, n, node{root, n.path})
		}
	}
	if trimmed == "" {
		src.addToDo(n, "the prompt", "it is empty", "")
		return nil
	}
	t := parseTemplate(text)
	if t.problem != "" {
		from := n
		if file {
			from.Node = &document.Node{Pos: n.Pos.Behind(text[:t.offset])}
		}
		src.addToDo(from, "the prompt", t.problem, t.instead)
		return nil
	}
	return &prompt{from: n, messages: []message{{"user", t.text}}, vars: t.vars}
}

// dumped matches a variable that promptfoo writes into JSON as JSON. In quotes it says the same.
var dumped = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\|\s*dump\s*\}\}`)

func undumped(text string) string { return dumped.ReplaceAllString(text, `"{{ $1 }}"`) }

func readChatFile(src *source, n node, file string) []*prompt {
	text, ok := src.readText(file, n)
	if !ok {
		return nil
	}
	plain := undumped(text)
	root, ds := document.Parse(file, []byte(plain))
	if document.HasErrors(ds) || root == nil {
		if t := parseTemplate(text); t.problem != "" {
			src.addToDo(n, "the prompt "+document.Quote(file), t.problem, t.instead)
			return nil
		}
		src.sound(node{root, file}, ds)
		return nil
	}
	p := readChat(src, n, node{root, file})
	if p == nil {
		return nil
	}
	if plain != text {
		p.file = ""
	}
	return []*prompt{p}
}

// readChat reads a list of messages. The prompt names their file if failproof reads it alike.
func readChat(src *source, from, root node) *prompt {
	p := &prompt{from: from}
	if root.path != from.path {
		p.file = root.path
	}
	for _, item := range root.items() {
		m := message{role: item.get("role").text()}
		content := item.get("content")
		if m.role == "developer" {
			src.addChange(item, "the role `developer`", "it is `system` here", "")
			m.role, p.file = "system", ""
		}
		if !slices.Contains([]string{"system", "user", "assistant"}, m.role) {
			src.addToDo(item, "the prompt", "it has a message that is no message of `system`, `user` or `assistant`",
				"messages with these roles")
			return nil
		}
		text, joined := messageText(content)
		if text == "" {
			src.addToDo(item, "the prompt",
				"a message has a content that is not text (a picture, a file or several parts)",
				"the text alone, if that is enough")
			return nil
		}
		for key, value := range item.entries() {
			if key.Text != "role" && key.Text != "content" {
				src.addToDo(value, "`"+key.Text+"` of a message", "a message has a role and a content", "")
				p.file = ""
			}
		}
		t := parseTemplate(text)
		if t.problem != "" {
			src.addToDo(content, "the prompt", t.problem, t.instead)
			return nil
		}
		if joined || parseAsIs(text) != t.text {
			p.file = ""
		}
		m.text = t.text
		p.messages, p.vars = append(p.messages, m), append(p.vars, t.vars...)
	}
	if len(p.messages) == 0 {
		src.addToDo(from, "the prompt", "it has no messages", "")
		return nil
	}
	return p
}

// messageText returns the text of a message; parts of text are joined.
func messageText(n node) (text string, joined bool) {
	if n.isText() {
		return n.Text, false
	}
	for _, part := range n.items() {
		if part.get("type").text() != "text" || len(part.Keys) != 2 {
			return "", true
		}
		text += part.get("text").text()
	}
	return text, true
}

// readResponseFormat returns the JSON Schema of a response_format. A format that failproof lacks is a finding.
func readResponseFormat(src *source, n node) (schema node) {
	if n = src.fromFile(n, "`response_format`"); n.Node == nil {
		return node{}
	}
	inner := n.get("json_schema")
	if inner.missing() {
		inner = n
	}
	if schema = inner.get("schema"); !schema.missing() {
		for key, value := range inner.entries() {
			if key.Text == "strict" || key.Text == "name" {
				src.addLeftOut(value, "`"+key.Text+"` of a `response_format`", "it is not set with `structured_output`")
			}
		}
		return schema
	}
	if n.get("type").text() == "json_object" {
		src.addToDo(n, "`response_format: json_object`", "only a JSON Schema is sent to an endpoint as the format",
			"`expected_format: { type: json, schema: … }` of the suite with `structured_output: true` of the target")
		return node{}
	}
	if n.get("type").text() != "text" {
		src.addToDo(n, "`response_format`", "it is not a readable JSON Schema", "")
	}
	return node{}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// slug makes a part of an id of a text: its words, up to 40 characters.
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
