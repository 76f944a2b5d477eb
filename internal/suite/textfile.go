package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// textFile is a text file that a suite names: a prompt, or the value of a variable.
type textFile struct {
	text   string
	sum    string // SHA-256 of the text as sent
	faults []document.Diagnostic
}

// SentFile is a file whose text is sent to the model.
type SentFile struct {
	Path string
	Kind Kind
	Sum  string // SHA-256 of its text as sent
}

// Kind says what the text of a file is used for. A suite's files are sorted by kind.
type Kind string

const (
	KindPrompt   Kind = "prompt"
	KindTools    Kind = "tools"
	KindVariable Kind = "variable"
)

// NormalizeText returns the text of a file as it is sent: without a byte order mark, and with LF line ends. Requests
// are therefore equal on every system and checkout.
func NormalizeText(data []byte) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
}

func (l *loader) readText(path string) *textFile {
	data, ds := document.ReadText(l.fsys, path, maxPrompt)
	if document.HasErrors(ds) {
		return &textFile{faults: ds}
	}
	text := NormalizeText(data)
	return &textFile{text, hash(text), ds}
}

// reader reads the files that a suite file names.
type reader struct {
	loader *loader
	faults *diagnostics
}

// readNamedFile returns the text of a file that the suite names. If the file cannot be read, it reports an error and
// returns false.
func (r *reader) readNamedFile(name *document.Node, what string) (text string, at SentFile, ok bool) {
	path, _ := resolvePath(r.faults.Path, name.Text)
	if r.loader.texts[path] == nil {
		if path, ok = r.locate(name, what, false); !ok {
			return "", SentFile{}, false
		}
	}
	file := r.loader.texts.get(path, func() *textFile { return r.loader.readText(path) })
	r.faults.Add(file.faults...)
	if document.HasErrors(file.faults) || !r.loader.reserve(len(file.text), r.faults, name.Pos) {
		return "", SentFile{}, false
	}
	return file.text, SentFile{path, KindPrompt, file.sum}, true
}

// addFile adds a file to the files of the suite, unless it is there already.
func (c *collector) addFile(n SentFile) {
	if !c.files[n.Path] {
		c.files[n.Path] = true
		c.suite.Files = append(c.suite.Files, n)
	}
}

// addFilesOf adds the files of a prompt's own messages to the files of the suite.
func (c *collector) addFilesOf(p *prompt) {
	if p != nil {
		for _, m := range p.ownMessages() {
			for _, file := range m.files {
				c.addFile(file)
			}
		}
	}
}

// variableValue returns the value of a variable. It is the text at n or, if n names a file, the text of the file.
func (c *collector) variableValue(name string, n *document.Node) string {
	if at := n.AsMap().Get("file"); at != nil {
		if at.AsText() == "" {
			return ""
		}
		text, from, ok := c.file.reader.readNamedFile(at, "file")
		if ok {
			from.Kind = KindVariable
			c.addFile(from)
			for _, d := range document.TextConflict(from.Path, text) {
				d.Severity = document.Warning // a conflict may be what the model is asked about
				c.faults.Add(d)
			}
		}
		return text
	}
	text, _ := n.AsScalar()
	if isFileAddress(text) {
		c.faults.rejectAddress(n, text, fmt.Sprintf("%s: { file: %s }", name, pathOf(text)))
	}
	return text
}

// isFileAddress reports whether text is file:// followed by a path, and nothing else.
func isFileAddress(text string) bool {
	return len(text) > 7 && strings.EqualFold(text[:7], "file://") && !strings.ContainsAny(text, " \t\n")
}

// pathOf returns the path in a file:// address. Any other text is returned as it is.
func pathOf(text string) string {
	if !isFileAddress(text) {
		return text
	}
	return text[7:]
}

// FileRole says what a case uses a file for. A greater value matters more.
type FileRole int

const (
	NotSent       FileRole = iota // the case does not send the file
	AssistantText                 // only assistant messages have the file's text
	PromptText                    // the file is the prompt or a part of it, or has the tools
)

// CaseFileRole returns what case c of the suite uses the file path for.
func (s *Suite) CaseFileRole(c *Case, path string) (role FileRole) {
	if s.PromptFile && path == s.Path {
		return PromptText
	}
	own, _ := s.caseMessages(c)
	for _, messages := range [][]message{s.shared, own} {
		for i := range messages {
			switch m := &messages[i]; {
			case !slices.ContainsFunc(m.files, func(f SentFile) bool { return f.Path == path }):
			case m.role == model.RoleAssistant:
				role = max(role, AssistantText)
			default:
				role = PromptText
			}
		}
	}
	return role
}
