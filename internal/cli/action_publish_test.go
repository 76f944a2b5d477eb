package cli_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestActionOnAFork(t *testing.T) {
	h := newHub(t)
	h.fork(repository(2000))
	o := h.run()
	h.expect(o, cli.ExitFailed, "failed")
	all := commands(o.log)
	warned := named(all, "warning")
	if len(warned) == 0 || !strings.Contains(warned[0].data, "comes from a fork") || !strings.Contains(warned[0].data, "not published") {
		t.Errorf("the log does not say what could not be published: %+v", warned)
	}
	at := named(all, "error")
	if len(at) == 0 || at[0].properties["file"] != "suites/support/refund.yaml" || at[0].properties["line"] != "13" {
		t.Errorf("the log does not annotate suites/support/refund.yaml:13 first: %+v", at)
	}
	holds(t, "the job summary", o.summary, "angry-customer")
}

func TestActionCommentModes(t *testing.T) {
	for _, c := range []struct {
		rule, mode string
		change     map[string]string
		want       int
	}{
		{"auto speaks of a regression", "auto", nil, 1},
		{"auto is silent where nothing is in scope", "auto", exampleFiles(t, "main"), 0},
		{"always speaks even then", "always", exampleFiles(t, "main"), 1},
		{"failures speaks of a regression", "failures", nil, 1},
		{"failures is silent on a pass", "failures", exampleFiles(t, "main"), 0},
		{"never is silent on a regression", "never", nil, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			if c.change != nil {
				h = hubOf(t, exampleFiles(t, "main"), c.change)
			}
			h.env["INPUT_COMMENT"] = c.mode
			h.run()
			if n := len(h.Comments(pullNumber)); n != c.want {
				t.Errorf("%d comments, want %d", n, c.want)
			}
		})
	}
}

func TestActionNothingInScope(t *testing.T) {
	same := exampleFiles(t, "main")
	same["README.md"] = "Prompts.\n"
	h := hubOf(t, exampleFiles(t, "main"), same)
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	if o.outputs["run-score"] != "" || len(h.Comments(pullNumber)) != 0 {
		t.Errorf("nothing is in scope, and there is a run score %q and %d comments", o.outputs["run-score"], len(h.Comments(pullNumber)))
	}
	if c := h.Checks(); len(c) != 1 || c[0].Conclusion != "success" {
		t.Errorf("check runs: %+v, want one that succeeded", c)
	}
}

// A run by hand on the default branch compares it with itself, and says so.
func TestActionByHandOnTheDefaultBranchSaysThatNothingIsCompared(t *testing.T) {
	h := newHub(t)
	h.byHand()
	h.env["GITHUB_SHA"], h.env["GITHUB_REF"] = h.base, "refs/heads/main"
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	for what, text := range map[string]string{"the log": o.log, "the job summary": o.summary} {
		holds(t, what, strings.Join(strings.Fields(text), " "), "he commit was compared with itself, so nothing was asked: scope `all` asks every case")
	}
}

// A run of some suites says nothing about the others, and names what it leaves to other runs.
func TestActionOfSomeSuitesSpeaksForThemAlone(t *testing.T) {
	h := newHub(t)
	h.env["INPUT_SUITES"], h.env["INPUT_COMMENT"] = "suites/support/triage.yaml", "always"
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	holds(t, "the comment", h.comment().Body,
		"## ✅ `suites/support/triage.yaml`: Nothing to test: no suite of this run is affected",
		"What the suites of this run ask and expect, and their recorded answers, are as they were",
		"this change also touches 1 suite that the run does not name", "suites/support/refund.yaml")
	holds(t, "the job summary", o.summary, "## ✅ `suites/support/triage.yaml`: Nothing to test")
}

// A suite whose recorded answers alone change is touched as well.
func TestActionOfSomeSuitesNamesThoseWithOtherRecordings(t *testing.T) {
	base, head := exampleFiles(t, "main"), exampleFiles(t, "main")
	const file = "recordings/support/refund.jsonl"
	head[file] = strings.Replace(base[file], `"raw_response": "`, `"raw_response": "Well. `, 1)
	if head[file] == base[file] {
		t.Fatalf("no answer in %s to change", file)
	}
	h := hubOf(t, base, head)
	h.env["INPUT_SUITES"], h.env["INPUT_COMMENT"] = "suites/support/triage.yaml", "always"
	h.expect(h.run(), cli.ExitPassed, "passed")
	holds(t, "the comment", h.comment().Body, "this change also touches 1 suite that the run does not name", "suites/support/refund.yaml")
}

