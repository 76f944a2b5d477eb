package exec_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	ask "github.com/failproof/failproof/internal/model/exec"
)

const canary = "canary-9f8e7d6c5b4a"

// TestMain is the command as well: with "act" as its first argument this program does what the rest of them say.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "act" {
		os.Exit(act(os.Args[2], os.Args[3:]))
	}
	goleak.VerifyTestMain(m)
}

func act(what string, args []string) int {
	switch what {
	case "say":
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Print(args[0])
	case "say-unread":
		fmt.Print(args[0])
	case "die":
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 5000)+" the last words "+os.Getenv("FAILPROOF_TEST_KEY"))
		return 3
	case "stdin":
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		text, _ := json.Marshal(line)
		fmt.Printf(`{"text":%s}`, text)
	case "environment":
		text, _ := json.Marshal(strings.Join(os.Environ(), "\n"))
		fmt.Printf(`{"text":%s}`, text)
	case "where":
		dir, _ := os.Getwd()
		text, _ := json.Marshal(dir)
		fmt.Printf(`{"text":%s}`, text)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat(" ", 1<<16)); err != nil {
				return 1
			}
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "parent": // starts a child that keeps our output open, and tells its number
		child := exec.Command(os.Args[0], "act", "sleep")
		child.Stdout = os.Stdout
		if len(args) > 2 {
			detach(child)
		}
		if len(args) > 2 && args[2] == "hidden" {
			child.Env = []string{"PATH=" + os.Getenv("PATH")}
		}
		if err := child.Start(); err != nil {
			return 1
		}
		if err := os.WriteFile(args[0], []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			return 1
		}
		if args[1] == "wait" {
			_ = child.Wait()
		}
		fmt.Print(`{"text":"done"}`)
	}
	return 0
}

