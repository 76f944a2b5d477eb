package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// judgeKey is the key of both targets.
const judgeKey = "sk-judge-7d21"

// bench is a repository with a base and a head, and the servers that they ask.
type bench struct {
	t              *testing.T
	dir            string // of both
	answers, judge *modeltest.Server
	key            string
}

func newBench(t *testing.T, answers, judge modeltest.Step) *bench {
	b := &bench{t: t, dir: t.TempDir(), answers: modeltest.Serve(t, answers), judge: modeltest.Serve(t, judge), key: judgeKey}
	b.lay("base", map[string]string{})
	b.lay("head", map[string]string{})
	return b
}

func (b *bench) config(judge string) string {
	return fmt.Sprintf(`version: 1
suites: ["suites/*.yaml"]
default_target: live
targets:
  live: { provider: openai, model: m, base_url: %q, api_key_env: LIVE_KEY }
  grader: { provider: openai, model: j, base_url: %q, api_key_env: JUDGE_KEY, temperature: 0 }
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
judges: { default: %s }
`, b.answers.URL, b.judge.URL, judge)
}

// lay writes a side: the usual configuration, a prompt and a suite, and then files.
func (b *bench) lay(side string, files map[string]string) {
	b.t.Helper()
	all := map[string]string{"failproof.yml": b.config("{ target: grader }"), "suites/prompt.md": "Answer: {{ q }}\n",
		"suites/s.yaml": "version: 1\nprompt: prompt.md\ncases:\n  - { id: a, vars: { q: when }, rubric: ['Contains the word \"thirty\"'] }\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(b.dir, side, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}

// run runs failproof in the head.
func (b *bench) run(args ...string) (exit int, said string) {
	b.t.Helper()
	var out bytes.Buffer
	exit = cli.Main(b.t.Context(), args, cli.System{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: filepath.Join(b.dir, "head"),
		Getenv: func(name string) string {
			if b.key != "" && (name == "LIVE_KEY" || name == "JUDGE_KEY") {
				return b.key
			}
			return ""
		},
		Now: time.Now,
	})
	return exit, out.String()
}

func (b *bench) gate(args ...string) (exit int, said string) {
	return b.run(append([]string{"run", "--base", filepath.Join(b.dir, "base")}, args...)...)
}

func (b *bench) file(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, "head", ".failproof", "out", name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *bench) report() *report.Report {
	b.t.Helper()
	rep, err := report.Unmarshal([]byte(b.file("report.json")))
	if err != nil {
		b.t.Fatal(err)
	}
	return rep
}

func (b *bench) results(name string) (all []report.Result) {
	b.t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(b.file(name)), "\n") {
		var r report.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func say(text string) modeltest.Step { return modeltest.JSON(modeltest.Completion(text)) }

// asked are the questions that the judge was asked so far.
func (b *bench) asked() (all []modeltest.Put) {
	b.t.Helper()
	for _, a := range b.judge.Asked() {
		var body struct{ Messages []struct{ Content string } }
		if err := json.Unmarshal(a.Body, &body); err != nil {
			b.t.Fatal(err)
		}
		if got := a.Header.Get("Authorization"); got != "Bearer "+judgeKey {
			b.t.Errorf("the judge was asked with %q", got)
		}
		all = append(all, modeltest.ReadPut(body.Messages[len(body.Messages)-1].Content))
	}
	return all
}

func TestACaseHangsOnItsCriteria(t *testing.T) {
	const header = "version: 1\nprompt: prompt.md\ncases:\n  - id: a\n    vars: { q: when }\n"
	for _, c := range []struct {
		rule, suite string
		exit        int
		primary     string
	}{
		{"all criteria met: it passes", "    rubric: [thirty, { criterion: days }]\n", 0, "pass"},
		{"one is not met: it fails", "    rubric: [thirty, weeks]\n", 1, "fail"},
		{"one that is optional is not met: it passes", "    rubric: [thirty, { criterion: weeks, optional: true }]\n", 0, "pass"},
		{"a judge never saves what an assertion fails", "    rubric: [thirty]\n    assert: [\"response.length < 3\"]\n", 1, "fail"},
		{"a bar is not missed for an optional criterion", "    rubric: [thirty, { criterion: weeks, optional: true }]\n    key_facts: [thirty days]\n", 0, "pass"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, say("Within thirty days."), modeltest.Judge(modeltest.ByWords))
			b.lay("head", map[string]string{"suites/s.yaml": header + c.suite})
			exit, said := b.run("run")
			r := b.results("results.jsonl")[0]
			if exit != c.exit || string(r.Classification.Primary) != c.primary {
				t.Errorf("exit %d, %s; want %d, %s\n%s", exit, r.Classification.Primary, c.exit, c.primary, said)
			}
			if len(r.Criteria) == 0 || r.Criteria[0].Met == nil || !*r.Criteria[0].Met || r.Criteria[0].Why != "It does say thirty." || r.Judge == nil || r.Judge.Calls != len(r.Criteria) {
				t.Errorf("criteria %+v, judge %+v", r.Criteria, r.Judge)
			}
		})
	}
}

func TestAJudgeIsShownTheVarsAndTheAnswerAndNotThePrompt(t *testing.T) {
	b := newBench(t, say("Within thirty days."), modeltest.Judge(modeltest.ByWords))
	b.lay("head", map[string]string{"suites/s.yaml": "version: 1\nprompt: prompt.md\ncases:\n  - { id: a, vars: { q: when }, rubric: [thirty], reference: Thirty days. }\n",
		"suites/prompt.md": "Secret instructions: {{ q }}\n"})
	if exit, said := b.run("run"); exit != 0 {
		t.Fatal(said)
	}
	if got := b.asked(); len(got) == 0 || got[len(got)-1] != (modeltest.Put{Answer: "Within thirty days.", Criterion: "thirty", Asked: "q: when"}) {
		t.Errorf("asked %+v", got)
	}
	for _, a := range b.judge.Asked() {
		if strings.Contains(string(a.Body), "Secret instructions") {
			t.Errorf("the judge was shown the prompt: %s", a.Body)
		}
	}
}

func TestAJudgeThatSaysNeitherLeavesTheCaseUnscored(t *testing.T) {
	for _, c := range []struct {
		rule  string
		step  modeltest.Step
		calls int // at least
	}{
		{"nonsense, asked once more", say("I think it is fine."), 2},
		{"a verdict that is no boolean", say(`{"why": "ok", "met": "true"}`), 2},
		{"a key twice", say(`{"why": "ok", "met": false, "met": true}`), 2},
		{"a key in another case", say(`{"why": "ok", "Met": true}`), 2},
		{"more keys", say(`{"why": "ok", "met": true, "score": 1}`), 2},
		{"two objects", say(`{"why": "ok", "met": true} {"why": "ok", "met": true}`), 2},
		{"an outage", modeltest.Reply(http.StatusServiceUnavailable, "", "X-Should-Retry: false"), 1},
		{"a bad key", modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"x","code":"invalid_api_key"}}`), 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, say("Within thirty days."), c.step)
			exit, said := b.run("run")
			r := b.results("results.jsonl")[0]
			if exit != 3 || r.Classification.Primary != "error" || r.Criteria[0].Met != nil || r.Criteria[0].Lost == "" {
				t.Errorf("exit %d, %+v, %+v\n%s", exit, r.Classification, r.Criteria, said)
			}
			if n := len(b.judge.Asked()); n < c.calls {
				t.Errorf("%d calls, want %d", n, c.calls)
			}
		})
	}
}
