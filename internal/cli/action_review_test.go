package cli_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// Accounts that review.
var (
	ada    = githubtest.Identity{ID: 11, Login: "ada"}
	grace  = githubtest.Identity{ID: 12, Login: "grace"}
	helper = githubtest.Identity{ID: 13, Login: "helper[bot]", Bot: true}
)

const lostCase = "  - { id: place, vars: { q: Where }, expected_response: Leeds, match: contains }\n"

// removal is a pull request that takes a passing case away, where that needs a review. ada and grace may write.
func removal(t testing.TB, edits ...string) *hub {
	t.Helper()
	strict := []string{"min_run_score: 0.5", "min_run_score: 0.5, on_removed: error"}
	h := hubOf(t, shop(t, strict...), shop(t, append(strict, append(edits, lostCase, "")...)...))
	for _, who := range []githubtest.Identity{ada, grace, githubtest.Octocat, helper} {
		h.SetPermission(who, "write")
	}
	return h
}

// again runs the job once more, as its author or a reviewer asks for.
func (h *hub) again() outcome {
	h.t.Helper()
	h.env["GITHUB_RUN_ID"], h.env["GITHUB_RUN_ATTEMPT"] = "100", "2"
	return h.run()
}

func TestActionAcceptsWhatAReviewApproves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule   string
		edits  []string
		review func(h *hub)
		want   int
	}{
		{"nobody", nil, func(*hub) {}, cli.ExitFailed},
		{"somebody who may write", nil, func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.head) }, cli.ExitPassed},
		{"somebody who administers", nil, func(h *hub) {
			h.SetPermission(ada, "admin")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitPassed},
		{"somebody who may only read", nil, func(h *hub) {
			h.SetPermission(ada, "read")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitFailed},
		{"one who may only read does not stand in the way of one who may write", nil, func(h *hub) {
			h.AddReview(pullNumber, githubtest.Mallory, "APPROVED", h.head)
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitPassed},
		{"the author", nil, func(h *hub) { h.AddReview(pullNumber, githubtest.Octocat, "APPROVED", h.head) }, cli.ExitFailed},
		{"a bot", nil, func(h *hub) { h.AddReview(pullNumber, helper, "APPROVED", h.head) }, cli.ExitFailed},
		{"an approval of another commit", nil, func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.base) }, cli.ExitFailed},
		{"a comment", nil, func(h *hub) { h.AddReview(pullNumber, ada, "COMMENTED", h.head) }, cli.ExitFailed},
		{"an approval that was followed by a comment stands", nil, func(h *hub) {
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddReview(pullNumber, ada, "COMMENTED", h.head)
		}, cli.ExitPassed},
		{"an approval that was taken back", nil, func(h *hub) {
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddReview(pullNumber, ada, "CHANGES_REQUESTED", h.head)
		}, cli.ExitFailed},
		{"an approval that was dismissed", nil, func(h *hub) { h.AddReview(pullNumber, ada, "DISMISSED", h.head) }, cli.ExitFailed},
		{"what another wants changed is another matter", nil, func(h *hub) {
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddReview(pullNumber, grace, "CHANGES_REQUESTED", h.head)
		}, cli.ExitPassed},
		{"an approval after a hundred others", nil, func(h *hub) {
			for range 120 {
				h.AddReview(pullNumber, grace, "COMMENTED", h.head)
			}
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitPassed},
		{"no review accepts a regression", []string{"From nine", "From ten"}, func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.head) }, cli.ExitFailed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t, c.edits...)
			h.expect(h.run(), cli.ExitFailed, "failed")
			hint := "a review with `Approve` of this commit"
			if got := strings.Contains(h.comment().Body, hint); got != (c.edits == nil) {
				t.Errorf("the comment says how the change is accepted: %v, want %v:\n%s", got, c.edits == nil, h.comment().Body)
			}
			c.review(h)
			o := h.again()
			if o.code != c.want {
				t.Fatalf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
			body, checks := h.comment().Body, h.Checks()
			if c.want == cli.ExitPassed {
				holds(t, "the comment", body, "⚠️", "accepted by the review of ada")
				if strings.Contains(body, hint) || checks[len(checks)-1].Conclusion != "success" {
					t.Errorf("the check run is %s; the comment:\n%s", checks[len(checks)-1].Conclusion, body)
				}
			}
		})
	}
}

