package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// command runs any command in the repository.
func (r *repo) command(args ...string) liveOutcome {
	r.t.Helper()
	before := len(r.server.Requests())
	var out, errs bytes.Buffer
	code := mainOf(r.t.Context(), args, cli.System{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: r.dir, UserDir: r.user,
		Getenv: func(name string) string { return r.env[name] },
		Now:    func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
	})
	return liveOutcome{code: code, stdout: out.String(), stderr: errs.String(), calls: len(r.server.Requests()) - before}
}

// replayed adds a recorded target to the configuration, which suites ask.
func (r *repo) replayed(path string) {
	text := strings.Replace(r.read("failproof.yml"), "default_target: fast", "default_target: replay", 1)
	r.write("failproof.yml", strings.Replace(text, "targets:\n", "targets:\n  replay: { provider: recorded, path: \""+path+"\" }\n", 1))
}

func TestRecordingsAreMadeOfWhatALiveTargetAnswers(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.replayed("recordings/{suite}.jsonl")
	r.run().expect(t, "before there are recordings", cli.ExitUndecided, 0, "no recording")
	r.command("record").expect(t, "record", cli.ExitPassed, 3, "this run needs 3 calls, about $0.17, at most $0.29", "recordings/s.jsonl: 3 answers")
	r.run().expect(t, "from the recordings", cli.ExitPassed, 0)
	r.run("--trials", "5").expect(t, "asked more often", cli.ExitPassed, 0,
		"--trials has no effect: it is for suites with a live target, and none of them runs")
	r.command("record").expect(t, "record again", cli.ExitPassed, 0, "kept 3 answers as recorded: the requests did not change; `failproof record --again` records all again")
	r.command("record", "--again").expect(t, "record anew", cli.ExitPassed, 3)
	first, _, _ := strings.Cut(r.read("recordings/s.jsonl"), "\n")
	for _, field := range []string{`"suite_id":"s"`, `"case_id":"c000"`, `"trial":1`, `"request_key":"`, `"target":{"name":"fast","provider":"openai","model":"`, `"draws":2`, `"raw_response":"yes"`, `"finish_reason":"stop"`, `"tokens":{"in":11,"out":7}`} {
		if !strings.Contains(first, field) {
			t.Errorf("the first recording has no %s: %s", field, first)
		}
	}
	r.suite("", "Is %s still right?", 3)
	r.run().expect(t, "after the prompt changed", cli.ExitUndecided, 0, "stale, made for another prompt")
	r.command("record").expect(t, "record the change", cli.ExitPassed, 3)
	r.run().expect(t, "from the new recordings", cli.ExitPassed, 0)
	if text := r.read("recordings/s.jsonl"); strings.Contains(text, "draws") {
		t.Errorf("the first answers to another request count draws:\n%s", text)
	}
	r.write("recordings/s.jsonl", strings.ReplaceAll(r.read("recordings/s.jsonl"), `"model":"m"`, `"model":"n"`))
	r.command("record", "--again").expect(t, "of another model", cli.ExitPassed, 3)
	if text := r.read("recordings/s.jsonl"); strings.Contains(text, "draws") {
		t.Errorf("the first answers of another model count draws:\n%s", text)
	}
}

// clone is the repository as somebody else has it: without the answers that runs kept.
func (r *repo) clone() {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, ".failproof")); err != nil {
		r.t.Fatal(err)
	}
}

