package cli_test

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// told is a comment and what came of the job that it started.
type told struct {
	outcome
	reactions []string
	replies   []string // what the bot wrote below it
}

// tell has somebody comment on the pull request, and runs the job that this starts: with the repository's own token and
// secrets.
func (h *hub) tell(who githubtest.Identity, text string) told {
	h.t.Helper()
	h.AddToken(githubtest.Token, githubtest.Actions, true, true)
	return h.tellAs(who, text)
}

// tellAs is tell under the token's permissions as they are.
func (h *hub) tellAs(who githubtest.Identity, text string) told {
	h.t.Helper()
	id := h.AddComment(who, pullNumber, text)
	env, event := h.env, h.event
	defer func() { h.env, h.event = env, event }()
	h.env = map[string]string{}
	for name, value := range env {
		h.env[name] = value
	}
	h.env["GITHUB_WORKFLOW"], h.env["GITHUB_WORKFLOW_REF"], h.env["GITHUB_SHA"] = "bot", "octo/prompts/.github/workflows/bot.yml@refs/heads/main", h.base
	h.env["GITHUB_RUN_ID"] = fmt.Sprint(5000 + id)
	h.event = h.commentEvent(id)
	h.env["GITHUB_EVENT_NAME"] = "issue_comment"
	before := len(h.Comments(pullNumber))
	out := told{outcome: h.run()}
	for i, c := range h.Comments(pullNumber) {
		if c.ID == id {
			out.reactions = c.Reactions
		}
		if i >= before && !strings.HasPrefix(c.Body, "<!-- failproof:comment") {
			out.replies = append(out.replies, c.Body)
		}
	}
	return out
}

// commentEvent is what GitHub sends of a comment.
func (h *hub) commentEvent(id int64) map[string]any {
	for _, c := range h.Comments(pullNumber) {
		if c.ID == id {
			return map[string]any{"action": "created", "repository": repository(1000),
				"issue":   map[string]any{"number": pullNumber, "pull_request": map[string]any{"url": "https://api.github.com/repos/octo/prompts/pulls/7"}},
				"comment": map[string]any{"id": id, "body": c.Body, "created_at": c.TextTimes[0], "user": userOf(c.Author)}}
		}
	}
	h.t.Fatalf("there is no comment %d", id)
	return nil
}

// The rows of what a comment may ask for, by whom, and what becomes of it.
func TestTheBotHeedsWhoMayAsk(t *testing.T) {
	for _, c := range []struct {
		rule      string
		who       githubtest.Identity
		text      string // SHA stands for the head, BASE for another commit
		code      int
		reactions []string
		reply     string // "" for none
		judged    bool
	}{
		{"what is no command", ada, "Nice work!", cli.ExitPassed, nil, "", false},
		{"a command that is quoted", ada, "> /failproof run SHA", cli.ExitPassed, nil, "", false},
		{"a bot's command", helper, "/failproof run SHA", cli.ExitPassed, nil, "", false},
		{"help for anybody", githubtest.Mallory, "/failproof help", cli.ExitPassed, []string{"+1"}, "failproof run SHA", false},
		{"a word alone is a call for help", ada, "/failproof", cli.ExitPassed, []string{"+1"}, "failproof run SHA", false},
		{"a word that it does not know", ada, "/failproof approve @everyone", cli.ExitPassed, []string{"confused"}, "There is no such command. Nothing was run or accepted.", false},
		{"a word that is misspelled", ada, "/failproof acept SHA place because it is gone", cli.ExitPassed, []string{"confused"}, "failproof accept SHA CASE… because REASON", false},
		{"a run by who may write", ada, "/failproof run SHA", cli.ExitFailed, []string{"eyes", "+1"}, "", true},
		{"a run by the author who may write", githubtest.Octocat, "/failproof run SHA", cli.ExitFailed, []string{"eyes", "+1"}, "", true},
		{"a run by who may not write", githubtest.Mallory, "/failproof run SHA", cli.ExitPassed, []string{"confused"}, "needs write access", false},
		{"a run of another commit", ada, "/failproof run BASE", cli.ExitPassed, []string{"confused"}, "The comment names another commit", false},
		{"a run of a short name", ada, "/failproof run a1b2c3d", cli.ExitPassed, []string{"confused"}, "40 hexadecimal digits", false},
		{"an acceptance by who may not write", githubtest.Mallory, "/failproof accept SHA place because", cli.ExitPassed, []string{"confused"}, "no reason", false},
		{"an acceptance of one's own", githubtest.Octocat, "/failproof accept SHA place because I say so", cli.ExitPassed, []string{"confused"}, "You cannot accept your own change", false},
		{"an acceptance of another commit", ada, "/failproof accept BASE place because it is gone", cli.ExitPassed, []string{"confused"}, "another commit", false},
		{"an acceptance, without a gate that could be told", ada, "/failproof accept SHA place because it is gone", cli.ExitPassed, []string{"+1"}, "Now rerun the gate’s job", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			o := h.tell(c.who, strings.NewReplacer("SHA", h.head, "BASE", h.base).Replace(c.text))
			if o.code != c.code || !slices.Equal(o.reactions, c.reactions) {
				t.Errorf("exit code %d and reactions %q, want %d and %q; log:\n%s", o.code, o.reactions, c.code, c.reactions, o.log)
			}
			if (len(o.replies) > 0) != (c.reply != "") || c.reply != "" && !strings.Contains(o.replies[0], c.reply) || strings.Contains(strings.Join(o.replies, ""), "@everyone") {
				t.Errorf("replies %q, want one with %q", o.replies, c.reply)
			}
			if got := len(h.Checks()) > 0; got != c.judged {
				t.Errorf("judged: %v, want %v", got, c.judged)
			}
		})
	}
}

