package githubtest

import (
	"net/http"
	"slices"
	"strconv"
)

// CheckRun is a check run. Its JSON names are those of a request.
type CheckRun struct {
	ID          int64        `json:"-"`
	Name        string       `json:"name"`
	HeadSHA     string       `json:"head_sha"`
	ExternalID  string       `json:"external_id"`
	DetailsURL  string       `json:"details_url"`
	Status      string       `json:"status"`
	Conclusion  string       `json:"conclusion"`
	Title       string       `json:"-"`
	Summary     string       `json:"-"`
	Annotations []Annotation `json:"-"`
	CreatedAt   string       `json:"-"` // time of its creation, shown as the time of its completion
}

// Annotation is an annotation of a check run.
type Annotation struct {
	Path    string `json:"path"`
	Start   int    `json:"start_line"`
	End     int    `json:"end_line"`
	Level   string `json:"annotation_level"`
	Message string `json:"message"`
	Title   string `json:"title"`
}

// Checks returns the check runs, oldest first.
func (s *Server) Checks() (out []CheckRun) {
	defer s.locked()()
	for _, c := range s.checks {
		out = append(out, *c)
	}
	return out
}

type checkInput struct {
	CheckRun
	Output *struct {
		Title       string       `json:"title"`
		Summary     string       `json:"summary"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

// invalidReason returns the message with which GitHub rejects a request, or "". It limits sizes in bytes, as GitHub
// does.
func (in checkInput) invalidReason() string {
	switch {
	case in.Status == "completed" && in.Conclusion == "":
		return "Missing conclusion"
	case in.Output == nil:
		return ""
	case in.Output.Title == "" || in.Output.Summary == "":
		return "Missing title or summary"
	case len(in.Output.Summary) > 65535:
		return "Summary exceeds a maximum bytesize of 65535"
	case len(in.Output.Annotations) > 50:
		return "No more than 50 annotations"
	case slices.ContainsFunc(in.Output.Annotations, Annotation.isInvalid):
		return "Invalid annotation"
	}
	return ""
}

func (a Annotation) isInvalid() bool {
	return a.Path == "" || a.Path[0] == '/' || a.Start < 1 || a.End < a.Start || a.Message == "" || len(a.Message) > 64<<10 || len([]rune(a.Title)) > 255 ||
		!slices.Contains([]string{"notice", "warning", "failure"}, a.Level)
}

// apply returns the check run with the fields that a request sets. Annotations are appended to the earlier ones.
func (r CheckRun) apply(c call) (changed CheckRun, refused response) {
	input := checkInput{CheckRun: r}
	switch {
	case !c.decode(&input):
		return r, problem(http.StatusBadRequest, "Problems parsing JSON")
	case input.invalidReason() != "":
		return r, problem(http.StatusUnprocessableEntity, "Invalid request. %s", input.invalidReason())
	}
	if input.Conclusion != "" {
		input.Status = "completed"
	}
	if input.Output != nil {
		input.Title, input.Summary = input.Output.Title, input.Output.Summary
		input.Annotations = append(input.Annotations, input.Output.Annotations...)
	}
	return input.CheckRun, refused
}

func (s *Server) createCheck(c call) response {
	run, refused := CheckRun{Status: "queued"}.apply(c)
	switch {
	case refused.isSet():
		return refused
	case run.Name == "" || s.commits[run.HeadSHA] == nil:
		return problem(http.StatusUnprocessableEntity, "No commit found for SHA: %s", run.HeadSHA)
	}
	s.lastID++
	run.ID, run.CreatedAt = s.lastID, s.tick()
	s.checks = append(s.checks, &run)
	return response{status: http.StatusCreated, body: s.checkJSON(&run)}
}

func (s *Server) updateCheck(c call) response {
	run := find(s.checks, func(r *CheckRun) bool { return r.ID == c.number() })
	if run == nil {
		return notFound()
	}
	changed, refused := run.apply(c)
	if refused.isSet() {
		return refused
	}
	*run = changed
	return ok(s.checkJSON(run))
}

// listChecks lists check runs, without those replaced by a later one of the same name unless all are requested.
func (s *Server) listChecks(c call) response {
	query := c.URL.Query()
	sha := c.args[0]
	if at := s.resolve(sha); at != nil {
		sha = at.sha
	}
	var all []*CheckRun
	seen := map[string]bool{}
	for _, r := range slices.Backward(s.checks) {
		if r.HeadSHA != sha || query.Has("check_name") && query.Get("check_name") != r.Name || query.Get("filter") != "all" && seen[r.Name] {
			continue
		}
		seen[r.Name] = true
		all = append(all, r)
	}
	out, header := page(c, all, s.checkJSON)
	return response{http.StatusOK, map[string]any{"total_count": len(all), "check_runs": out}, header}
}

func (s *Server) checkJSON(r *CheckRun) map[string]any {
	id := strconv.FormatInt(r.ID, 10)
	body := map[string]any{
		"id": r.ID, "node_id": "CR_" + id, "head_sha": r.HeadSHA, "name": r.Name, "url": s.apiURL("check-runs/" + id), "html_url": s.pageURL("runs/" + id),
		"details_url": nil, "external_id": r.ExternalID, "status": r.Status, "conclusion": nil, "started_at": fixedTime, "completed_at": nil,
		"check_suite": nil, "app": actionsApp(), "pull_requests": []any{},
		"output": map[string]any{"title": r.Title, "summary": r.Summary, "text": nil, "annotations_count": len(r.Annotations), "annotations_url": s.apiURL("check-runs/" + id + "/annotations")},
	}
	if r.DetailsURL != "" {
		body["details_url"] = r.DetailsURL
	}
	if r.Status == "completed" {
		body["conclusion"], body["completed_at"] = r.Conclusion, r.CreatedAt
	}
	return body
}

// actionsApp returns the App of workflows' check runs.
func actionsApp() map[string]any {
	return map[string]any{
		"id": 15368, "slug": "github-actions", "node_id": "A_15368", "owner": user(Actions), "name": "GitHub Actions", "description": nil,
		"external_url": "https://help.github.com/en/actions", "html_url": "https://github.com/apps/github-actions",
		"created_at": fixedTime, "updated_at": fixedTime, "permissions": map[string]any{"checks": "write"}, "events": []any{},
	}
}

// Reruns returns the workflow runs whose failed jobs were rerun, oldest first.
func (s *Server) Reruns() []int64 {
	defer s.locked()()
	return slices.Clone(s.reruns)
}

// rerun records that the failed jobs of a run were rerun.
func (s *Server) rerun(c call) response {
	s.reruns = append(s.reruns, c.number())
	return response{status: http.StatusCreated, body: map[string]any{}}
}
