package suite

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// maxPrompt is the largest size of a prompt file and of a message, in bytes.
const maxPrompt = 1 << 20

// prompt is the messages that a case sends, before its variables are filled in.
type prompt struct {
	messages []message
	shared   *prompt // the prompt of all cases, whose messages come first; nil if p is that prompt itself
	noShared bool    // there are no shared messages: each case has its own
}

// message is one message of a prompt and the place of its text.
type message struct {
	role     string
	text     string
	template template
	dialects []dialectPart // parts that another tool would fill or run
	path     string
	at       document.Position
	// wholeFile is set if the text is a whole file, so that an offset in the text is a place in that file. Text in YAML
	// or JSON may be quoted, escaped or indented.
	wholeFile bool
	// inSuiteFile is set if the text is in a suite file, as part of its messages.
	inSuiteFile bool
	files       []SentFile  // the files that the text is made from; nil: the suite file has it
	agentSource string      // for an agent's text: its files in words
	container   *sourceText // the JSON or YAML file that contains the text; nil: the file being read
}

// ownMessages returns the messages of p that only one case sends. If p is the shared prompt, ownMessages returns all
// its messages.
func (p *prompt) ownMessages() []message {
	if p.shared == nil {
		return p.messages
	}
	return p.messages[len(p.shared.messages):]
}

// turns returns the user and assistant messages that are the case's own input (see caseInput). If the case has messages
// of its own, these are its input. If it has none, the messages in the suite file are the input, unless they contain a
// variable: then only the variables are the input. turns returns none for a nil prompt.
func (p *prompt) turns() []turn {
	if p == nil {
		return nil
	}
	var turns []turn
	hasVariable := false // whether a message has a variable
	for _, m := range p.ownMessages() {
		if m.inSuiteFile && m.role != model.RoleSystem {
			turns = append(turns, turn{m.role, m.text})
			m.template.eachPlaceholder(func(string, int) { hasVariable = true })
		}
	}
	if p.shared == nil && hasVariable {
		return nil
	}
	if p.shared != nil && len(turns) == 0 {
		return p.shared.turns()
	}
	return turns
}

// findPrompt returns the prompt that all cases of a suite share, which is a file or the suite's messages. If only the
// cases have messages, the prompt is empty. findPrompt returns nil on an error.
func (r *reader) findPrompt(root *document.Node, cases *rows) *prompt {
	name, inline := root.Get("prompt"), root.Get("messages")
	switch {
	case name.AsMap() != nil:
		return r.readAgent(root, name, cases)
	case name != nil && inline != nil:
		r.faults.ErrorAt(root.KeyPos("messages"), "prompt", "both `prompt` and `messages` are given; keep one of them")
	case name == nil && inline == nil && cases != nil && cases.has("messages"):
		return &prompt{noShared: true}
	case name == nil && inline == nil:
		r.faults.ErrorAt(root.Pos, "prompt", "neither `prompt` (a file) nor `messages` is given; the suite has nothing to send")
	case name != nil:
		return r.readPrompt(name)
	default:
		return r.readMessages(inline)
	}
	return nil
}

// readMessages returns the messages that the suite file lists as a prompt. It returns nil if one of them cannot be
// read.
func (r *reader) readMessages(list *document.Node) *prompt {
	ok := true
	var messages []message
	for _, item := range list.List() {
		if item.AsMap() == nil {
			continue // reported by the schema
		}
		content, name := item.Get("content"), item.Get("file")
		switch {
		case content != nil && name != nil:
			r.faults.ErrorAt(item.KeyPos("file"), "prompt", "both `content` and `file` are given; keep one of them")
		case content == nil && name == nil:
			r.faults.ErrorAt(item.Pos, "prompt", "the message says nothing; give `content`, or `file` with the path of a text file")
		case name != nil && name.AsText() != "":
			var m message
			if m, ok = r.readMessage(name, item.Get("role").AsText()); ok {
				if isChatFile(m.path) && chatForm.MatchString(m.text) {
					r.faults.WarnAt(name.Pos, RuleMessages, "%s lists messages, and is sent as the text of this one; write them here "+
						"one by one, or name the file as `prompt`", document.Quote(name.Text))
				}
				messages = append(messages, m)
				continue
			}
		case content != nil && !r.faults.rejectAddress(content, content.AsText(), "file: "+pathOf(content.AsText())+" in place of content"):
			messages = append(messages, message{role: item.Get("role").AsText(), text: content.AsText(), path: r.faults.Path, at: content.Pos, inSuiteFile: true})
			continue
		}
		ok = false
	}
	if !ok {
		return nil
	}
	return parsePrompt(r.faults, messages...)
}

