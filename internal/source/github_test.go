package source_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/source"
	"github.com/go-git/go-git/v5/plumbing"
)

// push commits files on a hub and returns the commit's SHA.
func (h *hub) push(all files) string { return h.commit(h.tree(all), 1).String() }

func TestGitHubListsOnceAndFetchesWhatIsRead(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
	names(t, tree)
	if _, err := fs.Stat(tree, "prompts/refund.md"); err != nil {
		t.Error(err)
	}
	f, err := tree.Open("prompts/refund.md")
	ok(t, err)
	f.Close()
	if got, want := h.requests(), []string{"GET /repos/octo/prompts/git/trees/" + sha + "?recursive=1"}; !slices.Equal(got, want) {
		t.Errorf("a walk asked %q, want %q", got, want)
	}
	for range 3 {
		if _, err := fs.ReadFile(tree, "suites/a/deep/x.yaml"); err != nil {
			t.Error(err)
		}
	}
	if _, err := fs.ReadFile(tree, "suites/a..b.yml"); err != nil { // the same content, so the same blob
		t.Error(err)
	}
	if got := h.requests(); len(got) != 1 || !strings.HasPrefix(got[0], "GET /repos/octo/prompts/git/blobs/") {
		t.Errorf("reading one blob four times asked %q, want one request", got)
	}
}

func TestARemoteSharesBlobsBetweenItsCommits(t *testing.T) {
	h := newHub(t)
	first, second := h.push(files{"same": file("same"), "f": file("1")}), h.push(files{"same": file("same"), "f": file("2")})
	remote := source.NewRemote(h.client, "octo", "prompts")
	for _, sha := range []string{first, second} {
		tree := must(remote.Commit(t.Context(), sha))(t)
		for _, name := range []string{"same", "f"} {
			if _, err := fs.ReadFile(tree, name); err != nil {
				t.Error(err)
			}
		}
	}
	if got := h.requests(); len(got) != 2+3 {
		t.Errorf("two commits of three different blobs asked %d times, want 5: %q", len(got), got)
	}
}

func TestACutOffListingIsReadFolderByFolder(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	h.cutAt(3)
	tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
	if got := h.requests(); len(got) != 2 || got[1] != "GET /repos/octo/prompts/git/trees/"+sha {
		t.Errorf("opening asked %q, want the whole and then the root", got)
	}
	if _, err := fs.ReadFile(tree, "suites/a/deep/x.yaml"); err != nil {
		t.Error(err)
	}
	if got := h.requests(); len(got) != 4 { // suites, a, deep, the blob
		t.Errorf("one deep file asked %d times, want 4: %q", len(got), got)
	}
	if _, err := fs.ReadDir(tree, "suites"); err != nil || len(h.requests()) != 0 {
		t.Errorf("a known folder was asked for again, or %v", err)
	}
}

func TestAFolderCutOffIsAnError(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	h.altered(func(w http.ResponseWriter, r *http.Request) bool {
		answer(w, http.StatusOK, map[string]any{"sha": sha, "tree": []any{}, "truncated": true})
		return true
	})
	if _, err := source.GitHub(t.Context(), h.client, "octo", "prompts", sha); err == nil || !strings.Contains(err.Error(), "more entries than GitHub lists") {
		t.Errorf("GitHub = %v, want an error that says the folder is too large", err)
	}
}

func TestWhatMustNotReachTheRequestPath(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	for _, name := range []string{"main", sha[:10], sha + "/../../x"} {
		if tree, err := source.GitHub(t.Context(), h.client, "octo", "prompts", name); err == nil {
			t.Errorf("GitHub(%s) = %v, want an error", name, tree)
		}
	}
	if got := h.requests(); len(got) != 0 {
		t.Errorf("asked %q, want nothing", got)
	}
}

