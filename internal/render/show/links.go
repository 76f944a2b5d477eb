package show

import (
	"fmt"
	"regexp"
	"strings"
)

// Links has the addresses of the repository. Without a valid Repo or commit, output names path:line instead of links.
type Links struct {
	Server  string // https://github.com
	Repo    string // owner/name
	HeadSHA string
	BaseSHA string
	RunURL  string // of the workflow run, on Server
	Name    string // of the run, if a pull request has several
	RunWord string // names the run in a command to the bot; "" without a name
	Dir     string // prefix of the report's paths in the repository; "" for its root
	Number  int    // of the pull request; 0 for none
	Fork    bool   // the pull request comes from a fork, whose runs have no secrets
	PullSHA string // the pull request's own head commit, merged into HeadSHA; "" if not to be named
	Page    string // address of report.html; "" if unknown
}

var (
	serverForm = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(?::[0-9]+)?$`)
	repoForm   = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]*[A-Za-z0-9_-]$`)
	ShaForm    = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	runForm    = regexp.MustCompile(`^/[A-Za-z0-9_./-]+$`)
)

// UrlBytes is the longest link. It limits the size of output by its number of links.
const UrlBytes = 600

// Repository returns the address of the repository, or "".
func (l Links) Repository() string {
	return When(serverForm.MatchString(l.Server) && repoForm.MatchString(l.Repo), l.Server+"/"+l.Repo)
}

// Path returns a path of the report relative to the repository's root.
func (l Links) Path(path string) string {
	if dir := strings.Trim(l.Dir, "/"); dir != "" && dir != "." {
		return dir + "/" + path
	}
	return path
}

// File returns the link to a line of a file at a commit, or "" if the commit is unknown. Line 0 means the whole file.
func (l Links) File(sha, path string, line int) string {
	repo := l.Repository()
	if repo == "" || !ShaForm.MatchString(sha) || path == "" || len(path) > UrlBytes {
		return ""
	}
	segments := strings.Split(l.Path(path), "/")
	for i, s := range segments {
		if s == "" || s == "." || s == ".." { // a browser would resolve it and leave the commit
			return ""
		}
		segments[i] = EscapeSegment(s)
	}
	url := repo + "/blob/" + sha + "/" + strings.Join(segments, "/")
	if len(url) > UrlBytes {
		return ""
	}
	if line > 0 { // a rendered page has no lines
		url += When(strings.HasSuffix(strings.ToLower(path), ".md"), "?plain=1") + fmt.Sprintf("#L%d", line)
	}
	return url
}

// Commit returns the link to a commit, or "".
func (l Links) Commit(sha string) string {
	return When(l.Repository() != "" && ShaForm.MatchString(sha), l.Repository()+"/commit/"+sha)
}

// Run returns the link to the workflow run, or "".
func (l Links) Run() string {
	path, ok := strings.CutPrefix(l.RunURL, l.Server)
	return When(ok && serverForm.MatchString(l.Server) && runForm.MatchString(path) && len(l.RunURL) <= UrlBytes,
		l.RunURL)
}

// PageForm matches the allowed addresses of the page: they cannot end a Markdown link, and have no fragment.
var PageForm = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(?::[0-9]+)?/[A-Za-z0-9._~/%?=&-]*$`)

// CaseURL returns the link to a case on the page, or "" if the page is not published.
func (l Links) CaseURL(anchor string) string {
	url := l.Page + "#" + anchor
	return When(PageForm.MatchString(l.Page) && len(url) <= UrlBytes, url)
}

// EscapeSegment percent-encodes all but ASCII letters, digits, '-', '.' and '_', so that no path ends a Markdown link.
func EscapeSegment(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// plainName matches a name that Markdown does not change. issueName matches a name that GitHub would read as an issue.
var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_/ ][A-Za-z0-9]+)*$`)
	issueName = regexp.MustCompile(`(?i)^(?:.*[^a-z0-9])?gh-[0-9]`)
)

// MarkdownLink returns a name as a link, or as code if url is "".
func MarkdownLink(name, url string) string {
	name = ShortName(name, NameRunes)
	if strings.Contains(name, "]:") { // it could look like a link definition at the beginning of a block
		url = ""
	}
	plain := plainName.MatchString(name) && !issueName.MatchString(name) && !bareHash.MatchString(name)
	switch {
	case name == "":
		name = "unnamed"
	case url == "" || !plain:
		name = Code(name)
	}
	if url == "" {
		return name
	}
	return "[" + name + "](" + url + ")"
}

// Place returns path:line:column at a commit as a name with a link.
func (l Links) Place(sha, path string, line, column int) Part {
	return Name(PlaceName(l.Path(path), line, column), l.File(sha, path, line))
}

// PlaceName returns path:line:column without a link, or the known part of it.
func PlaceName(path string, line, column int) string {
	return ShortName(path, 2*NameRunes) + When(line > 0, fmt.Sprintf(":%d", line)) +
		When(line > 0 && column > 0, fmt.Sprintf(":%d", column))
}
