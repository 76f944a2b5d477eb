package render

import (
	"fmt"
	"regexp"
	"strings"
)

// Links says where the repository lies. All of it is optional: without Repo or a commit, output holds no links to files and
// names path:line instead. Values that are no host, repository or commit count as absent.
type Links struct {
	Server  string // https://github.com
	Repo    string // owner/name
	HeadSHA string
	BaseSHA string
	RunURL  string // of the workflow run, on Server
	Dir     string // prefix of the report's paths inside the repository; "" for its root
	Number  int    // of the pull request; 0 for none
}

var (
	serverForm = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(?::[0-9]+)?$`)
	repoForm   = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]*[A-Za-z0-9_-]$`)
	shaForm    = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	runForm    = regexp.MustCompile(`^/[A-Za-z0-9_./-]+$`)
)

// urlBytes bounds a link, so that the size of output is bounded by its number of links.
const urlBytes = 600

func (l Links) repo() string {
	if !serverForm.MatchString(l.Server) || !repoForm.MatchString(l.Repo) {
		return ""
	}
	return l.Server + "/" + l.Repo
}

// Path is a path of the report as it is called from the root of the repository.
func (l Links) Path(path string) string {
	if dir := strings.Trim(l.Dir, "/"); dir != "" && dir != "." {
		return dir + "/" + path
	}
	return path
}

// file links to a line of a file at a commit; "" where that cannot be said. Line 0 is the whole file.
func (l Links) file(sha, path string, line int) string {
	repo := l.repo()
	if repo == "" || !shaForm.MatchString(sha) || path == "" || len(path) > urlBytes {
		return ""
	}
	segments := strings.Split(l.Path(path), "/")
	for i, s := range segments {
		if s == "" || s == "." || s == ".." { // a browser would resolve it, and leave the commit
			return ""
		}
		segments[i] = escapeSegment(s)
	}
	url := repo + "/blob/" + sha + "/" + strings.Join(segments, "/")
	if len(url) > urlBytes {
		return ""
	}
	if line > 0 {
		if strings.HasSuffix(strings.ToLower(path), ".md") {
			url += "?plain=1" // the rendered page has no lines
		}
		url += fmt.Sprintf("#L%d", line)
	}
	return url
}

func (l Links) commit(sha string) string {
	if l.repo() == "" || !shaForm.MatchString(sha) {
		return ""
	}
	return l.repo() + "/commit/" + sha
}

func (l Links) run() string {
	path, ok := strings.CutPrefix(l.RunURL, l.Server)
	if !ok || !serverForm.MatchString(l.Server) || !runForm.MatchString(path) || len(l.RunURL) > urlBytes {
		return ""
	}
	return l.RunURL
}

// escapeSegment leaves letters, digits, hyphen, dot and underscore (RFC 3986 calls them unreserved) and percent-encodes
// all else, so that a path can end no Markdown link.
func escapeSegment(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_':
			b.WriteByte(c)
		default:
			b.WriteString(percentCode(c))
		}
	}
	return b.String()
}

func percentCode(c byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{'%', digits[c>>4], digits[c&15]})
}

// plainName is a name that reads the same with and without Markdown. Inside a link nothing else links.
var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_/ ][A-Za-z0-9]+)*$`)
	issueName = regexp.MustCompile(`(?i)^(?:.*[^a-z0-9])?gh-[0-9]`)
)

// linked makes a link of a name, or code of it where there is no url.
func linked(name, url string) string {
	name = ends(name, nameRunes)
	plain := plainName.MatchString(name) && !issueName.MatchString(name) && !bareHash.MatchString(name)
	switch {
	case name == "":
		name = "unnamed"
	case url == "" || !plain:
		name = code(name)
	}
	if url == "" {
		return name
	}
	return "[" + name + "](" + url + ")"
}

// place names a line of a file, linked where that is possible.
func (l Links) place(sha, path string, line, column int) string {
	return linked(placeName(l.Path(path), line, column), l.file(sha, path, line))
}

func placeName(path string, line, column int) string {
	name := ends(path, 2*nameRunes)
	if line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	if line > 0 && column > 0 {
		name = fmt.Sprintf("%s:%d", name, column)
	}
	return name
}

// revision names a commit by its first seven characters.
func (l Links) revision(sha, name string) string {
	switch {
	case shaForm.MatchString(sha) && l.commit(sha) != "":
		return "[" + code(sha[:7]) + "](" + l.commit(sha) + ")"
	case shaForm.MatchString(sha):
		return code(sha[:7])
	}
	return nameCode(name)
}
