package githubtest

import (
	"net/http"
	"strconv"
)

// Issue is an issue that is no pull request.
type Issue struct {
	Number      int `json:"-"`
	Title, Body string
	State       string // open or closed
}

// Issues returns the issues, oldest first.
func (s *Server) Issues() (out []Issue) {
	defer s.locked()()
	for _, i := range s.issues {
		out = append(out, *i)
	}
	return out
}

// CloseIssue closes an issue, as somebody does who may write to the repository.
func (s *Server) CloseIssue(number int) {
	defer s.locked()()
	s.issue(number).State = "closed"
}

// DropIssue deletes an issue.
func (s *Server) DropIssue(number int) {
	defer s.locked()()
	s.issue(number).Number = -1
}

func (s *Server) issue(number int) *Issue {
	return first(s.issues, func(i *Issue) bool { return i.Number == number })
}

func (s *Server) createIssue(c call) answer {
	i := &Issue{Number: 900 + len(s.issues), State: "open"}
	if !c.decode(i) || i.Title == "" {
		return problem(http.StatusUnprocessableEntity, "Validation Failed")
	}
	s.issues = append(s.issues, i)
	return answer{status: http.StatusCreated, body: i.json()}
}

// editIssue changes what the request names.
func (s *Server) editIssue(c call) answer {
	i := s.issue(int(c.number()))
	switch {
	case i == nil:
		return problem(http.StatusGone, "This issue was deleted")
	case !c.decode(i):
		return problem(http.StatusBadRequest, "Problems parsing JSON")
	}
	return ok(i.json())
}

// json is the issue as the API tells it, cut to what is read of it.
func (i *Issue) json() map[string]any {
	return map[string]any{"number": i.Number, "node_id": "I_" + strconv.Itoa(i.Number), "title": i.Title, "body": i.Body, "state": i.State}
}
