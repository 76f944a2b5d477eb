package source_test

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/sharedtest"
	"github.com/failproof/failproof/internal/source"
)

// description loads GitHub's own description of its API from the optional folder.
func description(t *testing.T) routers.Router {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(sharedtest.Path(t, "data/github/openapi.json"))
	ok(t, err)
	doc.Servers = nil
	if contents := doc.Paths.Value("/repos/{owner}/{repo}/contents/{path}"); contents != nil {
		doc.Paths.Delete("/repos/{owner}/{repo}/contents/{path}")
		doc.Paths.Set("/repos/{owner}/{repo}/contents/{path:.+}", contents)
	}
	router, err := gorillamux.NewRouter(doc)
	ok(t, err)
	return router
}

// described checks a request, and what the hub answers to it, against the description.
func described(t *testing.T, router routers.Router, h *hub) alteration {
	options := &openapi3filter.Options{SkipSettingDefaults: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	return func(w http.ResponseWriter, r *http.Request) bool {
		route, params, err := router.FindRoute(r)
		if err != nil {
			t.Errorf("%s %s is not in GitHub's API: %v", r.Method, r.URL, err)
			return false
		}
		request := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
		if err := openapi3filter.ValidateRequest(r.Context(), request); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		for name := range r.URL.Query() {
			if route.Operation.Parameters.GetByInAndName("query", name) == nil {
				t.Errorf("%s %s: GitHub knows no query parameter %q", r.Method, r.URL, name)
			}
		}
		if body, _ := io.ReadAll(r.Body); len(body) > 0 {
			t.Errorf("%s %s has a body", r.Method, r.URL)
		}
		recorded := httptest.NewRecorder()
		h.respond(recorded, r)
		response := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: recorded.Code, Header: recorded.Header(), Options: options}
		response.SetBodyBytes(recorded.Body.Bytes())
		if err := openapi3filter.ValidateResponse(r.Context(), response); err != nil {
			t.Errorf("the answer to %s %s: %v", r.Method, r.URL, err)
		}
		for name, values := range recorded.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(recorded.Code)
		io.Copy(w, bytes.NewReader(recorded.Body.Bytes()))
		return true
	}
}

func TestRequestsAreThoseThatGitHubDescribes(t *testing.T) {
	router := description(t)
	for _, limit := range []int{0, 1} {
		h := newHub(t)
		h.cutAt(limit)
		h.altered(described(t, router, h))
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