// readMessage returns a message with the given role whose text is the file that name names.
func (r *reader) readMessage(name *document.Node, role string) (message, bool) {
	text, from, ok := r.readNamedFile(name, "prompt file")
	conflicts := document.TextConflict(from.Path, text)
	r.faults.Add(conflicts...)
	ok = ok && !document.HasErrors(conflicts)
	return message{role: role, text: text, path: from.Path, at: document.Position{Line: 1, Column: 1}, wholeFile: true, files: []SentFile{from}}, ok
}

// readPrompt returns the messages in a prompt file. A JSON or YAML file is a list of messages, and any other text is
// one user message. readPrompt returns nil on an error.
func (r *reader) readPrompt(name *document.Node) *prompt {
	m, ok := r.readMessage(name, model.RoleUser)
	if !ok {
		return nil
	}
	if isChatFile(m.path) {
		return r.readChat(m)
	}
	return parsePrompt(r.faults, m)
}

// isChatFile reports whether the prompt in the file name is a list of messages.
func isChatFile(name string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml"}, path.Ext(name))
}

// chatForm matches the beginning of a list of messages in JSON or YAML.
var chatForm = regexp.MustCompile(`\A(?:\s|#.*\n|---\n)*(?:\[\s*\{|-\s+\{?)\s*["']?(?:role|content)["']?\s*:`)

// RuleMessages is the rule of the error that a JSON or YAML prompt file is no list of messages.
const RuleMessages = "messages"

// readChat returns the messages that the JSON or YAML file of m lists, or nil on an error.
func (r *reader) readChat(m message) *prompt {
	r.loader.nonSuites[m.path] = true
	in := &sourceText{m.text, m.at}
	root, ds := document.Parse(m.path, []byte(m.text))
	r.faults.Add(ds...)
	if root == nil || document.HasErrors(ds) {
		return nil
	}
	if root.Kind != document.List || len(root.List()) == 0 || len(root.List()) > maxMessages {
		m.reportError(r.faults, root.Pos, RuleMessages, "a prompt file in JSON or YAML is a list of 1 to 100 messages, each with `role` and `content`; a plain text has another ending, .md or .txt")
		return nil
	}
	return parseMessages(r.faults, root, message{path: m.path, files: m.files, container: in}, ", and nothing else")
}

// parseMessages returns the messages in list, or nil if one is invalid. Each message is a copy of origin, which names
// the file, with its own role, text and place. If ownKeys is "", a message may have keys besides role and content.
// Otherwise ownKeys is the end of the error about such keys.
func parseMessages(f *diagnostics, list *document.Node, origin message, ownKeys string) *prompt {
	var messages []message
	for _, item := range list.List() {
		role, content := item.Get("role"), item.Get("content")
		if !slices.Contains(roles, role.AsText()) || content == nil || content.Kind != document.String || ownKeys != "" && len(item.Keys) != 2 {
			origin.reportError(f, item.Pos, RuleMessages, "a message has a `role` (system, user or assistant) and a `content` that is text"+ownKeys)
			continue
		}
		m := origin
		m.role, m.text, m.at = role.Text, content.Text, content.Pos
		messages = append(messages, m)
	}
	if len(messages) < len(list.List()) {
		return nil
	}
	return parsePrompt(f, messages...)
}

// maxMessages is the largest number of messages that the schema allows.
const maxMessages = 100

// withOwnMessages returns p followed by the messages of the case item. It returns nil if they cannot be read, or if
// there are none to send.
func (r *reader) withOwnMessages(p *prompt, item *document.Node) *prompt {
	list := item.Get("messages")
	switch {
	case p == nil:
		return nil
	case list == nil && p.noShared:
		r.faults.ErrorAt(item.Pos, "prompt", "the case has no `messages`, and the suite asks nothing for it")
		return nil
	case list == nil:
		return p
	}
	own := r.readMessages(list)
	if own == nil {
		return nil
	}
	return &prompt{messages: slices.Concat(p.messages, own.messages), shared: p}
}

