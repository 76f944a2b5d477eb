package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// maxListing is the most bytes of a listing that are read. GitHub stops at 7 MB; its servers on other
// premises may be set higher.
const maxListing = 64 << 20

// listing is the answer of the Git Trees API. It keeps apart an absent size, which go-github's type does too,
// and an absent "truncated", which must not pass for false.
type listing struct {
	Tree []struct {
		Path string `json:"path"`
		Mode string `json:"mode"`
		SHA  string `json:"sha"`
		Size *int64 `json:"size"`
	} `json:"tree"`
	Truncated *bool `json:"truncated"`
}

// listAll asks for all folders at once. If GitHub cuts that off, the root alone is asked for.
func (c *remoteCommit) listAll() error {
	l, err := c.list(c.sha, "?recursive=1")
	if err != nil {
		return unknownCommit(err)
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

// listOne asks for one folder.
func (c *remoteCommit) listOne(id plumbing.Hash) ([]node, error) {
	l, err := c.list(id.String(), "")
	if err != nil {
		return nil, err
	}
	if *l.Truncated {
		return nil, c.remote.about(c.sha, fmt.Errorf("the folder %s has more entries than GitHub lists", id))
	}
	nodes := []node{}
	for _, e := range l.Tree {
		n, err := nodeOf(e.Path, e.Mode, e.SHA)
		if err != nil {
			return nil, c.remote.about(c.sha, err)
		}
		nodes = append(nodes, n)
		c.addSize(n, e.Size)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trees[id] = nodes
	return nodes, nil
}

// addAll sorts a listing of all folders into one listing a folder.
func (c *remoteCommit) addAll(l *listing) error {
	folders := map[string]plumbing.Hash{".": plumbing.NewHash(c.sha)}
	inside := map[string][]node{}
	for _, e := range l.Tree {
		dir, name := path.Split(e.Path)
		if dir = path.Clean(dir); e.Path != path.Join(dir, name) {
			return fmt.Errorf("the listing is malformed: it has the path %q", escaped(e.Path))
		}
		n, err := nodeOf(name, e.Mode, e.SHA)
		if err != nil {
			return err
		}
		inside[dir] = append(inside[dir], n)
		c.addSize(n, e.Size)
		if n.mode == filemode.Dir {
			folders[e.Path] = n.id
		}
	}
	for dir := range inside {
		if _, ok := folders[dir]; !ok {
			return fmt.Errorf("the listing is malformed: %q holds files and is not listed", escaped(dir))
		}
	}
	for dir, id := range folders {
		c.trees[id] = inside[dir]
	}
	return nil
}

// addSize remembers the size of a file or a link.
func (c *remoteCommit) addSize(n node, size *int64) {
	if size == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sizes[n.id] = *size
}

// list asks for a listing by the SHA of a commit or a tree.
func (c *remoteCommit) list(sha, query string) (*listing, error) {
	l := &listing{}
	if err := c.remote.get(c.ctx, "git/trees/"+sha+query, maxListing, l); err != nil {
		return nil, c.remote.about(c.sha, err)
	}
	if l.Truncated == nil {
		return nil, c.remote.about(c.sha, errors.New("the answer is no listing of files"))
	}
	return l, nil
}

// get asks for a resource of the repository and decodes at most limit bytes of the answer.
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