func TestTheBotLeavesAloneWhatIsNoNewCommentOnAPullRequest(t *testing.T) {
	for _, c := range []struct {
		rule string
		edit func(event map[string]any)
	}{
		{"an edited comment", func(e map[string]any) { e["action"] = "edited" }},
		{"a deleted comment", func(e map[string]any) { e["action"] = "deleted" }},
		{"a comment on an issue", func(e map[string]any) { delete(e["issue"].(map[string]any), "pull_request") }},
	} {
		h := removal(t)
		h.event = h.commentEvent(h.AddComment(ada, pullNumber, "/failproof run "+h.head))
		h.env["GITHUB_EVENT_NAME"] = "issue_comment"
		c.edit(h.event)
		h.TakeRequests()
		o := h.run()
		if n := len(h.TakeRequests()); o.code != cli.ExitPassed || n != 0 || len(h.Checks()) != 0 {
			t.Errorf("%s: exit code %d, %d requests, %d check runs; want 0 and none", c.rule, o.code, n, len(h.Checks()))
		}
	}
}

// A fork's pull request has neither token nor secrets of its own: the bot's run posts its comment and its check run.
func TestTheBotJudgesAFork(t *testing.T) {
	h := removal(t, "From nine", "From ten")
	h.fork(repository(2000))
	h.expect(h.run(), cli.ExitFailed, "failed")
	if len(h.Checks()) != 0 {
		t.Fatal("a fork's token made a check run")
	}
	o := h.tell(ada, "/failproof run "+h.head)
	h.expect(o.outcome, cli.ExitFailed, "failed")
	checks := h.Checks()
	if len(checks) != 1 || checks[0].Name != "failproof" || checks[0].HeadSHA != h.head || checks[0].Conclusion != "failure" {
		t.Fatalf("check runs %+v, want one, failproof on %s", checks, h.head)
	}
	if all := h.Comments(pullNumber); len(all) != 2 || !strings.Contains(all[1].Body, "hours") {
		t.Errorf("%d comments, want the command and the result: %+v", len(all), all)
	}
}

func TestTheBotSaysThatARunCameToNothing(t *testing.T) {
	h := removal(t)
	h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(`/git/ref/pull/7/merge`), Status: http.StatusForbidden, Body: `{"message": "no"}`})
	o := h.tell(ada, "/failproof run "+h.head)
	if o.code != cli.ExitUndecided || !slices.Equal(o.reactions, []string{"eyes", "confused"}) {
		t.Errorf("exit code %d and reactions %q, want %d, and that it began and was not done; log:\n%s", o.code, o.reactions, cli.ExitUndecided, o.log)
	}
}

