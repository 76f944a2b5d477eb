package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// entry is one entry of a tree to be written: bytes, or for a submodule an id.
type entry struct {
	mode filemode.FileMode
	text string
}

func file(text string) entry   { return entry{filemode.Regular, text} }
func link(target string) entry { return entry{filemode.Symlink, target} }

// files is a tree to be written, by path.
type files map[string]entry

// plain is a tree of files and folders only.
func plain() files {
	return files{
		"README.md":            file("read me\n"),
		"empty.txt":            file(""),
		"prompts/refund.md":    file("Refund {{ amount }}.\n"),
		"run.sh":               {filemode.Executable, "#!/bin/sh\n"},
		"suites/a/deep/x.yaml": file("version: 1\n"),
		"suites/a..b.yml":      file("version: 1\n"),
		"suites/é.yml":         file("id: é\n"),
	}
}

// store writes git objects.
type store struct {
	t testing.TB
	storer.EncodedObjectStorer
}

func (s store) put(kind plumbing.ObjectType, content []byte) plumbing.Hash {
	s.t.Helper()
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	if _, err := o.Write(content); err != nil {
		s.t.Fatal(err)
	}
	id, err := s.SetEncodedObject(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// tree writes the objects below a folder and returns the folder's id. It checks no name.
func (s store) tree(all files) plumbing.Hash {
	s.t.Helper()
	var nodes []object.TreeEntry
	below := map[string]files{}
	for name, e := range all {
		if dir, rest, ok := strings.Cut(name, "/"); ok {
			if below[dir] == nil {
				below[dir] = files{}
			}
			below[dir][rest] = e
			continue
		}
		id := plumbing.NewHash(e.text)
		if e.mode != filemode.Submodule {
			id = s.put(plumbing.BlobObject, []byte(e.text))
		}
		nodes = append(nodes, object.TreeEntry{Name: name, Mode: e.mode, Hash: id})
	}
	for dir, inner := range below {
		nodes = append(nodes, object.TreeEntry{Name: dir, Mode: filemode.Dir, Hash: s.tree(inner)})
	}
	return s.rawTree(nodes)
}

// rawTree writes one tree object as given, in git's order.
func (s store) rawTree(nodes []object.TreeEntry) plumbing.Hash {
	s.t.Helper()
	slices.SortFunc(nodes, func(a, b object.TreeEntry) int { return strings.Compare(gitName(a), gitName(b)) })
	var raw []byte
	for _, n := range nodes {
		mode := strings.TrimLeft(n.Mode.String(), "0")
		raw = append(append(raw, mode+" "+n.Name+"\x00"...), n.Hash[:]...)
	}
	return s.put(plumbing.TreeObject, raw)
}

// gitName is what git sorts by: a folder as if its name ended in a slash.
func gitName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// commit writes a commit made at a time in seconds.
func (s store) commit(tree plumbing.Hash, at int64, parents ...plumbing.Hash) plumbing.Hash {
	s.t.Helper()
	who := object.Signature{Name: "A", Email: "a@example.com", When: time.Unix(at, 0).UTC()}
	c := &object.Commit{Author: who, Committer: who, Message: "m\n", TreeHash: tree, ParentHashes: parents}
	o := &plumbing.MemoryObject{}
	if err := c.Encode(o); err != nil {
		s.t.Fatal(err)
	}
	id, err := s.SetEncodedObject(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// local is a repository on disk.
type local struct {
	store
	repo *git.Repository
	dir  string
}

// newLocal makes a repository without commits whose HEAD is refs/heads/main.
func newLocal(t testing.TB) *local {
	t.Helper()
	dir := t.TempDir()
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{InitOptions: git.InitOptions{DefaultBranch: plumbing.Main}})
	if err != nil {
		t.Fatal(err)
	}
	return &local{store: store{t, repo.Storer}, repo: repo, dir: dir}
}

// ref points a reference at an object.
func (l *local) ref(name string, id plumbing.Hash) {
	l.t.Helper()
	if err := l.repo.Storer.SetReference(plumbing.NewHashReference(plumbing.ReferenceName(name), id)); err != nil {
		l.t.Fatal(err)
	}
}

// write puts a file into the repository's folder.
func (l *local) write(name, text string) string {
	l.t.Helper()
	return writeFile(l.t, filepath.Join(l.dir, filepath.FromSlash(name)), text)
}

func writeFile(t testing.TB, at, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return at
}

// loose returns where a loose object is stored.
func (l *local) loose(id plumbing.Hash) string {
	s := id.String()
	return filepath.Join(l.dir, ".git", "objects", s[:2], s[2:])
}

// remove deletes a loose object, as a shallow or partial clone lacks it.
func (l *local) remove(id plumbing.Hash) {
	l.t.Helper()
	if err := os.Remove(l.loose(id)); err != nil {
		l.t.Fatal(err)
	}
}

// names lists every path of a tree with its type: "d" folder, "-" file, "l" link, "?" other.
func names(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch d.Type() {
		case fs.ModeDir:
			name = "d " + name
		case 0:
			name = "- " + name
		case fs.ModeSymlink:
			name = "l " + name
		default:
			name = "? " + name
		}
		out = append(out, name)
		return nil
	})
	if err != nil {
		t.Fatalf("WalkDir: %v", err)
	}
	return out
}

// wantRefusal checks that every way to reach a name ends in an *fs.PathError of the given kind.
func wantRefusal(t *testing.T, fsys fs.FS, name string, want error) {
	t.Helper()
	_, readErr := fs.ReadFile(fsys, name)
	_, statErr := fs.Stat(fsys, name)
	_, listErr := fs.ReadDir(fsys, name)
	file, openErr := fsys.Open(name)
	if openErr == nil {
		file.Close()
	}
	for call, err := range map[string]error{"ReadFile": readErr, "Stat": statErr, "ReadDir": listErr, "Open": openErr} {
		var p *fs.PathError
		if !errors.Is(err, want) || !errors.As(err, &p) {
			t.Errorf("%s(%q) = %v, want an *fs.PathError around %q", call, name, err, want)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Errorf("%s(%q): the error is not one line: %q", call, name, err)
		}
	}
}
