package github_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestLongComments(t *testing.T) {
	for _, c := range []struct {
		rule        string
		body, facts string
		want        []string
		keeps       bool
	}{
		{"60,000 bytes and facts fit", strings.Repeat("x", 60000), "facts", nil, true},
		{"facts go first", strings.Repeat("x", 65000), strings.Repeat("f", 1000), nil, false},
		{"characters count, not bytes", strings.Repeat("日", 60000), "facts", nil, true},
		{"an emoji counts twice, as in UTF-16", strings.Repeat("🙂", 33000), "facts", []string{"comment"}, false},
		{"what GitHub would refuse is not sent", strings.Repeat("x", 65536), "", []string{"comment"}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			p := h.said(41, c.body)
			p.Facts = c.facts
			_, warnings := h.publish(t, p)
			wantCodes(t, warnings, c.want...)
			all := h.Comments(7)
			if len(c.want) > 0 {
				if n := h.TakeWrites(); n != 0 || len(all) != 0 {
					t.Errorf("%d writes, want none", n)
				}
				return
			}
			if got := strings.Contains(all[0].Body, "\n"+c.facts+"\n"); got != c.keeps {
				t.Errorf("facts kept: %v, want %v", got, c.keeps)
			}
		})
	}
}

func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		rule     string
		who      githubtest.Identity
		comments bool
		checks   bool
		fork     bool
		want     []string
		says     string
	}{
		{"a workflow's token with both", githubtest.Actions, true, true, false, []string{}, ""},
		{"no pull-requests: write", githubtest.Actions, false, true, false, []string{"comment"}, "`pull-requests: write`"},
		{"no checks: write", githubtest.Actions, true, false, false, []string{"check"}, "`checks: write`"},
		{"a personal access token makes no check runs", githubtest.Octocat, true, true, false, []string{"check"}, "personal access token"},
		{"a fork is told once", githubtest.Actions, false, false, true, []string{"read_only"}, "comes from a fork"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			h.AddToken("t", c.who, c.comments, c.checks)
			ev := h.event()
			ev.Fork = c.fork
			p := h.said(41, "new")
			p.Check = check()
			p.event = ev
			published, warnings := p.by(t, clientOf(t, h, "t"))
			wantCodes(t, warnings, c.want...)
			if len(warnings) > 0 && !strings.Contains(warnings[0].Message, c.says) {
				t.Errorf("warning %q does not say %q", warnings[0].Message, c.says)
			}
			if (published.CommentURL != "") != c.comments {
				t.Errorf("comment %q, permission %v", published.CommentURL, c.comments)
			}
		})
	}
}

func TestOtherAccounts(t *testing.T) {
	app := githubtest.Identity{ID: 77, Login: "prompts-gate[bot]", Bot: true}
	user := githubtest.Identity{ID: 78, Login: "prompts-gate"}
	for _, who := range []githubtest.Identity{githubtest.Actions, app, user} {
		t.Run(who.Login, func(t *testing.T) {
			h := newHub()
			h.AddToken("t", who, true, true)
			client := clientOf(t, h, "t")
			h.AddComment(githubtest.Mallory, 7, ours(t, 40, "forged"))
			for id := int64(41); id < 44; id++ {
				if _, warnings := h.said(id, fmt.Sprint("result ", id)).by(t, client); len(warnings) > 0 {
					t.Errorf("run %d: %v", id, warnings)
				}
			}
			wantBodies(t, h, "mallory 40.1 forged", who.Login+" 43.1 result 43")
		})
	}
}

// Without GraphQL nobody knows whose a comment is.
func TestWithoutGraphQLNoCommentIsChanged(t *testing.T) {
	h := newHub()
	old := ours(t, 40, "old")
	h.AddComment(githubtest.Actions, 7, old)
	h.DisableGraphQL()
	_, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings, "comment")
	if want := "the comment was not published: GitHub's GraphQL API did not say who wrote it"; warnings[0].Message != want {
		t.Errorf("%q, want %q", warnings[0].Message, want)
	}
	wantBodies(t, h, bot+"40.1 old")
}

