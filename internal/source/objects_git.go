package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// This file reads git's objects without go-git's package object, which brings along OpenPGP: 55 packages to check
// signatures that nothing here asks about.

// node is an entry of a folder in a commit.
type node struct {
	name string // without the path
	mode filemode.FileMode
	id   plumbing.Hash
}

// commit is what a commit object says.
type commit struct {
	id      plumbing.Hash
	tree    plumbing.Hash // the root folder
	parents []plumbing.Hash
	when    int64 // the time of the commit in seconds since 1970, 0 if it is not a number
}

// read returns an object's content, but at most limit bytes. kind is the type that it must have. The error wraps
// plumbing.ErrObjectNotFound if there is no such object of this type.
func (r *repository) read(kind plumbing.ObjectType, id plumbing.Hash, limit int64) (data []byte, found plumbing.ObjectType, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, err := r.store.EncodedObject(kind, id)
	if err != nil {
		return nil, 0, err
	}
	from, err := o.Reader()
	if err != nil {
		return nil, 0, err
	}
	defer from.Close()
	if data, err = io.ReadAll(io.LimitReader(from, limit)); err != nil {
		return nil, 0, err
	}
	return data, o.Type(), verify(o.Type(), id, data)
}

// blob returns the content of a blob, but at most one byte more than MaxFileSize.
func (r *repository) blob(id plumbing.Hash) ([]byte, error) {
	data, _, err := r.read(plumbing.BlobObject, id, MaxFileSize+1)
	if err != nil {
		return nil, r.objectError(id, err)
	}
	return data, nil
}

// tree returns the entries of the tree with the given id.
func (r *repository) tree(id plumbing.Hash) (nodes []node, err error) {
	data, _, err := r.read(plumbing.TreeObject, id, math.MaxInt64)
	if err == nil {
		nodes, err = parseTree(data)
	}
	if err != nil {
		return nil, r.objectError(id, err)
	}
	return nodes, nil
}

// parseTree returns the entries of a tree object. Each is a mode in octal digits, a space, a name, a zero byte, and the
// 20 bytes of an id.
func parseTree(data []byte) (nodes []node, err error) {
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		digits, name, spaced := bytes.Cut(head, []byte{' '})
		bits, err := strconv.ParseUint(string(digits), 8, 32)
		if !ok || !spaced || err != nil || len(rest) < len(plumbing.ZeroHash) {
			return nil, errors.New("malformed git tree: an entry has no mode, name or id")
		}
		n := node{name: string(name), mode: usualMode(bits)}
		data = rest[copy(n.id[:], rest):]
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// usualMode returns the mode that git takes bits for. Git takes any unknown type for a submodule.
func usualMode(bits uint64) filemode.FileMode {
	switch bits & 0o170000 {
	case 0o040000:
		return filemode.Dir
	case 0o120000:
		return filemode.Symlink
	case 0o100000:
		if bits&0o111 != 0 {
			return filemode.Executable
		}
		return filemode.Regular
	}
	return filemode.Submodule
}

var (
	commitHeader = regexp.MustCompile(`\Atree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author .*\n(?:committer .*> (\d+))?`)
	tagHeader    = regexp.MustCompile(`\Aobject ([0-9a-f]{40})\n`)
	anyID        = regexp.MustCompile(`[0-9a-f]{40}`)
)

// commit returns the commit with the given id. The error wraps plumbing.ErrObjectNotFound if there is none.
func (r *repository) commit(id plumbing.Hash) (*commit, error) {
	data, _, err := r.read(plumbing.CommitObject, id, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	return parseCommit(id, data)
}

// parseCommit returns the commit that a commit object describes.
func parseCommit(id plumbing.Hash, data []byte) (*commit, error) {
	m := commitHeader.FindSubmatch(data)
	if m == nil {
		return nil, errors.New("malformed git commit: it does not begin with a tree, parents and an author")
	}
	c := &commit{id: id, tree: plumbing.NewHash(string(m[1]))}
	for _, parent := range anyID.FindAll(m[2], -1) {
		c.parents = append(c.parents, plumbing.NewHash(string(parent)))
	}
	c.when, _ = strconv.ParseInt(string(m[3]), 10, 64) // git, too, takes a wrong time for 0
	return c, nil
}

// peel returns the commit with the given id. If the id is that of a tag, peel returns the commit to which the tag
// points.
func (r *repository) peel(id plumbing.Hash) (*commit, error) {
	for range maxTags {
		data, kind, err := r.read(plumbing.AnyObject, id, math.MaxInt64)
		switch {
		case err != nil && r.hint == "" && errors.Is(err, plumbing.ErrObjectNotFound):
			return nil, fmt.Errorf("%w: no object %s here, fetch it first", ErrNoRevision, id)
		case err != nil:
			return nil, r.objectError(id, err)
		case kind == plumbing.CommitObject:
			c, err := parseCommit(id, data)
			if err != nil {
				return nil, r.objectError(id, err)
			}
			return c, nil
		case kind != plumbing.TagObject:
			return nil, fmt.Errorf("%w: %.7s is a %s, not a commit", ErrNoRevision, id, kind)
		}
		tagged := tagHeader.FindSubmatch(data)
		if tagged == nil {
			return nil, r.objectError(id, errors.New("malformed git tag: it does not begin with an object"))
		}
		id = plumbing.NewHash(string(tagged[1]))
	}
	return nil, fmt.Errorf("%w: more than %d tags of tags", ErrNoRevision, maxTags)
}

// maxTags is the largest length of a chain of tags that point to tags.
const maxTags = 10

// verify returns an error if data is not the content of the object id. A damaged store or a wrong response must not
// become a prompt.
func verify(kind plumbing.ObjectType, id plumbing.Hash, data []byte) error {
	if plumbing.ComputeHash(kind, data) != id {
		return fmt.Errorf("the content is not that of %s %s: its SHA-1 differs", kind, id)
	}
	return nil
}
