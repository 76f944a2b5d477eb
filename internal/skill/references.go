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

// mentionedFiles returns the files that the links and backticks of SKILL.md (main) name and that may be sent. They are
// in the order of first mention.
func mentionedFiles(r *reader, main File) (names []string) {
	_, body, _ := cutFrontMatter(main.Text)
	offset, seen := len(main.Text)-len(body), map[string]bool{}
	for _, m := range mentions(body) {
		name := path.Clean(m.path)
		inside := fs.ValidPath(name) && !strings.HasPrefix(m.path, "/") // in the skill's folder
		if seen[name] {
			continue
		}
		seen[name] = true
		at := offset + m.offset
		switch {
		case !inside && m.isLink:
			r.addFault(main, at,
				warning("outside", "%s leads out of the skill's folder, and is not sent", document.Quote(m.path)))
		case !inside, name == FileName, !isSendable(name):
		default:
			switch k := r.kind(name); {
			case k == kindFile, k == kindLink: // a link is reported when it is read
				names = append(names, name)
			case k == kindAbsent && m.isLink:
				r.addFault(main, at,
					warning("missing-file", "the skill's folder has no file %s, to which this links; it is not sent",
						document.Quote(name)))
			}
		}
	}
	return names
}

// kind says what is at a path.
type kind int

const (
	kindAbsent kind = iota
	kindFile
	kindFolder
	kindLink // a link or a submodule, whose content is not in the tree
)

func (r *reader) kind(name string) kind {
	name = r.pathOf(name)
	info, err := fs.Stat(r.fsys, name)
	switch {
	case document.IsElsewhere(err):
		return kindLink
	case err != nil: // also a path that the file system rejects
		return kindAbsent
	case info.IsDir():
		return kindFolder
	}
	return kindFile
}

// isSendable reports whether the named file may be sent. Hidden files, scripts, assets and expected answers may not.
func isSendable(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	return !slices.Contains([]string{"scripts", "assets", "evals"}, folder) && !isHidden(name)
}

// mention is a place in a Markdown text that names a path.
type mention struct {
	path   string
	isLink bool // whether a link names the path; false for backticks
	offset int
}

const destination = `\s*(?:<([^<>]*)>|([^()<>\s]*))`

// mentionPattern matches code in backticks, links, and definitions of links in a line. It takes linear time. A Markdown
// parser can take seconds for a hostile line.
var mentionPattern = regexp.MustCompile("`+([^`]+)`+" + `|(!?\[[^\[\]]*)?\]\(` + destination + `|^ {0,3}\[[^\[\]]+\]:` +
	destination)

// mentions returns the relative paths that links and backticks in source name, outside of code blocks. source is
// Markdown.
func mentions(source string) (out []mention) {
	for offset, line := range OutsideCode(source) {
		for _, at := range mentionPattern.FindAllStringSubmatchIndex(line, -1) {
			group := func(n int) string {
				if at[2*n] < 0 {
					return ""
				}
				return line[at[2*n]:at[2*n+1]]
			}
			code, target := strings.TrimSpace(group(1)), group(3)+group(4)+group(5)+group(6)
			if code == "" && !strings.HasPrefix(group(2), "!") {
				code = linkPath(target)
			}
			if code != "" {
				out = append(out, mention{code, at[2] < 0, offset + at[0]})
			}
		}
	}
	return out
}

// linkPath returns the path in target, the target of a link. It returns "" for a web address or an anchor.
func linkPath(target string) string {
	to, err := url.Parse(target)
	if err != nil || to.Scheme != "" || to.Host != "" {
		return ""
	}
	return to.Path
}

// OutsideCode yields the lines of source, a Markdown text, that are outside of fenced code blocks, and their offsets. A
// code block inside a list item ends with the list.
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

// fenceRun splits line after the three or more backticks or tildes that it begins with. These open or close a code
// block. run is "" if there are none.
func fenceRun(line string) (run, rest string) {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"`", "~"} {
		if rest = strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", line
}

// otherFiles returns the files below references/ that are not in names, sorted. It stops once there are more than
// maxFiles.
func otherFiles(r *reader, names []string) (out []string) {
	err := fs.WalkDir(r.fsys, r.pathOf("references"), func(at string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(at, r.dir+"/")
		switch {
		case err != nil:
			return err
		case len(out) > maxFiles:
			return fs.SkipAll
		case !isSendable(name) && entry.IsDir():
			return fs.SkipDir
		case !entry.IsDir() && isSendable(name) && !slices.Contains(names, name):
			out = append(out, name)
		}
		return nil
	})
	switch {
	case document.IsElsewhere(err):
		r.faults = append(r.faults,
			document.NewError(r.pathOf("references"), document.Position{}, document.RuleElsewhere,
				"this is a symbolic link or a submodule, and is never followed; commit the file itself"))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		r.errorAt(document.Position{}, "unreadable", "the folder references/ cannot be read: %s", err.Error())
	}
	return out
}
