package githubtest

import (
	"net/http"
	"strconv"
)

// Issue is an issue that is no pull request.
type Issue struct {
	Number      int
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

type issueIn struct {
	Title, Body, State *string
}

func (s *Server) createIssue(c call) answer {
	var in issueIn
	if !c.decode(&in) || in.Title == nil || *in.Title == "" {
		return problem(http.StatusUnprocessableEntity, "Validation Failed")
	}
	i := &Issue{Number: 900 + len(s.issues), State: "open"}
	s.issues = append(s.issues, i)
	return answer{status: http.StatusCreated, body: i.set(in)}
}

func (s *Server) editIssue(c call) answer {
	i := s.issue(int(c.number(0)))
	var in issueIn
	switch {
	case i == nil:
		return problem(http.StatusGone, "This issue was deleted")
	case !c.decode(&in):
		return problem(http.StatusBadRequest, "Problems parsing JSON")
	}
	return ok(i.set(in))
}

// set changes what is said, and returns the issue as the API tells it, cut to what is read of it.
func (i *Issue) set(in issueIn) map[string]any {
	for into, value := range map[*string]*string{&i.Title: in.Title, &i.Body: in.Body, &i.State: in.State} {
		if value != nil {
			*into = *value
		}
	}
	return map[string]any{"number": i.Number, "node_id": "I_" + strconv.Itoa(i.Number), "title": i.Title, "body": i.Body, "state": i.State}
}
