package source

import (
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/google/go-github/v60/github"
)

// Remote is a repository on GitHub. Blobs that were fetched once serve all of its commits: what base and head
// share is asked for once, which matters under the 1,000 requests an hour that a workflow's token has.
type Remote struct {
	client      *github.Client
	owner, repo string

	mu    sync.Mutex
	blobs map[plumbing.Hash]chan []byte // each holds the blob, nil before it was fetched, while nobody is about to
}

// NewRemote names a repository. The client decides about tokens, retries, rate limits and redirects.
func NewRemote(client *github.Client, owner, repo string) *Remote {
	return &Remote{client: client, owner: owner, repo: repo, blobs: map[plumbing.Hash]chan []byte{}}
}

// Commit opens one commit without a checkout. sha is a full commit SHA, so that what is read cannot move. ctx ends this call and
// every later read from the tree. It lists all files in one request, or folder by folder as they are needed if
// GitHub cuts the listing off (100,000 entries or 7 MB). The error is ErrNoRevision if GitHub does not show
// the commit; others wrap what the client said.
func (r *Remote) Commit(ctx context.Context, sha string) (*Tree, error) {
	sha = strings.ToLower(sha)
	if err := r.check(sha); err != nil {
		return nil, r.about(sha, err)
	}
	c := &remoteCommit{remote: r, ctx: ctx, sha: sha, trees: map[plumbing.Hash][]node{}, sizes: map[plumbing.Hash]int64{}}
	if err := c.listAll(); err != nil {
		return nil, err
	}
	root := newCommitFS(c, plumbing.NewHash(sha))
	return &Tree{FS: root, Revision: Revision{Kind: KindCommit, Name: sha, SHA: sha}}, nil
}

var repositoryPart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// check refuses what would change the request's path: go-github puts these into it as they are.
func (r *Remote) check(sha string) error {
	for _, part := range []string{r.owner, r.repo} {
		if !repositoryPart.MatchString(part) || strings.Trim(part, ".") == "" {
			return fmt.Errorf("%q is not the name of an owner or a repository", escaped(part))
		}
	}
	if !fullSHA.MatchString(sha) {
		return fmt.Errorf("%w: %q is not a full commit SHA", ErrNoRevision, escaped(sha))
	}
	return nil
}

// about names the commit in an error.
func (r *Remote) about(sha string, err error) error {
	return fmt.Errorf("github %s/%s@%s: %w", escaped(r.owner), escaped(r.repo), escaped(sha), err)
}

// remoteCommit is a commit's objects, asked for from GitHub.
type remoteCommit struct {
	remote *Remote
	ctx    context.Context // of the tree's reads: fs.FS passes none
	sha    string

	mu    sync.Mutex
	trees map[plumbing.Hash][]node
	sizes map[plumbing.Hash]int64
}

// tree returns a listing, asking for it if the first answer did not hold it.
func (c *remoteCommit) tree(id plumbing.Hash) ([]node, error) {
	c.mu.Lock()
	nodes, ok := c.trees[id]
	c.mu.Unlock()
	if ok {
		return nodes, nil
	}
	return c.listOne(id)
}

// size returns what the listing said. GitHub gives the size of every blob.
func (c *remoteCommit) size(id plumbing.Hash) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size, ok := c.sizes[id]
	if !ok {
		return 0, c.remote.about(c.sha, fmt.Errorf("the listing has no size for blob %s", id))
	}
	return size, nil
}

// blob returns a blob, fetching it unless this or another commit of the repository has done so.
func (c *remoteCommit) blob(id plumbing.Hash) (data []byte, err error) {
	shared := c.remote.shared(id)
	select {
	case data = <-shared:
		defer func() { shared <- data }()
	case <-c.ctx.Done():
		return nil, c.remote.about(c.sha, c.ctx.Err())
	}
	if data == nil {
		if data, err = c.fetch(id); err != nil {
			return nil, c.remote.about(c.sha, err)
		}
	}
	return data, nil
}

func (r *Remote) shared(id plumbing.Hash) chan []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.blobs[id] == nil {
		r.blobs[id] = make(chan []byte, 1)
		r.blobs[id] <- nil
	}
	return r.blobs[id]
}

// fetch asks for one blob.
func (c *remoteCommit) fetch(id plumbing.Hash) ([]byte, error) {
	var answer struct {
		Content  string `json:"content"`
		Encoding string `json:"encoding"`
	}
	// Base64 in lines of 60 characters makes 100 bytes out of 73.
	if err := c.remote.get(c.ctx, "git/blobs/"+id.String(), MaxFileSize/73*100+1<<20, &answer); err != nil {
		return nil, err
	}
	if answer.Encoding != "base64" {
		return nil, fmt.Errorf("blob %s came as %q, not base64", id, escaped(answer.Encoding))
	}
	data, err := base64.StdEncoding.DecodeString(answer.Content) // skips line breaks
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", id, err)
	}
	return data, verify(id, data)
}

// nodeOf checks and converts one line of a listing.
func nodeOf(name, mode, sha string) (node, error) {
	m, err := filemode.New(mode)
	if err != nil || !fullSHA.MatchString(sha) {
		return node{}, fmt.Errorf("the listing is malformed: %q has mode %q and SHA %q", escaped(name), escaped(mode), escaped(sha))
	}
	return node{name: name, mode: m, id: plumbing.NewHash(sha)}, nil
}
