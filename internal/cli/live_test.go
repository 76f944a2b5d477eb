package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// repo is a folder with a configuration of one live target, a suite and, below base, the same as it was before.
type repo struct {
	t      *testing.T
	dir    string
	server *modeltest.Server
	env    map[string]string
	user   string // the folder of settings of whoever runs failproof
}

// agreed is a user's folder of somebody who has agreed that keys go to a test's servers, by their addresses.
func agreed(t testing.TB, keys map[string]string) string {
	t.Helper()
	user, lines := t.TempDir(), ""
	for address, key := range keys {
		lines += fmt.Sprintf(`{"host":%q,"keys":[%q]}`+"\n", address, key)
	}
	if err := os.Mkdir(filepath.Join(user, "failproof"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "failproof", "asked.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return user
}

// newRepo writes a suite of n cases. The target answers with step.
func newRepo(t *testing.T, n int, step modeltest.Step) *repo {
	t.Helper()
	r := &repo{t: t, dir: t.TempDir(), server: modeltest.Serve(t, step), env: map[string]string{"MODEL_KEY": "key-of-the-test"}}
	r.user = agreed(t, map[string]string{r.server.URL: "MODEL_KEY"})
	r.config("")
	r.suite("", "Is %s right?", n)
	return r
}

// config writes the configuration, with more lines behind it.
func (r *repo) config(more string) {
	r.write("failproof.yml", fmt.Sprintf(`version: 1
suites: ["suites/*.yaml"]
default_target: fast
targets:
  fast: { provider: openai, model: m, base_url: %q, api_key_env: MODEL_KEY, max_tokens: 50, concurrency: 4,
          price: { input_per_million: 1000, output_per_million: 1000 } }
%s`, r.server.URL+"/v1", more))
}

// suite writes the suite below a folder: n cases that ask by one prompt.
func (r *repo) suite(folder, prompt string, n int) {
	cases := ""
	for i := range n {
		cases += fmt.Sprintf("  - { id: c%03d, vars: { name: n%03d }, expected_response: 'yes', match: contains }\n", i, i)
	}
	r.write(filepath.Join(folder, "prompts/s.md"), fmt.Sprintf(prompt, "{{ name }}"))
	r.write(filepath.Join(folder, "suites/s.yaml"), "version: 1\nprompt: ../prompts/s.md\ncases:\n"+cases)
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// asBase copies configuration and suite to the folder base.
func (r *repo) asBase() {
	for _, name := range []string{"failproof.yml", "prompts/s.md", "suites/s.yaml"} {
		r.write(filepath.Join("base", name), r.read(name))
	}
}

func (r *repo) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// outcome is what a run came to.
type liveOutcome struct {
	code           int
	stdout, stderr string
	calls          int // that the target was asked in this run
	report         *report.Report
	comment        string
}

func (r *repo) run(args ...string) liveOutcome { return r.runIn(r.t.Context(), args...) }

func (r *repo) runIn(ctx context.Context, args ...string) liveOutcome {
	r.t.Helper()
	before := len(r.server.Requests())
	var out, errs bytes.Buffer
	o := liveOutcome{code: mainOf(ctx, append([]string{"run"}, args...), cli.System{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: r.dir, UserDir: r.user,
		Getenv: func(name string) string { return r.env[name] },
		Now:    func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
	})}
	o.stdout, o.stderr, o.calls = out.String(), errs.String(), len(r.server.Requests())-before
	if text, err := os.ReadFile(filepath.Join(r.dir, ".failproof/out/report.json")); err == nil {
		if o.report, err = report.Unmarshal(text); err != nil {
			r.t.Fatal(err)
		}
		o.comment = r.read(".failproof/out/comment.md")
	}
	return o
}

func yes(string) string { return "yes" }

// expect holds an outcome against a code, a number of calls and texts that standard error or the comment must have.
func (o liveOutcome) expect(t *testing.T, what string, code, calls int, texts ...string) {
	t.Helper()
	if o.code != code || o.calls != calls {
		t.Errorf("%s: exit code %d after %d calls, want %d after %d\n%s%s", what, o.code, o.calls, code, calls, o.stdout, o.stderr)
	}
	for _, text := range texts {
		said := o.stderr + o.comment + o.stdout
		if !strings.Contains(said, text) && !strings.Contains(strings.Join(strings.Fields(said), " "), text) { // the terminal wraps lines
			t.Errorf("%s: %q is nowhere in\n%s%s%s", what, text, o.stdout, o.stderr, o.comment)
		}
	}
}

func TestARunAsksWhatItHasNoAnswerTo(t *testing.T) {
	r := newRepo(t, 6, modeltest.TextStep(yes))
	first := r.run()
	first.expect(t, "the first run", cli.ExitPassed, 6, "this run needs 6 calls, about $0.35")
	if c := first.report.Calls; c.Provider != 6 || c.Cached != 0 || c.TokensIn != 66 || c.TokensOut != 42 || c.CostUSD == nil || *c.CostUSD < 0.1 {
		t.Errorf("calls %+v", c)
	}
	second := r.run()
	second.expect(t, "the second run", cli.ExitPassed, 0, "this run needs 0 calls; 6 answers kept from before")
	if c := second.report.Calls; c.Provider != 0 || c.Cached != 6 || c.CostUSD == nil || *c.CostUSD != 0 {
		t.Errorf("calls of the second run %+v", c)
	}
	if first.comment != second.comment {
		t.Errorf("the comment differs:\n%s\n%s", first.comment, second.comment)
	}
	r.run("--no-cache").expect(t, "a run without kept answers", cli.ExitPassed, 6)
	r.run("--cache", "elsewhere").expect(t, "a run with another folder", cli.ExitPassed, 6)
	r.suite("", "Is %s right?", 7)
	r.run().expect(t, "a run with a case more", cli.ExitPassed, 1)
}

func TestAComparisonAsksBothSidesOfWhatChanged(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(func(last string) string {
		if strings.Contains(last, "really") && strings.Contains(last, "n001") {
			return "no"
		}
		return "yes"
	}))
	r.asBase()
	r.run("--base", "./base", "--scope", "all").expect(t, "nothing changed", cli.ExitPassed, 3, "this comparison needs 3 calls")
	r.suite("", "Is %s really right?", 3)
	o := r.run("--base", "./base")
	o.expect(t, "the prompt changed", cli.ExitFailed, 6+14, "1 of 3 answers broke", // the case that flipped is asked again, seven times a side
		"asking 1 flipped case again, 0 of 16",
		"this comparison needs 6 calls, about $0.35; at most 54 calls and $5.00 (limits.max_cost_usd), where answers differ and are asked again")
	if c := o.report.Calls; c.Provider != 6+14 || c.Cached != 0 {
		t.Errorf("calls %+v", c)
	}
	r.run("--base", "./base").expect(t, "the same again", cli.ExitFailed, 0, "1 of 3 answers broke")
}

func TestTrialsAreAskedEachForItself(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(yes))
	r.write("suites/s.yaml", strings.Replace(r.read("suites/s.yaml"), "cases:", "trials: 3\ncases:", 1))
	r.run().expect(t, "three trials of two cases", cli.ExitPassed, 6)
	r.run().expect(t, "again", cli.ExitPassed, 0)
}

func TestADryRunSaysWhatItWouldCostAndAsksNothing(t *testing.T) {
	r := newRepo(t, 6, modeltest.TextStep(yes))
	r.run("--dry-run").expect(t, "a dry run", cli.ExitPassed, 0, "fast    openai    6      0", "1 suite, 6 cases: this run needs 6 calls, about $0.35")
	if entries, err := os.ReadDir(r.dir); err != nil || len(entries) != 3 {
		t.Errorf("it wrote something: %v, %v", entries, err)
	}
	r.run()
	r.run("--dry-run").expect(t, "a dry run with answers", cli.ExitPassed, 0, "0 calls; 6 answers kept from before")
}

func TestABudgetEndsInUndecided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, limits string
		calls        int
		says         string
	}{
		{"one that is known not to suffice is not begun", "limits: { max_calls: 5 }", 0, "6 calls are needed, more than `limits.max_calls` (5) allows: 6 of 6 answers missing"},
		{"nor where dollars do not", "limits: { max_cost_usd: 0.1 }", 0, "about `$0.35` is needed, more than `limits.max_cost_usd` (0.1) allows: 6 of 6 answers missing"},
		{"nor tokens", "limits: { max_tokens: 100 }", 0, "about 348 tokens are needed, more than `limits.max_tokens` (100) allows"},
		{"dollars are held before each call", "limits: { max_cost_usd: 0.4 }", 1, "`limits.max_cost_usd` (0.4) is used up: 5 of 6 answers missing"},
		{"tokens are held before each call", "limits: { max_tokens: 400 }", 1, "`limits.max_tokens` (400) is used up: 5 of 6 answers missing"},
		{"one answer that is missing is too many", "limits: { max_tokens: 1700 }\ngate: { max_unscored: 1, min_run_score: off }", 5, "1 of 6 answers missing"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			// Some 300 tokens an answer where 58 are expected: the provider adds words of its own.
			r := newRepo(t, 6, modeltest.JSON(strings.Replace(modeltest.Completion("yes"), `"prompt_tokens":11`, `"prompt_tokens":300`, 1)))
			r.config(c.limits)
			r.run().expect(t, "the run", cli.ExitUndecided, c.calls, c.says)
		})
	}
	r := newRepo(t, 6, modeltest.NeverStep) // a run that waits for it never ends
	r.config("limits: { max_wall: 200ms }")
	o := r.run()
	o.expect(t, "time", cli.ExitUndecided, min(o.calls, 1), "limits.max_wall` (200ms) is used up: 6 of 6 answers missing")
}

