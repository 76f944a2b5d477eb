package source_test

import (
	"io/fs"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/failproof/failproof/internal/source"
)

func TestRequestsAreThoseThatGitHubDescribes(t *testing.T) {
	for _, limit := range []int{0, 1} {
		h := newHub(t)
		server := httptest.NewServer(githubtest.ValidatingHandler(t, h))
		t.Cleanup(server.Close)
		h.client = clientOf(t, server.URL)
		h.cutAt(limit)
		all := odd()
		tree := must(source.GitHub(t.Context(), h.client, "octo", "prompts", h.push(all)))(t)
		read := map[string]string{}
		for _, name := range names(t, tree) {
			if file, is := strings.CutPrefix(name, "- "); is {
				data, err := fs.ReadFile(tree, file)
				ok(t, err)
				read[file] = string(data)
			}
		}
		want := map[string]string{}
		for name, e := range plain() {
			want[name] = e.text
		}
		if diff := cmp.Diff(want, read); diff != "" {
			t.Errorf("the files (-want +got):\n%s", diff)
		}
		if got := h.requests(); !slices.ContainsFunc(got, func(r string) bool { return strings.Contains(r, "/git/blobs/") }) {
			t.Errorf("no blob was asked for: %q", got)
		}
		_, err := source.GitHub(t.Context(), h.client, "octo", "prompts", strings.Repeat("1", 40))
		wantGitHubError(t, err, strings.Repeat("1", 40), "Not Found")
	}
}