func TestBlobsThatAreNotWhatWasAskedFor(t *testing.T) {
	text := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	cases := []struct{ rule, body, says string }{
		{"other content", `{"encoding":"base64","content":"` + text("wrong") + `"}`, "SHA-1 differs"},
		{"empty content", `{"encoding":"base64","content":""}`, "SHA-1 differs"},
		{"no content", `{}`, "not base64"},
		{"another encoding", `{"encoding":"none","content":""}`, "not base64"},
		{"broken base64", `{"encoding":"base64","content":"%%%"}`, "illegal base64"},
		{"half an answer", `{"encoding":"base64","content":"`, "unexpected EOF"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", h.push(files{"f": file("right")})))(t)
			h.altered(func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, c.body); return true })
			data, err := fs.ReadFile(tree, "f")
			if err == nil || data != nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("ReadFile = %q, %v, want an error that says %q", data, err, c.says)
			}
			h.altered(nil)
			if data, err := fs.ReadFile(tree, "f"); err != nil || string(data) != "right" {
				t.Errorf("the next ReadFile = %q, %v: a wrong answer was kept", data, err)
			}
		})
	}
}

func TestABlobThatIsGoneIsNoUnknownRevision(t *testing.T) {
	h := newHub(t)
	tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", h.push(files{"f": file("x")})))(t)
	h.altered(func(w http.ResponseWriter, _ *http.Request) bool {
		answer(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
		return true
	})
	if _, err := fs.ReadFile(tree, "f"); err == nil || errors.Is(err, source.ErrNoRevision) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile = %v, want an error that does not pass for an absent file", err)
	}
}

func TestASizeThatIsWrongOrMissing(t *testing.T) {
	for size, says := range map[string]string{`,"size":2`: "instead of 2", ``: "no size"} {
		h := newHub(t)
		sha := h.push(files{"f": file("right")})
		id := plumbing.ComputeHash(plumbing.BlobObject, []byte("right"))
		h.altered(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Has("recursive") {
				fmt.Fprintf(w, `{"truncated":false,"tree":[{"path":"f","mode":"100644","sha":"%s"%s}]}`, id, size)
				return true
			}
			return false
		})
		tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
		if data, err := fs.ReadFile(tree, "f"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("with %q ReadFile = %q, %v, want an error that says %q", size, data, err, says)
		}
	}
}

func TestFilesOfGitHubLargerThanTheLimitAreNotFetched(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	h.altered(func(w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprintf(w, `{"truncated":false,"tree":[{"path":"big","mode":"100644","sha":"%s","size":%d}]}`, strings.Repeat("1", 40), source.MaxFileSize+1)
		return true
	})
	tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", sha))(t)
	h.requests()
	if info, err := fs.Stat(tree, "big"); err != nil || info.Size() != source.MaxFileSize+1 {
		t.Errorf("Stat = %v, %v", info, err)
	}
	if _, err := fs.ReadFile(tree, "big"); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("ReadFile = %v, want ErrTooLarge", err)
	}
	if got := h.requests(); len(got) != 0 {
		t.Errorf("asked %q, want nothing", got)
	}
}

func TestCancellingEndsReads(t *testing.T) {
	h := newHub(t)
	sha := h.push(files{"f": file("x"), "g": file("y"), "h": file("z")})
	ctx, cancel := context.WithCancel(t.Context())
	tree := must(source.GitHub(ctx, h.client, "octo", "prompts", sha))(t)
	if _, err := fs.ReadFile(tree, "h"); err != nil {
		t.Error(err)
	}
	arrived := make(chan struct{}, 4)
	h.altered(func(_ http.ResponseWriter, r *http.Request) bool {
		arrived <- struct{}{}
		<-r.Context().Done()
		return true
	})
	errs := make(chan error, 2)
	go func() { errs <- second(fs.ReadFile(tree, "f")) }()
	<-arrived
	go func() { errs <- second(fs.ReadFile(tree, "f")) }() // waits for the first one's answer
	cancel()
	for range 2 {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("ReadFile = %v, want context.Canceled", err)
		}
	}
	if _, err := fs.ReadFile(tree, "g"); !errors.Is(err, context.Canceled) {
		t.Errorf("a later ReadFile = %v, want context.Canceled", err)
	}
	for range 64 { // by chance, if the end of the context were heeded
		if _, err := fs.ReadFile(tree, "h"); err != nil {
			t.Fatalf("a later ReadFile of a file that was read = %v", err)
		}
	}
	if _, err := source.GitHub(ctx, h.client, "octo", "prompts", sha); !errors.Is(err, context.Canceled) {
		t.Errorf("GitHub = %v, want context.Canceled", err)
	}
}
