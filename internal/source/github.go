package source

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"path"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/google/go-github/v60/github"

	hub "github.com/failproof/failproof/internal/github"
)

// Remote is a repository on GitHub. Its commits share fetched blobs, so that a blob that base and head have is
// requested once. The token of a workflow has 1,000 requests an hour.
type Remote struct {
	client      *github.Client
	owner, repo string

	// a channel for each hash, see shared; it holds the blob, or nil before the blob is fetched, and is empty while a
	// goroutine fetches the blob
	blobs sync.Map
}

// NewRemote returns the repository owner/repo. client handles tokens, retries, rate limits and redirects.
func NewRemote(client *github.Client, owner, repo string) *Remote {
	return &Remote{client: client, owner: owner, repo: repo}
}

// Commit opens one commit without a checkout. sha is a full commit SHA, so that the content cannot change. ctx ends
// this call and every later read from the tree. Commit lists all files in one request. If GitHub truncates that listing
// (100,000 entries or 7 MB), Commit lists folder by folder. The error is ErrNoRevision if GitHub does not show the
// commit. Any other error wraps the client's.
func (r *Remote) Commit(ctx context.Context, sha string) (*Tree, error) {
	if !fullSHA.MatchString(sha) {
		return nil, r.wrapError(escapeText(sha), fmt.Errorf("%w: it is not a full commit SHA", ErrNoRevision))
	}
	c := &remoteCommit{remote: r, ctx: ctx, sha: sha}
	if err := c.listAll(); err != nil {
		return nil, err
	}
	return &Tree{FS: newCommitFS(c, plumbing.NewHash(sha)), Revision: Revision{Kind: KindCommit,
		Name: sha, SHA: sha}}, nil
}

// wrapError adds the repository and the commit sha to err.
func (r *Remote) wrapError(sha string, err error) error {
	return fmt.Errorf("github %s/%s@%s: %w", r.owner, r.repo, sha, err)
}

// remoteCommit reads the objects of a commit from GitHub.
type remoteCommit struct {
	remote *Remote
	ctx    context.Context // for reading the tree, because fs.FS has no context
	sha    string

	trees sync.Map // []node by plumbing.Hash
	sizes sync.Map // int64 by plumbing.Hash
}

// tree returns the listing of the folder id. It requests the listing if it is not known yet.
func (c *remoteCommit) tree(id plumbing.Hash) ([]node, error) {
	nodes, known := c.trees.Load(id)
	if !known {
		whole, err := c.list(id, false)
		switch {
		case err != nil:
			return nil, err
		case !whole:
			return nil, c.remote.wrapError(c.sha, fmt.Errorf("the folder %s has more entries than GitHub lists", id))
		}
		nodes, _ = c.trees.Load(id)
	}
	return nodes.([]node), nil
}

// size returns the size of a blob, as the listing of its folder has it.
func (c *remoteCommit) size(id plumbing.Hash) (int64, error) {
	size, ok := c.sizes.Load(id)
	if !ok {
		return 0, c.remote.wrapError(c.sha, fmt.Errorf("the listing has no size for blob %s", id))
	}
	return size.(int64), nil
}

// blob returns the content of a blob. It fetches the blob unless another commit of the repository has fetched it. A
// fetched blob can still be read after ctx ended.
func (c *remoteCommit) blob(id plumbing.Hash) (data []byte, err error) {
	shared := c.remote.blobChannel(id)
	select {
	case data = <-shared:
	default: // another goroutine fetches it
		select {
		case data = <-shared:
		case <-c.ctx.Done():
			return nil, c.remote.wrapError(c.sha, c.ctx.Err())
		}
	}
	defer func() { shared <- data }()
	if data == nil {
		if data, err = c.fetch(id); err != nil {
			return nil, c.remote.wrapError(c.sha, err)
		}
	}
	return data, nil
}

// blobChannel returns a channel that holds the content of a blob, or nil if no commit of the repository has fetched the
// blob. The caller receives the content, fetches it if it is nil, and sends it back.
func (r *Remote) blobChannel(id plumbing.Hash) chan []byte {
	empty := make(chan []byte, 1)
	empty <- nil
	shared, _ := r.blobs.LoadOrStore(id, empty)
	return shared.(chan []byte)
}