func TestACancelledRunSaysSoAndGoesOnLater(t *testing.T) {
	t.Parallel() // it waits
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked, silent atomic.Int64
	silent.Store(9)
	r := newRepo(t, 20, func(w http.ResponseWriter, q *http.Request) {
		if asked.Add(1) > silent.Load() {
			cancel() // and nobody is told anything more: a run that waits for it never ends
			modeltest.NeverStep(w, q)
			return
		}
		modeltest.TextStep(yes)(w, q)
	})
	o := r.runIn(ctx)
	o.expect(t, "the canceled run", cli.ExitUndecided, o.calls, "the run was canceled", "11 of 20 answers missing", "Run the command again")
	if o.calls < 10 || o.calls > 13 {
		t.Errorf("%d calls, want ten and those under way", o.calls)
	}
	silent.Store(math.MaxInt64)
	r.run().expect(t, "the next run", cli.ExitPassed, 11)
}

func TestAKeyThatIsMissingLeavesItUndecided(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.env["MODEL_KEY"] = ""
	r.run().expect(t, "without a key", cli.ExitUndecided, 0, "MODEL_KEY")
	r.env["MODEL_KEY"] = "key-of-the-test"
	r.run().expect(t, "with it", cli.ExitPassed, 3)
	r.env["MODEL_KEY"] = ""
	r.run().expect(t, "without a key, with answers that are kept", cli.ExitPassed, 0)
}

