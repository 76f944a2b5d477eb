package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/failproof/failproof/examples"
	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// hub is the repository octo/prompts on a fake GitHub, whose main branch is the example and whose pull request 7
// changes it, with a runner that has nothing checked out.
type hub struct {
	*githubtest.Server
	t          testing.TB
	base, head string
	workspace  string
	env        map[string]string
	event      map[string]any
	waited     time.Duration // what the runs so far have slept
}

const pullNumber = 7

// exampleFiles returns the example's main branch, or its change laid over it.
func exampleFiles(t testing.TB, folders ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range folders {
		root := "repository/" + folder
		err := fs.WalkDir(examples.Repository, root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(examples.Repository, name)
			files[strings.TrimPrefix(name, root+"/")] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// newHub is the example: a change that breaks two cases.
func newHub(t testing.TB) *hub {
	return hubOf(t, exampleFiles(t, "main"), exampleFiles(t, "main", "warmer-tone"))
}

// hubOf makes a pull request from one set of files to another.
func hubOf(t testing.TB, base, head map[string]string) *hub {
	t.Helper()
	h := &hub{Server: githubtest.New("octo", "prompts"), t: t, workspace: t.TempDir()}
	h.base = h.Commit(base)
	h.head = h.Commit(head, h.base)
	h.SetBranch("main", h.base)
	h.SetPull(pullNumber, h.base, h.head, false)
	h.env = map[string]string{
		"GITHUB_REPOSITORY": "octo/prompts", "GITHUB_RUN_ID": "100", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "gate",
		"GITHUB_WORKFLOW": "prompts", "GITHUB_WORKFLOW_REF": "octo/prompts/.github/workflows/gate.yml@refs/pull/7/merge",
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_API_URL": h.Start(t), "GITHUB_SHA": h.MergeCommit(pullNumber), "GITHUB_REF": "refs/pull/7/merge",
		"GITHUB_EVENT_NAME": "pull_request", "INPUT_TOKEN": githubtest.Token,
	}
	h.event = map[string]any{
		"action": "synchronize", "number": pullNumber, "repository": repository(1000), "before": h.base, "after": h.head, "sender": userOf(githubtest.Octocat),
		"pull_request": map[string]any{
			"number": pullNumber, "user": userOf(githubtest.Octocat),
			"base": map[string]any{"sha": h.base, "ref": "main", "repo": repository(1000)},
			"head": map[string]any{"sha": h.head, "ref": "change", "repo": repository(1000)},
		},
	}
	return h
}

// userOf is an account as an event names it.
func userOf(who githubtest.Identity) map[string]any {
	return map[string]any{"login": who.Login, "id": who.ID, "type": map[bool]string{true: "Bot", false: "User"}[who.Bot]}
}

func repository(id int) map[string]any {
	return map[string]any{"id": id, "full_name": "octo/prompts", "default_branch": "main"}
}

// pull is the pull request of the event.
func (h *hub) pull() map[string]any { return h.event["pull_request"].(map[string]any) }

// push puts another commit on the pull request, and makes the event that of it.
func (h *hub) push(files map[string]string) {
	h.event["before"] = h.head
	h.head = h.Commit(files, h.head)
	h.event["after"] = h.head
	h.SetPull(pullNumber, h.base, h.head, false)
	h.pull()["head"].(map[string]any)["sha"], h.env["GITHUB_SHA"] = h.head, h.MergeCommit(pullNumber)
}

// on makes the event another one.
func (h *hub) on(name string, event map[string]any) {
	event["repository"] = repository(1000)
	h.env["GITHUB_EVENT_NAME"], h.event = name, event
}

// byHand makes the event a run that somebody started on the head.
func (h *hub) byHand() {
	h.on("workflow_dispatch", map[string]any{})
	h.env["GITHUB_SHA"], h.env["GITHUB_REF"] = h.head, "refs/heads/change"
}

// queue makes the event one of a merge queue that holds these pull requests.
func (h *hub) queue(squash bool, numbers ...int) githubtest.MergeGroup {
	g := h.AddMergeGroup(squash, numbers...)
	h.on("merge_group", map[string]any{"action": "checks_requested", "merge_group": map[string]any{
		"base_sha": g.Base, "base_ref": "refs/heads/main", "head_sha": g.Head, "head_ref": g.HeadRef}})
	h.env["GITHUB_SHA"] = g.Head
	return g
}

// fork makes the pull request one of another repository, whose token can only read.
func (h *hub) fork(repo any) {
	h.pull()["head"].(map[string]any)["repo"] = repo
	h.SetPull(pullNumber, h.base, h.head, true)
	h.AddToken(githubtest.Token, githubtest.Actions, false, false)
}

// outcome is what a run leaves behind.
type outcome struct {
	code    int
	log     string // both streams, as the runner reads them
	outputs map[string]string
	summary string
}

// run runs the action once, as a new run of the workflow.
func (h *hub) run() outcome {
	h.t.Helper()
	return h.runIn(h.t.Context())
}

// sleep waits for nothing, and remembers how long it would have been.
func (h *hub) sleep(ctx context.Context, d time.Duration) error {
	h.waited += d
	return ctx.Err()
}

// runIn runs the action with the arguments of a step that is no `uses:`.
func (h *hub) runIn(ctx context.Context, args ...string) outcome {
	h.t.Helper()
	dir := h.t.TempDir()
	payload, err := json.Marshal(h.event)
	if err != nil {
		h.t.Fatal(err)
	}
	env := maps.Clone(h.env)
	for name, content := range map[string][]byte{"GITHUB_EVENT_PATH": payload, "GITHUB_OUTPUT": nil, "GITHUB_STEP_SUMMARY": nil} {
		if _, set := env[name]; set {
			continue
		}
		env[name] = filepath.Join(dir, name)
		if err := os.WriteFile(env[name], content, 0o666); err != nil {
			h.t.Fatal(err)
		}
	}
	var log lockedBuffer
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	code := mainOf(ctx, append([]string{"action"}, args...), cli.System{
		Stdin: strings.NewReader(""), Stdout: &log, Stderr: &log, Getenv: func(name string) string { return env[name] },
		Now: func() time.Time { return now }, Sleep: h.sleep, Dir: h.workspace,
	})
	h.env["GITHUB_RUN_ID"] += "0"
	return outcome{code: code, log: log.String(), outputs: readOutputs(h.t, env["GITHUB_OUTPUT"]), summary: read(env["GITHUB_STEP_SUMMARY"])}
}

// lockedBuffer takes what several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// read returns a file, "" if there is none.
func read(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// expect reports what differs between an outcome and what it should be: the exit code, and the verdict among the
// outputs.
func (h *hub) expect(o outcome, code int, verdict string) {
	h.t.Helper()
	if o.code != code || o.outputs["verdict"] != verdict {
		h.t.Errorf("exit code %d and verdict %q, want %d and %q; log:\n%s", o.code, o.outputs["verdict"], code, verdict, o.log)
	}
	if strings.Contains(o.log, "is not a value it can have") {
		h.t.Errorf("an output was not set; log:\n%s", o.log)
	}
}

// holds reports parts that a text does not have.
func holds(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s does not hold %q:\n%s", what, part, text)
		}
	}
}

// comment returns the one comment of the pull request.
func (h *hub) comment() githubtest.Comment {
	h.t.Helper()
	all := h.Comments(pullNumber)
	if len(all) != 1 {
		h.t.Fatalf("%d comments, want one", len(all))
	}
	return all[0]
}

// asked counts the requests so far whose method and path match, without forgetting others than it looked at.
func asked(requests []githubtest.Request, pattern string) (n int) {
	form := regexp.MustCompile(pattern)
	for _, r := range requests {
		if form.MatchString(r.Method + " " + r.Path) {
			n++
		}
	}
	return n
}

const (
	commentWrites = `^(POST|PATCH|DELETE) .*/issues/`
	treeReads     = `^GET .*/git/(trees|blobs)/`
)

func TestActionGatesAPullRequest(t *testing.T) {
	h := newHub(t)
	o := h.run()
	h.expect(o, cli.ExitFailed, "failed")
	want := map[string]string{"verdict": "failed", "run-score": "0.333333333333333", "base-run-score": "1", "regressions": "2", "fixed": "0",
		"report": ".failproof/out/report.json", "comment-url": "https://github.com/octo/prompts/pull/7#issuecomment-" + fmt.Sprint(h.comment().ID)}
	for name, value := range want {
		if got := o.outputs[name]; !strings.HasPrefix(got, value) {
			t.Errorf("output %s is %q, want %q", name, got, value)
		}
	}
	_, declared, _ := strings.Cut(read("../../action.yml"), "\noutputs:\n")
	for _, m := range regexp.MustCompile(`(?m)^(?:  ([\w-]+):$|\S)`).FindAllStringSubmatch(declared, -1) {
		if m[1] == "" {
			break
		}
		if _, set := o.outputs[m[1]]; !set {
			t.Errorf("action.yml declares the output %s, and it is not set", m[1])
		}
	}
	mark := regexp.MustCompile(`^<!-- failproof:comment v=1 key=[0-9a-f]{16} run=100\.1 head=` + h.head[:7] + ` -->\n`)
	if body := h.comment().Body; !mark.MatchString(body) {
		t.Errorf("the comment does not begin with the mark:\n%s", body)
	}
	holds(t, "the comment", h.comment().Body, "angry-customer", "too-late", "refund.yaml#L13")
	holds(t, "the job summary", o.summary, "angry-customer", "too-late")
	for _, file := range []string{"report.json", "results.jsonl", "base.jsonl", "comment.md"} {
		if read(filepath.Join(h.workspace, ".failproof/out", file)) == "" {
			t.Errorf("%s was not written", file)
		}
	}
}

func TestActionMakesACheckRunWithAnnotations(t *testing.T) {
	h := newHub(t)
	h.run()
	checks := h.Checks()
	if len(checks) != 1 {
		t.Fatalf("%d check runs, want one", len(checks))
	}
	c := checks[0]
	if c.Name != "failproof" || c.HeadSHA != h.head || c.Status != "completed" || c.Conclusion != "failure" {
		t.Errorf("the check run is %s on %s, %s, %s", c.Name, c.HeadSHA, c.Status, c.Conclusion)
	}
	found := false
	for _, a := range c.Annotations {
		found = found || a.Path == "suites/support/refund.yaml" && a.Start == 13 && a.Level == "failure" && strings.Contains(a.Title, "angry-customer")
	}
	if !found {
		t.Errorf("no annotation at suites/support/refund.yaml:13: %+v", c.Annotations)
	}
}

func TestActionKeepsOneComment(t *testing.T) {
	h := newHub(t)
	h.run()
	first := h.comment()
	h.TakeRequests()
	h.run()
	if n := asked(h.TakeRequests(), commentWrites); n != 0 {
		t.Errorf("an equal result of the same commit was written %d times, want none", n)
	}

	fixed := exampleFiles(h.t, "main")
	fixed["suites/support/refund.yaml"] += "    tags: [smoke]\n    severity: high\n"
	h.push(fixed)
	h.expect(h.run(), cli.ExitPassed, "passed")
	if now := h.comment(); now.ID != first.ID || now.Body == first.Body {
		t.Errorf("comment %d was to turn green and keep its place; it is now %d:\n%s", first.ID, now.ID, now.Body)
	}
	if checks := h.Checks(); checks[len(checks)-1].Conclusion != "success" {
		t.Errorf("the last check run is %s, want success", checks[len(checks)-1].Conclusion)
	}
}

// write writes a file and the folders above it.
func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
