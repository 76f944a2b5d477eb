package githubtest

import (
	"fmt"
	"strconv"
	"time"
)

type review struct {
	id    int64
	who   Identity
	state string
	sha   string
	at    string
}

// Review adds a review of a pull request on a commit. state is APPROVED, CHANGES_REQUESTED, COMMENTED or DISMISSED.
func (s *Server) Review(number int, who Identity, state, sha string) {
	defer s.locked()()
	s.lastID++
	s.pulls[number].reviews = append(s.pulls[number].reviews, review{s.lastID, who, state, sha, s.tick()})
}

// Permit says what somebody may do in the repository: admin, write, read or none, which is what others have.
func (s *Server) Permit(who Identity, permission string) {
	defer s.locked()()
	s.permissions[who.Login] = permission
}

// Job adds the check run that GitHub Actions makes of a job.
func (s *Server) Job(name, sha string, run int64, conclusion string) {
	defer s.locked()()
	s.lastID++
	s.checks = append(s.checks, &CheckRun{ID: s.lastID, Name: name, HeadSHA: sha, Status: "completed", Conclusion: conclusion, At: s.tick(),
		DetailsURL: s.html(fmt.Sprintf("actions/runs/%d/job/%d", run, s.lastID))})
}

// tick is the time, a second later each time it is asked for.
func (s *Server) tick() string {
	s.seconds++
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.seconds) * time.Second).Format(time.RFC3339)
}

func (s *Server) listReviews(c call) answer {
	p := s.pulls[int(c.number(0))]
	if p == nil {
		return notFound()
	}
	return list(c, p.reviews, func(r review) map[string]any {
		at := s.html("pull/" + strconv.Itoa(p.number) + "#pullrequestreview-" + strconv.FormatInt(r.id, 10))
		return map[string]any{
			"id": r.id, "node_id": "PRR_" + strconv.FormatInt(r.id, 10), "user": user(r.who), "body": "", "state": r.state, "html_url": at,
			"pull_request_url": s.url("pulls/" + strconv.Itoa(p.number)), "submitted_at": r.at, "commit_id": r.sha, "author_association": "MEMBER",
			"_links": map[string]any{"html": map[string]any{"href": at}, "pull_request": map[string]any{"href": s.url("pulls/" + strconv.Itoa(p.number))}},
		}
	})
}

func (s *Server) getPermission(c call) answer {
	login := c.args[0]
	permission, known := s.permissions[login]
	if !known {
		permission = "read" // as everybody has in a public repository
	}
	return ok(map[string]any{"permission": permission, "role_name": permission, "user": nil})
}
