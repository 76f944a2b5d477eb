package cli_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// liveFiles are a configuration of one live target and a suite that asks it.
func liveFiles(server *modeltest.Server) map[string]string {
	return map[string]string{
		"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: fast\ntargets:\n"+
			"  fast: { provider: openai, model: m, base_url: %q, api_key_env: MODEL_KEY }\n", server.URL+"/v1"),
		"prompts/s.md":  "Is {{ n }} right?",
		"suites/s.yaml": "version: 1\nprompt: ../prompts/s.md\ncases:\n  - { id: a, vars: { n: x }, expected_response: 'yes', match: contains }\n",
	}
}

func TestAFirstConfigurationHasItsLiveTargetsAskedWhereTheWorkflowSaysSo(t *testing.T) {
	readme := map[string]string{"README.md": "prompts"}
	suites := maps.Clone(readme)
	suites["suites/s.yaml"] = "version: 1\nprompt: ../prompts/s.md\ncases:\n  - { id: a, vars: { n: x }, expected_response: 'yes', match: contains }\n"
	suites["prompts/s.md"] = "Is {{ n }} right?"
	for _, c := range []struct {
		rule      string
		base      map[string]string
		bootstrap string
		fork      bool
		code      int
		asked     int
		says      string
	}{
		{"not by itself: a key would go where the change says", readme, "", false, cli.ExitInput, 0, "a live target is called after the merge"},
		{"with bootstrap", readme, "true", false, cli.ExitPassed, 1, "first run: judged by its own gate"},
		{"not for a fork", readme, "true", true, cli.ExitInput, 0, "next: Merge this set-up: its live targets are called from then on."},
		{"not beside suites that the base has either", suites, "", false, cli.ExitInput, 0, "a live target is called after the merge"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.TextStep(yes))
			h := hubOf(t, c.base, liveFiles(server))
			h.env["MODEL_KEY"], h.env["INPUT_BOOTSTRAP"] = "key-of-the-test", c.bootstrap
			if c.fork {
				h.fork(repository(2000))
			}
			o := h.run()
			if o.code != c.code || len(server.Requests()) != c.asked {
				t.Errorf("exit code %d after %d questions, want %d after %d\n%s", o.code, len(server.Requests()), c.code, c.asked, o.log)
			}
			holds(t, "the log", o.log, c.says)
			if offers := strings.Contains(o.log, "`bootstrap: true`"); offers != (o.code == cli.ExitInput && !c.fork) {
				t.Errorf("offers bootstrap: %v, which works for a branch of the repository\n%s", offers, o.log)
			}
		})
	}
}

func TestTheFirstPushOfTheDefaultBranchHasItsLiveTargetsAsked(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(yes))
	h := hubOf(t, liveFiles(server), liveFiles(server))
	h.env["MODEL_KEY"] = "key-of-the-test"
	h.on("push", map[string]any{"ref": "refs/heads/main", "before": noCommit, "after": h.base})
	if o := h.run(); o.code != cli.ExitPassed || len(server.Requests()) != 1 {
		t.Errorf("exit code %d after %d questions\n%s", o.code, len(server.Requests()), o.log)
	}
	h = hubOf(t, map[string]string{"README.md": "prompts"}, liveFiles(server))
	h.env["MODEL_KEY"] = "key-of-the-test"
	h.on("push", map[string]any{"ref": "refs/heads/change", "before": noCommit, "after": h.head})
	if o := h.run(); o.code != cli.ExitInput || len(server.Requests()) != 1 {
		t.Errorf("another branch: exit code %d after %d questions\n%s", o.code, len(server.Requests()), o.log)
	}
}

func TestAnotherBranchTakesTheDefaultBranchsConfiguration(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(yes))
	h := hubOf(t, map[string]string{"README.md": "prompts"}, liveFiles(server))
	h.env["MODEL_KEY"], h.env["INPUT_BOOTSTRAP"] = "key-of-the-test", "true"
	h.SetBranch("main", h.Commit(map[string]string{"failproof.yml": "version: 1\nsuites: [\"suites/*.yaml\"]\ntargets: { replay: { provider: echo } }\n"}))
	h.SetBranch("release", h.base)
	h.pull()["base"] = map[string]any{"sha": h.base, "ref": "release", "repo": repository(1000)}
	o := h.run()
	if len(server.Requests()) != 0 || o.code == cli.ExitPassed {
		t.Errorf("exit code %d after %d questions: the default branch has a configuration, and it is not the change's\n%s", o.code, len(server.Requests()), o.log)
	}
}

func TestAGateThatFailsNothingHasACheckOfItsOwn(t *testing.T) {
	lenient := func(files map[string]string) map[string]string {
		files = maps.Clone(files)
		for name, text := range files {
			if strings.HasSuffix(name, "failproof.yml") {
				files[name] = strings.Replace(text, "gate: {", "gate: { fail_on: never,", 1)
			}
		}
		return files
	}
	base, head := exampleFiles(t, "main"), exampleFiles(t, "main", "warmer-tone")
	for _, c := range []struct {
		rule       string
		base, head map[string]string
		code       int
		check      string
	}{
		{"the base's word counts", lenient(base), head, cli.ExitPassed, "failproof (report only)"},
		{"the head's does not", base, lenient(head), cli.ExitFailed, "failproof"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, c.base, c.head)
			o := h.run()
			h.expect(o, c.code, "failed")
			if got := h.names(); !slices.Equal(got, []string{c.check}) {
				t.Errorf("check runs %q, want %q", got, c.check)
			}
			if conclusion := h.Checks()[0].Conclusion; conclusion != "failure" {
				t.Errorf("the check concludes %s: it says what it found", conclusion)
			}
		})
	}
}
