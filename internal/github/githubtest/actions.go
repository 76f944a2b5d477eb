package githubtest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// WorkflowRun is a completed run of a workflow, with its artifacts by name.
type WorkflowRun struct {
	ID, Workflow        int64
	Event, Branch, Head string
	Fork                bool
	Artifacts           map[string][]byte // zips
}

// AddRun adds a workflow's run as the newest one.
func (s *Server) AddRun(r WorkflowRun) {
	defer s.locked()()
	s.runs = append(s.runs, r)
}

// ServeArtifacts serves the zips from another host, which fails the test if a request has a token.
func (s *Server) ServeArtifacts(t testing.TB) {
	t.Helper()
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("the host of the artifacts is sent a token")
		}
		_, data := s.artifact(strings.TrimPrefix(r.URL.Path, "/"))
		w.Header().Set("Content-Type", "application/zip")
		_, _ = w.Write(data)
	}))
	t.Cleanup(store.Close)
	defer s.locked()()
	s.artifactHost = store.URL
}

// artifact returns the name and the zip of an artifact. The id of an artifact is 100 times the id of its run, plus its
// index.
func (s *Server) artifact(id string) (name string, data []byte) {
	for _, r := range s.runs {
		for i, one := range r.names() {
			if strconv.FormatInt(r.ID*100+int64(i), 10) == id {
				return one, r.Artifacts[one]
			}
		}
	}
	return "", nil
}

func (r WorkflowRun) names() (names []string) {
	for name := range r.Artifacts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Server) listRuns(c call) response {
	q := c.URL.Query()
	runs := []any{}
	for _, r := range slices.Backward(s.runs) {
		isWorkflow := c.args[0] == strconv.FormatInt(r.Workflow, 10) || strings.HasSuffix(c.args[0], ".yml")
		if !isWorkflow || q.Get("event") != "" && q.Get("event") != r.Event || q.Get("branch") != "" && q.Get("branch") != r.Branch {
			continue
		}
		owner := s.owner
		if r.Fork {
			owner = Mallory.Login
		}
		runs = append(runs, map[string]any{"id": r.ID, "workflow_id": r.Workflow, "event": r.Event, "head_branch": r.Branch, "head_sha": r.Head,
			"status": "completed", "created_at": fixedTime, "head_repository": map[string]any{"full_name": owner + "/" + s.repo}})
	}
	return ok(map[string]any{"total_count": len(runs), "workflow_runs": runs})
}

func (s *Server) listArtifacts(c call) response {
	all := []any{}
	for _, r := range s.runs {
		if r.ID != c.number() {
			continue
		}
		for i, name := range r.names() {
			all = append(all, map[string]any{"id": r.ID*100 + int64(i), "name": name, "expired": false})
		}
	}
	return ok(map[string]any{"total_count": len(all), "artifacts": all})
}

func (s *Server) getArtifact(c call) response {
	return response{status: http.StatusFound, header: http.Header{"Location": {s.artifactHost + "/" + c.args[0]}}, body: map[string]any{}}
}

// listOpen lists the open pull requests from a branch.
func (s *Server) listOpen(c call) response {
	var numbers []int
	for n, p := range s.pulls {
		body := s.pullJSON(p)
		head, _ := body["head"].(map[string]any)
		if body["state"] == "open" && head["label"] == c.URL.Query().Get("head") {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return list(c, numbers, func(n int) map[string]any { return s.pullJSON(s.pulls[n]) })
}