func TestActionInvalidSuite(t *testing.T) {
	broken := exampleFiles(t, "main")
	broken["suites/support/refund.yaml"] = strings.Replace(broken["suites/support/refund.yaml"], "must_pass", "must_pas", 1)
	h := hubOf(t, exampleFiles(t, "main"), broken)
	h.expect(h.run(), cli.ExitInput, "invalid")
	holds(t, "the comment", h.comment().Body, "must_pas", "suites/support/refund.yaml")
	c := h.Checks()
	if len(c) != 1 || c[0].Conclusion != "failure" || len(c[0].Annotations) == 0 || c[0].Annotations[0].Start != 17 {
		t.Errorf("check runs: %+v, want one that failed with an annotation at line 17", c)
	}
}

// What GitHub does not take is said in the log, and changes nothing about the verdict.
func TestActionPublishesWhatItCan(t *testing.T) {
	comments, checks, graphql := regexp.MustCompile(`/comments`), regexp.MustCompile(`/check-runs`), regexp.MustCompile(`/graphql`)
	readOnly := githubtest.Fault{Status: http.StatusForbidden, Body: `{"message": "Resource not accessible by integration"}`}
	long := readOnly
	long.Body = `{"message": "` + strings.Repeat("Resource not accessible by integration. ", 20) + `"}`
	refused := func(f githubtest.Fault, path *regexp.Regexp) githubtest.Fault { f.Path = path; return f }
	for _, c := range []struct {
		rule              string
		fault             githubtest.Fault
		comments, checks  int
		warned, annotated bool
	}{
		{"a comment that is refused", refused(readOnly, comments), 0, 1, true, false},
		{"a check run that is refused", refused(readOnly, checks), 1, 0, true, true},
		{"a check run that is refused at length", refused(long, checks), 1, 0, true, true},
		{"a comment that was made and answered with an error", githubtest.Fault{Method: http.MethodPost, Path: comments, Times: 1, CarryOut: true, Status: 502}, 1, 1, false, false},
		{"a connection that was cut after the comment was made", githubtest.Fault{Method: http.MethodPost, Path: comments, Times: 1, CarryOut: true, CloseConnection: true}, 1, 1, false, false},
		{"a server without GraphQL", githubtest.Fault{Path: graphql, Status: http.StatusNotFound}, 1, 1, false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			h.AddFault(c.fault)
			o := h.run()
			h.expect(o, cli.ExitFailed, "failed")
			if n := len(h.Comments(pullNumber)); n != c.comments {
				t.Errorf("%d comments, want %d; log:\n%s", n, c.comments, o.log)
			}
			if n := len(h.Checks()); n != c.checks {
				t.Errorf("%d check runs, want %d; log:\n%s", n, c.checks, o.log)
			}
			all := commands(o.log)
			if got := strings.Contains(o.log, "was not published"); got != c.warned {
				t.Errorf("the log says that something was not published: %v, want %v:\n%s", got, c.warned, o.log)
			}
			if c.warned {
				holds(t, "the log", o.log, "add it to the job's permissions")
			}
			if got := len(named(all, "error")) > 0; got != c.annotated {
				t.Errorf("annotations are in the log: %v, want %v:\n%s", got, c.annotated, o.log)
			}
		})
	}
}

