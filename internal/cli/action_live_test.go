package cli_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// liveHub is a pull request that changes the prompt of a suite of n cases, which asks a provider of the test.
func liveHub(t *testing.T, n int, step modeltest.Step) (*hub, *modeltest.Server) {
	t.Helper()
	server := modeltest.Serve(t, step)
	files := func(prompt string) map[string]string {
		cases := ""
		for i := range n {
			cases += fmt.Sprintf("  - { id: c%03d, vars: { n: n%03d }, expected_response: 'yes', match: contains }\n", i, i)
		}
		return map[string]string{
			"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: fast\ntargets:\n"+
				"  fast: { provider: openai, model: m, base_url: %q, api_key_env: MODEL_KEY, concurrency: 4 }\n", server.URL+"/v1"),
			"prompts/s.md":  prompt + " {{ n }}?",
			"suites/s.yaml": "version: 1\nprompt: ../prompts/s.md\ncases:\n" + cases,
		}
	}
	h := hubOf(t, files("Is it"), files("Is it really"))
	h.env["MODEL_KEY"] = "key-of-the-test"
	return h, server
}

func TestACancelledJobSaysSoInTheCommentAndGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Int64
	answer := modeltest.DelayStep(20*time.Millisecond, modeltest.TextStep(yes))
	h, server := liveHub(t, 10, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 8 {
			cancel()
		}
		answer(w, r)
	})
	o := h.runIn(ctx)
	h.expect(o, cli.ExitUndecided, "undecided")
	comment := h.comment().Body
	holds(t, "the comment", comment, "## ⏸️ No verdict: the run was canceled", "of 20 answers missing", "goes on where this one stopped")
	first := len(server.Requests())
	if first < 8 || first > 11 {
		t.Errorf("%d questions, want eight and those under way", first)
	}
	h.expect(h.run(), cli.ExitPassed, "passed")
	if all := len(server.Requests()); all != 20+first%2 { // an answer whose counterpart was not asked for is asked for again with it
		t.Errorf("%d questions in both runs, want 20 after %d in the first", all, first)
	}
	holds(t, "the comment of the next run", h.comment().Body, "## ✅ All 10 answers are still right", "8 answers from the cache")
}

// What a fork's run kept could be whatever its author wanted it to be.
func TestAForksAnswersServeNoOtherRun(t *testing.T) {
	h, server := liveHub(t, 3, modeltest.TextStep(yes))
	trusted := h.pull()["head"].(map[string]any)["repo"]
	h.fork(repository(2000))
	h.run()
	if n := len(server.Requests()); n != 6 {
		t.Fatalf("the fork's run asks %d questions, want 6", n)
	}
	h.run()
	if n := len(server.Requests()); n != 6 {
		t.Errorf("the fork's second run asks %d more", n-6)
	}
	h.pull()["head"].(map[string]any)["repo"] = trusted
	h.run()
	if n := len(server.Requests()); n != 12 {
		t.Errorf("a run of the repository's own asks %d questions, want 6", n-6)
	}
}

func TestAForkWithoutAKeyIsUndecided(t *testing.T) {
	h, server := liveHub(t, 3, modeltest.TextStep(yes))
	h.env["MODEL_KEY"] = ""
	h.fork(repository(2000))
	o := h.run()
	h.expect(o, cli.ExitUndecided, "undecided")
	if n := len(server.Requests()); n != 0 || !strings.Contains(o.log, "MODEL_KEY") {
		t.Errorf("%d questions; log:\n%s", n, o.log)
	}
	holds(t, "the job summary", o.summary, "/failproof run "+h.head)

	// What it says there is what helps.
	h.env["MODEL_KEY"] = "key-of-the-test"
	h.SetPermission(ada, "write")
	h.expect(h.tell(ada, "/failproof run "+h.head).outcome, cli.ExitPassed, "passed")
	if checks := h.Checks(); len(checks) != 1 || checks[0].Name != "failproof" || checks[0].Conclusion != "success" {
		t.Errorf("check runs %+v, want failproof, green", checks)
	}
}

// The bot's result takes the place of the comment that says that there is none, of the same run and commit alone.
func TestTheBotReplacesACommentWithoutAVerdict(t *testing.T) {
	h, _ := liveHub(t, 3, modeltest.TextStep(yes))
	h.SetPermission(ada, "write")
	for _, name := range []string{"shop", "desk"} {
		h.env["MODEL_KEY"], h.env["INPUT_NAME"] = "", name
		h.expect(h.run(), cli.ExitUndecided, "undecided")
	}
	h.env["MODEL_KEY"], h.env["INPUT_NAME"] = "key-of-the-test", "shop"
	h.expect(h.tell(ada, "/failproof run "+h.head).outcome, cli.ExitPassed, "passed")
	var left []string
	for _, c := range h.Comments(pullNumber) {
		_, text, _ := strings.Cut(c.Body, "\n")
		title, _, _ := strings.Cut(text, ":")
		left = append(left, title)
	}
	if want := []string{"## ⏸️ `desk`", "", "## ✅ `shop`"}; !slices.Equal(left, want) {
		t.Errorf("comments %q, want %q", left, want)
	}
}

func TestTheWorkflowOnlyLowersWhatARunCosts(t *testing.T) {
	for _, c := range []struct {
		rule, name, value string
		calls, code       int
	}{
		{"as the files say", "TRIALS", "", 3 * 2 * 4, cli.ExitPassed},
		{"fewer answers", "TRIALS", "2", 3 * 2 * 2, cli.ExitPassed},
		{"more answers than the files say", "TRIALS", "9", 3 * 2 * 4, cli.ExitPassed},
		{"a lower limit", "MAX-COST-USD", "0.01", 0, cli.ExitUndecided},
		{"a higher limit than the configuration's", "MAX-COST-USD", "1000", 3 * 2 * 4, cli.ExitPassed},
	} {
		h, server := pricedHub(t)
		h.env["INPUT_"+c.name] = c.value
		if o := h.run(); o.code != c.code || len(server.Requests()) != c.calls {
			t.Errorf("%s: exit code %d after %d calls, want %d after %d; log:\n%s", c.rule, o.code, len(server.Requests()), c.code, c.calls, o.log)
		}
	}
}

// pricedHub is a liveHub of three cases with four answers each, of a target that has a price.
func pricedHub(t *testing.T) (*hub, *modeltest.Server) {
	t.Helper()
	server := modeltest.Serve(t, modeltest.TextStep(yes))
	files := func(prompt string) map[string]string {
		return map[string]string{
			"failproof.yml": fmt.Sprintf("version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: fast\nlimits: { max_cost_usd: 4 }\ntargets:\n"+
				"  fast: { provider: openai, model: m, base_url: %q, api_key_env: MODEL_KEY, concurrency: 4, max_tokens: 50, price: { input_per_million: 1000, output_per_million: 1000 } }\n", server.URL+"/v1"),
			"suites/s.yaml": "version: 1\ntrials: 4\nmessages: [{ role: user, content: '" + prompt + " {{ n }}?' }]\ncases:\n" +
				"  - { id: a, vars: { n: a }, expected_response: 'yes', match: contains }\n" +
				"  - { id: b, vars: { n: b }, expected_response: 'yes', match: contains }\n" +
				"  - { id: c, vars: { n: c }, expected_response: 'yes', match: contains }\n",
		}
	}
	h := hubOf(t, files("Is it"), files("Is it really"))
	h.env["MODEL_KEY"] = "key-of-the-test"
	return h, server
}
