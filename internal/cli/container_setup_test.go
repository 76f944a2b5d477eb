//go:build container

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
)

// TestContainerSetup runs the setup action of the rehearsed release in a workflow, on this machine in the place of a
// runner: the program comes from a mirror, and `failproof action` in a step is the action.
func TestContainerSetup(t *testing.T) {
	release := needed(t, "FAILPROOF_RELEASE")
	tag := "v" + strings.TrimSpace(read(filepath.Join(release, "source", "setup", "version")))
	fetched := 0
	files := http.StripPrefix("/releases/"+tag+"/", http.FileServer(http.Dir(filepath.Join(release, "dist"))))
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fetched++
		files.ServeHTTP(w, r)
	}))
	defer mirror.Close()
	workflow := setupWorkflow(tag, mirror.URL+"/releases")
	example, change := exampleFiles(t, "main"), exampleFiles(t, "main", "warmer-tone")
	server, command := localModel(t)
	for _, c := range []struct {
		rule       string
		base, head map[string]string
		code       int
		comments   int
		verdict    string
	}{
		{"a change that breaks two cases fails the job and is commented", example, change, cli.ExitFailed, 1, "failed"},
		{"a change that breaks nothing passes", example, reworded(t), cli.ExitPassed, 0, "passed"},
		{"a server on the runner answers", answeredBy(t, example, server), answeredBy(t, change, server), cli.ExitFailed, 1, "failed"},
		{"a command of the runner answers", answeredBy(t, example, command), answeredBy(t, change, command), cli.ExitFailed, 1, "failed"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			fetched = 0
			h := hubOf(t, c.base, c.head)
			code, log := h.runAct(t, with(c.head, ".github/workflows/gate.yml", workflow), "-W", ".github/workflows/gate.yml", "-P", "ubuntu-latest=-self-hosted",
				"--local-repository", "failproof/failproof@"+tag+"="+filepath.Join(release, "source"))
			if code != c.code || fetched != 1 {
				t.Errorf("the workflow ends with %d, want %d; %d files were fetched, want 1:\n%s", code, c.code, fetched, log)
			}
			holds(t, "the log", log, "failproof version "+strings.TrimPrefix(tag, "v"), "the verdict is "+c.verdict)
			if n := len(h.Comments(pullNumber)); n != c.comments || len(h.Checks()) != 1 {
				t.Fatalf("%d comments and %d check runs, want %d and 1:\n%s", n, len(h.Checks()), c.comments, log)
			}
			if c.comments > 0 {
				holds(t, "the comment", h.comment().Body, "angry-customer", "We will refund")
			}
		})
	}
}

// setupWorkflow is what a user writes who takes no container.
func setupWorkflow(tag, mirror string) string {
	return `on: pull_request
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: failproof/failproof/setup@` + tag + `
        with:
          mirror: ` + mirror + `
      - id: gate
        run: failproof action --min-run-score 0.9 --out results
        env:
          GITHUB_TOKEN: ${{ github.token }}
      - if: ${{ always() }}
        run: echo "the verdict is ${{ steps.gate.outputs.verdict }}"
`
}

// localModel starts a model on this machine, which promises money when it is told to be warm. It is had as a server
// that speaks like OpenAI, and as a command that asks it.
func localModel(t *testing.T) (server, command string) {
	t.Helper()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		answer := `{"decision": "approve", "reason": "It was bought 12 days ago."}`
		switch {
		case strings.Contains(string(asked), "lawyer") && strings.Contains(string(asked), "warm"):
			answer = `{"decision": "escalate", "reason": "We will refund you in full today."}`
		case strings.Contains(string(asked), "lawyer"):
			answer = `{"decision": "escalate", "reason": "A person takes this over."}`
		case strings.Contains(string(asked), "45 days"):
			answer = `{"decision": "deny", "reason": "That is more than 30 days ago."}`
		}
		w.Header().Set("Content-Type", "application/json")
		text, _ := json.Marshal(answer)
		fmt.Fprintf(w, `{"id": "1", "object": "chat.completion", "created": 1, "model": "local", "choices": [{"index": 0, "finish_reason": "stop",
			"message": {"role": "assistant", "content": %s}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}`, text)
	}))
	t.Cleanup(model.Close)
	script := filepath.Join(t.TempDir(), "ask.py")
	write(t, script, `import json, sys, urllib.request
asked = json.dumps({"messages": json.load(sys.stdin)["messages"]}).encode()
answer = json.load(urllib.request.urlopen("`+model.URL+`/v1/chat/completions", asked))
print(json.dumps({"text": answer["choices"][0]["message"]["content"]}))
`)
	return `{ provider: openai, model: local, base_url: "` + model.URL + `/v1" }`, "{ provider: exec, command: [python3, " + script + "], timeout: 30s }"
}

// answeredBy is the example with its refund suite asked of a live target.
func answeredBy(t *testing.T, files map[string]string, target string) map[string]string {
	t.Helper()
	const file, was = ".github/failproof.yml", "default_target: replay\ntargets:\n"
	if !strings.Contains(files[file], was) {
		t.Fatalf("%s does not say %q:\n%s", file, was, files[file])
	}
	files = with(files, file, strings.Replace(files[file], was, "default_target: own\ntargets:\n  own: "+target+"\n", 1))
	delete(files, "recordings/support/refund.jsonl")
	return files
}