func TestARecordingThatHoldsIsNotAskedForAgain(t *testing.T) {
	var turn atomic.Int64
	r := newRepo(t, 3, modeltest.TextStep(func(string) string { return fmt.Sprintf("yes, %d", turn.Add(1)) }))
	r.replayed("recordings/{suite}.jsonl")
	r.write("suites/t.yaml", "version: 1\nprompt: t.md\ncases:\n  - { id: a, vars: { q: one }, assert: [{ contains: \"yes\" }] }\n  - { id: b, vars: { q: two }, assert: [{ contains: \"yes\" }] }\n")
	r.write("suites/t.md", "Other {{ q }}")
	r.command("record").expect(t, "record", cli.ExitPassed, 5)
	r.clone()
	s, other := r.read("recordings/s.jsonl"), r.read("recordings/t.jsonl")

	r.write("suites/t.md", "Another {{ q }}")
	r.command("record").expect(t, "a prompt of one suite changed", cli.ExitPassed, 2, "recordings/t.jsonl: 2 answers", "kept 3 answers as recorded")
	if r.read("recordings/s.jsonl") != s || r.read("recordings/t.jsonl") == other {
		t.Errorf("recorded\n%s\n%s", r.read("recordings/s.jsonl"), r.read("recordings/t.jsonl"))
	}
	r.clone()

	other = r.read("recordings/t.jsonl")
	second := strings.SplitAfter(other, "\n")[2]
	r.write("suites/t.yaml", strings.Replace(r.read("suites/t.yaml"), "q: one", "q: three", 1))
	r.command("record").expect(t, "one case changed", cli.ExitPassed, 1, "recordings/t.jsonl: 1 answer", "kept 4 answers as recorded")
	if now := r.read("recordings/t.jsonl"); now == other || !strings.HasSuffix(now, "\n"+second) || strings.Count(now, "\n") != 3 {
		t.Errorf("before\n%s\nnow\n%s", other, now)
	}
	r.run().expect(t, "the gate", cli.ExitPassed, 0)
	r.clone()

	r.write("recordings/s.jsonl", strings.Replace(r.read("recordings/s.jsonl"), `"request_key":`, `"key":`, 1))
	r.command("record").expect(t, "an answer that does not say what it answers", cli.ExitPassed, 1, "kept 4 answers")
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "model: ", "model: other-", 1))
	r.command("record").expect(t, "another model", cli.ExitPassed, 5)
	r.command("record", "--no-cache").expect(t, "all anew", cli.ExitPassed, 5)
}

func TestALineThatSaysOfNobodyThatItIsHisIsAskedAnew(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.replayed("recordings/{suite}.jsonl")
	r.command("record").expect(t, "record", cli.ExitPassed, 3)
	r.clone()
	nobody := regexp.MustCompile(`"target":\{[^{}]*\},`)
	recorded := r.read("recordings/s.jsonl")
	first := nobody.FindString(recorded)
	r.write("recordings/s.jsonl", strings.Replace(recorded, first, "", 1))
	r.command("record").expect(t, "a line without a target", cli.ExitPassed, 1, "recordings/s.jsonl: 1 answer", "kept 2 answers")
	if now := r.read("recordings/s.jsonl"); first == "" || strings.Count(now, first) != 3 {
		t.Errorf("recorded\n%s", now)
	}
	r.clone()
	r.write("recordings/s.jsonl", strings.Replace(recorded, first, `"by_hand":true,`, 1))
	r.command("record").expect(t, "a line by hand", cli.ExitPassed, 0, "kept 3 answers")
	byHand := r.read("recordings/s.jsonl")
	r.suite("", "Is %s so?", 3)
	r.run().expect(t, "stale lines", cli.ExitUndecided, 0, "write the answer again, then `failproof record --stamp`: stale, made for another prompt")
	r.command("record").expect(t, "a stale line by hand", cli.ExitPassed, 2, "recordings/s.jsonl: 2 answers",
		"recordings/s.jsonl: 1 answer is hand-written and stale, and kept: write the answers again, then `failproof record --stamp`, "+
			"or take the model's with `failproof record --again suites/s.yaml`")
	if line, _, _ := strings.Cut(byHand, "\n"); !strings.HasPrefix(r.read("recordings/s.jsonl"), line+"\n") {
		t.Errorf("recorded\n%s", r.read("recordings/s.jsonl"))
	}
	r.command("record", "--again").expect(t, "all anew", cli.ExitPassed, 3)
	if strings.Contains(r.read("recordings/s.jsonl"), "by_hand") {
		t.Errorf("recorded\n%s", r.read("recordings/s.jsonl"))
	}
}

func TestAJournalBecomesRecordings(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(yes))
	r.run().expect(t, "a live run", cli.ExitPassed, 3)
	r.command("record").expect(t, "record", cli.ExitPassed, 0, "recordings/s.jsonl: 3 answers")
	r.replayed("recordings/{suite}.jsonl")
	r.run().expect(t, "from the recordings", cli.ExitPassed, 0)
}

