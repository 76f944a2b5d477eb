package cli_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// recordedOnce makes a repository whose base was recorded when the target said yes, and whose head asks by another
// prompt.
func recordedOnce(t *testing.T, cases int, step modeltest.Step) *repo {
	t.Helper()
	r := newRepo(t, cases, step)
	r.config("gate: { min_run_score: off }")
	r.replayed("recordings/{suite}.jsonl")
	r.command("record").expect(t, "record the base", cli.ExitPassed, cases)
	r.asBase()
	r.write("base/recordings/s.jsonl", r.read("recordings/s.jsonl"))
	r.suite("", "Is %s really right?", cases)
	return r
}

func TestAFlipOfARecordingIsSettledByFreshAnswers(t *testing.T) {
	for _, c := range []struct {
		rule   string
		say    func(turn int) string
		code   int
		status report.Status
		rounds int
		says   string
	}{
		{"a model that errs once", func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }, cli.ExitPassed, report.Flaky,
			3, "right 3 of 3 before, 3 of 3 now"},
		{"a prompt that breaks it", func(int) string { return "no" }, cli.ExitFailed, report.Regressed,
			7, "right 7 of 7 before, 0 of 7 now"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			script := &turns{word: "n001 really", say: c.say}
			r := recordedOnce(t, 3, modeltest.TextStep(script.answer))
			r.command("record", "--base", "./base").expect(t, "record the head", cli.ExitPassed, 3+2*c.rounds,
				"this run needs 3 calls, about $0.18; at most 51 calls",
				"1 case flipped against ./base: rerun on both sides, with at most 16 calls",
				"recordings/s.jsonl: 3 answers, and reruns on both sides of 1 case that flipped")
			if text := r.read("recordings/s.jsonl"); strings.Count(text, `"fresh":"base"`) != c.rounds || strings.Count(text, `"fresh":"head"`) != c.rounds ||
				strings.Count(text, `"base_key":"`) != 2*c.rounds || strings.Count(text, "\n") != 5+2*c.rounds {
				t.Errorf("the recording:\n%s", text)
			}
			o := r.run("--base", "./base")
			o.expect(t, "the gate", c.code, 0, c.says, "recorded in `recordings/s.jsonl`, and are their author’s word")
			if o.report.Counts[c.status] != 1 || o.report.Counts[report.StillPassing] != 2 {
				t.Errorf("counts %v, want one %s", o.report.Counts, c.status)
			}
			if s := o.report.Statistics; s.Mode != report.ModeStrict || s.RecordedReruns == nil || s.RecordedReruns.Flips != 1 || s.RecordedReruns.Level != 0.01 {
				t.Errorf("statistics %+v", s)
			}
			r.run("--base", "./base").expect(t, "once more", c.code, 0, c.says)
			settled := r.read("recordings/s.jsonl")
			r.clone()
			r.command("record", "--base", "./base").expect(t, "where it is settled", cli.ExitPassed, 0, "kept 3 answers as recorded")
			if r.read("recordings/s.jsonl") != settled {
				t.Errorf("what was settled is written anew:\n%s", r.read("recordings/s.jsonl"))
			}
		})
	}
}

// A case that was renamed flips as any other.
func TestAFlipOfARenamedCaseIsSettled(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := recordedOnce(t, 3, modeltest.TextStep(script.answer))
	r.write("suites/s.yaml", strings.Replace(r.read("suites/s.yaml"), "c001", "renamed", 1))
	r.command("record", "--base", "./base").expect(t, "record the head", cli.ExitPassed, 9, "1 case flipped against ./base: rerun on both sides")
	r.run("--base", "./base").expect(t, "the gate", cli.ExitPassed, 0)
}

func TestAFlipWithoutFreshAnswersThatHoldIsNotSettled(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := recordedOnce(t, 3, modeltest.TextStep(script.answer))
	r.command("record").expect(t, "record the head alone", cli.ExitPassed, 3)
	r.run("--base", "./base").expect(t, "one draw a side", cli.ExitUndecided, 0,
		"No verdict: 1 answer flipped; one answer each cannot tell chance from a change", "`failproof record` reruns the cases that flipped")
	r.command("record", "--base", "./base").expect(t, "settle it", cli.ExitPassed, 6)
	r.run("--base", "./base").expect(t, "settled", cli.ExitPassed, 0)
	recording := r.read("recordings/s.jsonl")
	for rule, change := range map[string]func(string) string{
		"of another request of the base": func(s string) string { return strings.ReplaceAll(s, `"base_key":"`, `"base_key":"0`) },
		"that somebody wrote":            func(s string) string { return strings.ReplaceAll(s, `"fresh":`, `"by_hand":true,"fresh":`) },
		"of another model":               func(s string) string { return withFresh(s, `"model":"m"`, `"model":"n"`) },
		"of one side alone": func(s string) string {
			var kept []string
			for line := range strings.Lines(s) {
				if !strings.Contains(line, `"fresh":"base"`) {
					kept = append(kept, line)
				}
			}
			return strings.Join(kept, "")
		},
	} {
		r.write("recordings/s.jsonl", change(recording))
		o := r.run("--base", "./base")
		if o.code != cli.ExitUndecided {
			t.Errorf("fresh answers %s: exit code %d\n%s%s", rule, o.code, o.stdout, o.stderr)
		}
	}
	r.write("recordings/s.jsonl", firstFresh(recording, 1))
	few := r.run("--base", "./base")
	if few.code != cli.ExitUndecided {
		t.Errorf("fresh answers that are too few to prove a thing: exit code %d\n%s%s", few.code, few.stdout, few.stderr)
	}
	for _, text := range []string{"Asked again: right 1 of 1 before, 1 of 1 now, too few to prove anything"} {
		if !strings.Contains(few.comment, text) {
			t.Errorf("%q is nowhere in\n%s", text, few.comment)
		}
	}
	for _, text := range []string{"only those answers count", "not re-run", "asks such cases again"} {
		if strings.Contains(few.comment, text) {
			t.Errorf("%q is in\n%s", text, few.comment)
		}
	}
	r.write("recordings/s.jsonl", strings.Replace(recording, `"fresh":"base"`, `"fresh":"both"`, 1))
	r.run("--base", "./base").expect(t, "another word", cli.ExitInput, 0, `fresh is "both"; expected base or head`)
}

