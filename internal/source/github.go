package source

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/google/go-github/v60/github"
)

// Remote is a repository on GitHub. Its commits share fetched blobs, so that those common to base and head are
// requested once: a workflow's token has 1,000 requests an hour.
type Remote struct {
	client      *github.Client
	owner, repo string

	// hash → channel with one value: the blob, nil before it is fetched; empty while a goroutine fetches it
	blobs sync.Map
}

// NewRemote returns a repository. The client handles tokens, retries, rate limits and redirects.
func NewRemote(client *github.Client, owner, repo string) *Remote {
	return &Remote{client: client, owner: owner, repo: repo}
}

// Commit opens one commit without a checkout. sha is a full commit SHA, so that the content cannot change. ctx ends
// this call and every later read from the tree. It lists all files in one request, or folder by folder if GitHub
// truncates the listing (100,000 entries or 7 MB). The error is ErrNoRevision if GitHub does not show the commit;
// others wrap the client's.
func (r *Remote) Commit(ctx context.Context, sha string) (*Tree, error) {
	sha = strings.ToLower(sha)
	if err := r.check(sha); err != nil {
		return nil, r.about(sha, err)
	}
	c := &remoteCommit{remote: r, ctx: ctx, sha: sha}
	if err := c.listAll(); err != nil {
		return nil, err
	}
	return &Tree{FS: newCommitFS(c, plumbing.NewHash(sha)), Revision: Revision{Kind: KindCommit,
		Name: sha, SHA: sha}}, nil
}

var repositoryPart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// check rejects a SHA that would change the request's path, because go-github does not escape it.
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

func (r *Remote) about(sha string, err error) error {
	return fmt.Errorf("github %s/%s@%s: %w", escaped(r.owner), escaped(r.repo), escaped(sha), err)
}

// remoteCommit reads a commit's objects from GitHub.
type remoteCommit struct {
	remote *Remote
	ctx    context.Context // for reading the tree, because fs.FS has no context
	sha    string

	trees sync.Map // []node by plumbing.Hash
	sizes sync.Map // int64 by plumbing.Hash
}

// tree returns a listing. It requests one that the first response did not include.
func (c *remoteCommit) tree(id plumbing.Hash) ([]node, error) {
	if nodes, ok := c.trees.Load(id); ok {
		return nodes.([]node), nil
	}
	return c.listOne(id)
}

// size returns a blob's size from the listing.
func (c *remoteCommit) size(id plumbing.Hash) (int64, error) {
	size, ok := c.sizes.Load(id)
	if !ok {
		return 0, c.remote.about(c.sha, fmt.Errorf("the listing has no size for blob %s", id))
	}
	return size.(int64), nil
}

// blob returns a blob. It fetches one that no commit of the repository has fetched.
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
	empty := make(chan []byte, 1)
	empty <- nil
	shared, _ := r.blobs.LoadOrStore(id, empty)
	return shared.(chan []byte)
}

func (c *remoteCommit) fetch(id plumbing.Hash) ([]byte, error) {
	var answer github.Blob
	// Base64 in lines of 60 characters makes 100 bytes of 73.
	if err := c.remote.get(c.ctx, "git/blobs/"+id.String(), MaxFileSize/73*100+1<<20, &answer); err != nil {
		return nil, err
	}
	if answer.GetEncoding() != "base64" {
		return nil, fmt.Errorf("blob %s came as %q, not base64", id, escaped(answer.GetEncoding()))
	}
	data, err := base64.StdEncoding.DecodeString(answer.GetContent()) // ignores line breaks
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", id, err)
	}
	return data, verify(id, data)
}

// nodeOf checks and converts an entry of a listing, and records the size of a file or a link.
func (c *remoteCommit) nodeOf(name string, e *github.TreeEntry) (node, error) {
	mode, err := filemode.New(e.GetMode())
	if err != nil || !fullSHA.MatchString(e.GetSHA()) {
		return node{}, fmt.Errorf("the listing is malformed: %q has mode %q and SHA %q", escaped(name),
			escaped(e.GetMode()), escaped(e.GetSHA()))
	}
	n := node{name: name, mode: mode, id: plumbing.NewHash(e.GetSHA())}
	if e.Size != nil {
		c.sizes.Store(n.id, int64(*e.Size))
	}
	return n, nil
}

// listAll requests all folders at once. If GitHub truncates that, it requests the root only.
func (c *remoteCommit) listAll() error {
	l, err := c.list(c.sha, "?recursive=1")
	if answer, is := errors.AsType[*apiError](err); is && slices.Contains(unknown, answer.status) {
		return fmt.Errorf("%w: %w (it is unknown, or the token lacks contents: read)", ErrNoRevision, err)
	}
	if err != nil {
		return err
	}
	if *l.Truncated {
		_, err := c.listOne(plumbing.NewHash(c.sha))
		return err
	}
	if err := c.addAll(l); err != nil {
		return c.remote.about(c.sha, err)
	}
	return nil
}

