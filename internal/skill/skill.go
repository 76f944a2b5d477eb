// Package skill reads a system message for an agent. The message is a skill, which is a folder with a SKILL.md, or the
// instructions of a repository. The package reads through an fs.FS, follows no link, and runs nothing.
package skill

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// FileName is the name of the file that makes a folder a skill.
const FileName = "SKILL.md"

// Folders are the usual folders in a skill, beside SKILL.md. Only references/ is sent.
var Folders = []string{"references", "scripts", "assets"}

// HiddenFolders are the hidden folders in which repositories keep skills.
var HiddenFolders = []string{".github", ".claude", ".agents"}

// References says which files of a skill's folder are sent together with SKILL.md.
type References string

const (
	ReferencesLinked References = "linked" // files that a link or backticks of SKILL.md name
	ReferencesAll    References = "all"    // linked files, and all other files below references/
	ReferencesNone   References = "none"
)

// The limits of a message.
const (
	maxBytes     = 256 << 10
	maxFiles     = 100 // SKILL.md does not count
	maxNameRunes = 128 // of a skill, in runes
)

// Skill is a skill in the form in which a model gets it.
type Skill struct {
	Name        string // from the front matter
	Description string // from the front matter
	Message     string // the system message
	Files       []File // the files in the message, SKILL.md first
}

// File is a file that is sent.
type File struct {
	Path string
	Text string // without a byte order mark, with LF as line end
}

// Summary describes the files that are sent, such as "SKILL.md and 7 references, 61 KB".
func (s *Skill) Summary() string {
	files := FileName
	if n := len(s.Files) - 1; n > 0 {
		files += " and " + text.Count(n, "reference")
	}
	return files + ", " + formatSize(totalBytes(s.Files))
}

func totalBytes(files []File) (bytes int) {
	for _, f := range files {
		bytes += len(f.Text)
	}
	return bytes
}

// formatSize formats a number of bytes with its unit. A KB has 1,000 bytes.
func formatSize(bytes int) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d KB", (bytes+500)/1000)
}

// FileBlock returns a file in the form in which a message has it: its text in an element with its path.
func FileBlock(path, text string) string {
	return fmt.Sprintf("<file path=%q>\n%s\n</file>", path, strings.TrimRight(text, "\n"))
}

// Read reads the skill in the folder dir. references says which other files are sent. Read returns nil if the skill
// cannot be sent.
func Read(fsys fs.FS, dir string, references References) (*Skill, []document.Diagnostic) {
	r := &reader{fsys: fsys, dir: dir, mainFile: path.Join(dir, FileName)}
	s := r.readSkill(references)
	document.Sort(r.faults)
	if document.HasErrors(r.faults) {
		return nil, r.faults
	}
	return s, r.faults
}

type reader struct {
	fsys     fs.FS
	dir      string // the folder that names are relative to
	mainFile string // the file that errors about everything together name
	faults   []document.Diagnostic
}

func (r *reader) pathOf(name string) string { return path.Join(r.dir, name) }

func (r *reader) errorAt(at document.Position, rule, format string, args ...any) {
	r.faults = append(r.faults, document.NewError(r.mainFile, at, rule, format, args...))
}

// maxFaults is the largest number of errors and warnings that report lists. A hostile file could have a million.
const maxFaults = 100

// addFault adds d with the place at offset in the text of f. Once maxFaults is reached, it adds only the first error
// and no warnings.
func (r *reader) addFault(f File, offset int, d document.Diagnostic) {
	if len(r.faults) >= maxFaults && (d.Severity == document.Warning || document.HasErrors(r.faults)) {
		return
	}
	at := document.Position{Line: 1, Column: 1}.Behind(f.Text[:offset])
	d.Path, d.Line, d.Column = f.Path, at.Line, at.Column
	r.faults = append(r.faults, d)
}

// warning returns a warning without a place.
func warning(rule, format string, args ...any) document.Diagnostic {
	return document.NewWarning("", document.Position{}, rule, format, args...)
}

// readFile returns the named file in the folder r.dir. If the file cannot be read, readFile adds an error and returns
// false.
func (r *reader) readFile(name string) (File, bool) {
	f := File{Path: r.pathOf(name)}
	if !isPrintable(name) {
		r.reportUnprintable(name)
		return f, false
	}
	data, ds := document.ReadText(r.fsys, f.Path, maxBytes)
	r.faults = append(r.faults, ds...)
	f.Text = strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	return f, !document.HasErrors(ds)
}

