package skill

import (
	"errors"
	"io/fs"
	"iter"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// namedFiles returns the sendable files that links and backticks of SKILL.md name, in the order of first mention.
func namedFiles(r *reader, main File) (names []string) {
	_, body, _ := cutFrontMatter(main.Text)
	offset, seen := len(main.Text)-len(body), map[string]bool{}
	for _, m := range mentions(body) {
		name, inside := within(m.path)
		if seen[name] {
			continue
		}
		seen[name] = true
		at := offset + m.offset
		switch {
		case !inside && m.link:
			r.report(main, at, warning("outside", "%s leads out of the skill's folder, and is not sent", document.Quote(m.path)))
		case !inside, name == Name, !sendable(name):
		default:
			switch k := r.kind(name); {
			case k == aFile, k == elsewhere: // reading a link says what is wrong
				names = append(names, name)
			case k == absent && m.link:
				r.report(main, at, warning("missing-file", "the skill's folder has no file %s, to which this links; it is not sent", document.Quote(name)))
			}
		}
	}
	return names
}

// kind says what a path is.
type kind int

const (
	absent kind = iota
	aFile
	aFolder
	elsewhere // a link or a submodule, whose content is not in the tree
)

func (r *reader) kind(name string) kind {
	name = r.at(name)
	_, link := document.LinkOn(r.fsys, name)
	info, err := fs.Stat(r.fsys, name)
	switch {
	case link, document.IsElsewhere(err):
		return elsewhere
	case err != nil: // also a path that the file system rejects
		return absent
	case info.IsDir():
		return aFolder
	}
	return aFile
}

// within returns a cleaned path, and reports whether it stays inside the skill's folder.
func within(written string) (name string, inside bool) {
	name = path.Clean(written)
	return name, fs.ValidPath(name) && !strings.HasPrefix(written, "/")
}

// sendable reports whether a file may be sent. Hidden files, scripts, assets and expected answers may not.
func sendable(name string) bool {
	parts := strings.Split(name, "/")
	return !slices.Contains([]string{"scripts", "assets", "evals"}, parts[0]) &&
		!slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") })
}

// mention is a place in a Markdown text that names a path.
type mention struct {
	path   string
	link   bool // false for a path in backticks
	offset int
}

const destination = `\s*(?:<([^<>]*)>|([^()<>\s]*))`

// marks matches code in backticks, links and their definitions in a line. It takes linear time; a Markdown parser can
// take seconds for a hostile line.
var marks = regexp.MustCompile("`+([^`]+)`+" + `|(!?\[[^\[\]]*)?\]\(` + destination + `|^ {0,3}\[[^\[\]]+\]:` + destination)

// mentions returns the relative paths that the links and backticks of a Markdown text name, outside of code blocks.
func mentions(source string) (out []mention) {
	for offset, line := range OutsideCode(source) {
		for _, at := range marks.FindAllStringSubmatchIndex(line, -1) {
			group := func(n int) string {
				if at[2*n] < 0 {
					return ""
				}
				return line[at[2*n]:at[2*n+1]]
			}
			code, target := strings.TrimSpace(group(1)), group(3)+group(4)+group(5)+group(6)
			if code == "" && !strings.HasPrefix(group(2), "!") {
				code = relative(target)
			}
			if code != "" {
				out = append(out, mention{code, at[2] < 0, offset + at[0]})
			}
		}
	}
	return out
}

// relative returns the path of a link's target, or "" for a web address or an anchor.
func relative(target string) string {
	to, err := url.Parse(target)
	if err != nil || to.Scheme != "" || to.Host != "" {
		return ""
	}
	return to.Path
}

// OutsideCode yields the lines of a Markdown text outside of fenced code blocks, with their offsets. A block inside a
// list item ends with the list.
func OutsideCode(source string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		offset, fence, indented := 0, "", false
		for line := range strings.Lines(source) {
			run, rest := fenceRun(line)
			if indented && strings.TrimLeft(line, " \t\n") == line {
				fence = ""
			}
			if fence == "" {
				indented = strings.HasPrefix(strings.ReplaceAll(line, "\t", "    "), "    ")
			}
			switch {
			case fence == "" && run != "" && !strings.Contains(rest, "`"):
				fence = run
			case fence != "" && rest == "" && strings.HasPrefix(run, fence):
				fence = ""
			case fence == "" && !yield(offset, line):
				return
			}
			offset += len(line)
		}
	}
}

// fenceRun splits a line after three or more backticks or tildes, which open or close a code block.
func fenceRun(line string) (run, rest string) {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"`", "~"} {
		if rest = strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", line
}

// otherFiles returns the files below references/ that the list names does not contain, sorted. It stops if there are
// too many.
func otherFiles(r *reader, names []string) (out []string) {
	if link, found := document.LinkOn(r.fsys, r.at("references")); found {
		r.linked(link)
		return nil
	}
	err := fs.WalkDir(r.fsys, r.at("references"), func(at string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(at, r.dir+"/")
		switch {
		case err != nil:
			return err
		case len(out) > maxFiles:
			return fs.SkipAll
		case !sendable(name) && entry.IsDir():
			return fs.SkipDir
		case !entry.IsDir() && sendable(name) && !slices.Contains(names, name):
			out = append(out, name)
		}
		return nil
	})
	switch {
	case document.IsElsewhere(err):
		r.linked(r.at("references"))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		r.errorAt(document.Position{}, "unreadable", "the folder references/ cannot be read: %s", err.Error())
	}
	return out
}
