package skill

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Instructions are the instructions of a repository for an agent, in the form that a model gets.
type Instructions struct {
	Message string // the text of the system message
	Files   []File // the files in the message
}

// Summary describes the files that are sent, such as "3 instruction files, 12 KB".
func (i *Instructions) Summary() string {
	return text.Count(len(i.Files), "instruction file") + ", " + formatSize(totalBytes(i.Files))
}

// anyFolderNames are the names of instruction files that any folder may have. rootPaths are paths that only the root
// may have.
var (
	anyFolderNames = []string{"AGENTS.md", "AGENTS.override.md", claudeFile, "GEMINI.md"}
	rootPaths      = []string{".claude/" + claudeFile, ".github/copilot-instructions.md", ".cursorrules"}
)

const claudeFile = "CLAUDE.md"

// ruleFolders are folders whose files are rules. A rule says to which files it applies.
var ruleFolders = []string{".github/instructions", ".cursor/rules", claudeRules}

const claudeRules = ".claude/rules"

func isRule(name string) bool {
	return strings.HasSuffix(name, ".instructions.md") || path.Ext(name) == ".mdc" || isClaudeRule(name)
}

// isClaudeRule reports whether name is the path of a rule in Claude's form. Such a rule applies to all files if it
// names none.
func isClaudeRule(name string) bool {
	return strings.Contains("/"+name, "/"+claudeRules+"/") && path.Ext(name) == ".md"
}

// InstructionFiles returns the instruction files of the folder dir and of its settings folders, such as .github. It
// leaves out those of all other folders below dir.
func InstructionFiles(fsys fs.FS, dir string) []string {
	return instructionFiles((&reader{fsys: fsys, mainFile: dir}), dir)
}

// ReadInstructions reads the files and folders of instructions in names. If file is not "", it reads only the
// instructions that apply to file, including those in the folders on the way to file. It returns nil if the
// instructions cannot be sent.
func ReadInstructions(fsys fs.FS, names []string, file string) (*Instructions, []document.Diagnostic) {
	w := &messageBuilder{reader: reader{fsys: fsys, mainFile: names[0]}}
	var all []string
	for _, name := range names {
		if w.kind(name) == kindFolder {
			all = append(all, instructionFiles(&w.reader, name)...)
		} else {
			all = append(all, name)
		}
	}
	if file != "" {
		all = applicableFiles(&w.reader, all, file)
	}
	var parts []string
	for _, name := range all {
		if !w.hasFile(name) {
			parts = append(parts, w.fileBlock(name, nil))
		}
	}
	out := &Instructions{strings.Join(parts, "\n\n"), w.files}
	if len(w.files) == 0 && !document.HasErrors(w.faults) {
		w.errorAt(document.Position{}, "no-instructions", "no file of instructions is found%s",
			map[bool]string{true: " that holds for " + document.Quote(file)}[file != ""])
	}
	checkSize(&w.reader, out.Message, out.Files)
	document.Sort(w.faults)
	if document.HasErrors(w.faults) {
		return nil, w.faults
	}
	return out, w.faults
}

// instructionFiles returns the instruction files of the folder dir in the order in which they are sent. It leaves out
// links.
func instructionFiles(r *reader, dir string) (files []string) {
	for _, name := range slices.Concat(anyFolderNames, rootPaths) {
		if r.fileExists(path.Join(dir, name)) {
			files = append(files, path.Join(dir, name))
		}
	}
	if slices.ContainsFunc(ruleFolders, func(rules string) bool { return strings.HasSuffix("/"+dir, "/"+rules) }) {
		return append(files, rulesIn(r, dir)...)
	}
	for _, folder := range ruleFolders {
		files = append(files, rulesIn(r, path.Join(dir, folder))...)
	}
	return files
}

// maxRules is the largest number of rules in a rule folder.
const maxRules = 500

// rulesIn returns the rules in folder and below it. It leaves out links. The folder may be missing.
func rulesIn(r *reader, folder string) (files []string) {
	_ = fs.WalkDir(r.fsys, folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case !isPrintable(name):
			r.reportUnprintable(name)
			return fs.SkipAll
		case r.kind(name) == kindLink:
			r.fileExists(name)
			if err != nil || entry.IsDir() {
				return fs.SkipDir
			}
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				r.errorAt(document.Position{}, "unreadable", "the folder %s cannot be read: %s", document.Quote(name),
					err.Error())
			}
			return fs.SkipDir
		case len(files) == maxRules:
			r.errorAt(document.Position{}, "too-large", "the folder %s has more than %d rules; name those that hold",
				document.Quote(folder), maxRules)
			return fs.SkipAll
		case isRule(name) && !entry.IsDir(): // a later read reports an invalid name
			files = append(files, name)
		}
		return nil
	})
	return files
}

