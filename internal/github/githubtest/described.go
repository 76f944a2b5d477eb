package githubtest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/failproof/failproof/internal/sharedtest"
)

// loadDescription loads GitHub's API description. It skips the test if the file is missing.
func loadDescription(t testing.TB) routers.Router {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(sharedtest.Path(t, "data/github/openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil
	for _, end := range []string{"contents/{path}", "git/ref/{ref}"} { // their parameters may contain slashes
		path := "/repos/{owner}/{repo}/" + end
		if item := doc.Paths.Value(path); item != nil {
			doc.Paths.Delete(path)
			doc.Paths.Set(strings.TrimSuffix(path, "}")+":.+}", item)
		}
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// undescribed matches requests that the shortened API description lacks: GraphQL, links to next pages, reviews,
// workflow runs, issues, branch activity and branch protection.
var undescribed = regexp.MustCompile(`/graphql$|^/repositories/|^/repos/[^/]+/[^/]+/pulls/[0-9]+/reviews$|/pulls$|/actions/|/rerun-failed-jobs$|/activity$|^/repos/[^/]+/[^/]+/issues(/[0-9]+)?$|^/repos/[^/]+/[^/]+/(rules/)?branches/`)

// ValidatingHandler checks requests, and responses below 500, against GitHub's description of its REST API. It skips
// those that undescribed matches.
func ValidatingHandler(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	router := loadDescription(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if undescribed.MatchString(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		request := checkRequest(t, router, r)
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		if request != nil && recorded.Code < 500 {
			input := &openapi3filter.ResponseValidationInput{RequestValidationInput: request, Status: recorded.Code, Header: recorded.Header(), Options: request.Options}
			input.SetBodyBytes(recorded.Body.Bytes())
			if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
				t.Errorf("the answer %d to %s %s: %v", recorded.Code, r.Method, r.URL, err)
			}
		}
		maps.Copy(w.Header(), recorded.Header())
		w.WriteHeader(recorded.Code)
		io.Copy(w, recorded.Body)
	})
}

// checkRequest reports errors in a request. It returns nil if the description has no such route.
func checkRequest(t testing.TB, router routers.Router, r *http.Request) *openapi3filter.RequestValidationInput {
	route, params, err := router.FindRoute(r)
	if err != nil {
		t.Errorf("%s %s is not in GitHub's description: %v", r.Method, r.URL, err)
		return nil
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: &openapi3filter.Options{
		SkipSettingDefaults: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, // else defaults would be added to the request
	}}
	if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	for name := range r.URL.Query() {
		if route.Operation.Parameters.GetByInAndName("query", name) == nil {
			t.Errorf("%s %s: GitHub knows no query parameter %q", r.Method, r.URL, name)
		}
	}
	if len(body) > 0 {
		checkFields(t, route, r, body)
	}
	return input
}

// checkFields reports fields of a body that GitHub does not know, because a schema validator accepts such fields.
func checkFields(t testing.TB, route *routers.Route, r *http.Request, body []byte) {
	if route.Operation.RequestBody == nil {
		t.Errorf("%s %s takes no body", r.Method, r.URL)
		return
	}
	media := route.Operation.RequestBody.Value.Content.Get("application/json")
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return
	}
	for _, name := range unknownFields("", media.Schema.Value, value) {
		t.Errorf("%s %s: GitHub knows no field %s", r.Method, r.URL, name)
	}
}

// unknownFields returns the names of fields that a schema lacks.
func unknownFields(path string, schema *openapi3.Schema, value any) (out []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, inside := range v {
			property := schema.Properties[name]
			if property == nil {
				out = append(out, path+"."+name)
				continue
			}
			out = append(out, unknownFields(path+"."+name, property.Value, inside)...)
		}
	case []any:
		for _, inside := range v {
			if schema.Items != nil {
				out = append(out, unknownFields(path+"[]", schema.Items.Value, inside)...)
			}
		}
	}
	sort.Strings(out)
	return out
}