func TestTheBotJudgesNoHeadThatMoved(t *testing.T) {
	h := removal(t)
	old := h.head
	h.push(shop(t, "min_run_score: 0.5", "min_run_score: 0.5, on_removed: error", "From nine", "From ten"))
	o := h.tell(ada, "/failproof run "+old)
	holds(t, "the reply", strings.Join(o.replies, "\n"), "another commit", h.head)
	// It moves while the job starts: the merge is another one by then.
	moved := false
	h.OnRequest(func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/git/ref/pull/7/merge") && !moved {
			moved = true
			h.SetPull(pullNumber, h.base, h.Commit(shop(t, "min_run_score: 0.5", "min_run_score: 0.5, on_removed: error", "From nine", "From eleven"), h.head), false)
		}
	})
	o = h.tell(ada, "/failproof run "+h.head)
	if h.expect(o.outcome, cli.ExitUndecided, "undecided"); !moved {
		t.Error("the head did not move")
	}
}

func TestAnAcceptanceCountsWhereItIsRead(t *testing.T) {
	t.Parallel()
	because := " because the shop closes"
	for _, c := range []struct {
		rule string
		say  func(h *hub)
		want int
	}{
		{"by somebody who may write", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place"+because) }, cli.ExitPassed},
		{"with the suite before the case", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" shop/place"+because) }, cli.ExitPassed},
		{"by the rule", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" rule:on_removed"+because) }, cli.ExitPassed},
		{"by what a case may be called", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" on_removed"+because) }, cli.ExitFailed},
		{"in an example", func(h *hub) { h.AddComment(ada, pullNumber, "    /failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"behind a byte order mark", func(h *hub) { h.AddComment(ada, pullNumber, "\ufeff/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"in a quotation", func(h *hub) { h.AddComment(ada, pullNumber, "> /failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"in a block of code", func(h *hub) { h.AddComment(ada, pullNumber, "```\n/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"in a comment that nobody sees", func(h *hub) { h.AddComment(ada, pullNumber, "<!--\n/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"behind an empty line", func(h *hub) { h.AddComment(ada, pullNumber, "\n/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"with an invisible letter", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof\u200b accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"of everything", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" *"+because) }, cli.ExitFailed},
		{"of every case of a suite", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" shop/*"+because) }, cli.ExitFailed},
		{"of every rule", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" rule:*"+because) }, cli.ExitFailed},
		{"of a suite", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" shop"+because) }, cli.ExitFailed},
		{"over two lines", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+"\nplace"+because) }, cli.ExitFailed},
		{"of a commit in capitals", func(h *hub) {
			h.AddComment(ada, pullNumber, "/failproof accept "+strings.ToUpper(h.head)+" place"+because)
		}, cli.ExitFailed},
		{"in a comment that was edited, and edited back", func(h *hub) {
			text := "/failproof accept " + h.head + " place" + because
			id := h.AddComment(ada, pullNumber, text)
			h.EditComment(ada, id, "Not yet")
			h.EditComment(ada, id, text)
		}, cli.ExitFailed},
		{"with what follows it", func(h *hub) {
			h.AddComment(ada, pullNumber, "/failproof\taccept\t"+h.head+"  place"+because+"\r\n\r\nAnd so on")
		}, cli.ExitPassed},
		{"of another case", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" open"+because) }, cli.ExitFailed},
		{"of another rule", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" rule:on_redefined"+because) }, cli.ExitFailed},
		{"of another suite's case", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" other/place"+because) }, cli.ExitFailed},
		{"of another commit", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.base+" place"+because) }, cli.ExitFailed},
		{"without a reason", func(h *hub) { h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place") }, cli.ExitFailed},
		{"by the author", func(h *hub) {
			h.AddComment(githubtest.Octocat, pullNumber, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"by a bot", func(h *hub) { h.AddComment(helper, pullNumber, "/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"by somebody who may only read", func(h *hub) {
			h.AddComment(githubtest.Mallory, pullNumber, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"by somebody who may no longer write", func(h *hub) {
			h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place"+because)
			h.SetPermission(ada, "read")
		}, cli.ExitFailed},
		{"in a comment that was edited", func(h *hub) {
			id := h.AddComment(ada, pullNumber, "Looks fine to me")
			h.EditComment(githubtest.Octocat, id, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"in a comment that its author edited", func(h *hub) {
			id := h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" open"+because)
			h.EditComment(ada, id, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"in a comment that was edited, where GraphQL is switched off", func(h *hub) {
			h.DisableGraphQL()
			h.EditComment(githubtest.Octocat, h.AddComment(ada, pullNumber, "Fine"), "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"where GraphQL is switched off, so that nobody knows whether it was edited", func(h *hub) {
			h.DisableGraphQL()
			h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitFailed},
		{"not in the first line", func(h *hub) { h.AddComment(ada, pullNumber, "Well:\n/failproof accept "+h.head+" place"+because) }, cli.ExitFailed},
		{"after a hundred other comments", func(h *hub) {
			for range 120 {
				h.AddComment(grace, pullNumber, "And another thing")
			}
			h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place"+because)
		}, cli.ExitPassed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			h.expect(h.run(), cli.ExitFailed, "failed")
			c.say(h)
			o := h.again()
			if o.code != c.want {
				t.Fatalf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
			if c.want == cli.ExitPassed {
				holds(t, "the job summary", o.summary, "accepted by the command of ada")
			}
		})
	}
}

func TestAnAcceptanceOfSomethingElseIsSaidNotToCount(t *testing.T) {
	h := removal(t)
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" rule:on_remved because it is gone")
	o := h.again()
	h.expect(o, cli.ExitFailed, "failed")
	holds(t, "the job summary", o.summary, "; not accepted: the command of ada does not name all of it",
		"/failproof accept "+h.head+" shop/place because")
}

// A case may be called like a rule, and in two suites alike.
func TestAnAcceptanceOfACaseIsOfThatCaseAlone(t *testing.T) {
	t.Parallel()
	strict := []string{"min_run_score: 0.5", "min_run_score: 0.5, on_removed: error, on_policy_change: error"}
	till := []string{"  - { id: till, ", "  - { id: place, "} // of the suite desk, which is not run
	recorded := []string{`"case_id":"till"`, `"case_id":"place"`}
	for _, c := range []struct {
		rule, names string
		want        int
	}{
		{"the case alone", "shop/place", cli.ExitFailed},
		{"a rule's name without its mark", "shop/place on_policy_change", cli.ExitFailed},
		{"the case, and the rule", "shop/place rule:on_policy_change", cli.ExitPassed},
		{"what two suites call a case", "place rule:on_policy_change", cli.ExitFailed},
		{"what the comment says to copy", "", cli.ExitPassed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			both := slices.Concat(strict, till, recorded)
			h := hubOf(t, shop(t, both...), shop(t, append(both, lostCase, "", "min_run_score: 0.5, on_removed", "min_run_score: 0.1, on_removed")...))
			h.SetPermission(ada, "write")
			h.expect(h.run(), cli.ExitFailed, "failed")
			_, line, _ := strings.Cut(h.comment().Body, "`/failproof accept "+h.head+" ")
			line, _, _ = strings.Cut(line, " because …`")
			h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" "+cmp.Or(c.names, line)+" because so")
			if o := h.again(); o.code != c.want {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
		})
	}
}

// Two gates of a repository may have cases of one name. A command for one says nothing to the other.
func TestAnAcceptanceIsForTheRunThatItNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, name, says string
		want             int
		why              string
	}{
		{"the named run", "apps/shop", "run:apps/shop shop/place", cli.ExitPassed, ""},
		{"a name with a space", "the shop", "run:the_shop shop/place", cli.ExitPassed, ""},
		{"two runs", "apps/shop", "run:apps/desk run:apps/shop shop/place", cli.ExitPassed, ""},
		{"what the comment says to copy", "apps/shop", "", cli.ExitPassed, ""},
		{"another run", "apps/shop", "run:apps/desk shop/place", cli.ExitFailed, "was removed: shop/place"},
		{"a longer name", "apps", "run:apps/shop shop/place", cli.ExitFailed, "was removed: shop/place"},
		{"no run, and this one has a name", "apps/shop", "shop/place", cli.ExitFailed,
			"not accepted: the command of ada does not name this run, as in `run:apps/shop`"},
		{"no run, and a rule", "apps/shop", "rule:on_removed", cli.ExitFailed, "does not name this run"},
		{"a run, and this one has no name", "", "run:apps/shop shop/place", cli.ExitFailed, "was removed: shop/place"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			h.env["INPUT_NAME"] = c.name
			h.expect(h.run(), cli.ExitFailed, "failed")
			_, line, _ := strings.Cut(h.comment().Body, "`/failproof accept "+h.head+" ")
			line, _, _ = strings.Cut(line, " because …`")
			h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" "+cmp.Or(c.says, line)+" because so")
			o := h.again()
			if o.code != c.want {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
			holds(t, "the log", strings.Join(strings.Fields(o.log), " "), c.why)
		})
	}
}

