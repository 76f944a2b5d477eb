package suite

import (
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// maxPrompt is the most bytes of a prompt, in a file or in a message.
const maxPrompt = 1 << 20

// prompt is what a case is asked, before its variables are filled in.
type prompt struct {
	messages []message
}

// message is one message of a prompt and where its text stands.
type message struct {
	role     string
	text     string
	template template
	path     string
	at       document.Position
	// inFile says that the text is a file of its own, so that an offset in it is a place in that file. In YAML or
	// JSON it may be quoted, escaped or indented.
	inFile bool
	// ofCase says that the text stands in a suite file, among what the cases ask.
	ofCase bool
}

// file is the path of the prompt file; "" where the prompt stands in the suite.
func (p *prompt) file() string {
	if p == nil || len(p.messages) == 0 || !p.messages[0].inFile {
		return ""
	}
	return p.messages[0].path
}

// turns are those of the case itself; see input. A nil prompt has none.
func (p *prompt) turns() (own []turn) {
	if p == nil {
		return nil
	}
	for i := range p.messages {
		if m := &p.messages[i]; m.ofCase && m.role != model.RoleSystem {
			own = append(own, turn{m.role, m.text})
		}
	}
	return own
}

// placeIn is where an offset of the message's text stands in its file.
func (f *file) placeIn(m *message, offset int) document.Position {
	if m.inFile {
		return place(m.text, offset, m.at)
	}
	return f.spot(m.at, m.text, offset)
}

// prompt reads what a suite asks: its prompt file or its messages.
func (f *file) prompt(root *document.Node) *prompt {
	name, inline := root.Get("prompt"), root.Get("messages")
	switch {
	case name != nil && inline != nil:
		f.faults.errorAt(root.KeyPos("messages"), "prompt", "both `prompt` and `messages` are given; keep one of them")
	case name == nil && inline == nil:
		f.faults.errorAt(root.Pos, "prompt", "neither `prompt` (a file) nor `messages` is given; the suite asks nothing")
	case name != nil:
		return f.promptText(name)
	default:
		p := f.inline(inline)
		for i := range p.messages {
			p.messages[i].ofCase = true
		}
		return p
	}
	return nil
}

// promptText reads a prompt file: one message of the user. Its line ends are sent as LF whatever the checkout made of
// them, so that a request is the same on every system.
func (f *file) promptText(name *document.Node) *prompt {
	if stringOf(name) == "" {
		return nil
	}
	path, ok := f.sibling(name, "prompt file")
	if !ok {
		return nil
	}
	data, ds := document.ReadText(f.fsys, path, maxPrompt)
	f.faults.add(ds...)
	if document.HasErrors(ds) {
		return nil
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	m := message{role: model.RoleUser, text: text, path: path, at: document.Position{Line: 1, Column: 1}, inFile: true}
	return f.parsed(m)
}

// sibling resolves a path that the suite file names, and reports why there is no file to read.
func (f *file) sibling(name *document.Node, what string) (path string, ok bool) {
	path, wrong := beside(f.faults.path, name.Text)
	if wrong == "" {
		wrong = present(f.fsys, path)
	}
	if wrong != "" {
		f.faults.errorAt(name.Pos, "path", "%s %s %s", what, document.Quote(name.Text), wrong)
	}
	return path, wrong == ""
}

// inline reads the messages of a file; the schema, or the reader of a prompt file, has checked their form.
func (f *file) inline(list *document.Node) *prompt {
	var messages []message
	for _, item := range list.Items() {
		content := item.Get("content")
		if mapOf(item) == nil || content == nil {
			continue
		}
		messages = append(messages, message{role: stringOf(item.Get("role")), text: stringOf(content), path: f.faults.path, at: content.Pos})
	}
	return f.parsed(messages...)
}

// parsed parses the templates of a prompt and reports what is wrong with them.
func (f *file) parsed(messages ...message) *prompt {
	for i := range messages {
		m := &messages[i]
		switch {
		case strings.TrimSpace(m.text) == "":
			f.faults.errorAt(m.at, "prompt", "the message is empty; nothing would be asked")
		case len(m.text) > maxPrompt:
			f.faults.errorAt(m.at, "prompt", "the message is %d bytes long, at most %d are sent", len(m.text), maxPrompt)
		}
		f.parse(m)
	}
	return &prompt{messages: messages}
}

// parse parses the template of a message.
func (f *file) parse(m *message) {
	var wrong []mistake
	m.template, wrong = parseTemplate(m.text)
	for _, w := range wrong {
		at := f.placeIn(m, w.offset)
		f.faults.add(document.Diagnostic{Severity: document.Error, Path: m.path, Line: at.Line, Column: at.Column,
			Rule: "template", Message: document.Line(w.message)})
	}
}

// render fills the variables of every message.
func (p *prompt) render(vars map[string]string) []model.Message {
	out := make([]model.Message, 0, len(p.messages))
	for _, m := range p.messages {
		out = append(out, model.Message{Role: m.role, Content: m.template.fill(vars)})
	}
	return out
}

// key is the SHA-256, in lower-case hex, of the messages before variables are filled in; "" for no prompt.
func (p *prompt) key() string {
	if p == nil {
		return ""
	}
	messages := make([]model.Message, len(p.messages))
	for i, m := range p.messages {
		messages[i] = model.Message{Role: m.role, Content: m.text}
	}
	return hash(messages)
}
