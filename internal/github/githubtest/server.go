// Package githubtest is a fake GitHub for tests, with one repository: commits, pull requests, comments and check runs.
// It applies GitHub's limits, pages and permissions, records all requests, and fails on demand. It does not depend on
// failproof.
package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// Identity is an account that acts through a token.
type Identity struct {
	ID    int64
	Login string
	Bot   bool
}

// Accounts that tests need.
var (
	Actions = Identity{ID: 41898282, Login: "github-actions[bot]", Bot: true}
	Octocat = Identity{ID: 583231, Login: "octocat"}
	Mallory = Identity{ID: 666, Login: "mallory"}
)

// Token is the token that a new server accepts: a workflow's token that may comment and make check runs.
const Token = "ghs_0123456789abcdefABCDEF0123456789abcd"

// grant has the account and the permissions of a token.
type grant struct {
	account  Identity
	comments bool // pull-requests: write
	checks   bool // checks: write, which only an App's token can have
	actions  bool // actions: write
}

// allows reports whether a token has a permission, in GitHub's notation. "" means no permission is needed.
func (g grant) allows(permission string) bool {
	switch permission {
	case commentsWrite, "issues=write":
		return g.comments
	case checksWrite:
		return g.checks
	case actionsWrite:
		return g.actions
	}
	return true
}

// Request is a received request.
type Request struct {
	Method string
	Path   string // with the query
	Body   string
}

// Server is the fake GitHub. It is safe for concurrent use.
type Server struct {
	owner, repo string

	mu       sync.Mutex
	grants   map[string]grant
	commits  map[string]*commit
	trees    map[string][]object.TreeEntry
	blobs    map[string]string
	branches map[string]string
	pulls    map[int]*pull
	mergedBy map[string][]int // numbers of merged pull requests, by each commit that they added to the base branch
	clock    int              // of the clock
	comments []*Comment
	checks   []*CheckRun
	lastID   int64

	permissions  map[string]string           // by login
	pushes       []push                      // of pull requests' branches, oldest first
	rules        map[string][]map[string]any // by branch
	protections  map[string]protection
	faults       []*Fault
	requests     []Request
	issues       []*Issue
	reruns       []int64 // the runs whose failed jobs were rerun
	runs         []WorkflowRun
	artifactHost string // the address of the artifacts' host
	noGraphQL    bool
	onRequest    func(*http.Request)
}

// New returns a server with an empty repository.
func New(owner, repo string) *Server {
	return &Server{
		owner: owner, repo: repo,
		grants:  map[string]grant{Token: {account: Actions, comments: true, checks: true}},
		commits: map[string]*commit{}, trees: map[string][]object.TreeEntry{}, blobs: map[string]string{},
		branches: map[string]string{}, pulls: map[int]*pull{}, mergedBy: map[string][]int{}, permissions: map[string]string{},
		rules: map[string][]map[string]any{}, protections: map[string]protection{},
		lastID: 1000,
	}
}

// locked locks the server until the returned function is called.
func (s *Server) locked() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

// Start serves on the loopback interface until the test ends. It returns the address for GITHUB_API_URL.
func (s *Server) Start(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// AddToken adds a token. comments and checks say whether it may write those.
func (s *Server) AddToken(token string, who Identity, comments, checks bool) {
	defer s.locked()()
	s.grants[token] = grant{account: who, comments: comments, checks: checks}
}

// AllowActions allows an existing token to rerun jobs.
func (s *Server) AllowActions(token string) {
	defer s.locked()()
	g := s.grants[token]
	g.actions = true
	s.grants[token] = g
}

// DisableGraphQL makes the server reject GraphQL queries.
func (s *Server) DisableGraphQL() {
	defer s.locked()()
	s.noGraphQL = true
}

// OnRequest sets a function that is called with every request before its answer. It may block, to test the order of
// concurrent requests.
func (s *Server) OnRequest(f func(*http.Request)) {
	defer s.locked()()
	s.onRequest = f
}

// TakeRequests returns the requests since the last call of Requests or Writes.
func (s *Server) TakeRequests() []Request {
	defer s.locked()()
	out := s.requests
	s.requests = nil
	return out
}

// TakeWrites returns the number of writing requests since the last call of Writes or Requests.
func (s *Server) TakeWrites() (n int) {
	for _, r := range s.TakeRequests() {
		if r.Method != http.MethodGet && !strings.HasSuffix(r.Path, "/graphql") {
			n++
		}
	}
	return n
}

// response is a response: a status, a body for JSON, and headers. The zero answer means none.
type response struct {
	status int
	body   any
	header http.Header
}

func (r response) isSet() bool { return r.status != 0 }

func ok(body any) response { return response{status: http.StatusOK, body: body} }

// problem returns an error response in GitHub's form.
func problem(status int, format string, args ...any) response {
	return response{status: status, body: map[string]any{
		"message": fmt.Sprintf(format, args...), "documentation_url": "https://docs.github.com/rest", "status": fmt.Sprint(status),
	}}
}

func notFound() response { return problem(http.StatusNotFound, "Not Found") }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	onRequest := s.onRequest
	s.requests = append(s.requests, Request{r.Method, r.URL.RequestURI(), string(body)})
	s.mu.Unlock()
	if onRequest != nil {
		onRequest(r)
	}
	fault := s.fault(r)
	if fault != nil && !fault.CarryOut {
		fault.write(w)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	a := s.respond(r)
	if fault != nil {
		fault.write(w)
		return
	}
	a.write(w)
}

func (r response) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(r.status)
	if r.body != nil {
		json.NewEncoder(w).Encode(r.body)
	}
}

