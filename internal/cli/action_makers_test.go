package cli_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

var (
	dependabot = githubtest.Identity{ID: 49699333, Login: "dependabot[bot]", Bot: true}
	webFlow    = githubtest.Identity{ID: 19864447, Login: "web-flow"}
	unlinked   = githubtest.Identity{} // an e-mail address that is no account's
)

// ofDependabot is the removal of a case in a pull request that Dependabot opened, wrote and pushed.
func ofDependabot(t testing.TB) *hub {
	t.Helper()
	h := removal(t)
	h.SetPullAuthor(pullNumber, dependabot)
	h.pull()["user"] = userOf(dependabot)
	h.SetAuthors(h.head, dependabot, webFlow)
	h.event["sender"] = userOf(dependabot)
	h.ForgetPushes()
	h.AddPush(pullNumber, dependabot, h.base, h.head)
	return h
}

// moves makes a commit the head, which somebody pushed; in the event alone, as long as the branch's activity is not
// written yet.
func (h *hub) moves(who githubtest.Identity, head string) {
	h.event["before"], h.event["after"], h.event["sender"] = h.head, head, userOf(who)
	h.SetPull(pullNumber, h.base, head, false)
	h.head = head
	h.pull()["head"].(map[string]any)["sha"], h.env["GITHUB_SHA"] = head, h.MergeCommit(pullNumber)
}

// edited is the pull request's change with a text in one more file.
func edited(t testing.TB, name, text string) map[string]string {
	strict := []string{"min_run_score: 0.5", "min_run_score: 0.5, on_removed: error"}
	files := maps.Clone(shop(t, append(strict, lostCase, "")...))
	files[name] = text
	return files
}

// main moves the base branch on by a file.
func (h *hub) mainMoves() string {
	files := maps.Clone(shop(h.t, "min_run_score: 0.5", "min_run_score: 0.5, on_removed: error"))
	files["notes.md"] = "of main"
	h.base = h.Commit(files, h.base)
	h.SetBranch("main", h.base)
	return h.base
}

// as makes the event another activity than a push, of whoever.
func (h *hub) as(action string, who githubtest.Identity) {
	delete(h.event, "before")
	delete(h.event, "after")
	h.event["action"], h.event["sender"] = action, userOf(who)
}