func TestFaultsWhilePublishing(t *testing.T) {
	comments := regexp.MustCompile(`/comments`)
	broken := func(method string, times int, after bool) githubtest.Fault {
		return githubtest.Fault{Method: method, Path: comments, Times: times, Status: 502, Body: "<html>Bad Gateway</html>", CarryOut: after}
	}
	cutOff := func(method string, after bool) githubtest.Fault {
		return githubtest.Fault{Method: method, Path: comments, Times: 1, CloseConnection: true, CarryOut: after}
	}
	for _, c := range []struct {
		rule  string
		fault githubtest.Fault
		first bool // no comment is there yet
		want  []string
	}{
		{"a 502 that made the comment makes no second one", broken("POST", 1, true), true, nil},
		{"a cut connection that made the comment makes no second one", cutOff("POST", true), true, nil},
		{"a 502 that made nothing is repeated", broken("POST", 1, false), true, nil},
		{"a cut connection that made nothing is repeated", cutOff("POST", false), true, nil},
		{"a 502 on a change", broken("PATCH", 2, false), false, nil},
		{"a 502 after a change", broken("PATCH", 1, true), false, nil},
		{"three broken listings", broken("GET", 3, false), false, nil},
		{"GitHub stays broken", broken("POST", 0, false), true, []string{"comment"}},
		{"404 for a token that may not write", githubtest.Fault{Method: "PATCH", Path: comments, Status: 404, Body: `{"message":"Not Found"}`}, false, []string{"comment"}},
		{"401", githubtest.Fault{Path: comments, Status: 401, Body: `{"message":"Bad credentials"}`}, true, []string{"comment"}},
		{"422", githubtest.Fault{Method: "POST", Path: comments, Status: 422, Body: `{"message":"Validation Failed"}`}, true, []string{"comment"}},
		{"GraphQL is broken for a while", githubtest.Fault{Path: regexp.MustCompile(`/graphql`), Times: 2, Status: 502}, false, nil},
		{"GraphQL answers with a page", githubtest.Fault{Path: regexp.MustCompile(`/graphql`), Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html>"}, false, []string{"comment"}},
		{"GraphQL's answer is cut", githubtest.Fault{Path: regexp.MustCompile(`/graphql`), Times: 2, Status: 200, Body: `{"data": {"nodes": [`}, false, nil},
		{"a list is cut", githubtest.Fault{Method: "GET", Path: comments, Times: 3, Status: 200, Body: `[{"id": 7, "bo`}, false, nil},
		{"a list is empty where it was cut", githubtest.Fault{Method: "GET", Path: comments, Times: 1, Status: 200}, false, nil},
		{"an answer that is cut after the comment was made makes no second one", githubtest.Fault{Method: "POST", Path: comments, Times: 1, CarryOut: true, Status: 201, Body: `{"id": 10`}, true, nil},
		{"a cut answer that made nothing is repeated", githubtest.Fault{Method: "POST", Path: comments, Times: 1, Status: 201, Body: `{"id": 10`}, true, nil},
		{"an answer that is cut after a change", githubtest.Fault{Method: "PATCH", Path: comments, Times: 1, CarryOut: true, Status: 200, Body: `{`}, false, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			if !c.first {
				h.publish(t, h.said(40, "old"))
			}
			h.AddFault(c.fault)
			_, warnings := h.publish(t, h.said(41, "new"))
			wantCodes(t, warnings, c.want...)
			h.ClearFaults()
			if all := bodies(h); len(all) > 1 || c.want == nil && (len(all) != 1 || all[0] != bot+"41.1 new") {
				t.Errorf("comments %q", all)
			}
			for _, w := range warnings {
				if strings.Contains(w.Message, githubtest.Token) || strings.Contains(w.Message, "api.github.test") || strings.ContainsAny(w.Message, "\n\r") {
					t.Errorf("warning %q", w.Message)
				}
			}
		})
	}
}

// A text counts for the newest result only if we wrote it: who may write to the repository can edit our comment.
func TestAForgedRunFreezesNothing(t *testing.T) {
	const huge = 999_999_999_999
	for _, c := range []struct {
		rule  string
		forge func(t *testing.T, h hub)
		want  []string
	}{
		{"in a comment of somebody else", func(t *testing.T, h hub) {
			h.AddComment(githubtest.Mallory, 7, ours(t, huge, "forged"))
		}, []string{"mallory 999999999999.1 forged", bot + "41.1 result"}},
		{"in our own comment, edited", func(t *testing.T, h hub) {
			h.publish(t, h.said(40, "old"))
			h.EditComment(githubtest.Mallory, h.Comments(7)[0].ID, ours(t, huge, "forged"))
		}, []string{bot + "41.1 result"}},
		{"edited so that it says the same", func(t *testing.T, h hub) {
			h.publish(t, h.said(40, "result"))
			h.EditComment(githubtest.Mallory, h.Comments(7)[0].ID, strings.Replace(h.Comments(7)[0].Body, "run=40.1", "run=999999999999.1", 1))
		}, []string{bot + "41.1 result"}},
		{"edited, and written over by us since", func(t *testing.T, h hub) {
			h.publish(t, h.said(39, "older"))
			h.EditComment(githubtest.Octocat, h.Comments(7)[0].ID, ours(t, huge, "forged"))
			h.publish(t, h.said(40, "old"))
		}, []string{bot + "41.1 result"}},
		{"by a user who is called like our App", func(t *testing.T, h hub) {
			h.publish(t, h.said(40, "old"))
			h.EditComment(githubtest.Identity{ID: 5, Login: "github-actions"}, h.Comments(7)[0].ID, ours(t, huge, "forged"))
		}, []string{bot + "41.1 result"}},
		{"a newer result of ours under an edit of somebody else comes back", func(t *testing.T, h hub) {
			h.publish(t, h.said(43, "newest"))
			h.EditComment(githubtest.Mallory, h.Comments(7)[0].ID, ours(t, 12, "forged"))
		}, []string{bot + "43.1 newest"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			c.forge(t, h)
			h.publish(t, h.said(41, "result"))
			wantBodies(t, h, c.want...)
		})
	}
}

// A check run whose making was answered with half a document is not made twice.
func TestACutAnswerMakesNoSecondCheckRun(t *testing.T) {
	for _, made := range []bool{true, false} {
		h := newHub()
		h.AddFault(githubtest.Fault{Method: "POST", Path: regexp.MustCompile(`/check-runs`), Times: 1, CarryOut: made, Status: 201, Body: `{"id": 1, "na`})
		p := h.said(41, "result")
		p.Check = check()
		published, warnings := h.publish(t, p)
		wantCodes(t, warnings)
		if n := len(h.Checks()); n != 1 || published.CheckURL == "" {
			t.Errorf("%d check runs at %q, want one", n, published.CheckURL)
		}
	}
}

func TestADuplicateThatCannotBeRemovedIsAWarning(t *testing.T) {
	h := newHub()
	h.AddComment(githubtest.Actions, 7, ours(t, 39, "one"))
	h.AddComment(githubtest.Actions, 7, ours(t, 40, "two"))
	h.AddFault(githubtest.Fault{Method: http.MethodDelete, Status: 403, Body: `{"message":"Forbidden"}`})
	published, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings, "comment")
	if !strings.HasPrefix(warnings[0].Message, "a second comment of this job was not removed: the token needs `pull-requests: write`") || published.CommentURL == "" {
		t.Errorf("%q, URL %q", warnings[0].Message, published.CommentURL)
	}
	wantBodies(t, h, bot+"41.1 new", bot+"40.1 two")
}
