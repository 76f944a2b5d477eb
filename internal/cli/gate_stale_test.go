package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// changedPrompt makes a repository whose base was recorded, and whose head changed the prompt and nothing else.
func changedPrompt(t *testing.T, cases int, recordings string, step modeltest.Step) *repo {
	t.Helper()
	r := newRepo(t, cases, step)
	r.config("recordings: " + recordings + "\ngate: { min_run_score: off }")
	r.replayed("recordings/{suite}.jsonl")
	r.command("record").expect(t, "record the base", cli.ExitPassed, cases)
	r.asBase()
	r.write("base/recordings/s.jsonl", r.read("recordings/s.jsonl"))
	r.suite("", "Is %s really right?", cases)
	return r
}

// apply applies the patch of the last run, as its reader would.
func (r *repo) apply() {
	r.t.Helper()
	git := exec.Command("git", "apply", ".failproof/out/recordings.patch")
	git.Dir, git.Env = r.dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(r.dir))
	if out, err := git.CombinedOutput(); err != nil {
		r.t.Fatalf("git apply: %v\n%s\n%s", err, out, r.read(".failproof/out/recordings.patch"))
	}
}

func needsGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
}

func TestStaleCasesAreAskedLiveOnBothSides(t *testing.T) {
	needsGit(t)
	r := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(yes))
	o := r.run("--base", "./base")
	o.expect(t, "with the key", cli.ExitPassed, 2*3, "⚠️ 3 cases were run live because the recording is stale: `s/c000`, `s/c001`, `s/c002`; the new answers are in")
	if s := o.report.Statistics; s.Mode != report.ModeNoisy || s.Noisy != 3 {
		t.Errorf("statistics %+v, want 3 noisy cases", s)
	}
	r.apply()
	r.run("--base", "./base").expect(t, "with the patch", cli.ExitPassed, 0, "✅ All 3 answers are still right")
	if _, err := os.Stat(filepath.Join(r.dir, ".failproof/out/recordings.patch")); err == nil {
		t.Error("the patch of the earlier run is still there")
	}
	r.env["MODEL_KEY"] = ""
	r.suite("", "Is %s really, really right?", 3)
	r.run("--base", "./base").expect(t, "without the key", cli.ExitUndecided, 0, "⏸️ No verdict: recorded answers are stale; 3 answers without a score",
		"3 cases could not be asked live in place of the recordings, as `recordings.stale` says: the variable `MODEL_KEY` is empty; it needs the key of target \"fast\"")
}

func TestACaseThatIsStaleAloneIsAskedAlone(t *testing.T) {
	needsGit(t)
	r := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(yes))
	r.command("record").expect(t, "record the head", cli.ExitPassed, 3)
	lines := strings.SplitAfter(r.read("recordings/s.jsonl"), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, `"c001"`) }) // and one is missing
	r.write("recordings/s.jsonl", strings.Join(lines, ""))
	o := r.run("--base", "./base", "--no-cache")
	o.expect(t, "one of three", cli.ExitPassed, 2, "1 case was run live", "s/c001")
	if s := o.report.Statistics; s.Noisy != 1 || s.Strict != 2 {
		t.Errorf("statistics %+v, want one noisy case and two strict ones", s)
	}
	r.apply()
	r.run("--base", "./base").expect(t, "with the patch", cli.ExitPassed, 0, "✅ All 3 answers are still right")
}

func TestAPatchSettlesWhatItWouldFlip(t *testing.T) {
	needsGit(t)
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(script.answer))
	r.run("--base", "./base").expect(t, "a model that errs once", cli.ExitPassed, 2*3+2*8, "asking again did not confirm")
	r.apply()
	r.run("--base", "./base").expect(t, "with the patch", cli.ExitPassed, 0, "right 8 of 8 before, 8 of 8 now")
	broken := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(func(q string) string {
		if strings.Contains(q, "n001 really") {
			return "no"
		}
		return "yes"
	}))
	broken.run("--base", "./base").expect(t, "a prompt that breaks it", cli.ExitFailed, 2*3+2*8, "1 regression confirmed by fresh runs")
	broken.apply()
	broken.run("--base", "./base").expect(t, "with the patch", cli.ExitFailed, 0, "1 regression confirmed by fresh runs")
}