func TestNobodyAcceptsWhatTheyMade(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule string
		made func(h *hub)
		by   githubtest.Identity
		says string // "" of ada's acceptance, else what the comment says of its refusal
	}{
		{"another person accepts what Dependabot pushed", func(*hub) {}, ada, "pushed by dependabot[bot], accepted by"},
		{"another person accepts what a person pushed", func(h *hub) { h.moves(grace, h.Commit(edited(t, "x.md", "1"), h.head)) }, ada, "pushed by grace, accepted by"},
		{"who opened what another pushed", func(h *hub) {
			h.SetPullAuthor(pullNumber, ada)
			h.pull()["user"] = userOf(ada)
		}, ada, "ada opened it"},
		{"who pushed the head", func(h *hub) { h.moves(ada, h.Commit(edited(t, "x.md", "1"), h.head)) }, ada, "ada pushed it"},
		{"who pushed it and is called otherwise since", func(h *hub) {
			h.moves(githubtest.Identity{ID: ada.ID, Login: "lovelace"}, h.Commit(edited(t, "x.md", "1"), h.head))
		}, ada, "ada pushed it"},
		{"who wrote a commit that another pushed", func(h *hub) {
			h.moves(grace, h.Commit(edited(t, "x.md", "1"), h.head))
			h.SetAuthors(h.head, ada, grace)
		}, ada, "ada made commit"},
		{"who wrote a commit in the web editor", func(h *hub) { h.SetAuthors(h.head, ada, webFlow) }, ada, "ada made commit"},
		{"who wrote an earlier commit", func(h *hub) {
			h.SetAuthors(h.head, ada, ada)
			h.moves(grace, h.Commit(edited(t, "x.md", "1"), h.head))
		}, ada, "ada made commit"},
		{"who rebased a commit", func(h *hub) { h.SetAuthors(h.head, dependabot, ada) }, ada, "ada made commit"},
		{"a commit whose author has no account", func(h *hub) { h.SetAuthors(h.head, unlinked, grace) }, ada, "nobody can accept it: commit"},
		{"a commit whose committer has no account", func(h *hub) { h.SetAuthors(h.head, grace, unlinked) }, ada, "nobody can accept it: commit"},
		{"250 commits", func(h *hub) { h.long(249) }, ada, "pushed by dependabot[bot], accepted by"},
		{"251 commits", func(h *hub) { h.long(250) }, ada, "nobody can accept it: it has more than 250 commits"},

		{"who updates the branch stays a reviewer", func(h *hub) {
			before := h.head
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "pushed by dependabot[bot], accepted by"},
		{"who updates the branch twice stays a reviewer", func(h *hub) {
			before := h.head
			h.moves(grace, h.Commit(edited(t, "notes.md", "of main"), before, h.mainMoves()))
			h.SetAuthors(h.head, unlinked, webFlow)
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), h.head, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "pushed by dependabot[bot], accepted by"},
		{"what another updated remains its pusher's", func(h *hub) {
			before := h.Commit(edited(t, "x.md", "1"), h.head)
			h.moves(ada, before)
			with := edited(t, "notes.md", "of main")
			with["x.md"] = "1"
			h.moves(grace, h.Commit(with, before, h.mainMoves()))
			h.SetAuthors(before, dependabot, dependabot) // as a commit says that is not signed
			h.AddPush(pullNumber, ada, h.head, before)
		}, ada, "ada pushed it"},
		{"a commit pushed together with the update", func(h *hub) {
			first := h.head
			before := h.Commit(edited(t, "x.md", "1"), first)
			with := edited(t, "notes.md", "of main")
			with["x.md"] = "1"
			h.moves(ada, h.Commit(with, before, h.mainMoves()))
		}, ada, "ada pushed it"},
		{"an update that leaves out what the base branch has", func(h *hub) {
			before := h.head
			h.moves(ada, h.Commit(edited(t, "x.md", "1"), before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada pushed it"},
		{"an update that keeps the own side of everything", func(h *hub) {
			before := h.head
			files := edited(t, "x.md", "1")
			delete(files, "x.md")
			h.moves(grace, h.Commit(files, before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},
		{"an update with a change of its own", func(h *hub) {
			before := h.head
			with := edited(t, "notes.md", "of main")
			with["x.md"] = "1"
			h.moves(grace, h.Commit(with, before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},
		{"a merge of another branch", func(h *hub) {
			other := h.Commit(edited(t, "y.md", "2"), h.base)
			h.SetAuthors(other, dependabot, webFlow)
			h.moves(grace, h.Commit(edited(t, "y.md", "2"), h.head, other))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},
		{"an update whose parents are the other way round", func(h *hub) {
			before := h.head
			h.moves(grace, h.Commit(edited(t, "notes.md", "of main"), h.mainMoves(), before))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},
		{"a merge of what the base branch was, which takes back what it is", func(h *hub) {
			old := h.base
			h.moves(grace, h.Commit(edited(t, "notes.md", "of main"), h.head, h.mainMoves()))
			files := edited(t, "notes.md", "")
			delete(files, "notes.md")
			h.moves(grace, h.Commit(files, h.head, old))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},
		{"an update of an earlier head, over a later one", func(h *hub) {
			first := h.head
			h.moves(dependabot, h.Commit(edited(t, "x.md", "1"), first))
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), first, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada pushed it"},
		{"a commit pushed, and taken back again", func(h *hub) {
			first := h.head
			h.moves(grace, h.Commit(edited(t, "x.md", "1"), first))
			h.moves(ada, first)
		}, ada, "ada pushed it"},
		{"who updates the branch before its author pushes again stays a reviewer", func(h *hub) {
			before := h.head
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
			h.moves(grace, h.Commit(edited(t, "notes.md", "of grace"), h.head))
		}, ada, "pushed by grace, accepted by"},
		{"who updates what both sides have alike stays a reviewer", func(h *hub) {
			before := h.Commit(edited(t, "notes.md", "of main"), h.head)
			h.SetAuthors(before, dependabot, webFlow)
			h.moves(dependabot, before)
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), before, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "pushed by dependabot[bot], accepted by"},
		{"a merge of three", func(h *hub) {
			before, main := h.head, h.base
			h.moves(grace, h.Commit(edited(t, "notes.md", "of main"), before, main, h.mainMoves()))
			h.SetAuthors(h.head, ada, webFlow)
		}, ada, "ada made commit"},

		{"who labels it has not pushed it", func(h *hub) { h.as("labeled", ada) }, ada, "pushed by dependabot[bot], accepted by"},
		{"who pushed what another opened", func(h *hub) {
			h.as("opened", grace)
			h.AddPush(pullNumber, ada, h.base, h.head)
		}, ada, "ada pushed it"},
		{"who pushed it, then somebody else something that is gone", func(h *hub) {
			h.as("reopened", grace)
			h.AddPush(pullNumber, ada, h.base, h.head)
			h.AddPush(pullNumber, grace, h.head, h.base)
		}, ada, "ada pushed it"},
		{"who opened it has pushed its first head, as far as is known", func(h *hub) {
			h.as("opened", grace)
			h.ForgetPushes()
		}, ada, "pushed by grace, accepted by"},
		{"a push that the branch's activity does not have", func(h *hub) {
			h.as("reopened", grace)
			h.ForgetPushes()
		}, ada, "nobody can accept it: who pushed commit"},
		{"a push of an account that is gone", func(h *hub) {
			h.as("opened", grace)
			h.AddPush(pullNumber, unlinked, h.base, h.head)
		}, ada, "nobody can accept it: who pushed commit"},
		{"an event that tells of another head", func(h *hub) {
			h.event["after"] = h.base
			h.AddPush(pullNumber, ada, h.base, h.head)
		}, ada, "ada pushed it"},
		{"a push by a workflow, which anybody may start who writes", func(h *hub) {
			h.as("edited", ada)
			h.AddPush(pullNumber, githubtest.Actions, h.base, h.head)
		}, ada, "nobody can accept it: github-actions[bot] pushed commit"},
		{"an activity that the token does not see", func(h *hub) {
			h.as("labeled", grace)
			h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(`/activity`), Status: http.StatusForbidden, Body: `{"message": "Resource not accessible"}`})
		}, ada, "nobody can accept it: who pushed commit"},
		{"an activity that cannot be read", func(h *hub) {
			h.as("opened", grace)
			h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(`/activity`), Status: http.StatusBadGateway})
		}, ada, "could not read whether a review accepts this"},
		{"commits that cannot be read", func(h *hub) {
			h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(`/compare/.*per_page=100`), Status: http.StatusForbidden, Body: `{"message": "no"}`})
		}, ada, "could not read whether a review accepts this"},
		{"files of an update that cannot be read", func(h *hub) {
			before := h.head
			h.moves(ada, h.Commit(edited(t, "notes.md", "of main"), before, h.mainMoves()))
			h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(`/git/trees/` + before), Status: http.StatusNotFound, Body: `{"message": "no"}`})
		}, ada, "could not read whether a review accepts this"},
	} {
		for kind, accept := range map[string]func(h *hub){
			"review":  func(h *hub) { h.AddReview(pullNumber, c.by, "APPROVED", h.head) },
			"command": func(h *hub) { h.AddComment(c.by, pullNumber, "/failproof accept "+h.head+" place because so") },
		} {
			t.Run(c.rule+", "+kind, func(t *testing.T) {
				h := ofDependabot(t)
				c.made(h)
				h.expect(h.run(), cli.ExitFailed, "failed")
				accept(h)
				o := h.again()
				want, verdict := cli.ExitFailed, "failed"
				if strings.HasSuffix(c.says, "accepted by") {
					want, verdict = cli.ExitPassed, "passed"
					holds(t, "the summary", o.summary, "the "+kind+" of ada")
				}
				h.expect(o, want, verdict)
				if want == cli.ExitFailed {
					holds(t, "the summary", o.summary, "not accepted: ")
					nobody := strings.HasPrefix(c.says, "nobody can accept it")
					if strings.Contains(o.summary, "a review with `Approve`") == nobody ||
						strings.Contains(o.summary, "**Next:** No review can accept this") != nobody {
						t.Errorf("a review is offered where nobody can accept it, or not where somebody can:\n%s", o.summary)
					}
				}
				holds(t, "the summary", strings.ReplaceAll(o.summary, "`", ""), c.says)
			})
		}
	}
}

// long puts so many commits more on the pull request.
func (h *hub) long(more int) {
	head := h.head
	for n := range more {
		head = h.Commit(edited(h.t, "n.md", fmt.Sprint(n)), head)
		h.SetAuthors(head, dependabot, webFlow)
	}
	h.moves(dependabot, head)
}

// In a merge group, on the branch and for a fork's first head no event tells who pushed it: the activity of its branch
// does.
func TestWhoPushedIsReadWhereNoEventTellsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule string
		land func(h *hub)
	}{
		{"a merge group", func(h *hub) { h.queue(false, pullNumber) }},
		{"the push of its merge", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": h.base, "after": h.Merge(pullNumber, false), "sender": userOf(grace)})
		}},
		{"the push of its squashed commit", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": h.base, "after": h.Merge(pullNumber, true), "sender": userOf(grace)})
		}},
		{"a fork's first head", func(h *hub) {
			h.as("opened", grace)
			h.fork(map[string]any{"id": 2000, "full_name": "mallory/prompts"})
			h.AddJob("prompt gate", h.head, 100, "failure")
		}},
	} {
		for _, pusher := range []githubtest.Identity{dependabot, ada} {
			h := ofDependabot(t)
			h.expect(h.run(), cli.ExitFailed, "failed")
			h.AddJob("prompt gate", h.head, 100, "failure")
			h.ForgetPushes()
			h.AddPush(pullNumber, pusher, h.base, h.head)
			c.land(h)
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			o := h.again()
			want, says := cli.ExitPassed, "pushed by `dependabot[bot]`, accepted by the review of ada"
			if pusher == ada {
				want, says = cli.ExitFailed, "not accepted: ada pushed it"
			}
			if o.code != want {
				t.Errorf("%s, pushed by %s: exit code %d, want %d; log:\n%s", c.rule, pusher.Login, o.code, want, o.log)
			}
			holds(t, c.rule+": the summary", o.summary, says)
		}
	}
}

// The bot answers who may not accept before any job runs again.
func TestTheBotSaysWhyNobodyAccepts(t *testing.T) {
	for _, c := range []struct {
		made func(h *hub)
		says string
	}{
		{func(h *hub) { h.SetAuthors(h.head, ada, webFlow) }, "You cannot accept your own change: ada made commit "},
		{func(h *hub) { h.SetAuthors(h.head, unlinked, webFlow) }, "Nobody can accept it: commit "},
		{func(h *hub) { h.AddPush(pullNumber, ada, h.base, h.head) }, "You cannot accept your own change: ada pushed it."},
		{func(h *hub) { h.ForgetPushes() }, "Nobody can accept it: who pushed commit "},
	} {
		h := ofDependabot(t)
		h.expect(h.run(), cli.ExitFailed, "failed")
		h.AllowActions(githubtest.Token)
		c.made(h)
		o := h.tellAs(ada, "/failproof accept "+h.head+" place because so")
		if len(h.Reruns()) != 0 || len(o.reactions) != 1 || o.reactions[0] != "confused" {
			t.Errorf("runs %v were started, reactions %q; want none, and one", h.Reruns(), o.reactions)
		}
		holds(t, "the reply", strings.Join(o.replies, ""), c.says)
	}
}