func (r *reader) reportUnprintable(name string) {
	r.errorAt(document.Position{}, "path", "the file name %s has a character that is not printed; rename the file",
		document.Quote(name))
}

func (r *reader) readSkill(references References) *Skill {
	if _, err := fs.Stat(r.fsys, r.pathOf(FileName)); errors.Is(err, fs.ErrNotExist) {
		r.errorAt(document.Position{}, "no-skill", "the folder %s has no %s, and is no skill", document.Quote(r.dir),
			FileName)
		return nil
	}
	main, ok := r.readFile(FileName)
	if !ok {
		return nil
	}
	s := &Skill{Files: []File{main}}
	body := readFrontMatter(r, s, main.Text)
	names := []string{}
	if references != ReferencesNone {
		names = mentionedFiles(r, main)
	}
	if references == ReferencesAll {
		names = append(names, otherFiles(r, names)...)
	}
	if len(names) > maxFiles {
		r.errorAt(document.Position{}, "too-large",
			"%d references would be sent, and at most %d are; write `references: none`, or link fewer", len(names),
			maxFiles)
		return nil
	}
	parts := []string{fmt.Sprintf("Skill %s: %s", s.Name, s.Description), strings.Trim(body, "\n")}
	for _, name := range names {
		if f, ok := r.readFile(name); ok {
			s.Files = append(s.Files, f)
			parts = append(parts, FileBlock(name, f.Text))
		}
	}
	s.Message = strings.Join(parts, "\n\n")
	checkSize(r, s.Message, s.Files)
	return s
}

// checkSize adds an error if message or files are too large to be sent. The error names the largest file.
func checkSize(r *reader, message string, files []File) {
	bytes := max(len(message), totalBytes(files))
	if bytes <= maxBytes {
		return
	}
	largest := slices.MaxFunc(files, func(a, b File) int { return cmp.Compare(len(a.Text), len(b.Text)) })
	r.errorAt(document.Position{}, "too-large",
		"the message comes to %s, and at most 256 KiB are sent; its largest file is %s with %s",
		formatSize(bytes), document.Quote(largest.Path), formatSize(len(largest.Text)))
}

// readFrontMatter reads the name and the description of the skill from text into s. It returns the text after the front
// matter.
func readFrontMatter(r *reader, s *Skill, text string) (body string) {
	const lacks = "%s has no `%s`; it begins with front matter between two lines of ---, with `name` and `description`"
	head, body, found := cutFrontMatter(text)
	if !found {
		r.errorAt(document.Position{Line: 1, Column: 1}, "front-matter", lacks, FileName, "name")
		return text
	}
	root, ds := document.ParseAnchored(r.pathOf(FileName), []byte(head))
	if r.faults = append(r.faults, ds...); document.HasErrors(ds) {
		return body
	}
	value := func(key string) string {
		text, _ := root.Get(key).AsScalar()
		if text = strings.TrimSpace(text); text == "" {
			r.errorAt(document.Position{Line: 1, Column: 1}, "front-matter", lacks, FileName, key)
		}
		return text
	}
	s.Name, s.Description = value("name"), value("description")
	if !isPrintable(s.Name) || utf8.RuneCountInString(s.Name) > maxNameRunes {
		r.errorAt(root.Get("name").Pos, "name", "the name %s is not one line of at most %d printable characters",
			document.Quote(s.Name), maxNameRunes)
	}
	return body
}

// Settings returns the front matter of the skill in the folder dir, without name and description, which are sent. Each
// value is JSON. found is false if the skill cannot be read.
func Settings(fsys fs.FS, dir string) (settings map[string]string, found bool) {
	r := &reader{fsys: fsys, dir: dir}
	main, ok := r.readFile(FileName)
	head, _, hasHead := cutFrontMatter(main.Text)
	root, faults := document.ParseAnchored(main.Path, []byte(head))
	if settings = map[string]string{}; !ok || !hasHead || document.HasErrors(faults) {
		return settings, false
	}
	for key, value := range root.Entries() {
		if key.Text != "name" && key.Text != "description" {
			settings[key.Text] = value.JSON()
		}
	}
	return settings, true
}

// cutFrontMatter splits text into its front matter and the rest (body). Front matter is between two lines of ---.
func cutFrontMatter(text string) (head, body string, found bool) {
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\n")
		if at == 0 && bare != "---" {
			return "", text, false
		}
		if at > 0 && bare == "---" {
			return text[:at], text[at+len(line):], true
		}
		at += len(line)
	}
	return "", text, false
}

func isPrintable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })
}