func TestWhatIsAskedInPlaceOfAStaleRecordingHoldsNoSecret(t *testing.T) {
	r := changedPrompt(t, 1, "{ stale: ask }", modeltest.TextStep(func(string) string { return "yes key-of-the-test" }))
	r.run("--base", "./base").expect(t, "ask", cli.ExitPassed, 2)
	if strings.Contains(r.read(".failproof/out/recordings.patch"), "key-of-the-test") {
		t.Error("the patch holds the key")
	}
}

func TestStaleRecordingsMayCountAsTheyAre(t *testing.T) {
	r := changedPrompt(t, 2, "{ stale: warn }", modeltest.TextStep(yes))
	o := r.run("--base", "./base")
	o.expect(t, "warn", cli.ExitPassed, 0, "2 recordings are stale, and counted as they are: s/c000, s/c001")
	if strings.Contains(o.stdout, "✅") {
		t.Error("it is a plain pass")
	}
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "stale: warn", "stale: error", 1))
	r.run("--base", "./base").expect(t, "the base says what stale is", cli.ExitPassed, 0, "recordings.stale")
}

// A setting that is in effect after the merge makes recordings stale then, and not for the change that makes it.
func TestAChangeOfATargetSaysHowManyRecordedAnswersItMakesStale(t *testing.T) {
	for _, c := range []struct{ rule, old, changed, key string }{
		{"its provider", "provider: openai, model: m", "provider: anthropic, model: m", "targets.fast.provider"},
		{"a setting", "provider: openai, model: m", "provider: openai, top_p: 0.5, model: m", "targets.fast.top_p"},
		{"whose answers they are", "provider: recorded,", "provider: recorded, records: other,", "targets.replay.records"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 3, modeltest.TextStep(yes))
			r.replayed("recordings/{suite}.jsonl")
			r.command("record").expect(t, "record the base", cli.ExitPassed, 3)
			text := strings.Replace(r.read("failproof.yml"), "targets:\n", "targets:\n  other: { provider: openai, model: n, base_url: \"http://127.0.0.1:9\" }\n", 1)
			r.write("failproof.yml", text)
			r.asBase()
			r.write("base/recordings/s.jsonl", r.read("recordings/s.jsonl"))
			r.write("failproof.yml", strings.Replace(text, c.old, c.changed, 1))
			r.run("--base", "./base").expect(t, "the change", cli.ExitPassed, 0, "no suite is affected",
				c.key+" (it makes 3 recorded answers stale)", "then 3 recorded answers are stale",
				"The new target makes 3 recorded answers stale. After the merge, record them with `failproof record`")
			r.asBase()
			r.run("--base", "./base", "--scope", "all").expect(t, "after the merge", cli.ExitUndecided, 0,
				"These answers were recorded before the prompt, the input or the target changed")
		})
	}
}

func TestAnswersOfAProposedTargetCountAfterTheMerge(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.replayed("recordings/{suite}.jsonl")
	r.command("record").expect(t, "record the base", cli.ExitPassed, 3)
	r.asBase()
	r.write("base/recordings/s.jsonl", r.read("recordings/s.jsonl"))
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "provider: openai", "provider: openai, top_p: 0.5", 1))
	r.command("record").expect(t, "record with the new target", cli.ExitPassed, 3)
	r.run("--base", "./base").expect(t, "both in one change", cli.ExitUndecided, 0,
		"3 recorded answers are of the target that this change proposes", "`failproof record --base REVISION`")
	r.command("record", "--base", "./base").expect(t, "the advice, with the cache", cli.ExitPassed, 0)
	r.run("--base", "./base").expect(t, "with the advice", cli.ExitPassed, 0, "The new target makes 3 recorded answers stale")
}