func TestAnAnswerWithTheKeyIsNotKept(t *testing.T) {
	r := newRepo(t, 1, modeltest.TextStep(func(string) string { return "yes, key-of-the-test" }))
	r.run().expect(t, "the first run", cli.ExitPassed, 1)
	r.run().expect(t, "the second run", cli.ExitPassed, 1)
	err := filepath.WalkDir(filepath.Join(r.dir, ".failproof"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("key-of-the-test")) {
				t.Errorf("%s holds the key", path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestADamagedRecordIsMentionedAndAskedAgain(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.run()
	const name = ".failproof/cache/trusted/2026-01.journal"
	r.write(name, regexp.MustCompile(`"text":"yes"`).ReplaceAllLiteralString(r.read(name), `"text":"YES"`)[:len(r.read(name))-20])
	o := r.run()
	o.expect(t, "with a spoilt journal", cli.ExitPassed, 3, "damaged records")
}

func TestTheTargetsHeadersCarryTheKeyOfTheConfiguration(t *testing.T) {
	r := newRepo(t, 1, modeltest.TextStep(yes))
	r.run()
	if got := r.server.Requests()[0].Header.Get("Authorization"); got != "Bearer key-of-the-test" {
		t.Errorf("authorization %q", got)
	}
}

// Against a target that takes a while, everything but its own time costs next to nothing. The limit bears the longest
// answers that all who are asked at once might give, so that none is waited for alone.
func BenchmarkLiveRun(b *testing.B) {
	const cases, takes = 500, 200 * time.Millisecond
	for _, width := range []int{4, 20, 50} {
		b.Run(fmt.Sprint(width, " at once"), func(b *testing.B) {
			var took []time.Duration
			for range b.N {
				t := &testing.T{}
				r := &repo{t: t, dir: b.TempDir(), server: modeltest.Serve(b, modeltest.DelayStep(takes, modeltest.TextStep(yes))), env: map[string]string{"MODEL_KEY": "k"}}
				r.config("")
				config := strings.Replace(r.read("failproof.yml"), "concurrency: 4", fmt.Sprint("concurrency: ", width), 1)
				r.write("failproof.yml", strings.Replace(config, "input_per_million: 1000, output_per_million: 1000", "input_per_million: 1, output_per_million: 2", 1)+"limits: { max_cost_usd: 40 }\n")
				r.suite("", "Is %s right?", cases)
				start := time.Now()
				code := mainOf(b.Context(), []string{"run", "--quiet", "--yes"}, cli.System{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
					Dir: r.dir, Getenv: func(name string) string { return r.env[name] }, Now: time.Now})
				took = append(took, time.Since(start))
				if code != cli.ExitPassed || len(r.server.Requests()) != cases {
					b.Fatalf("exit code %d after %d calls", code, len(r.server.Requests()))
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/float64(takes*cases/time.Duration(width)), "of-ideal")
		})
	}
}
