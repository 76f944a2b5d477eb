package githubtest

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

type commit struct {
	sha, tree string
	parents   []string
}

// entry is a line of a tree: a file or a folder.
type entry struct {
	name, mode, kind, sha string
	size                  int
}

// Commit stores a commit with these files and returns its SHA, which depends on nothing else.
func (s *Server) Commit(files map[string]string, parents ...string) string {
	defer s.locked()()
	return s.commit(files, parents...)
}

func (s *Server) commit(files map[string]string, parents ...string) string {
	tree := s.tree(files)
	text := "tree " + tree + "\n"
	for _, p := range parents {
		text += "parent " + p + "\n"
	}
	const person = "Octo Cat <octocat@example.com> 1767225600 +0000\n"
	sha := objectID("commit", text+"author "+person+"committer "+person+"\nchange\n")
	s.commits[sha] = &commit{sha, tree, parents}
	return sha
}

// CommitAs stores a commit under a SHA of the test's choice, such as one of a published event.
func (s *Server) CommitAs(sha string, files map[string]string, parents ...string) {
	defer s.locked()()
	s.commits[sha] = &commit{sha, s.tree(files), parents}
}

// ParentsOf are a commit's.
func (s *Server) ParentsOf(sha string) []string {
	defer s.locked()()
	if c := s.commits[sha]; c != nil {
		return c.parents
	}
	return nil
}

// Branch names a commit.
func (s *Server) Branch(name, sha string) {
	defer s.locked()()
	s.branches[name] = sha
}

func objectID(kind, content string) string {
	sum := sha1.Sum([]byte(fmt.Sprintf("%s %d\x00%s", kind, len(content), content)))
	return hex.EncodeToString(sum[:])
}

// tree stores files and their folders, and returns the SHA of the root.
func (s *Server) tree(files map[string]string) string {
	var lines []entry
	folders := map[string]map[string]string{}
	for name, content := range files {
		folder, rest, nested := strings.Cut(name, "/")
		if nested {
			if folders[folder] == nil {
				folders[folder] = map[string]string{}
			}
			folders[folder][rest] = content
			continue
		}
		sha := objectID("blob", content)
		s.blobs[sha] = content
		lines = append(lines, entry{name, "100644", "blob", sha, len(content)})
	}
	for name, inside := range folders {
		lines = append(lines, entry{name, "040000", "tree", s.tree(inside), 0})
	}
	slices.SortFunc(lines, func(a, b entry) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	var content strings.Builder
	for _, e := range lines {
		raw, _ := hex.DecodeString(e.sha)
		fmt.Fprintf(&content, "%s %s\x00%s", strings.TrimLeft(e.mode, "0"), e.name, raw)
	}
	sha := objectID("tree", content.String())
	s.trees[sha] = lines
	return sha
}

// sortKey sorts as git does: a folder as if its name ended in a slash.
func (e entry) sortKey() string {
	if e.kind == "tree" {
		return e.name + "/"
	}
	return e.name
}

// resolve finds a commit by branch or SHA.
func (s *Server) resolve(name string) *commit {
	if sha, is := s.branches[strings.TrimPrefix(name, "refs/heads/")]; is {
		name = sha
	}
	return s.commits[name]
}

func (s *Server) getTree(c call) answer {
	sha := c.args[0]
	if found := s.resolve(sha); found != nil {
		sha = found.tree
	}
	lines, is := s.trees[sha]
	if !is {
		return notFound()
	}
	out := s.lines("", lines, c.URL.Query().Has("recursive"))
	return ok(map[string]any{"sha": c.args[0], "url": s.url("git/trees/" + sha), "tree": out, "truncated": false})
}

func (s *Server) lines(prefix string, lines []entry, recursive bool) []any {
	out := []any{}
	for _, e := range lines {
		line := map[string]any{"path": prefix + e.name, "mode": e.mode, "type": e.kind, "sha": e.sha, "url": s.url("git/" + e.kind + "s/" + e.sha)}
		if e.kind == "blob" {
			line["size"] = e.size
		}
		out = append(out, line)
		if e.kind == "tree" && recursive {
			out = append(out, s.lines(prefix+e.name+"/", s.trees[e.sha], true)...)
		}
	}
	return out
}

func (s *Server) getBlob(c call) answer {
	content, is := s.blobs[c.args[0]]
	if !is {
		return notFound()
	}
	return ok(map[string]any{
		"sha": c.args[0], "node_id": "B_" + c.args[0][:8], "size": len(content), "url": s.url("git/blobs/" + c.args[0]),
		"encoding": "base64", "content": base64.StdEncoding.EncodeToString([]byte(content)),
	})
}

// url is an address of the API in an answer.
func (s *Server) url(path string) string {
	return "https://api.github.com/repos/" + s.owner + "/" + s.repo + "/" + path
}

// page on the site, for people.
func (s *Server) html(path string) string {
	return "https://github.com/" + s.owner + "/" + s.repo + "/" + path
}

// Store keeps an object as git has it and returns its SHA, so that a real repository can be served: kind is blob, tree or
// commit. Blobs come before the trees that list them, since a tree says how large they are.
func (s *Server) Store(kind string, content []byte) (sha string, err error) {
	defer s.locked()()
	sha = objectID(kind, string(content))
	switch kind {
	case "blob":
		s.blobs[sha] = string(content)
	case "tree":
		s.trees[sha], err = s.readTree(content)
	case "commit":
		s.commits[sha] = readCommit(sha, content)
	default:
		err = fmt.Errorf("an object of kind %s is not served", kind)
	}
	return sha, err
}

// readTree reads git's form of a tree: mode, name and raw SHA of each entry.
func (s *Server) readTree(content []byte) (lines []entry, err error) {
	for len(content) > 0 {
		head, rest, ok := bytes.Cut(content, []byte{0})
		mode, name, named := strings.Cut(string(head), " ")
		if !ok || !named || len(rest) < 20 {
			return nil, fmt.Errorf("a tree is cut off")
		}
		e := entry{name: name, mode: fmt.Sprintf("%06s", mode), sha: hex.EncodeToString(rest[:20])}
		switch e.mode {
		case "040000":
			e.kind = "tree"
		case "160000":
			e.kind = "commit"
		default:
			e.kind, e.size = "blob", len(s.blobs[e.sha])
		}
		lines, content = append(lines, e), rest[20:]
	}
	return lines, nil
}

func readCommit(sha string, content []byte) *commit {
	head, _, _ := strings.Cut(string(content), "\n\n")
	c := &commit{sha: sha}
	for line := range strings.Lines(head) {
		switch key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		}
	}
	return c
}

// KeepMerge makes a commit that was stored the merge commit of a pull request, which stays it wherever the branch goes; "" is
// none, because head and branch conflict.
func (s *Server) KeepMerge(number int, sha string) {
	defer s.locked()()
	p := s.pulls[number]
	p.merge, p.kept, p.conflict = sha, sha != "", sha == ""
}

// Author says whose a pull request is.
func (s *Server) Author(number int, who Identity) {
	defer s.locked()()
	s.pulls[number].author = who
}