// A file that GitHub listed and then does not hand out is no fault of the file, on neither side.
func TestActionLosesAFile(t *testing.T) {
	for _, c := range []struct {
		rule string
		skip int
	}{{"of the head", 0}, {"that comes late", 5}, {"of the base", 8}} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/git/blobs/`), Skip: c.skip, Status: http.StatusNotFound, Body: `{"message": "Not Found"}`})
			o := h.run()
			h.expect(o, cli.ExitUndecided, "undecided")
			holds(t, "the log", o.log, "GitHub answered 404")
			if n := len(h.Comments(pullNumber)); n != 0 {
				t.Errorf("%d comments blame the pull request, want none", n)
			}
		})
	}
}

func TestActionReadsTheCheckout(t *testing.T) {
	h := newHub(t)
	repo, err := git.PlainInit(h.workspace, false)
	if err != nil {
		t.Fatal(err)
	}
	base := commitAll(t, repo, h.workspace, exampleFiles(t, "main"))
	head := commitAll(t, repo, h.workspace, exampleFiles(t, "warmer-tone"))
	merge := commitAll(t, repo, h.workspace, nil, base, head)
	h.base, h.head = base, head
	h.CommitAs(base, map[string]string{"unread": ""})
	h.CommitAs(head, map[string]string{"unread": ""}, base)
	h.CommitAs(merge, map[string]string{"unread": ""}, base, head)
	h.SetBranch("main", base)
	h.SetPull(pullNumber, base, head, false)
	h.SetMergeCommit(pullNumber, merge)
	h.pull()["head"].(map[string]any)["sha"] = head
	h.expect(h.run(), cli.ExitFailed, "failed")
	if n := asked(h.TakeRequests(), treeReads); n != 0 {
		t.Errorf("%d requests read trees that the checkout holds, want none", n)
	}
	holds(t, "the comment", h.comment().Body, "angry-customer")
}

func TestActionLooksBehindAShallowCheckout(t *testing.T) {
	h := newHub(t)
	repo, err := git.PlainInit(h.workspace, false)
	if err != nil {
		t.Fatal(err)
	}
	commitAll(t, repo, h.workspace, map[string]string{"readme": "the merge commit, say"})
	h.expect(h.run(), cli.ExitFailed, "failed")
	if n := asked(h.TakeRequests(), treeReads); n == 0 {
		t.Error("no request reads a tree, and the checkout holds none of the commits")
	}
}

// GitHub names one of the nearest ancestors. A checkout that holds the history knows whether there are more.
func TestActionTakesNoneOfSeveralMergeBases(t *testing.T) {
	for _, c := range []struct {
		rule, base string
		on         func(h *hub)
	}{
		{"of a pushed branch", "", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/change", "before": noCommit, "after": h.head})
		}},
		{"of a run by hand", "", (*hub).byHand},
		{"of a base that the workflow names", "twin", (*hub).byHand},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			repo, err := git.PlainInit(h.workspace, false)
			if err != nil {
				t.Fatal(err)
			}
			commit := func(files map[string]string, parents ...string) string {
				sha := commitAll(t, repo, h.workspace, files, parents...)
				h.CommitAs(sha, files, parents...)
				return sha
			}
			root := commit(exampleFiles(t, "main"))
			left, right := commit(map[string]string{"left": ""}, root), commit(map[string]string{"right": ""}, root)
			h.base, h.head = commit(nil, left, right), commit(exampleFiles(t, "warmer-tone"), right, left)
			for _, name := range []string{"main", "twin"} {
				h.SetBranch(name, h.base)
				ref := plumbing.NewHashReference(plumbing.NewRemoteReferenceName("origin", name), plumbing.NewHash(h.base))
				if err := repo.Storer.SetReference(ref); err != nil {
					t.Fatal(err)
				}
			}
			c.on(h)
			h.env["INPUT_BASE"] = c.base
			o := h.run()
			h.expect(o, cli.ExitInput, "invalid")
			holds(t, "the job summary", o.summary, "several nearest ancestors in common", "merge the base into the branch first")
		})
	}
}

// commitAll writes files into a repository and commits them, onto what is checked out or onto these parents.
func commitAll(t *testing.T, repo *git.Repository, dir string, files map[string]string, parents ...string) string {
	t.Helper()
	tree, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	if err := tree.AddWithOptions(&git.AddOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	who := object.Signature{Name: "Octo Cat", Email: "octocat@example.com", When: time.Unix(1767225600, 0)}
	options := git.CommitOptions{Author: &who, Committer: &who, AllowEmptyCommits: true}
	for _, p := range parents {
		options.Parents = append(options.Parents, plumbing.NewHash(p))
	}
	sha, err := tree.Commit("change", &options)
	if err != nil {
		t.Fatal(err)
	}
	return sha.String()
}