func TestRecordedCasesAreVerified(t *testing.T) {
	var mu sync.Mutex
	says := map[string]string{}
	answer := func(q string) string {
		mu.Lock()
		defer mu.Unlock()
		for word, text := range says {
			if strings.Contains(q, word) {
				return text
			}
		}
		return "yes"
	}
	r := changedPrompt(t, 6, "{ verify: 3 }", modeltest.TextStep(answer))
	r.command("record").expect(t, "record the head", cli.ExitPassed, 6)
	o := r.run("--base", "./base")
	o.expect(t, "the model still says it", cli.ExitPassed, 3, "✅ All 6 answers are still right", "asking 3 recorded cases live")
	if got := r.looks("results.jsonl"); got[""] != 6 || got[report.RerunVerify] != 3 {
		t.Errorf("results by look: %v, want 6 first and 3 to verify", got)
	}
	if c := o.report.Calls; c.Provider != 3 || o.report.Statistics.Mode != report.ModeStrict {
		t.Errorf("calls %+v, mode %s", c, o.report.Statistics.Mode)
	}
	first := r.read(".failproof/out/results.jsonl")
	if strings.Contains(first, `"stale":true`) {
		t.Error("a recording that is verified counts as stale")
	}
	r.run("--base", "./base").expect(t, "once more", cli.ExitPassed, 3)
	if verifiedIn(first) != verifiedIn(r.read(".failproof/out/results.jsonl")) {
		t.Error("another run of the same change verifies other cases")
	}
	says["really"] = "no"
	r.run("--base", "./base").expect(t, "the model says something else", cli.ExitPassed, 3*5, "⚠️", "the model no longer says what is recorded, asked 5 times:")
	r.env["MODEL_KEY"] = ""
	r.run("--base", "./base").expect(t, "without the key", cli.ExitPassed, 0, "✅ All 6 answers are still right",
		"recordings are not verified without the key of their target: the variable MODEL_KEY is empty")
}

// verifiedIn lists the cases that were verified.
func verifiedIn(results string) (out string) {
	for l := range strings.Lines(results) {
		if strings.Contains(l, `"rerun_reason":"verify"`) {
			_, id, _ := strings.Cut(l, `"case_id":"`)
			out += id[:4] + " "
		}
	}
	return out
}

// both changes the configuration of both sides.
func (r *repo) both(old, new string) {
	r.t.Helper()
	for _, name := range []string{"failproof.yml", "base/failproof.yml"} {
		text := r.read(name)
		if !strings.Contains(text, old) {
			r.t.Fatalf("%s has no %q", name, old)
		}
		r.write(name, strings.Replace(text, old, new, 1))
	}
}

