package github_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/sharedtest"
)

// runner is the environment of a run without a commit in its payload.
var runner = map[string]string{"GITHUB_REPOSITORY": "octo/prompts", "GITHUB_SHA": strings.Repeat("c", 40), "GITHUB_REF": "refs/heads/main"}

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func published(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(sharedtest.Path(t, "data/github/events/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPublishedEvents(t *testing.T) {
	sha := strings.Repeat("c", 40)
	hello := failproof.Event{Name: "pull_request", Owner: "Codertocat", Repo: "Hello-World", DefaultBranch: "master", RunSHA: sha, Number: 2, AuthorID: 21031067,
		BaseSHA: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e", BaseRef: "master", HeadSHA: "ec26c3e57ca3a959ca5aad62de7213c562f8c821", HeadRef: "changes", HeadRepo: "Codertocat/Hello-World"}
	pull := func(action string) failproof.Event {
		e := hello
		e.Action = action
		return e
	}
	pushed := pull("synchronize")
	pushed.Push = failproof.Push{Before: hello.BaseSHA, After: hello.HeadSHA, Login: "Codertocat", AccountID: 21031067}
	opened := pull("opened")
	opened.Push = failproof.Push{After: hello.HeadSHA, Login: "Codertocat", AccountID: 21031067}
	queue := failproof.Event{Name: "merge_group", Action: "checks_requested", Owner: "octo-org", Repo: "octo-repo", DefaultBranch: "main", RunSHA: sha,
		BaseSHA: "380387fbc80638b734a49e1be1c4dfec1c01b33c", BaseRef: "main", HeadSHA: "2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d",
		HeadRef: "gh-readonly-queue/main/pr-104-929f8209d40f77f4abc622a499c93a83babdbe64"}
	byHand := failproof.Event{Name: "workflow_dispatch", Owner: "octo-org", Repo: "octo-repo", DefaultBranch: "main", RunSHA: sha, HeadSHA: sha, HeadRef: "main"}
	for _, c := range []struct {
		file string
		want failproof.Event
	}{
		{"pull_request.opened.1.json", opened},
		{"pull_request.synchronize.1.json", pushed},
		{"pull_request.reopened.1.json", pull("reopened")},
		{"pull_request.ready_for_review.2.json", pull("ready_for_review")},
		{"pull_request.labeled.1.json", pull("labeled")},
		{"pull_request.closed.1.json", pull("closed")},
		{"push.event.1.json", failproof.Event{Name: "push", Owner: "Codertocat", Repo: "Hello-World", DefaultBranch: "master", RunSHA: sha,
			HeadSHA: "6113728f27ae82c7b1a177c8d03f9e96e0adf246", HeadRef: "refs/tags/simple-tag"}},
		{"merge_group.checks_requested.1.json", queue},
		{"workflow_dispatch.event.1.json", byHand},
	} {
		t.Run(c.file, func(t *testing.T) {
			name, _, _ := strings.Cut(c.file, ".")
			got, err := failproof.ParseEvent(name, published(t, c.file), env(runner))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPublishedEventsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"pull_request_target", "pull_request.opened.1.json", "use `on: pull_request`"},
		{"workflow_run", "workflow_run.completed.1.json", "workflow_run.event is \""},
		{"issue_comment", "push.event.1.json", "has no issue, no comment or no author"},
		{"check_run", "check_run.rerequested.1.json", `"check_run" is not supported; use pull_request`},
		{"push", "push.event.2.json", "deleted"},
		{"pull_request", "push.event.1.json", "pull_request is missing"},
		{"merge_group", "push.event.1.json", "merge_group is missing"},
	} {
		t.Run(c.name+" "+c.file, func(t *testing.T) {
			_, err := failproof.ParseEvent(c.name, published(t, c.file), env(runner))
			if !errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// editedEvent edits the published event of a pull request that is not from a fork.
func editedEvent(t *testing.T, edit func(event, pull map[string]any)) []byte {
	t.Helper()
	var event map[string]any
	if err := json.Unmarshal(published(t, "pull_request.synchronize.1.json"), &event); err != nil {
		t.Fatal(err)
	}
	edit(event, event["pull_request"].(map[string]any))
	data, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func end(pull map[string]any, name string) map[string]any { return pull[name].(map[string]any) }

func TestWhoMayOnlyRead(t *testing.T) {
	for _, c := range []struct {
		rule             string
		edit             func(event, pull map[string]any)
		fork, dependabot bool
	}{
		{"a branch of the repository", func(_, p map[string]any) {}, false, false},
		{"a head in another repository is a fork", func(_, p map[string]any) { end(p, "head")["repo"].(map[string]any)["id"] = 99 }, true, false},
		{"a fork that was deleted is a fork", func(_, p map[string]any) { end(p, "head")["repo"] = nil }, true, false},
		{"a repository that was renamed is no fork", func(_, p map[string]any) { end(p, "head")["repo"].(map[string]any)["full_name"] = "a/b" }, false, false},
		{"Dependabot's", func(_, p map[string]any) { p["user"] = map[string]any{"login": "dependabot[bot]", "type": "Bot"} }, false, true},
		{"a user of a similar name is not Dependabot", func(_, p map[string]any) { p["user"] = map[string]any{"login": "dependabot", "type": "User"} }, false, false},
		{"who pushed does not matter", func(e, p map[string]any) { e["sender"] = map[string]any{"login": "dependabot[bot]", "type": "Bot"} }, false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := failproof.ParseEvent("pull_request", editedEvent(t, c.edit), env(nil))
			if err != nil || got.Fork != c.fork || got.Dependabot != c.dependabot || got.Restricted() != (c.fork || c.dependabot) {
				t.Errorf("fork %v, Dependabot %v, error %v; want %v, %v", got.Fork, got.Dependabot, err, c.fork, c.dependabot)
			}
		})
	}
}

func TestEventsThatAreNotGitHubs(t *testing.T) {
	for _, c := range []struct {
		rule string
		edit func(event, pull map[string]any)
		want string
	}{
		{"a number below 1", func(_, p map[string]any) { p["number"] = -1 }, "pull_request.number"},
		{"no number", func(_, p map[string]any) { delete(p, "number") }, "pull_request.number"},
		{"a number of more than 63 bits", func(_, p map[string]any) { p["number"] = json.Number("9223372036854775808") }, "does not hold an event"},
		{"a number that is a text", func(_, p map[string]any) { p["number"] = "2" }, "does not hold an event"},
		{"two numbers", func(e, _ map[string]any) { e["number"] = 3 }, "number 3 and pull_request.number 2 differ"},
		{"a short SHA", func(_, p map[string]any) { end(p, "head")["sha"] = "ec26c3e" }, `"ec26c3e" is not a full SHA`},
		{"a SHA that is an option", func(_, p map[string]any) { end(p, "base")["sha"] = "--upload-pack=x" }, "is not a full SHA"},
		{"no head", func(_, p map[string]any) { delete(p, "head") }, "no base or no head"},
		{"no base SHA", func(_, p map[string]any) { delete(end(p, "base"), "sha") }, "pull_request.base.sha is missing"},
		{"no base repository", func(_, p map[string]any) { end(p, "base")["repo"] = nil }, "pull_request.base.repo is missing"},
		{"a repository that is a path", func(e, _ map[string]any) { e["repository"].(map[string]any)["full_name"] = "../x" }, "is not owner/name"},
		{"a repository with more parts", func(e, _ map[string]any) { e["repository"].(map[string]any)["full_name"] = "a/b/c" }, "is not owner/name"},
		{"a branch with a line end", func(_, p map[string]any) { end(p, "head")["ref"] = "a\nb" }, "cannot be the name of a branch"},
		{"a branch of 2 KiB", func(_, p map[string]any) { end(p, "head")["ref"] = strings.Repeat("x", 2048) }, "cannot be the name of a branch"},
		{"no pull request", func(e, _ map[string]any) { e["pull_request"] = nil }, "pull_request is missing"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := failproof.ParseEvent("pull_request", editedEvent(t, c.edit), env(nil))
			if !errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestPayloadsThatAreNone(t *testing.T) {
	for _, c := range []struct{ rule, payload, want string }{
		{"empty", "", "GITHUB_EVENT_PATH"},
		{"null", "null", "GITHUB_EVENT_PATH holds null"},
		{"a list", "[]", "GITHUB_EVENT_PATH"},
		{"a text", `"x"`, "GITHUB_EVENT_PATH"},
		{"cut off", `{"number": 1`, "GITHUB_EVENT_PATH"},
		{"two documents", "{} {}", "GITHUB_EVENT_PATH"},
		{"an empty object", "{}", "pull_request is missing"},
		{"nested without end", strings.Repeat("[", 20000), "GITHUB_EVENT_PATH"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := failproof.ParseEvent("pull_request", []byte(c.payload), env(nil))
			if !errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestEventsWithoutAPullRequest(t *testing.T) {
	const before, after = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	head := strings.Repeat("c", 40)
	for _, c := range []struct {
		rule, name, payload string
		env                 map[string]string
		want                failproof.Event
		fault               string
	}{
		{"a push compares with what was there before", "push", `{"ref":"refs/heads/main","before":"` + before + `","after":"` + after + `","repository":{"full_name":"o/r"}}`, nil,
			failproof.Event{Name: "push", Owner: "o", Repo: "r", BaseSHA: before, BaseRef: "main", HeadSHA: after, HeadRef: "main"}, ""},
		{"a tag with a message of its own stands for its commit", "push", `{"ref":"refs/tags/v1","before":"` + strings.Repeat("0", 40) + `","after":"` + before + `","head_commit":{"id":"` + after + `"},"repository":{"full_name":"o/r"}}`, nil,
			failproof.Event{Name: "push", Owner: "o", Repo: "r", HeadSHA: after, HeadRef: "refs/tags/v1"}, ""},
		{"the first push of a branch has no base", "push", `{"ref":"refs/heads/x","before":"` + strings.Repeat("0", 40) + `","after":"` + after + `","repository":{"full_name":"o/r"}}`, nil,
			failproof.Event{Name: "push", Owner: "o", Repo: "r", HeadSHA: after, HeadRef: "x"}, ""},
		{"a push without before", "push", `{"after":"` + after + `","repository":{"full_name":"o/r"}}`, nil, failproof.Event{}, "before is missing"},
		{"a run by hand takes commit and repository from the runner", "workflow_dispatch", `{}`, runner,
			failproof.Event{Name: "workflow_dispatch", Owner: "octo", Repo: "prompts", RunSHA: head, HeadSHA: head, HeadRef: "main"}, ""},
		{"a run by hand on a tag that is called like a branch", "workflow_dispatch", `{"repository":{"full_name":"o/r"}}`,
			map[string]string{"GITHUB_SHA": head, "GITHUB_REF": "refs/tags/main"},
			failproof.Event{Name: "workflow_dispatch", Owner: "o", Repo: "r", RunSHA: head, HeadSHA: head, HeadRef: "refs/tags/main"}, ""},
		{"a run by hand without a repository", "workflow_dispatch", `{}`, nil, failproof.Event{}, "GITHUB_REPOSITORY is not set"},
		{"a dispatch without a commit", "workflow_dispatch", `{"repository":{"full_name":"o/r"}}`, nil, failproof.Event{}, "GITHUB_SHA is not set"},
		{"a merge group without a base", "merge_group", `{"repository":{"full_name":"o/r"},"merge_group":{"head_sha":"` + after + `"}}`, nil, failproof.Event{}, "merge_group.base_sha is missing"},
		{"an unknown event", "fork", `{}`, nil, failproof.Event{}, `GITHUB_EVENT_NAME "fork" is not supported`},
		{"no event", "", `{}`, nil, failproof.Event{}, "GITHUB_EVENT_NAME"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := failproof.ParseEvent(c.name, []byte(c.payload), env(c.env))
			if c.fault != "" {
				if !errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("error %v, want one with %q", err, c.fault)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestLoadEvent(t *testing.T) {
	dir := t.TempDir()
	good, big := filepath.Join(dir, "good.json"), filepath.Join(dir, "big.json")
	if err := errors.Join(os.WriteFile(good, []byte(`{}`), 0o600), os.WriteFile(big, nil, 0o600), os.Truncate(big, 100<<20)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule, name, path, want string
	}{
		{"a good file", "workflow_dispatch", good, ""},
		{"no name", "", good, "GITHUB_EVENT_NAME is not set"},
		{"no path", "push", "", "GITHUB_EVENT_PATH is not set"},
		{"no file", "push", filepath.Join(dir, "absent.json"), "GITHUB_EVENT_PATH"},
		{"a folder", "push", dir, "is a folder, not a file"},
		{"100 MB", "push", big, "at most 8388608 are read"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			values := map[string]string{"GITHUB_EVENT_NAME": c.name, "GITHUB_EVENT_PATH": c.path}
			for name, value := range runner {
				values[name] = value
			}
			_, err := failproof.LoadEvent(env(values))
			if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, failproof.ErrEvent) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
