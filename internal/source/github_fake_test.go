package source_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"
	"github.com/google/go-github/v60/github"
)

// hub answers the Git Trees and Git Blobs APIs of GitHub from objects in memory.
type hub struct {
	store
	server *httptest.Server
	client *github.Client

	mu    sync.Mutex
	limit int      // entries in a recursive answer before it is truncated, 0 for none
	asked []string // "GET path?query" of every request, in order
	alter alteration
}

// alteration answers a request in the hub's place, if it returns true.
type alteration func(http.ResponseWriter, *http.Request) bool

const token = "ghs_canaryCanaryCanaryCanaryCanary0000"

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{store: store{t, memory.NewStorage()}}
	h.server = httptest.NewServer(h)
	t.Cleanup(h.server.Close)
	h.client = clientOf(t, h.server.URL)
	return h
}

// clientOf returns a client with a token for a server. It keeps no idle connections, so none outlives a test.
func clientOf(t *testing.T, server string) *github.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := github.NewClient(&http.Client{Transport: transport}).WithAuthToken(token)
	base, err := url.Parse(server + "/")
	if err != nil {
		t.Fatal(err)
	}
	client.BaseURL = base
	return client
}

// altered makes the hub answer otherwise from now on.
func (h *hub) altered(a alteration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alter = a
}

// cutAt makes the hub truncate recursive listings from now on.
func (h *hub) cutAt(limit int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.limit = limit
}

// requests returns what was asked so far, and forgets it.
func (h *hub) requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.asked
	h.asked = nil
	return out
}

var resource = regexp.MustCompile(`^/repos/octo/prompts/git/(trees|blobs)/([0-9a-f]{40})$`)

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.asked = append(h.asked, r.Method+" "+r.URL.RequestURI())
	alter := h.alter
	h.mu.Unlock()
	if alter == nil || !alter(w, r) {
		h.respond(w, r)
	}
}

// respond answers from the objects.
func (h *hub) respond(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	limit := h.limit
	h.mu.Unlock()
	m := resource.FindStringSubmatch(r.URL.Path)
	if m == nil || r.Method != http.MethodGet || r.Header.Get("Authorization") != "Bearer "+token {
		answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
		return
	}
	found, err := h.blob(m[2])
	if m[1] == "trees" {
		found, err = h.listing(m[2], r.URL.Query().Has("recursive"), limit)
	}
	if err != nil {
		answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
		return
	}
	answer(w, http.StatusOK, found)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func (h *hub) blob(sha string) (map[string]any, error) {
	b, err := object.GetBlob(h, plumbing.NewHash(sha))
	if err != nil {
		return nil, err
	}
	r, err := b.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"sha": sha, "size": len(data), "encoding": "base64", "content": inLines(base64.StdEncoding.EncodeToString(data)),
		"url": h.server.URL + "/repos/octo/prompts/git/blobs/" + sha, "node_id": "B_" + sha[:7],
	}, nil
}

// inLines breaks base64 into lines of 60 as GitHub does.
func inLines(s string) string {
	var b strings.Builder
	for len(s) > 60 {
		b.WriteString(s[:60] + "\n")
		s = s[60:]
	}
	return b.String() + s + "\n"
}

func (h *hub) listing(sha string, recursive bool, limit int) (map[string]any, error) {
	id := plumbing.NewHash(sha)
	if c, err := object.GetCommit(h, id); err == nil {
		id = c.TreeHash
	}
	lines := []map[string]any{}
	if err := h.lines("", id, recursive, &lines); err != nil {
		return nil, err
	}
	cut := recursive && limit > 0 && len(lines) > limit
	if cut {
		lines = lines[:limit]
	}
	return map[string]any{"sha": sha, "url": h.server.URL + "/trees/" + sha, "tree": lines, "truncated": cut}, nil
}

func (h *hub) lines(prefix string, id plumbing.Hash, recursive bool, out *[]map[string]any) error {
	tree, err := object.GetTree(h, id)
	if err != nil {
		return err
	}
	for _, e := range tree.Entries {
		line := map[string]any{"path": prefix + e.Name, "mode": fmt.Sprintf("%06o", uint32(e.Mode)), "sha": e.Hash.String()}
		*out = append(*out, line)
		switch e.Mode {
		case filemode.Dir:
			line["type"] = "tree"
			if recursive {
				if err := h.lines(prefix+e.Name+"/", e.Hash, true, out); err != nil {
					return err
				}
			}
		case filemode.Submodule:
			line["type"] = "commit"
		default:
			line["type"] = "blob"
			if line["size"], err = h.EncodedObjectSize(e.Hash); err != nil {
				return err
			}
		}
	}
	return nil
}
