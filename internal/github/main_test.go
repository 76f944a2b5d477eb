package github_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-github/v60/github"
	"go.uber.org/goleak"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noSleep waits for nothing.
func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// clientOf talks to a handler without a network.
func clientOf(t testing.TB, h http.Handler, token string) *github.Client {
	t.Helper()
	client, err := failproof.NewClient(failproof.Options{
		BaseURL: "https://api.github.test", Token: token, Transport: inMemory{h}, Sleep: noSleep,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// hub is a repository octo/prompts with pull request 7.
type hub struct {
	*githubtest.Server
	base, head string
}

func newHub() hub {
	s := githubtest.New("octo", "prompts")
	base := s.Commit(map[string]string{"suites/a.yaml": "old"})
	head := s.Commit(map[string]string{"suites/a.yaml": "new"}, base)
	s.SetBranch("main", base)
	s.SetPull(7, base, head, false)
	return hub{s, base, head}
}

func (h hub) event() failproof.Event {
	return failproof.Event{Name: "pull_request", Action: "synchronize", Owner: "octo", Repo: "prompts", Number: 7, BaseSHA: h.base, HeadSHA: h.head}
}

// run is the run of a job with an id.
func run(id int64) failproof.Run {
	return failproof.Run{ID: id, Attempt: 1, Workflow: ".github/workflows/gate.yml", Job: "prompts", Server: "https://github.com", Repository: "octo/prompts"}
}

// publication is what a run publishes for an event.
type publication struct {
	failproof.Publication
	run   failproof.Run
	event failproof.Event
}

// said is a publication of a run with a comment.
func (h hub) said(id int64, body string) publication {
	return publication{failproof.Publication{Mode: failproof.CommentAuto, Body: body + "\n", Facts: "facts of this run", Noteworthy: true}, run(id), h.event()}
}

// by publishes through a client.
func (p publication) by(t testing.TB, client *github.Client) (failproof.Published, []failproof.Warning) {
	t.Helper()
	return failproof.NewRepository(client, p.event, p.run, noSleep).Publish(t.Context(), p.Publication)
}

// publish publishes with the token of a workflow.
func (h hub) publish(t testing.TB, p publication) (failproof.Published, []failproof.Warning) {
	t.Helper()
	return p.by(t, clientOf(t, h, githubtest.Token))
}

// codes are what was warned of.
func codes(warnings []failproof.Warning) []string {
	out := []string{}
	for _, w := range warnings {
		out = append(out, w.Code)
	}
	return out
}