// TestActionSaysWhyAReviewDoesNotCount checks that the reason names people with write access, and nobody else.
func TestActionSaysWhyAReviewDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule   string
		before func(h *hub) // the first result
		after  func(h *hub)
		says   string // "" of nothing
	}{
		{"another commit", nil, func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.base) },
			"; not accepted: ada approved commit "},
		{"too early", func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.head) }, nil,
			"; not accepted: the review of ada came before the first failed result"},
		{"the author", nil, func(h *hub) { h.AddReview(pullNumber, githubtest.Octocat, "APPROVED", h.head) },
			"; not accepted: octocat opened it"},
		{"several people", func(h *hub) { h.AddReview(pullNumber, ada, "APPROVED", h.head) },
			func(h *hub) { h.AddReview(pullNumber, grace, "APPROVED", h.base) }, "; not accepted: grace approved commit "},
		{"a stranger", nil, func(h *hub) { h.AddReview(pullNumber, githubtest.Mallory, "APPROVED", h.base) }, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			if c.before != nil {
				c.before(h)
			}
			h.expect(h.run(), cli.ExitFailed, "failed")
			if c.after != nil {
				c.after(h)
			}
			h.expect(h.again(), cli.ExitFailed, "failed")
			body := strings.ReplaceAll(h.comment().Body, "commit `", "commit ")
			holds(t, "the comment", body, "a review with `Approve` of this commit, after this result, by somebody")
			if c.says == "" && strings.Contains(body, "not accepted") || !strings.Contains(body, c.says) {
				t.Errorf("want %q in the comment:\n%s", c.says, body)
			}
		})
	}
}

func TestActionAcceptsNoReviewFromBeforeItsResult(t *testing.T) {
	h := removal(t)
	h.AddReview(pullNumber, ada, "APPROVED", h.head)
	h.expect(h.run(), cli.ExitFailed, "failed")
	h.expect(h.again(), cli.ExitFailed, "failed")
	h.AddReview(pullNumber, grace, "APPROVED", h.head)
	h.expect(h.again(), cli.ExitPassed, "passed")
	holds(t, "the comment", h.comment().Body, "accepted by the review of grace")

	// Another commit is another matter.
	h.push(shop(t, "min_run_score: 0.5", "min_run_score: 0.5, on_removed: error", lostCase, "", "version: 1\nweight: 1", "version: 1\ndescription: x\nweight: 1"))
	h.expect(h.run(), cli.ExitFailed, "failed")
}

// What another branch's rules say of the same commit is no result to approve.
func TestActionAcceptsNoReviewOfAnotherBranchsResult(t *testing.T) {
	h := removal(t)
	h.SetBranch("lax", h.base)
	h.SetPull(8, h.base, h.head, false)
	h.Retarget(8, "lax")
	h.SetPull(8, h.base, h.head, false)
	into := func(number int, branch string) {
		h.event["number"] = number
		h.pull()["number"] = number
		h.pull()["base"].(map[string]any)["ref"] = branch
	}
	into(8, "lax")
	h.run()
	h.AddReview(pullNumber, ada, "APPROVED", h.head)
	into(pullNumber, "main")
	h.expect(h.run(), cli.ExitFailed, "failed")
	if got := h.names(); !slices.Equal(got, []string{"failproof (into lax)", "failproof"}) {
		t.Fatalf("check runs %q", got)
	}
	h.expect(h.again(), cli.ExitFailed, "failed")
	h.AddReview(pullNumber, ada, "APPROVED", h.head)
	h.expect(h.again(), cli.ExitPassed, "passed")
}