// withFresh changes the lines of fresh answers alone.
func withFresh(text, old, new string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if strings.Contains(l, `"fresh":`) {
			lines[i] = strings.ReplaceAll(l, old, new)
		}
	}
	return strings.Join(lines, "")
}

// firstFresh keeps the first rounds of fresh answers.
func firstFresh(text string, rounds int) string {
	var out strings.Builder
	for l := range strings.Lines(text) {
		keep := !strings.Contains(l, `"fresh":`)
		for i := 1; i <= rounds; i++ {
			keep = keep || strings.Contains(l, fmt.Sprintf(`"trial":%d,`, i))
		}
		if keep {
			out.WriteString(l)
		}
	}
	return out.String()
}

func TestFreshAnswersThatDoNotComeSettleNothing(t *testing.T) {
	script := &turns{word: "n001 really", say: func(int) string { return "no" }}
	var broken atomic.Bool
	r := recordedOnce(t, 3, func(w http.ResponseWriter, q *http.Request) {
		if broken.Load() {
			modeltest.Reply(http.StatusUnauthorized, `{"error":{"message":"wrong key","code":"invalid_api_key"}}`)(w, q)
			return
		}
		modeltest.TextStep(script.answer)(w, q)
	})
	r.command("record").expect(t, "record the head", cli.ExitPassed, 3)
	broken.Store(true)
	o := r.command("record", "--base", "./base")
	if o.code != cli.ExitUndecided || !strings.Contains(o.stderr, "case c001 of suite s flipped, and some of its reruns are missing") {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
	if strings.Contains(r.read("recordings/s.jsonl"), "fresh") {
		t.Error("some fresh answers were written")
	}
	broken.Store(false)
	r.command("record", "--base", "./base").expect(t, "when it is up", cli.ExitPassed, 14)
}

func TestNothingIsAskedAgainWhereNothingFlipped(t *testing.T) {
	r := recordedOnce(t, 3, modeltest.TextStep(yes))
	r.command("record", "--base", "./base").expect(t, "record", cli.ExitPassed, 3)
	if strings.Contains(r.read("recordings/s.jsonl"), "fresh") {
		t.Error("there are fresh answers")
	}
	r.write("report.json", "{}")
	r.command("record", "--base", "nowhere").expect(t, "a base that is not there", cli.ExitInput, 0, "open the base")
}

func TestWithABaseItsTargetsAreAskedAndNotTheHeads(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := recordedOnce(t, 3, modeltest.TextStep(script.answer))
	r.write("base/failproof.yml", strings.NewReplacer("  fast: {", "  slow: {", "targets:\n", "targets:\n  old: { provider: recorded, path: 'old.jsonl' }\n").Replace(r.read("failproof.yml")))
	stranger := modeltest.Serve(t, modeltest.TextStep(yes))
	r.write("failproof.yml", strings.ReplaceAll(r.read("failproof.yml"), r.server.URL, stranger.URL))
	r.command("record", "--base", "./base").expect(t, "record the head", cli.ExitPassed, 3+6, "reruns on both sides of 1 case that flipped")
	if asked := len(stranger.Requests()); asked > 0 {
		t.Errorf("the head's target was asked %d times", asked)
	}
	if text := r.read("recordings/s.jsonl"); strings.Contains(text, `"name":"fast"`) || !strings.Contains(text, `"name":"slow"`) {
		t.Error("the recordings do not name the base's target:\n", text)
	}
}

func TestABaseForWhichNoLiveTargetStandsHasToBeToldWhomToAsk(t *testing.T) {
	script := &turns{word: "n001 really", say: func(turn int) string { return []string{"no", "yes"}[min(turn, 2)-1] }}
	r := recordedOnce(t, 3, modeltest.TextStep(script.answer))
	config := strings.NewReplacer("targets:\n", "targets:\n  taped: { provider: recorded, path: 'recordings/{suite}.jsonl' }\n  slow: { provider: openai, model: m, base_url: '"+r.server.URL+"' }\n",
		"provider: recorded, path", "provider: recorded, records: fast, path").Replace(r.read("failproof.yml"))
	r.write("failproof.yml", config)
	r.write("base/failproof.yml", strings.Replace(config, "default_target: replay", "default_target: taped", 1))
	r.command("record", "--base", "./base").expect(t, "record the head", cli.ExitInput, 3,
		"the base answers by the recordings of target taped, and no live target stands for it: name the one to ask with --target")
	if strings.Contains(r.read("recordings/s.jsonl"), `"fresh"`) {
		t.Error("there are fresh answers")
	}
}