// fileExists reports whether the named file exists. It returns false for a link or a submodule, and adds a warning,
// because a link may lead to a file that is sent already.
func (r *reader) fileExists(name string) bool {
	k := r.kind(name)
	if k == kindLink {
		r.faults = append(r.faults,
			document.NewWarning(name, document.Position{}, document.RuleElsewhere,
				"this is a symbolic link or a submodule, and is not sent"))
	}
	return k == kindFile
}

// applicableFiles returns those of candidates that apply to file. A candidate such as AGENTS.md applies to its folder.
// For such a candidate, applicableFiles also returns the files of the same name in the folders on the way to file.
func applicableFiles(r *reader, candidates []string, file string) (out []string) {
	for _, name := range candidates {
		dir, base := path.Dir(name), path.Base(name)
		below, inside := file, dir == "."
		if !inside {
			below, inside = strings.CutPrefix(file, dir+"/")
		}
		switch {
		case isRule(name):
			if ruleApplies(r, name, file) {
				out = append(out, name)
			}
		case !slices.Contains(anyFolderNames, base), path.Base(dir) == ".claude":
			out = append(out, name)
		case inside:
			out = append(out, name)
			for i, b := range below {
				if deeper := path.Join(dir, below[:i], base); b == '/' && r.fileExists(deeper) {
					out = append(out, deeper)
				}
			}
		}
	}
	return out
}

// ruleApplies reports whether the named rule applies to file, either always or because one of its patterns matches.
func ruleApplies(r *reader, name, file string) bool {
	f, ok := r.readFile(name)
	if !ok {
		return false
	}
	head, _, _ := cutFrontMatter(f.Text)
	always, patterns := ruleSettings(head)
	if len(patterns) > maxPatterns {
		r.addFault(f, 0,
			document.NewError("", document.Position{}, "glob", "the rule has %d patterns, and at most %d are matched",
				len(patterns), maxPatterns))
		return false
	}
	return always || len(patterns) == 0 && isClaudeRule(name) ||
		slices.ContainsFunc(patterns, func(pattern string) bool {
			if wrong := config.GlobProblem(pattern); wrong != "" { // some patterns take exponential time
				r.addFault(f, 0,
					warning("glob", "the pattern %s %s, and matches nothing", document.Quote(pattern), wrong))
				return false
			}
			if !strings.Contains(pattern, "/") && path.Ext(name) == ".mdc" {
				pattern = "**/" + pattern
			}
			return doublestar.MatchUnvalidated(pattern, file)
		})
}

// maxPatterns is the largest number of patterns in a rule.
const maxPatterns = 100

// patternKeys are the keys of the settings with which rules of Copilot, Cursor and Claude name files.
var patternKeys = []string{"applyTo", "globs", "paths"}

// ruleSettings returns the settings in head, the front matter of a rule: whether the rule always applies, and its
// patterns. ruleSettings is not a YAML parser, because patterns often lack the quotes that YAML requires.
func ruleSettings(head string) (always bool, patterns []string) {
	inList := false
	for line := range strings.Lines(head) {
		line, _, _ = strings.Cut(" "+line, " #") // a comment
		line = strings.TrimPrefix(line, " ")
		trimmed := strings.TrimSpace(line)
		key, value, _ := strings.Cut(trimmed, ":")
		key = strings.Trim(key, `"'`)
		switch {
		case inList && (!strings.Contains(trimmed, ":") || strings.ContainsAny(line[:1], " \t-")): // the list goes on
			patterns = append(patterns, splitPatterns(strings.TrimPrefix(trimmed, "- "))...)
			continue
		case key == "alwaysApply":
			always = strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"'`), "true")
		case slices.Contains(patternKeys, key):
			patterns = append(patterns, splitPatterns(value)...)
		}
		inList = slices.Contains(patternKeys, key)
	}
	return always, patterns
}

// splitPatterns splits value at its commas. A comma in braces does not split.
func splitPatterns(value string) (out []string) {
	depth := 0
	isSeparator := func(c rune) bool {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		return c == ',' && depth == 0
	}
	for _, part := range strings.FieldsFunc(strings.Trim(strings.TrimSpace(value), "[]"), isSeparator) {
		if part = strings.Trim(strings.TrimSpace(part), `"'`); part != "" {
			out = append(out, strings.TrimPrefix(part, "./"))
		}
	}
	return out
}
