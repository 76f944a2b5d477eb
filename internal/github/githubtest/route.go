package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// call is a request that a route takes.
type call struct {
	*http.Request
	grant grant
	args  []string // what the path's wildcards matched
}

func (c call) number(i int) int64 {
	n, _ := strconv.ParseInt(c.args[i], 10, 64)
	return n
}

// decode reads the body, strictly in nothing but being JSON.
func (c call) decode(into any) bool { return json.NewDecoder(c.Body).Decode(into) == nil }

type route struct {
	method string
	path   *regexp.Regexp // below /repos/OWNER/REPO, or the whole path
	needs  string         // the permission, as GitHub writes it; "" for none
	answer func(*Server, call) answer
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
	if rest, is := strings.CutPrefix(path, "/repositories/1000/"); is { // as GitHub's own links to next pages
		path = rest
	}
	if m := r.path.FindStringSubmatch(path); m != nil {
		return m[1:]
	}
	return nil
}

var routes = []route{
	{http.MethodGet, regexp.MustCompile(`^pulls/(\d+)$`), "", (*Server).getPull},
	{http.MethodGet, regexp.MustCompile(`^pulls/(\d+)/reviews$`), "", (*Server).listReviews},
	{http.MethodGet, regexp.MustCompile(`^collaborators/([^/]+)/permission$`), "", (*Server).getPermission},
	{http.MethodGet, regexp.MustCompile(`^commits/([0-9a-f]{40})/pulls$`), "", (*Server).listPulls},
	{http.MethodGet, regexp.MustCompile(`^git/ref/(.+)$`), "", (*Server).getRef},
	{http.MethodGet, regexp.MustCompile(`^$`), "", (*Server).getRepository},
	{http.MethodGet, regexp.MustCompile(`^rules/branches/(.+)$`), "", (*Server).getRules},
	{http.MethodGet, regexp.MustCompile(`^branches/(.+)/protection$`), "", (*Server).getProtection},
	{http.MethodGet, regexp.MustCompile(`^branches/(.+)$`), "", (*Server).getBranch},
	{http.MethodGet, regexp.MustCompile(`^issues/(\d+)/comments$`), "", (*Server).listComments},
	{http.MethodPost, regexp.MustCompile(`^issues/(\d+)/comments$`), commentsWrite, (*Server).createComment},
	{http.MethodPost, regexp.MustCompile(`^issues$`), "issues=write", (*Server).createIssue},
	{http.MethodPatch, regexp.MustCompile(`^issues/(\d+)$`), "issues=write", (*Server).editIssue},
	{http.MethodPatch, regexp.MustCompile(`^issues/comments/(\d+)$`), commentsWrite, (*Server).editComment},
	{http.MethodDelete, regexp.MustCompile(`^issues/comments/(\d+)$`), commentsWrite, (*Server).deleteComment},
	{http.MethodPost, regexp.MustCompile(`^issues/comments/(\d+)/reactions$`), commentsWrite, (*Server).react},
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

// first is the first that is meant; nil where none is.
func first[T any](all []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// page cuts a list as the request asks, and links to the next page in GitHub's form.
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

// list answers with a page of a list.
func list[T any](c call, all []T, json func(T) map[string]any) answer {
	out, header := page(c, all, json)
	return answer{http.StatusOK, out, header}
}

// forbidden is what GitHub tells a token without a permission.
func forbidden(permission string) answer {
	a := problem(http.StatusForbidden, "Resource not accessible by integration")
	a.header = http.Header{"X-Accepted-Github-Permissions": {permission}}
	return a
}