// fetch requests the content of a blob from GitHub.
func (c *remoteCommit) fetch(id plumbing.Hash) ([]byte, error) {
	answer, _, err := c.remote.client.Git.GetBlob(c.ctx, c.remote.owner, c.remote.repo, id.String())
	if err != nil {
		return nil, requestError(err)
	}
	if answer.GetEncoding() != "base64" {
		return nil, fmt.Errorf("blob %s came as %q, not base64", id, escapeText(answer.GetEncoding()))
	}
	data, err := base64.StdEncoding.DecodeString(answer.GetContent()) // ignores line breaks
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", id, err)
	}
	return data, verify(plumbing.BlobObject, id, data)
}

// nodeOf checks e, the entry of a listing, and returns it. It records the size of a file or a
// link.
func (c *remoteCommit) nodeOf(name string, e *github.TreeEntry) (node, error) {
	mode, err := filemode.New(e.GetMode())
	if err != nil || !fullSHA.MatchString(e.GetSHA()) {
		return node{}, fmt.Errorf("the listing is malformed: %q has mode %q and SHA %q", escapeText(name),
			escapeText(e.GetMode()), escapeText(e.GetSHA()))
	}
	n := node{name: name, mode: mode, id: plumbing.NewHash(e.GetSHA())}
	if e.Size != nil {
		c.sizes.Store(n.id, int64(*e.Size))
	}
	return n, nil
}

// listAll requests the listing of all folders at once. If GitHub truncates it, listAll requests only that of the root.
func (c *remoteCommit) listAll() error {
	root := plumbing.NewHash(c.sha)
	whole, err := c.list(root, true)
	switch hub.StatusOf(err) {
	case http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity: // 409: the repository is empty
		return fmt.Errorf("%w: %w (it is unknown, or the token lacks contents: read)", ErrNoRevision, err)
	}
	if err == nil && !whole {
		_, err = c.tree(root)
	}
	return err
}

// list requests the listing of the folder id, with all folders below it if recursive is set, and stores a listing for
// each folder. It stores nothing and returns false if GitHub truncates the listing. A response that does not say
// whether it is truncated is an error.
func (c *remoteCommit) list(id plumbing.Hash, recursive bool) (whole bool, err error) {
	l, _, err := c.remote.client.Git.GetTree(c.ctx, c.remote.owner, c.remote.repo, id.String(), recursive)
	switch {
	case err != nil:
		err = requestError(err)
	case l.Truncated == nil:
		err = errors.New("the answer is no listing of files")
	case *l.Truncated:
		return false, nil
	default:
		err = c.addAll(id, l.Entries, recursive)
	}
	if err != nil {
		return false, c.remote.wrapError(c.sha, err)
	}
	return true, nil
}

// addAll stores a listing for each folder in the entries of a listing of the folder id. Unless recursive is set, that
// is this folder alone.
func (c *remoteCommit) addAll(id plumbing.Hash, entries []*github.TreeEntry, recursive bool) error {
	folders := map[string]plumbing.Hash{".": id}
	nodes := map[string][]node{}
	for _, e := range entries {
		dir, name := path.Split(e.GetPath())
		if dir = path.Clean(dir); e.GetPath() != path.Join(dir, name) {
			return fmt.Errorf("the listing is malformed: it has the path %q", escapeText(e.GetPath()))
		}
		n, err := c.nodeOf(name, e)
		if err != nil {
			return err
		}
		nodes[dir] = append(nodes[dir], n)
		if n.mode == filemode.Dir && recursive {
			folders[e.GetPath()] = n.id
		}
	}
	for dir := range nodes {
		if _, ok := folders[dir]; !ok {
			return fmt.Errorf("the listing is malformed: %q holds files and is not listed", escapeText(dir))
		}
	}
	for dir, id := range folders {
		c.trees.Store(id, nodes[dir])
	}
	return nil
}

// requestError returns err, the error of a request, without the URL. It adds the permission that may be missing.
func requestError(err error) error {
	if status := hub.StatusOf(err); status == http.StatusUnauthorized || status == http.StatusForbidden {
		return fmt.Errorf("%w (the token needs contents: read)", hub.WithoutURL(err))
	}
	return hub.WithoutURL(err)
}
