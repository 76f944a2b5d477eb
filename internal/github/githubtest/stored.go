package githubtest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

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
