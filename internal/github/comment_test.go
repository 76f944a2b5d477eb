package github_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// bodies returns who says what on pull request 7: author, run of the mark, first line of the result.
func bodies(h hub) []string {
	out := []string{}
	run := regexp.MustCompile(`^<!-- failproof:comment v=1 key=[0-9a-f]{16} run=(\d+\.\d+) head=[0-9a-f]{7} -->\n(.*)\n`)
	for _, c := range h.Comments(7) {
		if m := run.FindStringSubmatch(c.Body); m != nil {
			out = append(out, c.Author.Login+" "+m[1]+" "+m[2])
		} else {
			out = append(out, c.Author.Login+": "+c.Body)
		}
	}
	return out
}

func wantBodies(t *testing.T, h hub, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), bodies(h)); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func wantCodes(t *testing.T, warnings []failproof.Warning, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), codes(warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s\n%v", diff, warnings)
	}
}

const bot = "github-actions[bot] "

func TestTheFirstLineIsTheMark(t *testing.T) {
	h := newHub()
	published, warnings := h.publish(t, h.said(41, "## ✅ passed"))
	wantCodes(t, warnings)
	c := h.Comments(7)[0]
	want := fmt.Sprintf("<!-- failproof:comment v=1 key=b96639bfc4a814e2 run=41.1 head=%s -->\n## ✅ passed\n\n<!-- failproof:facts -->\nfacts of this run\n\n<!-- failproof:end -->", h.head[:7])
	if diff := cmp.Diff(want, c.Body); diff != "" {
		t.Errorf("the comment (-want +got):\n%s", diff)
	}
	if want := fmt.Sprintf("https://github.com/octo/prompts/pull/7#issuecomment-%d", c.ID); published.CommentURL != want {
		t.Errorf("URL %q, want %q", published.CommentURL, want)
	}
}

func TestWhenACommentIsMade(t *testing.T) {
	for _, c := range []struct {
		rule               string
		mode               failproof.CommentMode
		noteworthy, failed bool
		exists             bool
		want               string // "" for no comment, "old" for an untouched one, "new" for ours
	}{
		{"auto: nothing to say, no comment", failproof.CommentAuto, false, false, false, ""},
		{"auto: something to say", failproof.CommentAuto, true, false, false, "new"},
		{"auto: a failure is something to say", failproof.CommentAuto, false, true, false, "new"},
		{"auto: a comment that exists is brought up to date", failproof.CommentAuto, false, false, true, "new"},
		{"always", failproof.CommentAlways, false, false, false, "new"},
		{"failures: a change is not enough", failproof.CommentFailures, true, false, false, ""},
		{"failures: a failure is", failproof.CommentFailures, true, true, false, "new"},
		{"failures: a red comment turns green", failproof.CommentFailures, false, false, true, "new"},
		{"never makes none", failproof.CommentNever, true, true, false, ""},
		{"never changes none", failproof.CommentNever, true, true, true, "old"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			if c.exists {
				h.publish(t, h.said(40, "old"))
			}
			p := h.said(41, "new")
			p.Mode, p.Noteworthy, p.Failed = c.mode, c.noteworthy, c.failed
			_, warnings := h.publish(t, p)
			wantCodes(t, warnings)
			switch c.want {
			case "":
				wantBodies(t, h)
			case "old":
				wantBodies(t, h, bot+"40.1 old")
			case "new":
				wantBodies(t, h, bot+"41.1 new")
			}
		})
	}
}

func TestOnlyPullRequestsAreCommentedOn(t *testing.T) {
	h := newHub()
	ev := h.event()
	ev.Name, ev.Number = "push", 0
	if _, warnings := failproof.Publish(t.Context(), clientOf(t, h, githubtest.Token), ev, h.said(41, "x")); len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	if got := h.Requests(); len(got) > 0 {
		t.Errorf("requests %v, want none", got)
	}
}

// ours is a comment that a run published before the test.
func ours(t *testing.T, run int64, body string) string {
	t.Helper()
	h := newHub()
	h.publish(t, h.said(run, body))
	return h.Comments(7)[0].Body
}

