package githubtest

import (
	"encoding/base64"
	"fmt"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

type commit struct {
	sha, tree string
	parents   []string
	authors   []Identity // the author and the committer; nil: Octocat for both
}

// SetAuthors sets a commit's author and committer, Octocat by default. The zero Identity means no account.
func (s *Server) SetAuthors(sha string, author, committer Identity) {
	defer s.locked()()
	s.commits[sha].authors = []Identity{author, committer}
}

// Commit stores a commit with these files and returns its SHA, which depends only on the arguments.
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
	sha := plumbing.ComputeHash(plumbing.CommitObject, []byte(text+"author "+person+"committer "+person+"\nchange\n")).String()
	s.commits[sha] = &commit{sha: sha, tree: tree, parents: parents}
	return sha
}

// CommitAs stores a commit under a given SHA, such as one of a published event.
func (s *Server) CommitAs(sha string, files map[string]string, parents ...string) {
	defer s.locked()()
	s.commits[sha] = &commit{sha: sha, tree: s.tree(files), parents: parents}
}

// ParentsOf returns the parents of a commit.
func (s *Server) ParentsOf(sha string) []string {
	defer s.locked()()
	if c := s.commits[sha]; c != nil {
		return c.parents
	}
	return nil
}

// Files returns the files of a commit.
func (s *Server) Files(sha string) map[string]string {
	defer s.locked()()
	return s.files(s.commits[sha])
}

// SetBranch sets the commit of a branch.
func (s *Server) SetBranch(name, sha string) {
	defer s.locked()()
	s.branches[name] = sha
}

// tree stores files and their folders, and returns the SHA of the root.
func (s *Server) tree(files map[string]string) string {
	var root object.Tree
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
		id := plumbing.ComputeHash(plumbing.BlobObject, []byte(content))
		s.blobs[id.String()] = content
		root.Entries = append(root.Entries, object.TreeEntry{Name: name, Mode: filemode.Regular, Hash: id})
	}
	for name, inside := range folders {
		root.Entries = append(root.Entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: plumbing.NewHash(s.tree(inside))})
	}
	sort.Sort(object.TreeEntrySorter(root.Entries))
	o := &plumbing.MemoryObject{}
	if err := root.Encode(o); err != nil {
		panic("githubtest: " + err.Error())
	}
	s.trees[o.Hash().String()] = root.Entries
	return o.Hash().String()
}

// resolve finds a commit by branch or SHA.
func (s *Server) resolve(name string) *commit {
	if sha, found := s.branches[strings.TrimPrefix(name, "refs/heads/")]; found {
		name = sha
	}
	return s.commits[name]
}

func (s *Server) getTree(c call) response {
	sha := c.args[0]
	if found := s.resolve(sha); found != nil {
		sha = found.tree
	}
	entries, found := s.trees[sha]
	if !found {
		return notFound()
	}
	out := s.treeEntries("", entries, c.URL.Query().Has("recursive"))
	return ok(map[string]any{"sha": c.args[0], "url": s.apiURL("git/trees/" + sha), "tree": out, "truncated": false})
}

func (s *Server) treeEntries(prefix string, entries []object.TreeEntry, recursive bool) []any {
	out := []any{}
	for _, e := range entries {
		sha, kind := e.Hash.String(), "blob"
		line := map[string]any{"path": prefix + e.Name, "mode": fmt.Sprintf("%06o", uint32(e.Mode)), "sha": sha}
		switch e.Mode {
		case filemode.Dir:
			kind = "tree"
		case filemode.Submodule:
			kind = "commit"
		default:
			line["size"] = len(s.blobs[sha])
		}
		line["type"], line["url"] = kind, s.apiURL("git/"+kind+"s/"+sha)
		out = append(out, line)
		if kind == "tree" && recursive {
			out = append(out, s.treeEntries(prefix+e.Name+"/", s.trees[sha], true)...)
		}
	}
	return out
}

func (s *Server) getBlob(c call) response {
	content, found := s.blobs[c.args[0]]
	if !found {
		return notFound()
	}
	return ok(map[string]any{
		"sha": c.args[0], "node_id": "B_" + c.args[0][:8], "size": len(content),
		"url":      s.apiURL("git/blobs/" + c.args[0]),
		"encoding": "base64", "content": base64.StdEncoding.EncodeToString([]byte(content)),
	})
}

// apiURL returns an address of the API.
func (s *Server) apiURL(path string) string {
	return "https://api.github.com/repos/" + s.owner + "/" + s.repo + "/" + path
}

// pageURL returns the address of a page on the site.
func (s *Server) pageURL(path string) string {
	return "https://github.com/" + s.owner + "/" + s.repo + "/" + path
}

// StoreObject stores an object of a real git repository and returns its SHA. kind is blob, tree or commit.
func (s *Server) StoreObject(kind string, content []byte) (sha string, err error) {
	defer s.locked()()
	objectType, err := plumbing.ParseObjectType(kind)
	o := &plumbing.MemoryObject{}
	o.SetType(objectType)
	_, _ = o.Write(content) // into memory
	sha = o.Hash().String()
	switch objectType {
	case plumbing.BlobObject:
		s.blobs[sha] = string(content)
	case plumbing.TreeObject:
		var t object.Tree
		err = t.Decode(o)
		s.trees[sha] = t.Entries
	case plumbing.CommitObject:
		var c object.Commit
		err = c.Decode(o)
		stored := &commit{sha: sha, tree: c.TreeHash.String()}
		for _, p := range c.ParentHashes {
			stored.parents = append(stored.parents, p.String())
		}
		if s.commits[sha] == nil { // else Wrote may have set its author
			s.commits[sha] = stored
		}
	default:
		err = fmt.Errorf("an object of kind %s is not served", kind)
	}
	return sha, err
}

// FixMergeCommit sets the merge commit of a pull request to a stored commit, which stays even if the branch moves. If
// sha is "", there is no merge commit, because of a conflict.
func (s *Server) FixMergeCommit(number int, sha string) {
	defer s.locked()()
	p := s.pulls[number]
	p.merge, p.fixedMerge, p.conflict = sha, sha != "", sha == ""
}

// SetPullAuthor sets the author of a pull request.
func (s *Server) SetPullAuthor(number int, who Identity) {
	defer s.locked()()
	s.pulls[number].author = who
}