func TestACommandThatNamesNoFindingIsNotSilent(t *testing.T) {
	h := removal(t)
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" shop/nope because so")
	o := h.again()
	h.expect(o, cli.ExitFailed, "failed")
	for what, text := range map[string]string{"the log": o.log, "the job summary": o.summary} {
		holds(t, what, strings.Join(strings.Fields(text), " "), "not accepted: the command of ada does not name all of it")
	}
}

func TestAnAcceptanceBesideARegressionIsNotSilent(t *testing.T) {
	h := removal(t, "From nine", "From ten")
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" shop/place because so")
	o := h.again()
	h.expect(o, cli.ExitFailed, "failed")
	holds(t, "the job summary", o.summary, "accepted by the command of ada", "1 regression, `max_regressions` is 0")
}

func TestAnAcceptanceFromBeforeTheResultDoesNotCount(t *testing.T) {
	h := removal(t)
	h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place because so")
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.expect(h.again(), cli.ExitFailed, "failed")
}

func TestAnAcceptanceRunsTheGateAgain(t *testing.T) {
	h := removal(t)
	h.expect(h.run(), cli.ExitFailed, "failed") // as run 100
	h.AllowActions(githubtest.Token)
	o := h.tellAs(ada, "/failproof accept "+h.head+" place because the shop closes")
	if got := h.Reruns(); !slices.Equal(got, []int64{100}) || len(o.replies) != 0 || !slices.Equal(o.reactions, []string{"+1"}) {
		t.Fatalf("runs %v were started, replies %q, reactions %q; want 100 and none; log:\n%s", got, o.replies, o.reactions, o.log)
	}
	h.expect(h.again(), cli.ExitPassed, "passed")
}