func TestWhoseAComment(t *testing.T) {
	old := ours(t, 40, "old")
	otherJob := strings.Replace(old, "key=b966", "key=b967", 1)
	for _, c := range []struct {
		rule string
		who  githubtest.Identity
		body string
		ours bool
	}{
		{"ours is brought up to date", githubtest.Actions, old, true},
		{"one of ours that a maintainer changed is brought up to date", githubtest.Actions, strings.Replace(old, "old", "I disagree", 1), true},
		{"line ends of another kind are GitHub's affair", githubtest.Actions, strings.ReplaceAll(old, "\n", "\r\n"), true},
		{"our mark by somebody else", githubtest.Mallory, old, false},
		{"another job's comment", githubtest.Actions, otherJob, false},
		{"a quoted mark", githubtest.Actions, "> " + old, false},
		{"a mark below the first line", githubtest.Actions, "hello\n" + old, false},
		{"another version's mark", githubtest.Actions, strings.Replace(old, "v=1", "v=2", 1), false},
		{"a mark with something behind it", githubtest.Actions, strings.Replace(old, " -->", " --> x", 1), false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			h.Comment(c.who, 7, c.body)
			h.publish(t, h.said(41, "new"))
			all, said := h.Comments(7), bodies(h)
			if said[len(said)-1] != bot+"41.1 new" {
				t.Errorf("comments %q", said)
			}
			if c.ours && len(all) != 1 || !c.ours && (len(all) != 2 || all[0].Body != c.body) {
				t.Errorf("ours: %v, comments %q", c.ours, said)
			}
		})
	}
}

func TestAnExistingCommentIsFoundAmong250(t *testing.T) {
	h := newHub()
	for i := range 240 {
		h.Comment(githubtest.Octocat, 7, fmt.Sprint("comment ", i))
	}
	h.Comment(githubtest.Actions, 7, ours(t, 40, "old"))
	for i := range 9 {
		h.Comment(githubtest.Octocat, 7, fmt.Sprint("late comment ", i))
	}
	h.publish(t, h.said(41, "new"))
	if got := bodies(h); len(got) != 250 || got[240] != bot+"41.1 new" {
		t.Errorf("%d comments, the 241st is %q", len(got), got[240])
	}
}

func TestForgedMarksDoNotHideOurs(t *testing.T) {
	h := newHub()
	for range 150 {
		h.Comment(githubtest.Mallory, 7, ours(t, 9e15, "forged"))
	}
	id := h.Comment(githubtest.Actions, 7, ours(t, 40, "old"))
	_, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings)
	if all := h.Comments(7); len(all) != 151 || all[150].ID != id || !strings.Contains(all[150].Body, "new") {
		t.Errorf("%d comments, the last says %q", len(all), all[len(all)-1].Body)
	}
}

func TestSeveralOfOurs(t *testing.T) {
	h := newHub()
	first := h.Comment(githubtest.Actions, 7, ours(t, 38, "first"))
	h.Comment(githubtest.Octocat, 7, "hello")
	h.Comment(githubtest.Actions, 7, ours(t, 39, "second"))
	h.Comment(githubtest.Actions, 7, ours(t, 40, "third"))
	_, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings)
	wantBodies(t, h, bot+"41.1 new", "octocat: hello")
	if h.Comments(7)[0].ID != first {
		t.Error("the oldest was not kept")
	}
}

func TestAnOlderRunDoesNotOverwrite(t *testing.T) {
	h := newHub()
	h.publish(t, h.said(42, "newer"))
	h.Requests()
	published, warnings := h.publish(t, h.said(41, "older"))
	wantCodes(t, warnings, "newer_run")
	wantBodies(t, h, bot+"42.1 newer")
	if n := h.Writes(); n != 0 {
		t.Errorf("%d writes, want none", n)
	}
	if published.CommentURL == "" {
		t.Error("no URL of the comment that was left")
	}
}

func TestALaterAttemptOverwrites(t *testing.T) {
	h := newHub()
	h.publish(t, h.said(41, "first attempt"))
	again := h.said(41, "second attempt")
	again.Attempt = 2
	h.publish(t, again)
	wantBodies(t, h, bot+"41.2 second attempt")
}

func TestTheSameResultIsNotWrittenAgain(t *testing.T) {
	h := newHub()
	h.publish(t, h.said(41, "same"))
	h.Requests()
	again := h.said(41, "same")
	again.Attempt, again.Facts = 2, "other facts"
	published, _ := h.publish(t, again)
	if n := h.Writes(); n != 0 {
		t.Errorf("%d writes, want none", n)
	}
	if published.CommentURL == "" {
		t.Error("no URL")
	}
}

