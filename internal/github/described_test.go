package github_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// TestRequestsAreThoseThatGitHubDescribes publishes everything there is and checks each request and answer against
// GitHub's own description of its API.
func TestRequestsAreThoseThatGitHubDescribes(t *testing.T) {
	h := newHub()
	described := githubtest.ValidatingHandler(t, h)
	client := clientOf(t, described, githubtest.Token)
	for i := range 130 {
		h.AddComment(githubtest.Octocat, 7, fmt.Sprint("comment ", i))
	}
	h.AddFault(githubtest.Fault{Method: http.MethodPost, Times: 1, Status: 502, CarryOut: true}) // the check run is looked for
	for id := int64(41); id < 43; id++ {
		p := h.said(id, fmt.Sprint("result ", id))
		p.Check = check()
		p.Check.Annotations = annotations(120)
		_, warnings := p.by(t, client)
		wantCodes(t, warnings)
	}
	h.AddComment(githubtest.Actions, 7, ours(t, 40, "another of ours"))
	h.said(43, "result 43").by(t, client)
	pushed := failproof.Event{Name: "push", Owner: "octo", Repo: "prompts", DefaultBranch: "main", HeadSHA: h.head}
	for _, base := range []string{h.base, "main", strings.Repeat("1", 40)} {
		failproof.NewRepository(client, pushed, failproof.Run{}, noSleep).Revisions(t.Context(), base)
	}
	merged := h.event()
	merged.BaseRef = "main"
	h.DelayMerge(7, 1) // so that the ref is not there at first, and the pull request asked for
	if _, err := failproof.NewRepository(client, merged, failproof.Run{}, noSleep).Revisions(t.Context(), ""); err != nil {
		t.Error(err)
	}
	group := h.AddMergeGroup(false, 7)
	queued := failproof.Event{Name: "merge_group", Owner: "octo", Repo: "prompts", BaseSHA: group.Base, HeadSHA: group.Head, HeadRef: strings.TrimPrefix(group.HeadRef, "refs/heads/")}
	if is, why := failproof.NewRepository(client, queued, failproof.Run{}, noSleep).GroupFork(t.Context()); is || why != nil {
		t.Errorf("a fork's: %v, error %v", is, why)
	}
	h.SetPermission(githubtest.Mallory, "write")
	h.AddJob("gate", h.head, 41, "failure")
	h.AddReview(7, githubtest.Mallory, "APPROVED", h.head)
	if accepted, err := failproof.NewRepository(client, queued, run(44), noSleep).Accepted(t.Context()); err != nil {
		t.Error(err)
	} else if who, whyNot := accepted.AcceptedBy("on_removed", nil); who != "the review of mallory" || whyNot != "" {
		t.Errorf("accepted by %q, not by others because %q", who, whyNot)
	}
	if _, err := failproof.NewRepository(client, queued, failproof.Run{}, noSleep).ReadDefaultBranch(t.Context()); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, r := range h.TakeRequests() {
		path, _, _ := strings.Cut(r.Path, "?")
		parts := strings.Split(strings.TrimPrefix(path, "/repos/octo/prompts/"), "/")
		seen[r.Method+" "+parts[0]] = true
	}
	for _, want := range []string{"GET pulls", "GET issues", "POST issues", "PATCH issues", "DELETE issues", "POST check-runs", "PATCH check-runs", "GET commits", "GET compare", "GET git", "GET collaborators"} {
		if !seen[want] {
			t.Errorf("%s was never asked: %v", want, seen)
		}
	}
}

// TestTheFakeAnswersAsGitHubDescribes covers the answers that other packages' tests rely on.
func TestTheFakeAnswersAsGitHubDescribes(t *testing.T) {
	h := newHub()
	h.AddToken("user", githubtest.Octocat, true, true)
	h.AddToken("reader", githubtest.Actions, false, false)
	h.SetPull(8, h.base, h.head, true)
	h.AddJob("gate", h.head, 41, "failure")
	described := inMemory{githubtest.ValidatingHandler(t, h)}
	for _, c := range []struct {
		method, path, token, body string
		want                      int
	}{
		{"GET", "/repos/octo/prompts/git/trees/" + h.head + "?recursive=1", "", "", 200},
		{"GET", "/repos/octo/prompts/git/trees/" + strings.Repeat("1", 40), "", "", 404},
		{"GET", "/repos/octo/prompts/git/blobs/3e5126c4e7ef5b2e4d0e1c1f1d4f2a2b7b0c9d8e", "", "", 404},
		{"GET", "/repos/octo/prompts/git/commits/" + h.head, "", "", 200},
		{"GET", "/repos/octo/prompts/pulls/7", "", "", 200},
		{"GET", "/repos/octo/prompts/pulls/8", "", "", 200},
		{"GET", "/repos/octo/prompts/pulls/9", "", "", 404},
		{"GET", "/repos/octo/prompts", "", "", 200},
		{"GET", "/repos/octo/prompts/git/ref/heads/main", "", "", 200},
		{"GET", "/repos/octo/prompts/git/ref/pull/7/merge", "", "", 200},
		{"GET", "/repos/octo/prompts/git/ref/pull/9/merge", "", "", 404},
		{"GET", "/repos/octo/prompts/commits/" + h.head + "/pulls?per_page=100", "", "", 200},
		{"GET", "/repos/octo/prompts/collaborators/octocat/permission", "", "", 200},
		{"GET", "/repos/octo/prompts/commits/" + h.head + "/check-runs?filter=all", "", "", 200},
		{"GET", "/repos/octo/prompts/issues/7/comments?per_page=100&page=2", "", "", 200},
		{"GET", "/repos/octo/prompts", "wrong", "", 401},
		{"POST", "/repos/octo/prompts/issues/7/comments", "reader", `{"body":"x"}`, 403},
		{"POST", "/repos/octo/prompts/issues/7/comments", githubtest.Token, `{"body":"` + strings.Repeat("x", 65537) + `"}`, 422},
		{"POST", "/repos/octo/prompts/check-runs", "user", `{"name":"x","head_sha":"` + h.head + `"}`, 403},
		{"POST", "/repos/octo/prompts/check-runs", githubtest.Token, `{"name":"x","head_sha":"` + strings.Repeat("1", 40) + `"}`, 422},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), c.method, "https://api.github.test"+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if c.token != "" {
				request.Header.Set("Authorization", "Bearer "+c.token)
			}
			if c.body != "" {
				request.Header.Set("Content-Type", "application/json")
			}
			response, err := described.RoundTrip(request)
			if err != nil || response.StatusCode != c.want {
				t.Errorf("%v, error %v; want %d", response.Status, err, c.want)
			}
		})
	}
}
