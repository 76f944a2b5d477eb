package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
)

// textFile is a text file that a suite names: a prompt, or the value of a variable. It is read once.
type textFile struct {
	text   string
	sum    string // SHA-256 of the text as sent
	faults []document.Diagnostic
}

// SentFile is a file whose text cases send.
type SentFile struct {
	Path string
	Kind Kind
	Sum  string // SHA-256 of its text as sent
}

// Kind is the use of a file's text. A suite's files are sorted by kind.
type Kind string

const (
	KindPrompt   Kind = "prompt"
	KindTools    Kind = "tools"
	KindVariable Kind = "variable"
)

// NormalizeText returns a file's text as it is sent: without a byte order mark and with LF line ends. Requests are
// therefore the same on every system and checkout.
func NormalizeText(data []byte) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
}

func (l *loader) readText(path string) *textFile {
	data, ds := document.ReadText(l.fsys, path, maxPrompt)
	if document.HasErrors(ds) {
		return &textFile{faults: ds}
	}
	text := NormalizeText(data)
	if line := conflictLine(text); line > 0 {
		ds = append(ds, document.NewWarning(path, document.Position{Line: line, Column: 1}, ruleConflict, conflictLeft))
	}
	return &textFile{text, hash(text), ds}
}

// Merge conflicts that were left in a file.
const (
	ruleConflict = "conflict-marker"
	conflictLeft = "a merge was left half-way: from here on the text holds Git's conflict markers, and is sent with them"
)

// conflictLine returns the line of the first of Git's conflict markers if the text has all three in order; 0 otherwise.
func conflictLine(text string) (first int) {
	markers, number := []string{"<<<<<<< ", "=======", ">>>>>>> "}, 0
	for line := range strings.Lines(text) {
		number++
		if !strings.HasPrefix(line, markers[0]) {
			continue
		}
		if first == 0 {
			first = number
		}
		if markers = markers[1:]; len(markers) == 0 {
			return first
		}
	}
	return 0
}

// readNamed returns the text of a file that the suite names. If the file cannot be read, it reports an error and
// returns false.
func (f *file) readNamed(name *document.Node, what string) (text string, at SentFile, ok bool) {
	path, _ := beside(f.faults.Path, name.Text)
	if f.loader.texts[path] == nil {
		if path, ok = f.locate(name, what, false); !ok {
			return "", SentFile{}, false
		}
	}
	file := f.loader.texts.get(path, func() *textFile { return f.loader.readText(path) })
	f.faults.Add(file.faults...)
	if document.HasErrors(file.faults) || !f.loader.affords(len(file.text), f.faults, name.Pos) {
		return "", SentFile{}, false
	}
	return file.text, SentFile{path, KindPrompt, file.sum}, true
}

// addFile records a file that the suite uses.
func (c *collector) addFile(n SentFile) {
	if n.Path != "" && !c.files[n.Path] {
		c.files[n.Path] = true
		c.suite.Files = append(c.suite.Files, n)
	}
}

// addFilesOf records the files of a prompt's messages.
func (c *collector) addFilesOf(p *prompt) {
	if p != nil {
		for _, m := range p.own() {
			for _, file := range m.files() {
				c.addFile(file)
			}
		}
	}
}

// variable returns the value of a variable: as written, or the text of its file.
func (c *collector) variable(name string, n *document.Node) string {
	if at := n.AsMap().Get("file"); at != nil {
		if at.AsText() == "" {
			return ""
		}
		text, from, ok := c.readNamed(at, "file")
		if ok {
			from.Kind = KindVariable
			c.addFile(from)
		}
		return text
	}
	text, _ := n.AsScalar()
	if isFileAddress(text) {
		c.faults.rejectAddress(n, text, fmt.Sprintf("%s: { file: %s }", name, pathOf(text)))
	}
	return text
}

// isFileAddress reports whether a text is nothing but file:// and a path.
func isFileAddress(text string) bool {
	return len(text) > 7 && strings.EqualFold(text[:7], "file://") && !strings.ContainsAny(text, " \t\n")
}

// pathOf returns a text without a leading file://.
func pathOf(text string) string {
	if !isFileAddress(text) {
		return text
	}
	return text[7:]
}

// FileRole is how a case uses a file. Greater roles matter more.
type FileRole int

const (
	NotSent       FileRole = iota // the case sends nothing of it
	AssistantText                 // only assistant messages are read from it
	Instructed                    // it is the prompt of the case, part of it, or its tools
)

// fileRole returns how messages use the file at a path.
func fileRole(path string, messages []message) (role FileRole) {
	for i := range messages {
		switch m := &messages[i]; {
		case !slices.ContainsFunc(m.files(), func(f SentFile) bool { return f.Path == path }):
		case m.role == model.RoleAssistant:
			role = max(role, AssistantText)
		default:
			role = Instructed
		}
	}
	return role
}

// AllAskedBy returns the role of a file in the messages that all cases share.
func (s *Suite) AllAskedBy(path string) FileRole {
	if s.prompts && path == s.Path {
		return Instructed
	}
	return fileRole(path, s.shared)
}

// AskedBy returns the role of a file in a case of the suite, which was loaded.
func (s *Suite) AskedBy(c *Case, path string) FileRole {
	all, p := s.AllAskedBy(path), c.read.source
	if p == nil || p.shared == nil {
		return all
	}
	return max(all, fileRole(path, p.own()))
}