// locate returns the path of the file that name names in the suite file. If there is no such file, it reports an error,
// in which label says what the file is. If folders is set, name may also name a folder.
func (r *reader) locate(name *document.Node, label string, folders bool) (resolved string, ok bool) {
	if name.AsText() == "" { // reported by the schema
		return "", false
	}
	if r.faults.rejectAddress(name, name.Text, "the path alone: "+pathOf(name.Text)) {
		return "", false
	}
	resolved, problem := resolvePath(r.faults.Path, name.Text)
	rule := rulePath
	if problem == "" {
		if problem, rule = fileProblem(r.loader.fsys, resolved); folders && problem == problemFolder {
			problem = ""
		}
		if like, ok := nearFile(r.loader.fsys, resolved); ok && problem == problemAbsent {
			problem += "; did you mean " + document.Quote(path.Join(path.Dir(name.Text), like)) + "?"
		} else if why, _ := fileProblem(r.loader.fsys, path.Clean(name.Text)); why == "" && problem == problemAbsent && path.Dir(r.faults.Path) != "." {
			problem += "; paths begin beside the file that names them: write " + document.Quote(strings.Repeat("../", 1+strings.Count(path.Dir(r.faults.Path), "/"))+path.Clean(name.Text))
		}
	}
	if problem != "" {
		r.faults.ErrorAt(name.Pos, rule, "%s %s %s", label, document.Quote(name.Text), problem)
	}
	return resolved, problem == ""
}

// parsePrompt returns a prompt with the given messages, whose templates it parses. It reports the errors in them.
func parsePrompt(f *diagnostics, messages ...message) *prompt {
	for i := range messages {
		m := &messages[i]
		switch {
		case strings.TrimSpace(m.text) == "":
			m.reportError(f, m.at, "prompt", "the message is empty; nothing would be asked")
		case len(m.text) > maxPrompt:
			m.reportError(f, m.at, "prompt", fmt.Sprintf("the message is %d bytes long, at most %d are sent", len(m.text), maxPrompt))
		}
		m.parse(f)
	}
	return &prompt{messages: messages}
}

func (m *message) parse(f *diagnostics) {
	var wrong []mistake
	m.template, wrong = parseTemplate(m.text)
	for _, w := range wrong {
		m.reportError(f, f.positionIn(m, w.offset), "template", w.message)
	}
	m.dialects = dialectsIn(m.template)
	if key, found := findFrontMatter(m.text); found && m.wholeFile && m.role != "" {
		f.Add(document.NewWarning(m.path, m.at, "front-matter", "the file begins with front matter (%s, …), which is sent to the model as text and sets nothing: "+
			"set model and parameters in a target of the configuration, and take these lines out", document.Quote(key)))
	}
}

// reportError reports an error at a place in the file of the message.
func (m *message) reportError(f *diagnostics, at document.Position, rule, text string) {
	f.Add(document.NewError(m.path, at, rule, "%s", text))
}

// render returns the messages with their variables filled in.
func (p *prompt) render(vars map[string]string) []model.Message {
	out := make([]model.Message, 0, len(p.messages))
	for _, m := range p.messages {
		out = append(out, model.Message{Role: m.role, Content: m.template.fill(vars)})
	}
	return out
}

// formKey returns a hash of the messages in which numbers replace the names of variables. Prompts that differ only in
// these names therefore have the same form. The hash includes where each message comes from: the suite file or another
// file, the shared prompt or the case.
func (p *prompt) formKey() Key {
	numbers := map[string]int{}
	var out []any
	for i, m := range p.messages {
		out = append(out, m.role, m.inSuiteFile, m.files != nil, p.shared != nil && i >= len(p.shared.messages))
		for _, part := range m.template.parts {
			number, known := numbers[part.text]
			switch {
			case !part.variable:
				out = append(out, part.text)
				continue
			case !known:
				number = len(numbers)
				numbers[part.text] = number
			}
			out = append(out, number)
		}
	}
	return keyOf(out)
}

// setSharedPrompt records in s the prompt that its cases share. It does nothing if the prompt is nil or empty.
func (s *Suite) setSharedPrompt(p *prompt) {
	if p == nil || len(p.messages) == 0 {
		return
	}
	messages := make([]model.Message, len(p.messages))
	for i, m := range p.messages {
		messages[i] = model.Message{Role: m.role, Content: m.text}
	}
	s.PromptKey, s.shared, s.AgentSource = hash(messages), p.messages, p.messages[0].agentSource
}