func (c *remoteCommit) listOne(id plumbing.Hash) ([]node, error) {
	l, err := c.list(id.String(), "")
	if err != nil {
		return nil, err
	}
	if *l.Truncated {
		return nil, c.remote.about(c.sha, fmt.Errorf("the folder %s has more entries than GitHub lists", id))
	}
	nodes := []node{}
	for _, e := range l.Entries {
		n, err := c.nodeOf(e.GetPath(), e)
		if err != nil {
			return nil, c.remote.about(c.sha, err)
		}
		nodes = append(nodes, n)
	}
	c.trees.Store(id, nodes)
	return nodes, nil
}

// addAll splits a listing of all folders into one listing per folder.
func (c *remoteCommit) addAll(l *github.Tree) error {
	folders := map[string]plumbing.Hash{".": plumbing.NewHash(c.sha)}
	inside := map[string][]node{}
	for _, e := range l.Entries {
		dir, name := path.Split(e.GetPath())
		if dir = path.Clean(dir); e.GetPath() != path.Join(dir, name) {
			return fmt.Errorf("the listing is malformed: it has the path %q", escaped(e.GetPath()))
		}
		n, err := c.nodeOf(name, e)
		if err != nil {
			return err
		}
		inside[dir] = append(inside[dir], n)
		if n.mode == filemode.Dir {
			folders[e.GetPath()] = n.id
		}
	}
	for dir := range inside {
		if _, ok := folders[dir]; !ok {
			return fmt.Errorf("the listing is malformed: %q holds files and is not listed", escaped(dir))
		}
	}
	for dir, id := range folders {
		c.trees.Store(id, inside[dir])
	}
	return nil
}

// maxListing is the largest listing in bytes. GitHub's limit is 7 MB; GitHub Enterprise Server may allow more.
const maxListing = 64 << 20

// list requests a listing by the SHA of a commit or a tree. A response that does not say whether it is truncated is
// an error.
func (c *remoteCommit) list(sha, query string) (*github.Tree, error) {
	l := &github.Tree{}
	if err := c.remote.get(c.ctx, "git/trees/"+sha+query, maxListing, l); err != nil {
		return nil, c.remote.about(c.sha, err)
	}
	if l.Truncated == nil {
		return nil, c.remote.about(c.sha, errors.New("the answer is no listing of files"))
	}
	return l, nil
}

// get requests a resource of the repository and decodes at most limit bytes of the response.
func (r *Remote) get(ctx context.Context, resource string, limit int64, into any) error {
	request, err := r.client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/%s", r.owner, r.repo, resource), nil)
	if err != nil {
		return refusal(err)
	}
	response, err := r.client.BareDo(ctx, request)
	if err != nil {
		return refusal(err)
	}
	defer response.Body.Close()
	body := &io.LimitedReader{R: response.Body, N: limit}
	err = json.NewDecoder(body).Decode(into)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil && body.N == 0:
		return fmt.Errorf("the answer is longer than %d bytes", limit)
	case err != nil:
		return fmt.Errorf("the answer was cut off or is no JSON: %w", err)
	}
	return nil
}

// apiError is an error of the client without a URL, which may contain credentials.
type apiError struct {
	text   string
	status int // of GitHub's response; 0 if there was none
	err    error
}

func (e *apiError) Error() string { return e.text }
func (e *apiError) Unwrap() error { return e.err }

// refusal returns a request's error without the URL. It wraps the client's error for errors.As.
func refusal(err error) error {
	said, status := "", 0
	if limit, is := errors.AsType[*github.RateLimitError](err); is {
		said = "the rate limit is used up until " + limit.Rate.Reset.UTC().Format("15:04:05 UTC")
	} else if _, is := errors.AsType[*github.AbuseRateLimitError](err); is {
		said = "GitHub's secondary rate limit is reached"
	} else if answer, is := errors.AsType[*github.ErrorResponse](err); is && answer.Response != nil {
		status = answer.Response.StatusCode
		said = fmt.Sprintf("status %d: %s", status, escaped(answer.Message))
		if status == http.StatusUnauthorized || status == http.StatusForbidden {
			said += " (the token needs contents: read)"
		}
	} else if transport, is := errors.AsType[*url.Error](err); is {
		said = "no answer: " + transport.Err.Error()
	} else {
		return err
	}
	return &apiError{said, status, err}
}

// unknown are the status codes of a missing commit: 404, also without permission; 409 for an empty repository; 422
// for an invalid SHA.
var unknown = []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}