func client(t *testing.T, timeout float64, args ...string) *ask.Client {
	t.Helper()
	c, err := ask.New(config.Target{Name: "t", Provider: "exec", Command: append([]string{os.Args[0], "act"}, args...),
		APIKeyEnv: "FAILPROOF_TEST_KEY", TimeoutSeconds: timeout}, "", canary)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(t *testing.T, c *ask.Client, r model.Request) model.Response {
	t.Helper()
	got, err := c.Answer(t.Context(), r)
	if err != nil {
		t.Fatalf("Answer: %v", err)
	}
	if got.Latency <= 0 {
		t.Error("Latency is missing")
	}
	got.Latency = 0
	return got
}

func TestWhatACommandSays(t *testing.T) {
	fails := func(reason string, retry *model.Retry, stop bool, message string) model.Response {
		return model.Response{Failure: &model.Failure{Message: model.Untrusted(message), Reason: reason, Retry: retry, StopsTarget: stop}}
	}
	spoilt := func(reason string) func(string) model.Response {
		return func(message string) model.Response {
			r := fails(reason, nil, false, "the command's answer "+message)
			r.MayCost = true
			return r
		}
	}
	protocol, unreadable := spoilt("protocol"), spoilt("unreadable")
	late := fails("timeout", &model.Retry{Max: 1}, false, "slow")
	late.MayCost = true
	for _, c := range []struct {
		rule, says string
		want       model.Response
	}{
		{"a text is an answer", `{"text":"Hi"}`, model.Response{Text: "Hi"}},
		{"an empty text is an answer", `{"text":""}`, model.Response{}},
		{"everything that can be said", ` {"text":"Hi","finish_reason":"length","model":"m","usage":{"input_tokens":3,"output_tokens":4,"cost_usd":0.5}}` + "\n",
			model.Response{Text: "Hi", Finish: "length", Model: "m", Usage: model.Usage{TokensIn: 3, TokensOut: 4, Cost: model.USD(0.5)}}},
		{"a refusal alone is the text", `{"refusal":"No."}`, model.Response{Text: "No.", Refusal: "No."}},
		{"an error without a reason is read for causes later", `{"error":"context deadline exceeded"}`, fails("", nil, false, "context deadline exceeded")},
		{"a limit passes", `{"error":"slow","reason":"rate_limit","retry_after":1.5}`, fails("rate_limit", &model.Retry{After: 1500 * time.Millisecond}, false, "slow")},
		{"a negative time is now", `{"error":"slow","reason":"rate_limit","retry_after":-3}`, fails("rate_limit", &model.Retry{}, false, "slow")},
		{"an outage passes", `{"error":"down","reason":"server"}`, fails("server", &model.Retry{}, false, "down")},
		{"a timeout is tried once more", `{"error":"slow","reason":"timeout"}`, late},
		{"no money stops", `{"error":"broke","reason":"quota","retry_after":5}`, fails("quota", nil, true, "broke")},
		{"a bad key stops, and is not told", `{"error":"bad key ` + canary + `","reason":"auth"}`, fails("auth", nil, true, "bad key [redacted]")},
		{"a request that is bad is the candidate's own", `{"error":"bad","reason":"rejected_request"}`, fails("rejected_request", nil, false, "bad")},
		{"a reason that is not known", `{"error":"x","reason":"mood"}`, protocol(`has the unknown reason "mood"`)},
		{"a reason without an error", `{"text":"x","reason":"auth"}`, protocol("has a reason without an error")},
		{"a time without an error", `{"text":"x","retry_after":1}`, protocol("has a retry_after without an error")},
		{"a text and an error", `{"text":"x","error":"y"}`, protocol("has a text and an error")},
		{"nothing said", `{}`, protocol("has none of text, refusal and error")},
		{"a usage that cannot be read is none", `{"text":"x","usage":{"input_tokens":"3","output_tokens":-1,"cost_usd":-1,"more":true}}`,
			model.Response{Text: "x", Usage: model.Usage{TokensIn: 3}}},
		{"a finish reason that nobody knows", `{"text":"x","finish_reason":"tool_calls"}`, unreadable(`has the unknown finish reason "tool_calls"`)},
		{"a key that is not known", `{"txt":"x"}`, protocol(`has an unknown form: json: unknown field "txt"`)},
		{"a key twice", `{"text":"x","text":"y"}`, protocol(`is not valid JSON: the key "text" is there twice`)},
		{"two answers", `{"text":"x"}{"text":"y"}`, protocol("is not valid JSON: there is more behind its end")},
		{"no answer", ``, protocol("is not valid JSON: it is empty")},
		{"half of a letter", `{"text":"\ud800"}`, protocol("is not valid JSON: a text in it contains half of a surrogate pair")},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, answer(t, client(t, 20, "say", c.says), model.Request{})); diff != "" {
				t.Errorf("Answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACommandNeedNotReadItsInput(t *testing.T) {
	t.Parallel()
	big := model.Request{Messages: []model.Message{{Role: "user", Content: strings.Repeat("x", 1<<20)}}}
	if got := answer(t, client(t, 20, "say-unread", `{"text":"Hi"}`), big); got.Text != "Hi" {
		t.Errorf("Answer = %+v, failure %+v, want Hi", got, got.Failure)
	}
}

func TestACommandIsAskedInOneLineOfJSON(t *testing.T) {
	t.Parallel()
	zero := 0.0
	got := answer(t, client(t, 20, "stdin"), model.Request{SuiteID: "a/b", CaseID: "c", Trial: 2, Model: "m",
		Messages: []model.Message{{Role: "user", Content: "Hi\n"}}, Parameters: model.Parameters{Temperature: &zero}})
	want := `{"version":1,"suite_id":"a/b","case_id":"c","trial":2,"model":"m","messages":[{"role":"user","content":"Hi\n"}],"parameters":{"temperature":0}}` + "\n"
	if string(got.Text) != want {
		t.Errorf("the command read %q, want %q", got.Text, want)
	}
}

func TestACommandSeesNoVariableButItsOwn(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "ghs_secret")
	t.Setenv("OTHER_KEY", "secret")
	got := answer(t, client(t, 20, "environment"), model.Request{})
	for _, line := range strings.Split(string(got.Text), "\n") {
		name, value, _ := strings.Cut(line, "=")
		if !slices.Contains([]string{"PATH", "HOME", "PATHEXT", "SystemRoot", "USERPROFILE", "TEMP", "TMP", "FAILPROOF_TEST_KEY", "FAILPROOF_ANSWER", "PWD"}, name) {
			t.Errorf("the command sees %s", line)
		}
		if name == "FAILPROOF_TEST_KEY" && value != canary {
			t.Errorf("the key is %q", value)
		}
	}
	if !strings.Contains(string(got.Text), "FAILPROOF_TEST_KEY=") {
		t.Errorf("the command sees no key: %s", got.Text)
	}
}

func TestACommandThatDiesIsACrash(t *testing.T) {
	t.Parallel()
	f := answer(t, client(t, 20, "die"), model.Request{}).Failure
	if f == nil || f.Reason != model.ReasonCrash || f.Retry != nil || len(f.Message) > 2100 ||
		!strings.HasPrefix(string(f.Message), "the command crashed: exit status 3; it wrote: x") || !strings.HasSuffix(string(f.Message), "the last words [redacted]") {
		t.Errorf("Failure = %+v, want a crash with the end of what it wrote, without the key", f)
	}
}

func TestOutputWithoutEndIsOversize(t *testing.T) {
	t.Parallel()
	f := answer(t, client(t, 20, "flood"), model.Request{}).Failure
	if f == nil || f.Reason != model.ReasonOversize || f.Retry != nil {
		t.Errorf("Failure = %+v, want oversize", f)
	}
}

// atDeadline has a parent run into its deadline once it has a child. A machine that is too busy for that gets more
// time.
func atDeadline(t *testing.T, args ...string) (seconds float64, got model.Response) {
	t.Helper()
	for seconds = 1; ; seconds *= 4 {
		got = answer(t, client(t, seconds, args...), model.Request{})
		if told, err := os.ReadFile(args[1]); err == nil && len(told) > 0 {
			return seconds, got
		}
	}
}

func TestAtTheDeadlineACommandDiesWithItsChildren(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	seconds, got := atDeadline(t, "parent", file, "wait")
	want := &model.Failure{Message: model.Untrusted(fmt.Sprintf("the command gave no answer within %gs", seconds)), Reason: "timeout", LimitSeconds: seconds, Retry: &model.Retry{Max: 1}}
	if diff := cmp.Diff(want, got.Failure); diff != "" {
		t.Errorf("Failure (-want +got):\n%s", diff)
	}
	gone(t, file)
}

func TestWhatACommandLeavesBehindIsKilled(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	got := answer(t, client(t, 20, "parent", file, "leave"), model.Request{})
	if got.Text != "done" || got.Failure != nil {
		t.Errorf("Answer = %+v, failure %+v, want what it said although its output was kept open", got, got.Failure)
	}
	gone(t, file)
}

func TestTheEndOfARunIsAnErrorOfOurWorld(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if got, err := client(t, 20, "sleep").Answer(ctx, model.Request{}); !errors.Is(err, context.DeadlineExceeded) || got.Failure != nil {
		t.Errorf("Answer = %+v, %v, want the error that ctx ended", got, err)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	for _, command := range [][]string{nil, {"failproof-no-such-program"}} {
		if _, err := ask.New(config.Target{Command: command}, "", ""); err == nil {
			t.Errorf("New with command %q gives no error", command)
		}
	}
}

// The folder is the run's own, wherever the process stands.
func TestACommandRunsInItsFolder(t *testing.T) {
	dir := t.TempDir()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "bin", "answer")); err != nil {
		t.Fatal(err)
	}
	c, err := ask.New(config.Target{Command: []string{"./bin/answer", "act", "where"}, TimeoutSeconds: 20}, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Answer(t.Context(), model.Request{}); err != nil || string(got.Text) != dir {
		t.Errorf("the command runs in %q, %v, %v, want %q", got.Text, got.Failure, err, dir)
	}
}