func TestTheSameResultOfAnotherCommitIsWritten(t *testing.T) {
	h := newHub()
	h.publish(t, h.said(41, "same"))
	next := h.said(42, "same")
	next.HeadSHA = strings.Repeat("b", 40)
	h.publish(t, next)
	wantBodies(t, h, bot+"42.1 same")
}

func TestAnOverwrittenNewerResultIsPutBack(t *testing.T) {
	h := newHub()
	id := h.Comment(githubtest.Actions, 7, ours(t, 43, "newest"))
	h.Edit(id, ours(t, 40, "a late run"))
	_, warnings := h.publish(t, h.said(41, "ours"))
	wantCodes(t, warnings, "newer_run")
	wantBodies(t, h, bot+"43.1 newest")
}

func TestThePullRequestMovedOn(t *testing.T) {
	h := newHub()
	next := h.Commit(map[string]string{"suites/a.yaml": "newer"}, h.head)
	h.Pull(7, h.base, next, false)
	p := h.said(41, "old head")
	p.Check = check()
	_, warnings := h.publish(t, p)
	wantCodes(t, warnings, "superseded")
	if got := h.Checks()[0].HeadSHA; got != h.head {
		t.Errorf("check on %s, want the commit that was judged, %s", got, h.head)
	}
	if text := h.Comments(7)[0].Body; !strings.Contains(text, "has moved on to `"+next[:7]+"`; this result is for `"+h.head[:7]+"`") {
		t.Errorf("the comment does not say so: %s", text)
	}
}

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
				if n := h.Writes(); n != 0 || len(all) != 0 {
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
			h.Allow("t", c.who, c.comments, c.checks)
			ev := h.event()
			ev.Fork = c.fork
			p := h.said(41, "new")
			p.Check = check()
			published, warnings := failproof.Publish(t.Context(), clientOf(t, h, "t"), ev, p)
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
		for _, graphql := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, GraphQL %v", who.Login, graphql), func(t *testing.T) {
				h := newHub()
				h.Allow("t", who, true, true)
				if !graphql {
					h.DisableGraphQL()
				}
				client := clientOf(t, h, "t")
				h.Comment(githubtest.Mallory, 7, ours(t, 40, "forged"))
				for run := int64(41); run < 44; run++ {
					if _, warnings := failproof.Publish(t.Context(), client, h.event(), h.said(run, fmt.Sprint("result ", run))); len(warnings) > 0 {
						t.Errorf("run %d: %v", run, warnings)
					}
				}
				wantBodies(t, h, "mallory 40.1 forged", who.Login+" 43.1 result 43")
			})
		}
	}
}

func TestFaultsWhilePublishing(t *testing.T) {
	comments := regexp.MustCompile(`/comments`)
	broken := func(method string, times int, after bool) githubtest.Fault {
		return githubtest.Fault{Method: method, Path: comments, Times: times, Status: 502, Body: "<html>Bad Gateway</html>", After: after}
	}
	cutOff := func(method string, after bool) githubtest.Fault {
		return githubtest.Fault{Method: method, Path: comments, Times: 1, Cut: true, After: after}
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
		{"GraphQL answers nonsense", githubtest.Fault{Path: regexp.MustCompile(`/graphql`), Status: 200, Body: "<html>"}, false, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			if !c.first {
				h.publish(t, h.said(40, "old"))
			}
			h.Fail(c.fault)
			_, warnings := h.publish(t, h.said(41, "new"))
			wantCodes(t, warnings, c.want...)
			h.Heal()
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

func TestADuplicateThatCannotBeRemovedIsAWarning(t *testing.T) {
	h := newHub()
	h.Comment(githubtest.Actions, 7, ours(t, 39, "one"))
	h.Comment(githubtest.Actions, 7, ours(t, 40, "two"))
	h.Fail(githubtest.Fault{Method: http.MethodDelete, Status: 403, Body: `{"message":"Forbidden"}`})
	published, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings, "comment")
	if !strings.HasPrefix(warnings[0].Message, "a second comment of this job was not removed: GitHub answered 403") || published.CommentURL == "" {
		t.Errorf("%q, URL %q", warnings[0].Message, published.CommentURL)
	}
	wantBodies(t, h, bot+"41.1 new", bot+"40.1 two")
}
