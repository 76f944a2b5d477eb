package sides_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// clone is a git repository in the folder dir.
type clone struct {
	testing.TB
	dir  string
	repo *git.Repository
}

// newClone returns a repository without commits, whose branch master is checked out.
func newClone(t testing.TB) clone {
	t.Helper()
	dir := t.TempDir()
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	return clone{t, dir, repo}
}

// write writes files into the folder.
func (c clone) write(files runtest.Files) {
	c.Helper()
	for name, text := range files {
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			c.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			c.Fatal(err)
		}
	}
}

// commit writes files, commits them to the branch that is checked out, and returns the SHA.
func (c clone) commit(files runtest.Files) string {
	c.Helper()
	c.write(files)
	work := c.worktree()
	for name := range files {
		if _, err := work.Add(name); err != nil {
			c.Fatal(err)
		}
	}
	sha, err := work.Commit("x", &git.CommitOptions{AllowEmptyCommits: true,
		Author: &object.Signature{Name: "ada", Email: "ada@example.com"}})
	if err != nil {
		c.Fatal(err)
	}
	return sha.String()
}

// checkout checks out a branch, which is created if it is not there.
func (c clone) checkout(branch string) {
	c.Helper()
	name := plumbing.NewBranchReferenceName(branch)
	_, err := c.repo.Reference(name, false)
	if err := c.worktree().Checkout(&git.CheckoutOptions{Branch: name, Create: err != nil}); err != nil {
		c.Fatal(err)
	}
}

// begin makes a branch the one that is checked out. It has no commit yet.
func (c clone) begin(branch string) {
	c.Helper()
	name := plumbing.NewBranchReferenceName(branch)
	if err := c.repo.Storer.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, name)); err != nil {
		c.Fatal(err)
	}
}

// ref points the reference name to the commit that is checked out.
func (c clone) ref(name string) {
	c.Helper()
	head, err := c.repo.Head()
	if err != nil {
		c.Fatal(err)
	}
	ref := plumbing.NewHashReference(plumbing.ReferenceName(name), head.Hash())
	if err := c.repo.Storer.SetReference(ref); err != nil {
		c.Fatal(err)
	}
}

// loseFiles makes the files of a commit unreadable.
func (c clone) loseFiles(sha string) {
	c.Helper()
	c.lose(c.of(sha).TreeHash)
}

// loseFile makes one file of a commit unreadable.
func (c clone) loseFile(sha, name string) {
	c.Helper()
	file, err := c.of(sha).File(name)
	if err != nil {
		c.Fatal(err)
	}
	c.lose(file.Hash)
}

func (c clone) of(sha string) *object.Commit {
	c.Helper()
	commit, err := c.repo.CommitObject(plumbing.NewHash(sha))
	if err != nil {
		c.Fatal(err)
	}
	return commit
}

func (c clone) lose(id plumbing.Hash) {
	c.Helper()
	name := id.String()
	if err := os.Remove(filepath.Join(c.dir, ".git", "objects", name[:2], name[2:])); err != nil {
		c.Fatal(err)
	}
}

func (c clone) worktree() *git.Worktree {
	c.Helper()
	work, err := c.repo.Worktree()
	if err != nil {
		c.Fatal(err)
	}
	return work
}

// inputs returns the inputs of a run in the folder, whose head is the given revision; "" is the working tree.
func (c clone) inputs(head string) sides.Inputs {
	c.Helper()
	in := runtest.Inputs(c, nil, nil, nil)
	in.Dir = c.dir
	var err error
	if in.Head, err = sides.OpenHead(c.dir, head); err != nil {
		c.Fatal(err)
	}
	return in
}