func TestWhatCouldNotBeVerifiedIsSaidAndDecidesNothing(t *testing.T) {
	t.Parallel() // it waits
	for _, c := range []struct {
		rule, old, new string
		calls          int
		says           string
	}{
		{"a limit", "recordings:", "limits: { max_calls: 1 }\nrecordings:", 1, "1 of 3 recorded cases could be verified: limits.max_calls (1) is used up"},
		{"no room for one call", "recordings:", "limits: { max_cost_usd: 0.00001 }\nrecordings:", 0,
			"0 of 3 recorded cases could be verified: one call can cost $0.10, more than limits.max_cost_usd (0.00001) allows"},
		{"nobody there", "concurrency: 4", "patience: 1ms", 0, "connection refused"}, // who is tried again, for up to 15 s
		{"a key that is refused", "recordings:", "recordings:", 0, "0 of 3 recorded cases could be verified: HTTP 401 invalid_api_key"},
		{"no live target", "recordings:", "recordings:", 0, "0 of 3 recorded cases could be verified: the configuration has no live target"},
	} {
		if c.rule == "nobody there" && !fulltest.All() {
			continue
		}
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r := changedPrompt(t, 3, "{ verify: 3 }", modeltest.TextStep(yes))
			r.command("record").expect(t, "record the head", cli.ExitPassed, 3)
			r.both(c.old, c.new)
			switch c.rule {
			case "nobody there":
				r.both(r.server.URL, modeltest.UnusedURL)
			case "a key that is refused":
				r.both(r.server.URL, modeltest.Serve(t, modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"no","code":"invalid_api_key"}}`)).URL)
			case "no live target":
				text := r.read("failproof.yml")
				fast := text[strings.Index(text, "  fast:"):strings.Index(text, "recordings:")]
				r.both(fast, "")
			}
			o := r.run("--base", "./base")
			o.expect(t, c.rule, cli.ExitPassed, c.calls, "⚠️ Passed with warnings")
			if !strings.Contains(plainText(o), c.says) {
				t.Errorf("%q is nowhere in\n%s", c.says, o.stdout)
			}
		})
	}
}

// plainText is the table without its line breaks.
func plainText(o liveOutcome) string { return strings.Join(strings.Fields(o.stdout), " ") }

func TestARunThatIsCancelledWhileItVerifiesIsUndecided(t *testing.T) {
	t.Parallel() // it waits
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := changedPrompt(t, 3, "{ verify: 3 }", modeltest.TextStep(yes))
	r.command("record").expect(t, "record the head", cli.ExitPassed, 3)
	silent := modeltest.Serve(t, func(w http.ResponseWriter, q *http.Request) {
		cancel()
		modeltest.NeverStep(w, q)
	})
	r.both(r.server.URL, silent.URL)
	o := r.runIn(ctx, "--base", "./base")
	o.expect(t, "the canceled run", cli.ExitUndecided, 0, "⏸️ No verdict: the run was canceled",
		"the run was canceled: the remaining calls were not made")
}

func TestWhatVerifyingMayCostIsSaidBefore(t *testing.T) {
	r := changedPrompt(t, 6, "{ verify: 3 }", modeltest.TextStep(yes))
	r.command("record").expect(t, "record the head", cli.ExitPassed, 6)
	const says = "this comparison needs 3 calls, about $0.18, 3 of them to verify recordings; at most 15 calls and $1.55, where answers differ and are asked again"
	r.run("--base", "./base", "--dry-run").expect(t, "a dry run", cli.ExitPassed, 0, "fast    openai    3      0", says)
	o := r.run("--base", "./base")
	o.expect(t, "the run", cli.ExitPassed, 3, says)
	if p := o.report.Plan; p == nil || p.Calls != 3 || p.MostCalls != 15 {
		t.Errorf("plan %+v, want 3 calls and at most 15", p)
	}
	r.both("recordings:", "limits: { max_calls: 2 }\nrecordings:")
	r.run("--base", "./base", "--dry-run").expect(t, "with room for two", cli.ExitPassed, 0, "this comparison needs 2 calls, about $0.12, 2 of them to verify recordings")
}

func TestAnOutageInPlaceOfAStaleRecordingWritesNoPatch(t *testing.T) {
	t.Parallel() // it waits
	r := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(yes))
	r.both("concurrency: 4", "patience: 1ms")
	r.both(r.server.URL, modeltest.UnusedURL)
	o := r.run("--base", "./base")
	o.expect(t, "nobody there", cli.ExitUndecided, 0)
	if text := plainText(o); !strings.Contains(text, "their new answers did not all come, so no recordings.patch was written") {
		t.Errorf("it does not say that there is no patch:\n%s", o.stdout)
	}
	if _, err := os.Stat(filepath.Join(r.dir, ".failproof/out/recordings.patch")); err == nil {
		t.Error("there is a patch")
	}
}

func TestAPatchOfSomeCasesSaysOfHowMany(t *testing.T) {
	r := changedPrompt(t, 3, "{ stale: ask }", modeltest.TextStep(yes))
	refuse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		q.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte("n001")) {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
			return
		}
		modeltest.TextStep(yes)(w, q)
	}))
	defer refuse.Close()
	r.both(r.server.URL, refuse.URL)
	o := r.run("--base", "./base")
	if text := plainText(o); !strings.Contains(text, "the new answers to 2 of them are in recordings.patch, to be committed; those to the others did not all come") {
		t.Errorf("it does not say what the patch lacks:\n%s", o.stdout)
	}
}