// Under the token of a fork's pull request there is neither comment nor check run: the jobs of the run stand for them.
func TestActionAcceptsAForksChange(t *testing.T) {
	for _, c := range []struct {
		rule string
		jobs func(h *hub)
		want int
	}{
		{"an approval after the job had failed", func(h *hub) {
			h.AddJob("prompt gate", h.head, 100, "failure")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitPassed},
		{"an approval before the job had failed", func(h *hub) {
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddJob("prompt gate", h.head, 100, "failure")
		}, cli.ExitFailed},
		{"of several jobs each could be ours", func(h *hub) {
			h.AddJob("lint", h.head, 100, "failure")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddJob("prompt gate", h.head, 100, "failure")
		}, cli.ExitFailed},
		{"a later attempt of the job takes no approval back", func(h *hub) {
			h.AddJob("prompt gate", h.head, 100, "failure")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddJob("prompt gate", h.head, 100, "failure")
		}, cli.ExitPassed},
		{"other workflows' jobs do not matter", func(h *hub) {
			h.AddJob("prompt gate", h.head, 100, "failure")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.AddJob("build", h.head, 99, "failure")
		}, cli.ExitPassed},
		{"no result, no acceptance", func(h *hub) {
			h.AddJob("prompt gate", h.head, 100, "success")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
		}, cli.ExitFailed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			h.fork(repository(2000))
			h.expect(h.run(), cli.ExitFailed, "failed")
			c.jobs(h)
			if o := h.again(); o.code != c.want {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
		})
	}
}

// A job that failed beside the first attempt, a linter's, has shown nothing of what a review would accept.
func TestActionAcceptsNothingBeforeItsFirstResult(t *testing.T) {
	for _, fork := range []bool{false, true} {
		h := removal(t)
		if fork {
			h.fork(repository(2000))
		}
		h.AddJob("lint", h.head, 100, "failure")
		h.AddJob("lint", h.head, 99, "failure")
		h.AddReview(pullNumber, ada, "APPROVED", h.head)
		h.expect(h.run(), cli.ExitFailed, "failed")
	}
}

// What cannot be read accepts nothing, and is said.
func TestActionAcceptsNothingThatItCannotRead(t *testing.T) {
	for _, path := range []string{`/pulls/7/reviews`, `/collaborators/`, `/commits/[0-9a-f]+/check-runs`} {
		h := removal(t)
		h.run()
		h.AddReview(pullNumber, ada, "APPROVED", h.head)
		h.AddFault(githubtest.Fault{Method: http.MethodGet, Path: regexp.MustCompile(path), Status: http.StatusForbidden, Body: `{"message": "Resource not accessible"}`})
		h.expect(h.again(), cli.ExitFailed, "failed")
		holds(t, "the comment", h.comment().Body, "could not read whether a review accepts this", "a review with `Approve`")
		h.ClearFaults()
		h.expect(h.again(), cli.ExitPassed, "passed")
	}
}

func TestActionKeepsAnAcceptanceOnTheWayIntoTheBranch(t *testing.T) {
	t.Parallel()
	other := func(h *hub, review bool) {
		files := maps.Clone(shop(t, "min_run_score: 0.5", "min_run_score: 0.5, on_removed: error"))
		files["notes.md"] = "another change"
		h.SetPull(8, h.base, h.Commit(files, h.base), false)
		if review {
			head := h.Commit(files, h.base)
			h.AddJob("prompt gate", head, 90, "failure")
			h.AddReview(8, grace, "APPROVED", head)
		}
	}
	pushed := func(h *hub, after string) {
		h.on("push", map[string]any{"ref": "refs/heads/main", "before": h.base, "after": after})
	}
	for _, c := range []struct {
		rule string
		land func(h *hub)
		want int
		by   string
	}{
		{"a merge group of the accepted pull request", func(h *hub) { h.queue(false, pullNumber) }, cli.ExitPassed, "ada"},
		{"squashed", func(h *hub) { h.queue(true, pullNumber) }, cli.ExitPassed, "ada"},
		{"with another that nobody reviewed", func(h *hub) { other(h, false); h.queue(false, pullNumber, 8) }, cli.ExitFailed, ""},
		{"before another that nobody reviewed", func(h *hub) { other(h, false); h.queue(false, 8, pullNumber) }, cli.ExitFailed, ""},
		{"with another that is accepted as well", func(h *hub) { other(h, true); h.queue(false, pullNumber, 8) }, cli.ExitPassed, "grace `(#8)`, ada `(#7)`"},
		{"the push of its merge", func(h *hub) { pushed(h, h.Merge(pullNumber, false)) }, cli.ExitPassed, "ada"},
		{"the push of its squashed commit", func(h *hub) { pushed(h, h.Merge(pullNumber, true)) }, cli.ExitPassed, "ada"},
		{"a push that brings more than it", func(h *hub) {
			sha := h.Merge(pullNumber, false)
			pushed(h, h.Commit(shop(t, lostCase, "", "version: 1\nweight: 1", "version: 1\ndescription: x\nweight: 1"), sha))
		}, cli.ExitFailed, ""},
		{"a push of the same change by nobody's pull request", func(h *hub) { pushed(h, h.Commit(shop(t, lostCase, ""), h.base)) }, cli.ExitFailed, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := removal(t)
			h.expect(h.run(), cli.ExitFailed, "failed")
			h.AddReview(pullNumber, ada, "APPROVED", h.head)
			h.expect(h.again(), cli.ExitPassed, "passed")
			c.land(h)
			h.env["GITHUB_RUN_ID"], h.env["GITHUB_RUN_ATTEMPT"] = "200", "1"
			o := h.run()
			if o.code != c.want {
				t.Fatalf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
			if c.by != "" {
				holds(t, "the job summary", o.summary, "accepted by the review of "+c.by)
			}
		})
	}
}
