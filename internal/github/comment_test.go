package github_test

import (
	"fmt"
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
	p := h.said(41, "x")
	p.event.Name, p.event.Number = "push", 0
	if _, warnings := h.publish(t, p); len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	if got := h.TakeRequests(); len(got) > 0 {
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
			h.AddComment(c.who, 7, c.body)
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
		h.AddComment(githubtest.Octocat, 7, fmt.Sprint("comment ", i))
	}
	h.AddComment(githubtest.Actions, 7, ours(t, 40, "old"))
	for i := range 9 {
		h.AddComment(githubtest.Octocat, 7, fmt.Sprint("late comment ", i))
	}
	h.publish(t, h.said(41, "new"))
	if got := bodies(h); len(got) != 250 || got[240] != bot+"41.1 new" {
		t.Errorf("%d comments, the 241st is %q", len(got), got[240])
	}
}

func TestForgedMarksDoNotHideOurs(t *testing.T) {
	h := newHub()
	for range 150 {
		h.AddComment(githubtest.Mallory, 7, ours(t, 9e15, "forged"))
	}
	id := h.AddComment(githubtest.Actions, 7, ours(t, 40, "old"))
	_, warnings := h.publish(t, h.said(41, "new"))
	wantCodes(t, warnings)
	if all := h.Comments(7); len(all) != 151 || all[150].ID != id || !strings.Contains(all[150].Body, "new") {
		t.Errorf("%d comments, the last says %q", len(all), all[len(all)-1].Body)
	}
}

func TestSeveralOfOurs(t *testing.T) {
	h := newHub()
	first := h.AddComment(githubtest.Actions, 7, ours(t, 38, "first"))
	h.AddComment(githubtest.Octocat, 7, "hello")
	h.AddComment(githubtest.Actions, 7, ours(t, 39, "second"))
	h.AddComment(githubtest.Actions, 7, ours(t, 40, "third"))
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
	h.TakeRequests()
	published, warnings := h.publish(t, h.said(41, "older"))
	wantCodes(t, warnings, "newer_run")
	wantBodies(t, h, bot+"42.1 newer")
	if n := h.TakeWrites(); n != 0 {
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
	again.run.Attempt = 2
	h.publish(t, again)
	wantBodies(t, h, bot+"41.2 second attempt")
}

func TestTheSameResultIsNotWrittenAgain(t *testing.T) {
	h := newHub()
	h.publish(t, h.said(41, "same"))
	h.TakeRequests()
	again := h.said(41, "same")
	again.run.Attempt, again.Facts = 2, "other facts"
	published, _ := h.publish(t, again)
	if n := h.TakeWrites(); n != 0 {
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
	next.event.HeadSHA = strings.Repeat("b", 40)
	h.publish(t, next)
	wantBodies(t, h, bot+"42.1 same")
}

func TestAnOverwrittenNewerResultIsPutBack(t *testing.T) {
	h := newHub()
	id := h.AddComment(githubtest.Actions, 7, ours(t, 43, "newest"))
	h.EditComment(githubtest.Octocat, id, ours(t, 40, "a late run"))
	_, warnings := h.publish(t, h.said(41, "ours"))
	wantCodes(t, warnings, "newer_run")
	wantBodies(t, h, bot+"43.1 newest")
}

func TestThePullRequestMovedOn(t *testing.T) {
	h := newHub()
	next := h.Commit(map[string]string{"suites/a.yaml": "newer"}, h.head)
	h.SetPull(7, h.base, next, false)
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