func TestRecordingsOfOtherSuitesStay(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(yes))
	r.replayed("answers.jsonl")
	const other = `{"suite_id": "other", "case_id": "a", "raw_response": "x"}` + "\n"
	r.write("answers.jsonl", other+`{"suite_id": "s", "case_id": "gone", "raw_response": "x"}`)
	r.command("record").expect(t, "record", cli.ExitPassed, 2)
	if text := r.read("answers.jsonl"); !strings.HasPrefix(text, other) || strings.Contains(text, "gone") || strings.Count(text, "\n") != 5 {
		t.Errorf("answers.jsonl:\n%s", text)
	}
}

func TestARecordingThatLacksAnAnswerIsNotWritten(t *testing.T) {
	var down atomic.Bool // an answer that nobody waits for any more may still be under way
	down.Store(true)
	r := newRepo(t, 3, func(w http.ResponseWriter, q *http.Request) {
		if down.Load() {
			modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"wrong key","code":"invalid_api_key"}}`)(w, q)
			return
		}
		modeltest.TextStep(yes)(w, q)
	})
	o := r.command("record")
	o.expect(t, "while it is down", cli.ExitUndecided, o.calls, "recordings/s.jsonl: not written, 3 answers missing")
	if _, err := os.Stat(filepath.Join(r.dir, "recordings")); err == nil {
		t.Error("there are recordings")
	}
	down.Store(false)
	r.command("record").expect(t, "when it is up", cli.ExitPassed, 3)
}

func TestWhatRecordRefuses(t *testing.T) {
	for _, c := range []struct {
		rule string
		args []string
		says string
	}{
		{"a target that is none", []string{"--target", "slow"}, `--target "slow" is no live target`},
		{"a recorded target", []string{"--target", "replay"}, `--target "replay" is no live target`},
		{"a file elsewhere", []string{"--to", "../{suite}.jsonl"}, "not below the current folder"},
		{"an empty name", []string{"--to", ""}, "--to is empty"},
		{"a suite that is not there", []string{"suites/t.yaml"}, "suites/t.yaml"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 1, modeltest.TextStep(yes))
			r.replayed("recordings/{suite}.jsonl")
			o := r.command(append([]string{"record"}, c.args...)...)
			if o.code != cli.ExitInput || !strings.Contains(o.stderr, c.says) {
				t.Errorf("exit code %d: %s", o.code, o.stderr)
			}
		})
	}
	r := newRepo(t, 1, modeltest.TextStep(yes))
	r.write("failproof.yml", "version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\ntargets: { replay: { provider: recorded, path: r.jsonl } }\n")
	r.command("record").expect(t, "without a live target", cli.ExitInput, 0, "has no live target to record from; add one below targets, such as fast: {")
}

func TestRecordNamesTheTargetsThatItMayAsk(t *testing.T) {
	r := newRepo(t, 1, modeltest.TextStep(yes))
	r.replayed("recordings/{suite}.jsonl")
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "targets:\n", "targets:\n  slow: { provider: openai, model: n, base_url: \""+r.server.URL+"/v1\" }\n", 1))
	r.command("record").expect(t, "two live targets", cli.ExitInput, 0, "name the one to ask with --target, of fast, slow")
}

func TestStampNamesTheLinesThatItLeaves(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(yes))
	r.replayed("recordings/{suite}.jsonl")
	r.write("recordings/s.jsonl", `{"suite_id": "s", "case_id": "c000", "raw_response": "yes"}`+"\n"+`{"suite_id": "s", "case_id": "former", "raw_response": "yes"}`+"\n")
	r.command("record", "--stamp").expect(t, "an answer of no case", cli.ExitPassed, 0,
		`no answer is recorded for 1 case, first c001; it has one for "former", which is not a case`)
	first, _, _ := strings.Cut(r.read("recordings/s.jsonl"), "\n")
	r.write("recordings/s.jsonl", first+"\n"+strings.Replace(first, "c000", "c001", 1)+"\n")
	r.command("record", "--stamp", "--yes").expect(t, "a copied line", cli.ExitInput, 0,
		"recordings/s.jsonl:2: the line of case c001 has the request_key of case c000, which has an answer", "1 answer is not stamped")
}
