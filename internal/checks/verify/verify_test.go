package verify_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stored"
)

const key = "canary-4f1d9b7e"

// recordedSuite is a suite of two recorded cases, which a live target at the address verifies.
func recordedSuite(address string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\nrecordings: { verify: 2 }\ntargets:\n" +
			"  kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\", api_key_env: MODEL_KEY, patience: 1ms }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n",
		"p.md": "Is it open?\n",
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n" +
			`{"suite_id": "s", "case_id": "b", "raw_response": "it is open"}` + "\n",
	}
}

func openServer(t *testing.T) *modeltest.Server {
	return modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
}

// A change must not choose where a key goes. Which recorded cases pass is known only after somebody vouched for
// the targets: so those of all recorded cases are opened before.
func TestNobodyIsAskedBeforeAPersonVouches(t *testing.T) {
	server := openServer(t)
	in := runtest.Inputs(t, recordedSuite(server.URL), nil, map[string]string{"MODEL_KEY": key})
	refused := errors.New("nobody is to be asked")
	var asked []sides.UntrustedTarget
	in.ConfirmTargets = func(all []sides.UntrustedTarget) error {
		asked = append(asked, all...)
		if n := len(server.Requests()); n > 0 {
			t.Errorf("%d questions were asked before", n)
		}
		return refused
	}
	if _, err := runtest.Run(t, in); !errors.Is(err, refused) {
		t.Errorf("error %v, want that of the person", err)
	}
	if len(asked) != 1 || asked[0].Host != server.URL || asked[0].Keys[0] != "MODEL_KEY" {
		t.Errorf("a person was asked about %+v, want the live target", asked)
	}
	if n := len(server.Requests()); n > 0 {
		t.Errorf("%d questions were asked although the person refused", n)
	}
	in.ConfirmTargets = func([]sides.UntrustedTarget) error { return nil }
	done, err := runtest.Run(t, in)
	if err != nil || done.Report.Verdict != report.Passed || len(server.Requests()) != 2 {
		t.Errorf("after a yes: %v, %v, %d questions; want 2", done.Report, err, len(server.Requests()))
	}
}

// The key of a target goes where the base says, wherever the head of a pull request would send it.
func TestAPullRequestDoesNotChooseWhereAKeyGoes(t *testing.T) {
	ours, theirs := openServer(t), openServer(t)
	for _, fork := range []bool{false, true} {
		in := runtest.Inputs(t, recordedSuite(theirs.URL), recordedSuite(ours.URL), map[string]string{"MODEL_KEY": key})
		in.Fork = fork
		before := len(ours.Requests())
		if _, err := runtest.Run(t, in); err != nil {
			t.Fatal(err)
		}
		if len(ours.Requests()) != before+2 || len(theirs.Requests()) > 0 {
			t.Errorf("fork %v: %d questions to the base's target, %d to the head's; want 2 and none", fork, len(ours.Requests())-before, len(theirs.Requests()))
		}
	}
}

// The results of a stored base are read after the checks looked at both sides.
func TestRecordingsAreVerifiedBesideAStoredBase(t *testing.T) {
	says := "it is open"
	server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return says }))
	files := recordedSuite(server.URL)
	env := map[string]string{"MODEL_KEY": key}
	base, err := runtest.Run(t, runtest.Inputs(t, files, nil, env))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ says, warns string }{
		{"it is open", ""},
		{"closed", "the model no longer says what is recorded, asked 5 times: s/a, s/b"},
	} {
		in := runtest.Inputs(t, files, nil, env)
		if in.Stored, err = stored.Read(base.Folder); err != nil {
			t.Fatal(err)
		}
		says = c.says
		before := len(server.Requests())
		done, err := runtest.Run(t, in)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{true: 2, false: 2 * 5}[c.warns == ""]
		if got := len(server.Requests()) - before; got != want || done.Report.Verdict != report.Passed {
			t.Errorf("%s: %d questions and %s, want %d and passed", c.says, got, done.Report.Verdict, want)
		}
		warned := ""
		for _, r := range done.Report.Reasons {
			if r.Code == "verify" {
				warned += r.Message
			}
		}
		if warned != c.warns {
			t.Errorf("%s: it warns of %q, want %q", c.says, warned, c.warns)
		}
		if !strings.Contains(done.Messages, "asking 2 recorded cases live") {
			t.Errorf("%s: it says %q", c.says, done.Messages)
		}
	}
}

