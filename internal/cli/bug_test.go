package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/together"
	"github.com/failproof/failproof/internal/version"
)

// brokenRun is a run whose clock or environment panics where a function of ours asks for it, for the nth time: a bug
// there.
type brokenRun struct {
	head, base []string // what the recording answers to each case; nil: there is none
	at         string   // the function that breaks; "" for none
	nth        int32
}

type brokenOutcome struct {
	code   int
	stderr string
	files  map[string]string
	report *report.Report
}

const secretAnswer = "yes, the sesame is open"

func (b brokenRun) run(t *testing.T) (o brokenOutcome) {
	t.Helper()
	dir, base := t.TempDir(), t.TempDir()
	b.write(t, dir, b.head)
	args := []string{"run"}
	if b.base != nil {
		b.write(t, base, b.base)
		args = append(args, "--base", base, "--scope", "all")
	}
	var calls atomic.Int32
	breaks := func() {
		if b.at != "" && calledFrom(b.at) && calls.Add(1) == b.nth {
			panic("broken on: " + secretAnswer)
		}
	}
	var out, errs bytes.Buffer
	o.code = mainOf(t.Context(), args, cli.System{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
		Getenv: func(string) string { breaks(); return "" },
		Now:    func() time.Time { breaks(); return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
	})
	o.stderr, o.files = errs.String(), map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, ".failproof/out/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil {
			o.files[filepath.Base(name)] = string(text)
		}
	}
	rep, err := report.Unmarshal([]byte(o.files["report.json"]))
	if err != nil {
		t.Fatalf("no report: %v\n%s", err, o.stderr)
	}
	o.report = rep
	return o
}

func (b brokenRun) write(t *testing.T, dir string, answers []string) {
	t.Helper()
	cases, lines := "", ""
	for i := range answers {
		id := string(rune('a' + i))
		cases += "  - { id: " + id + ", expected_response: 'yes', match: contains }\n"
		lines += `{"suite_id":"s","case_id":"` + id + `","trial":1,"raw_response":"` + answers[i] + "\"}\n"
	}
	for name, text := range map[string]string{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: t\ntargets:\n  t: { provider: recorded, path: 'r.jsonl' }\n" +
			"  k: { provider: openai, model: m, base_url: 'https://127.0.0.1/v1', api_key_env: KEY }\n",
		"s.yaml":  "version: 1\nid: s\nprompt: p.md\ncases:\n" + cases,
		"p.md":    "Is it open?\n",
		"r.jsonl": lines,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// calledFrom reports a function of ours on the stack.
func calledFrom(function string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, function) {
			return true
		}
		if !more {
			return false
		}
	}
}

const judging = "evaluate.(*question).evaluate"

func TestABugOfOursEndsUndecidedWithEveryFile(t *testing.T) {
	yes, no := secretAnswer, "no"
	for _, c := range []struct {
		rule    string
		run     brokenRun
		verdict report.Verdict
		code    int
	}{
		{"nothing breaks", brokenRun{head: []string{yes, yes, yes}}, report.Passed, cli.ExitPassed},
		{"one answer of the head", brokenRun{head: []string{yes, yes, yes}, at: judging, nth: 2}, report.Undecided, cli.ExitBug},
		{"an answer of the base", brokenRun{head: []string{yes, yes}, base: []string{yes, yes}, at: judging, nth: 1}, report.Undecided, cli.ExitBug},
		{"beside a proven regression", brokenRun{head: []string{no, no, no}, base: []string{yes, yes, yes}, at: judging, nth: 4}, report.Failed, cli.ExitBug},
		{"what puts the report together", brokenRun{head: []string{yes, yes}, at: "run.(*scoredSides).assemble", nth: 1}, report.Undecided, cli.ExitBug},
		{"the layout of the cases, which decides nothing", brokenRun{head: []string{yes, yes, yes, yes, yes}, at: "layout.Add", nth: 1}, report.Passed, cli.ExitPassed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			broken := c.run.at != ""
			o := c.run.run(t)
			if o.code != c.code || o.report.Verdict != c.verdict {
				t.Errorf("exit code %d, verdict %s; want %d and %s\n%s", o.code, o.report.Verdict, c.code, c.verdict, o.stderr)
			}
			if got := o.report.HasInternalError(); got != (c.code == cli.ExitBug) {
				t.Errorf("the report says that failproof broke: %v; reasons %v", got, o.report.Reasons)
			}
			for _, output := range render.Outputs {
				if output.File != "" && o.files[output.File] == "" {
					t.Errorf("%s was not written", output.File)
				}
			}
			if got := o.files["crash.txt"] != ""; got != broken {
				t.Errorf("crash.txt is there: %v, want %v", got, broken)
			}
			if strings.Contains(o.stderr, secretAnswer) {
				t.Errorf("the log quotes what was judged:\n%s", o.stderr)
			}
			for _, text := range []string{"a bug in failproof", "https://github.com/failproof/failproof/issues/new", version.Current(), "crash.txt", c.run.at[strings.LastIndex(c.run.at, ".")+1:]} {
				if broken && c.rule != "what puts the report together" && !strings.Contains(o.stderr+o.files["crash.txt"], text) {
					t.Errorf("it does not say %q:\n%s", text, o.stderr)
				}
			}
		})
	}
}

func TestAnAnswerThatFailproofBreaksOnIsAnErrorOfItsCase(t *testing.T) {
	o := brokenRun{head: []string{"yes", "yes", "yes"}, at: judging, nth: 2}.run(t)
	lines := strings.Split(strings.TrimSpace(o.files["results.jsonl"]), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d results, want all 3:\n%s", len(lines), o.files["results.jsonl"])
	}
	broken := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"internal_error"`) })
	if broken < 0 || !strings.Contains(lines[broken], `"primary":"error"`) || !strings.Contains(lines[broken], "internal/cli_test/bug_test.go:") {
		t.Errorf("no error with its place:\n%s", o.files["results.jsonl"])
	}
	if !strings.Contains(o.files["comment.md"], "a bug of failproof") {
		t.Errorf("the comment does not say so:\n%s", o.files["comment.md"])
	}
}

// A command without a folder of a run writes the stack to a file of its own.
func TestABugOfACommandIsToldWithItsStack(t *testing.T) {
	for _, inGoroutine := range []bool{false, true} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir)
		var out, errs bytes.Buffer
		code := mainOf(t.Context(), []string{"action"}, cli.System{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: t.TempDir(), Now: time.Now,
			Getenv: func(string) string {
				breaks := func() { panic(secretAnswer) }
				if inGoroutine {
					together.Do(breaks, func() {})
				}
				breaks()
				return ""
			}})
		files, _ := filepath.Glob(filepath.Join(dir, "failproof-crash-*.txt"))
		if code != cli.ExitBug || len(files) != 1 || !strings.Contains(errs.String(), "this is a bug in failproof, not in your prompts: a bug of failproof while running this command, at internal/cli") ||
			!strings.Contains(errs.String(), files[0]) || strings.Contains(errs.String(), secretAnswer) {
			t.Fatalf("exit code %d, files %q\n%s", code, files, errs.String())
		}
		if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), secretAnswer) || !strings.Contains(string(text), "bug_test.go") {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
