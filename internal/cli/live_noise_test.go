package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// turns answers a question that holds a word by its turn, and any other with yes.
type turns struct {
	mu    sync.Mutex
	word  string
	say   func(turn int) string
	asked int
}

func (t *turns) answer(question string) string {
	if !strings.Contains(question, t.word) {
		return "yes"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked++
	return t.say(t.asked)
}

// looks counts the results of a file by the look they were asked for.
func (r *repo) looks(name string) map[report.RerunReason]int {
	r.t.Helper()
	out := map[report.RerunReason]int{}
	if err := report.ReadResults(strings.NewReader(r.read(".failproof/out/"+name)), func(result report.Result, _ report.Ref) error {
		out[result.RerunReason]++
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
	return out
}

func TestAFlipThatFreshAnswersDoNotConfirmIsNoRegression(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := newRepo(t, 3, modeltest.TextStep(script.answer))
	r.config("gate: { min_run_score: off }")
	r.asBase()
	r.suite("", "Is %s really right?", 3)
	o := r.run("--base", "./base")
	o.expect(t, "one wrong answer of a flaky model", cli.ExitPassed, 6+6, "✅ No answer broke: 2 of 3 answers right",
		"By the first answers, 1 of 3 cases got worse, none better. If nothing changed, a result at least this bad happens in 1 of 2 runs, so by itself it proves nothing.",
		"asking again did not confirm")
	if got := r.looks("results.jsonl"); got[""] != 3 || got[report.RerunConfirm] != 3 {
		t.Errorf("results by look: %v, want 3 first and 3 fresh", got)
	}
	if n := o.report.Statistics.Noise; n == nil || n.Confirm.Candidates[0].State != report.CandidateCleared || o.report.Trials != 3 {
		t.Errorf("statistics %+v of %d trials", n, o.report.Trials)
	}
	again := r.run("--base", "./base")
	again.expect(t, "the same again", cli.ExitPassed, 0)
	if again.comment != o.comment {
		t.Errorf("the comment differs:\n%s\n%s", o.comment, again.comment)
	}
}

func TestTheWrongAnswerToAMustPassCaseIsShownThoughRerunsClearedIt(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"not at all", "yes"}[min(turn, 2)-1] }}
	r := newRepo(t, 3, modeltest.TextStep(script.answer))
	must := func() {
		r.write("suites/s.yaml", strings.Replace(r.read("suites/s.yaml"), "cases:", "defaults: { must_pass: true, key_facts: ['yes'] }\ncases:", 1))
	}
	r.config("gate: { min_run_score: off }")
	must()
	r.asBase()
	r.suite("", "Is %s really right?", 3)
	must()
	o := r.run("--base", "./base")
	o.expect(t, "one wrong answer", cli.ExitPassed, 6+6, "**1 answer that must never break was wrong once**", "> **Now:** not at all")
}

// outages serves a model that never answers the first few cases of one side or of both, and from so many requests on
// nobody.
func outages(words []string, first, until int) modeltest.Step {
	var asked atomic.Int64
	gone, says := modeltest.Reply(500, `{}`, "X-Should-Retry: false"), modeltest.TextStep(yes)
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		down := asked.Add(1) > int64(until)
		for n := range first {
			for _, word := range words {
				down = down || strings.Contains(string(body), fmt.Sprintf(word, fmt.Sprintf("n%03d", n)))
			}
		}
		if down {
			gone(w, r)
			return
		}
		says(w, r)
	}
}

func TestAnAnswerThatDidNotComeIsNeverAWrongOne(t *testing.T) {
	const base, head, ever = "Is %s right?", "Is %s really right?", 1 << 30
	for _, c := range []struct {
		rule  string
		words []string
		until int
		open  func(lost int) bool // the run is undecided
		says  string
	}{
		{"the head alone loses answers, and the base is asked again", []string{head}, ever, func(int) bool { return true }, "no answer now, however often asked"},
		{"the head alone loses answers, and nobody is answered when asked again", []string{head}, 120, func(int) bool { return true }, "could not be rerun often enough to say why"},
		{"the base alone loses answers: more than max_unscored leaves the run open", []string{base}, ever, func(lost int) bool { return lost > 3 }, "not compared: too few answers came before"},
		{"both lose answers: more than max_unscored leaves the run open", []string{base, head}, ever, func(lost int) bool { return lost > 3 }, "answer"},
	} {
		for lost := 1; lost <= 6; lost++ {
			r := newRepo(t, 60, outages(c.words, lost, c.until))
			r.config("limits: { max_cost_usd: 100 }")
			r.asBase()
			r.suite("", head, 60)
			o := r.run("--base", "./base")
			want := map[bool]int{true: cli.ExitUndecided, false: cli.ExitPassed}[c.open(lost)]
			if o.code != want || !strings.Contains(o.comment, c.says) || strings.Contains(o.comment, "right 0 of") {
				t.Errorf("%s, %d of 60: exit code %d, want %d\n%s", c.rule, lost, o.code, want, o.comment)
			}
		}
	}
}

func TestAFlipThatNobodyCanBeAskedAboutLeavesTheRunOpen(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[strings.Contains(q, "n001 really")]
	}))
	r.config("gate: { min_run_score: off }")
	r.run("--out", "before").expect(t, "the base", cli.ExitPassed, 3)
	r.suite("", "Is %s really right?", 3)
	r.run("--base", "./before").expect(t, "against a stored report", cli.ExitUndecided, 3, "could not be rerun often enough")
}

func TestASuitesOwnNoiseIsMeasured(t *testing.T) {
	script := &turns{word: "n001", say: func(turn int) string { return []string{"no", "yes"}[turn%2] }}
	r := newRepo(t, 4, modeltest.TextStep(script.answer))
	r.config("gate: { min_run_score: off }")
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "concurrency: 4", "concurrency: 1", 1)) // so that turns come in order
	o := r.run("--base", ".", "--head", ".", "--trials", "10")
	o.expect(t, "a revision against itself", cli.ExitPassed, 4*2*10, "this comparison needs 80 calls",
		"80 answers to 4 cases of one revision: two answers to a case are judged differently in 13.2 of 100 pairs.",
		"1 case answered now right and now wrong:", "10 of 20.", "Advised: `trials: 3`, `confirm: 8`, `recheck: 0`.")
	if m := o.report.Statistics.Measured; m == nil || m.Mixed != 1 || m.MostMixed[0].Passed != 10 {
		t.Errorf("measured %+v", m)
	}
	for _, bad := range []string{"0", "101", "ten", "1.5"} {
		r.run("--trials", bad).expect(t, "--trials "+bad, cli.ExitInput, 0, "expected a whole number from 1 to 100")
	}
}

func TestQuarantineEnds(t *testing.T) {
	r := newRepo(t, 2, modeltest.TextStep(func(q string) string { return map[bool]string{true: "no", false: "yes"}[strings.Contains(q, "n001")] }))
	for _, c := range []struct {
		expires string
		code    int
		calls   int
		says    string
	}{
		{"2026-01-05", cli.ExitPassed, 2, "in quarantine"},
		{"2026-01-04", cli.ExitFailed, 0, "the quarantine of s/c001 ended on 2026-01-04 (a known flake)"},
	} {
		r.config(fmt.Sprintf("gate: { min_run_score: 1, quarantine: [{ id: s/c001, reason: a known flake, expires: %q }] }", c.expires))
		r.asBase()
		r.run("--base", "./base", "--scope", "all").expect(t, "until "+c.expires, c.code, c.calls, c.says)
	}
}