// verified runs files against an equal base. It returns the run, what it says of verifying, and the number of calls.
func verified(t *testing.T, server *modeltest.Server, files runtest.Files, change func(*sides.Inputs)) (done runtest.Result, said string, calls int) {
	t.Helper()
	in := runtest.Inputs(t, files, files, map[string]string{"MODEL_KEY": key})
	if in.Scope = sides.ScopeAll; change != nil {
		change(&in)
	}
	before := len(server.Requests())
	done, err := runtest.Run(t, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range done.Report.Reasons {
		if r.Code == "verify" {
			said += r.Message
		}
	}
	return done, said, len(server.Requests()) - before
}

func TestWhatIsNotVerifiedIsSaid(t *testing.T) {
	const other = "\n  other: { provider: openai, model: large, base_url: \"http://127.0.0.1:1\" }\n"
	refused := modeltest.Serve(t, modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"no","code":"invalid_api_key"}}`))
	for _, c := range []struct {
		rule, file, old, changed string
		calls                    int
		says                     string
	}{
		{"all of them are", "p.md", "", "", 2, ""},
		{"a limit", "failproof.yml", "version: 1\n", "version: 1\nlimits: { max_calls: 1 }\n", 1, "1 of 2 recorded cases could be verified: limits.max_calls (1) is used up"},
		{"a key that is refused", "failproof.yml", "base_url: \"", "base_url: \"" + refused.URL + "\" } # ", 0, "0 of 2 recorded cases could be verified: HTTP 401"},
		{"no live target", "failproof.yml", "  live:", "  # live:", 0, "0 of 2 recorded cases could be verified: the configuration has no live target, or several"},
		{"several", "failproof.yml", "  live:", other + "  live:", 0, "0 of 2 recorded cases could be verified: the configuration has no live target, or several"},
		{"a case that does not pass", "recordings/s.jsonl", "it is open", "it is shut", 1, ""},
		{"fewer than there are", "failproof.yml", "verify: 2", "verify: 1", 1, ""},
		{"more than there are", "failproof.yml", "verify: 2", "verify: 9", 2, ""},
		{"none", "failproof.yml", "verify: 2", "verify: 0", 0, ""},
		{"only part is recorded", "s.yaml", "id: s\n", "id: s\ntargets: [kept, live]\n", 4, ""},
	} {
		server := openServer(t)
		files := recordedSuite(server.URL)
		files[c.file] = strings.Replace(files[c.file], c.old, c.changed, 1)
		refusedBefore := len(refused.Requests())
		done, said, calls := verified(t, server, files, nil)
		if made := calls + len(refused.Requests()) - refusedBefore; done.Report.Calls.Provider != made {
			t.Errorf("%s: %d calls are counted, and %d were made", c.rule, done.Report.Calls.Provider, made)
		}
		if calls != c.calls || !strings.HasPrefix(said, c.says) || (said == "") != (c.says == "") {
			t.Errorf("%s: %d calls, said %q; %v", c.rule, calls, said, done.Report.Diagnostics)
		}
	}
}

// A fork has no key, which is no reason to warn.
func TestWithoutAKeyNothingIsVerified(t *testing.T) {
	server := openServer(t)
	done, said, calls := verified(t, server, recordedSuite(server.URL), func(in *sides.Inputs) { in.Getenv = func(string) string { return "" } })
	if calls > 0 || said != "" || !strings.Contains(done.Messages, "recordings are not verified without the key of their target: the variable MODEL_KEY is empty") {
		t.Errorf("%d calls, warned %q, said %q", calls, said, done.Messages)
	}
}

// A fork whose prompt file asks for more than the base allows is not verified with the base's key, and that is said.
func TestAForkCannotEvadeVerifyingUnseen(t *testing.T) {
	server := openServer(t)
	base := recordedSuite(server.URL)
	base["failproof.yml"] = strings.Replace(base["failproof.yml"], "s.yaml", "s.prompt.yml", 1)
	base["s.prompt.yml"] = "model: small\nmessages: [{ role: user, content: \"Is it open, {{input}}?\" }]\n" +
		"testData: [{ input: x, expected: open }]\nevaluators: [{ name: e, string: { contains: open } }]\n"
	delete(base, "s.yaml")
	for model, want := range map[string]string{
		"small": "",
		"dear":  "0 of 1 recorded case could be verified: the fork's prompt files name a model that the base does not, or more tokens",
	} {
		head := base.Merge(runtest.Files{"s.prompt.yml": strings.Replace(base["s.prompt.yml"], "small", model, 1)})
		read, err := sides.Read(runtest.Inputs(t, head, nil, nil))
		if err != nil || len(read.Head.Suites) != 1 {
			t.Fatal(err, read.Faults)
		}
		one := read.Head.Suites[0]
		head["recordings/"+one.ID+".jsonl"] = fmt.Sprintf(`{"suite_id": %q, "case_id": %q, "request_key": %q, "raw_response": "it is open"}`+"\n",
			one.ID, one.Cases[0].ID, one.Cases[0].Keys().RequestKey.String())
		_, said, calls := verified(t, server, head, func(in *sides.Inputs) {
			in.Fork, in.Base = true, runtest.Inputs(t, base, nil, nil).Head
		})
		if said != want || (calls == 1) != (want == "") {
			t.Errorf("model %s: %d calls, said %q", model, calls, said)
		}
	}
}

// A model may err. Only a case that fails five times is named, and every answer is among the results.
func TestACaseThatFailsItsFirstAnswerIsAskedFiveTimes(t *testing.T) {
	for _, c := range []struct {
		wrong       int // answers to the first case
		calls       int
		says        string
		resultsLive int
	}{{0, 2, "", 2}, {1, 6, "", 6}, {4, 6, "", 6}, {5, 6, "the model no longer says what is recorded, asked 5 times: s/a", 6}} {
		var asked atomic.Int64
		server := modeltest.Serve(t, modeltest.TextStep(func(question string) string {
			if strings.Contains(question, "first") && int(asked.Add(1)) <= c.wrong {
				return "it is shut"
			}
			return "it is open"
		}))
		files := recordedSuite(server.URL)
		files["p.md"] = "Is the {{ q }} open?\n"
		files["s.yaml"] = strings.NewReplacer("id: a,", "id: a, vars: { q: first },", "id: b,", "id: b, vars: { q: second },").Replace(files["s.yaml"])
		done, said, calls := verified(t, server, files, nil)
		results, err := os.ReadFile(filepath.Join(done.Folder, output.ResultsFile))
		if n := strings.Count(string(results), `"rerun_reason":"verify"`); err != nil || calls != c.calls || said != c.says || n != c.resultsLive {
			t.Errorf("%d wrong answers: %d calls, said %q, %d results, %v", c.wrong, calls, said, n, err)
		}
		if done.Report.Verdict != report.Passed {
			t.Errorf("%d wrong answers: %s", c.wrong, done.Report.Verdict)
		}
	}
}

// If a run has ended before, nothing is verified, and that is said with the same reason. The forecast knows of it.
func TestVerifyingIsPartOfTheBudget(t *testing.T) {
	server := openServer(t)
	files := recordedSuite(server.URL)
	done, said, calls := verified(t, server, files, nil)
	if p := done.Report.Plan; said != "" || calls != 2 || p == nil || p.Calls != 2 || p.MostCalls != 2*5 {
		t.Errorf("%d calls, said %q, plan %+v", calls, said, p)
	}
	files["failproof.yml"] = strings.Replace(files["failproof.yml"], "version: 1\n", "version: 1\nlimits: { max_calls: 1 }\n", 1)
	files["failproof.yml"] = strings.Replace(files["failproof.yml"], "[s.yaml]", "[s.yaml, t.yaml]", 1)
	files["t.yaml"] = strings.Replace(files["s.yaml"], "id: s\n", "id: t\ntarget: live\n", 1)
	_, said, calls = verified(t, server, files, nil)
	if calls > 0 || !strings.HasPrefix(said, "0 of 2 recorded cases could be verified: 2 calls are needed, more than limits.max_calls (1) allows") {
		t.Errorf("%d calls, said %q", calls, said)
	}
}

// An answer that the judge cannot grade does not verify its recording. What it cost is counted.
func TestAJudgeThatIsDownVerifiesNothing(t *testing.T) {
	var isDown atomic.Bool
	server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		answer := func(question string) string {
			if strings.Contains(question, "[CRITERION") {
				return modeltest.ContainsVerdict(modeltest.ParseQuestion(question))
			}
			return "it is open"
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Body = io.NopCloser(bytes.NewReader(body)); isDown.Load() && strings.Contains(string(body), "strict") {
			modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"no","code":"invalid_api_key"}}`)(w, r)
			return
		}
		modeltest.TextStep(answer)(w, r)
	})
	files := recordedSuite(server.URL)
	delete(files, "recordings/s.jsonl")
	files["failproof.yml"] += "  judge: { provider: openai, model: strict, base_url: \"" + server.URL + "\", patience: 1ms }\njudges: { default: { target: judge } }\n"
	files["s.yaml"] = strings.Replace(files["s.yaml"], "{ id: b, expected_response: open, match: contains }", "{ id: b, rubric: ['It says \"open\"'] }", 1)
	in := runtest.Inputs(t, files, nil, map[string]string{"MODEL_KEY": key})
	if _, err := record.Record(t.Context(), record.Inputs{Inputs: in, HeadRules: true}, asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}}); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(in.Dir, "recordings", "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	files["recordings/s.jsonl"] = string(lines)
	isDown.Store(true)
	done, said, calls := verified(t, server, files, nil)
	if done.Report.Verdict != report.Passed || !strings.HasPrefix(said, "1 of 2 recorded cases could be verified: ") || !strings.Contains(said, "HTTP 401") {
		t.Errorf("%s, said %q", done.Report.Verdict, said)
	}
	if rep := done.Report; rep.Calls.Provider != 2 || rep.Judge == nil || rep.Calls.Provider+rep.Judge.Calls.Provider != calls {
		t.Errorf("%+v and %+v are counted, and %d were made", rep.Calls, rep.Judge, calls)
	}
}