func (s *Server) respond(r *http.Request) response {
	defer s.locked()()
	g, known := s.grants[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !known && r.Header.Get("Authorization") != "" {
		return problem(http.StatusUnauthorized, "Bad credentials")
	}
	for _, route := range routes {
		m := route.match(s, r)
		switch {
		case m == nil:
			continue
		case route.permission != "" && g.account == Identity{}:
			return problem(http.StatusUnauthorized, "Requires authentication")
		case route.permission == checksWrite && !g.account.Bot:
			return problem(http.StatusForbidden, "You must authenticate via a GitHub App.")
		case !g.allows(route.permission):
			a := problem(http.StatusForbidden, "Resource not accessible by integration")
			a.header = http.Header{"X-Accepted-Github-Permissions": {route.permission}}
			return a
		}
		return route.answer(s, call{r, g, m})
	}
	return notFound()
}

// call is a request that matched a route.
type call struct {
	*http.Request
	grant grant
	args  []string // what the path's wildcards matched
}

func (c call) number() int64 {
	n, _ := strconv.ParseInt(c.args[0], 10, 64)
	return n
}

// decode decodes the body and reports whether it is JSON. Unknown fields are allowed.
func (c call) decode(into any) bool { return json.NewDecoder(c.Body).Decode(into) == nil }

type route struct {
	method     string
	path       *regexp.Regexp // below /repos/OWNER/REPO, or the whole path
	permission string         // the permission in GitHub's notation; "" for none
	answer     func(*Server, call) response
}

// Permissions that routes need.
const (
	commentsWrite = "issues=write; pull_requests=write"
	checksWrite   = "checks=write"
	actionsWrite  = "actions=write"
)

func (r route) match(s *Server, request *http.Request) []string {
	if request.Method != r.method {
		return nil
	}
	path := strings.TrimPrefix(request.URL.Path, "/api/v3")
	path = strings.TrimPrefix(path, "/api")
	prefix := "/repos/" + s.owner + "/" + s.repo + "/"
	if strings.EqualFold(path+"/", prefix) {
		path = ""
	} else if len(path) >= len(prefix) && strings.EqualFold(path[:len(prefix)], prefix) {
		path = path[len(prefix):]
	}
	if rest, found := strings.CutPrefix(path, "/repositories/1000/"); found { // as GitHub's own links to next pages
		path = rest
	}
	if m := r.path.FindStringSubmatch(path); m != nil {
		return m[1:]
	}
	return nil
}

var routes = []route{
	{http.MethodGet, regexp.MustCompile(`^actions/workflows/([^/]+)/runs$`), "", (*Server).listRuns},
	{http.MethodGet, regexp.MustCompile(`^actions/runs/(\d+)/artifacts$`), "", (*Server).listArtifacts},
	{http.MethodGet, regexp.MustCompile(`^actions/artifacts/(\d+)/zip$`), "", (*Server).getArtifact},
	{http.MethodGet, regexp.MustCompile(`^pulls$`), "", (*Server).listOpen},
	{http.MethodGet, regexp.MustCompile(`^pulls/(\d+)$`), "", (*Server).getPull},
	{http.MethodGet, regexp.MustCompile(`^pulls/(\d+)/reviews$`), "", (*Server).listReviews},
	{http.MethodGet, regexp.MustCompile(`^collaborators/([^/]+)/permission$`), "", (*Server).getPermission},
	{http.MethodGet, regexp.MustCompile(`^activity$`), "", (*Server).listActivity},
	{http.MethodGet, regexp.MustCompile(`^/repos/(mallory/[^/]+)/activity$`), "", (*Server).listActivity},
	{http.MethodGet, regexp.MustCompile(`^commits/([0-9a-f]{40})/pulls$`), "", (*Server).listPulls},
	{http.MethodGet, regexp.MustCompile(`^git/ref/(.+)$`), "", (*Server).getRef},
	{http.MethodGet, regexp.MustCompile(`^$`), "", (*Server).getRepository},
	{http.MethodGet, regexp.MustCompile(`^rules/branches/(.+)$`), "", (*Server).getRules},
	{http.MethodGet, regexp.MustCompile(`^branches/(.+)/protection$`), "", (*Server).getProtection},
	{http.MethodGet, regexp.MustCompile(`^branches/(.+)$`), "", (*Server).getBranch},
	{http.MethodGet, regexp.MustCompile(`^issues/(\d+)/comments$`), "", (*Server).listComments},
	{http.MethodPost, regexp.MustCompile(`^issues/(\d+)/comments$`), commentsWrite, (*Server).createComment},
	{http.MethodPost, regexp.MustCompile(`^issues$`), "issues=write", (*Server).createIssue},
	{http.MethodGet, regexp.MustCompile(`^issues/(\d+)$`), "", (*Server).getIssue},
	{http.MethodPatch, regexp.MustCompile(`^issues/(\d+)$`), "issues=write", (*Server).editIssue},
	{http.MethodPatch, regexp.MustCompile(`^issues/comments/(\d+)$`), commentsWrite, (*Server).editComment},
	{http.MethodDelete, regexp.MustCompile(`^issues/comments/(\d+)$`), commentsWrite, (*Server).deleteComment},
	{http.MethodPost, regexp.MustCompile(`^issues/comments/(\d+)/reactions$`), commentsWrite, (*Server).createReaction},
	{http.MethodPost, regexp.MustCompile(`^actions/runs/(\d+)/rerun-failed-jobs$`), actionsWrite, (*Server).rerun},
	{http.MethodPost, regexp.MustCompile(`^check-runs$`), checksWrite, (*Server).createCheck},
	{http.MethodPatch, regexp.MustCompile(`^check-runs/(\d+)$`), checksWrite, (*Server).updateCheck},
	{http.MethodGet, regexp.MustCompile(`^commits/(.+)/check-runs$`), "", (*Server).listChecks},
	{http.MethodGet, regexp.MustCompile(`^compare/(.+)\.\.\.(.+)$`), "", (*Server).compare},
	{http.MethodGet, regexp.MustCompile(`^git/trees/(.+)$`), "", (*Server).getTree},
	{http.MethodGet, regexp.MustCompile(`^git/blobs/([0-9a-f]{40})$`), "", (*Server).getBlob},
	{http.MethodGet, regexp.MustCompile(`^git/commits/([0-9a-f]{40})$`), "", (*Server).getGitCommit},
	{http.MethodPost, regexp.MustCompile(`^/graphql$`), "", (*Server).graphql},
}

// find returns the first element that the filter accepts, or nil.
func find[T any](all []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(all, match); i >= 0 {
		return all[i]
	}
	return nil
}

// page returns the requested page of a list, and a header with the link to the next page in GitHub's form.
func page[T any](c call, all []T, json func(T) map[string]any) (out []any, header http.Header) {
	size, number := 30, 1
	if n, err := strconv.Atoi(c.URL.Query().Get("per_page")); err == nil && n > 0 {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(c.URL.Query().Get("page")); err == nil && n > 0 {
		number = n
	}
	from := min((number-1)*size, len(all))
	to := min(from+size, len(all))
	header = http.Header{}
	if to < len(all) {
		query := c.URL.Query()
		query.Set("page", strconv.Itoa(number+1))
		path := c.URL.Path
		if parts := strings.SplitN(path, "/", 5); len(parts) == 5 && parts[1] == "repos" {
			path = "/repositories/1000/" + parts[4]
		}
		header.Set("Link", fmt.Sprintf(`<https://api.github.com%s?%s>; rel="next"`, path, query.Encode()))
	}
	out = []any{}
	for _, one := range all[from:to] {
		out = append(out, json(one))
	}
	return out, header
}

func list[T any](c call, all []T, json func(T) map[string]any) response {
	out, header := page(c, all, json)
	return response{http.StatusOK, out, header}
}
