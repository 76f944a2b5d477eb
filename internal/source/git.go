package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Git opens a revision of the repository that dir is in. The tree is rooted where dir is in the repository;
// if the revision has no such folder, the tree is empty. It runs no git and obeys no setting of the repository.
//
// A revision is a branch, a tag, a remote branch (origin/main), HEAD or @, a full or unique abbreviated SHA
// of at least 4 digits, or a full reference name, followed by any number of ~, ~N, ^ and ^N.
// The error is ErrNoRevision, ErrShallow, ErrNoRepository, or what the disk said.
func Git(dir, revision string) (*Tree, error) {
	r, err := openRepository(dir)
	if err != nil {
		return nil, fmt.Errorf("open revision %q: %w", revision, err)
	}
	tree, err := r.open(revision)
	if err != nil {
		return nil, fmt.Errorf("open revision %q: %w", revision, err)
	}
	return tree, nil
}

// Within returns the root of the repository that a folder is in, and the folder's path from there, "." for the root itself. The error
// is ErrNoRepository, or what the disk said.
func Within(dir string) (root, below string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", "", fmt.Errorf("look for the repository of %s: %w", dir, err)
	}
	return r.root, r.prefix, nil
}

// open resolves a revision and roots its tree at the repository's prefix.
func (r *repository) open(revision string) (*Tree, error) {
	commit, err := r.resolve(revision)
	if err != nil {
		return nil, err
	}
	root := newCommitFS(r, commit.TreeHash)
	if _, err := root.nodes(commit.TreeHash); err != nil {
		return nil, err // now rather than at the first file
	}
	fsys, err := root.sub(r.prefix)
	if err != nil {
		return nil, pathError("open", r.prefix, err)
	}
	return &Tree{FS: fsys, Revision: Revision{Kind: KindCommit, Name: revision, SHA: commit.Hash.String()}}, nil
}

// tree reads a tree object.
func (r *repository) tree(id plumbing.Hash) ([]node, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := object.GetTree(r.store, id)
	if err != nil {
		return nil, r.missing(id, err)
	}
	nodes := make([]node, len(t.Entries))
	for i, e := range t.Entries {
		nodes[i] = node{name: e.Name, mode: e.Mode, id: e.Hash}
	}
	return nodes, nil
}

// size reads a blob's header. The storage looks for sizes in its own store only, so an object borrowed from
// another repository (git clone --shared) is opened for it.
func (r *repository) size(id plumbing.Hash) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, err := r.store.EncodedObjectSize(id)
	if err == nil {
		return size, nil
	}
	if !errors.Is(err, plumbing.ErrObjectNotFound) {
		return 0, r.missing(id, err)
	}
	o, err := r.store.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return 0, r.missing(id, err)
	}
	return o.Size(), nil
}

// blob reads a blob, of which it holds at most one byte more than a file may have.
func (r *repository) blob(id plumbing.Hash) (data []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, err := r.store.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return nil, r.missing(id, err)
	}
	from, err := o.Reader()
	if err != nil {
		return nil, r.missing(id, err)
	}
	defer from.Close()
	if data, err = io.ReadAll(io.LimitReader(from, MaxFileSize+1)); err != nil {
		return nil, r.missing(id, err)
	}
	return data, verify(id, data)
}

// commit reads a commit object. The caller holds no lock.
func (r *repository) commit(id plumbing.Hash) (*object.Commit, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return object.GetCommit(r.store, id)
}

// Origin is the address of the remote that a clone was made from. Its error is ErrNoRepository, what the disk said, or that there is none.
func Origin(dir string) (address string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	settings, err := r.store.Config()
	if err != nil {
		return "", fmt.Errorf("read the repository's settings: %w", err)
	}
	if remote := settings.Remotes["origin"]; remote != nil && len(remote.URLs) > 0 {
		return remote.URLs[0], nil
	}
	return "", fmt.Errorf("the repository has no remote %q", "origin")
}