func TestAnAcceptanceHoldsInAMergeGroup(t *testing.T) {
	h := removal(t)
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.AddComment(ada, pullNumber, "/failproof accept "+h.head+" place because so")
	h.queue(false, pullNumber)
	h.env["GITHUB_RUN_ID"], h.env["GITHUB_RUN_ATTEMPT"] = "200", "1"
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	holds(t, "the job summary", o.summary, "accepted by the command of ada")
}

func TestTheBotIsBoundedByTheHour(t *testing.T) {
	h := removal(t)
	for range 20 {
		h.AddComment(ada, pullNumber, "/failproof help")
	}
	o := h.tell(ada, "/failproof run "+h.head)
	if o.code != cli.ExitPassed || len(o.reactions)+len(o.replies)+len(h.Checks()) != 0 {
		t.Errorf("exit code %d, reactions %q, replies %q, %d check runs; want 0 and none", o.code, o.reactions, o.replies, len(h.Checks()))
	}
	holds(t, "the log", o.log, "the same person gave 20 commands on this pull request within an hour")
}

func TestAStrangersCommandsDoNotMuteTheBot(t *testing.T) {
	h := removal(t)
	for range 20 {
		h.AddComment(githubtest.Mallory, pullNumber, "/failproof help")
	}
	if o := h.tell(ada, "/failproof help"); len(o.replies) != 1 {
		t.Errorf("replies %q, want one", o.replies)
	}
}

func TestTheBotThatCannotReadJudgesNothing(t *testing.T) {
	for _, path := range []string{`/pulls/7$`, `/collaborators/`, `/issues/7/comments`} {
		h := removal(t)
		h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(path), Status: http.StatusForbidden, Body: `{"message": "Resource not accessible"}`})
		o := h.tell(ada, "/failproof run "+h.head)
		if o.code != cli.ExitUndecided || len(h.Checks()) != 0 {
			t.Errorf("%s: exit code %d, %d check runs; want %d and none", path, o.code, len(h.Checks()), cli.ExitUndecided)
		}
	}
}
