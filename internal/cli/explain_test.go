package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// promptOf is a prompt of so many lines about the same, in which those of the numbers say something new. Its last line
// is the case's.
func promptOf(lines int, changed ...int) string {
	text := ""
	for i := 1; i <= lines; i++ {
		line := fmt.Sprintf("Rule %d: keep to it.\n", i)
		for _, c := range changed {
			if c == i {
				line = fmt.Sprintf("Rule %d: forget it.\n", i)
			}
		}
		text += line
	}
	return text + "Is {{ name }} right?\n"
}

// forgets reports whether a prompt has the new form of all these lines.
func forgets(prompt string, lines ...int) bool {
	for _, n := range lines {
		if !strings.Contains(prompt, fmt.Sprintf("Rule %d: forget", n)) {
			return false
		}
	}
	return true
}

// explained is what a report says of a case, in short: "told 4-4 (8/8, 0/8)".
func explained(rep *report.Report, id string) string {
	if rep.Explanation == nil {
		return ""
	}
	for _, c := range rep.Explanation.Cases {
		if c.CaseID != id {
			continue
		}
		text := c.Outcome
		if c.Why != "" {
			text += " " + c.Why
		}
		for _, cause := range c.Causes {
			text += ":"
			for _, p := range cause.Parts {
				for _, h := range p.Hunks {
					for _, r := range rep.Explanation.Hunks[h].Regions {
						text += fmt.Sprintf(" %s %d-%d", r.Path, r.First, r.Last)
					}
				}
				text += fmt.Sprintf(" without %d/%d", p.Right, p.Asked)
			}
			text += fmt.Sprintf(" alone %d/%d", cause.Right, cause.Asked)
		}
		return text
	}
	return "-"
}

func (r *repo) remove(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
		r.t.Fatal(err)
	}
}

func TestTheLinesThatBrokeACaseAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule    string
		lines   int
		changed []int
		wrong   func(prompt string) bool
		want    map[string]string
	}{
		{"one line", 12, []int{2, 5, 9}, func(p string) bool { return forgets(p, 5) && strings.Contains(p, "n001") },
			map[string]string{"c001": "told: prompts/s.md 5-5 without 8/8 alone 0/8", "c000": "-"}},
		{"two lines together", 12, []int{2, 5, 9}, func(p string) bool { return forgets(p, 2, 9) && strings.Contains(p, "n001") },
			map[string]string{"c001": "told: prompts/s.md 2-2 without 8/8 prompts/s.md 9-9 without 8/8 alone 0/8"}},
		{"either of two lines", 12, []int{2, 5, 9}, func(p string) bool { return (forgets(p, 2) || forgets(p, 9)) && strings.Contains(p, "n001") },
			map[string]string{"c001": "told: prompts/s.md 2-2 without 8/8 alone 0/8: prompts/s.md 9-9 without 8/8 alone 0/8"}},
		{"a line for each case", 12, []int{2, 5, 9}, func(p string) bool {
			return forgets(p, 2) && strings.Contains(p, "n000") || forgets(p, 9) && strings.Contains(p, "n001")
		}, map[string]string{"c000": "told: prompts/s.md 2-2 without 8/8 alone 0/8", "c001": "told: prompts/s.md 9-9 without 8/8 alone 0/8"}},
		{"one of twelve lines of four hundred", 400, []int{5, 40, 80, 110, 150, 190, 220, 260, 300, 333, 360, 399},
			func(p string) bool { return forgets(p, 333) && strings.Contains(p, "n001") },
			map[string]string{"c001": "told: prompts/s.md 333-333 without 8/8 alone 0/8"}},
		{"the only line that changed", 12, []int{5}, func(p string) bool { return forgets(p, 5) && strings.Contains(p, "n001") },
			map[string]string{"c001": "whole: prompts/s.md 5-5 without 7/7 alone 0/7"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 3, modeltest.TextStep(func(q string) string { return map[bool]string{true: "no", false: "yes"}[c.wrong(q)] }))
			r.config("limits: { max_cost_usd: 1000 }")
			r.write("prompts/s.md", promptOf(c.lines))
			r.asBase()
			r.write("prompts/s.md", promptOf(c.lines, c.changed...))
			o := r.run("--base", "./base")
			for id, want := range c.want {
				if got := explained(o.report, id); o.code != cli.ExitFailed || got != want {
					t.Errorf("exit %d, of %s it says %q, want %q\n%s", o.code, id, got, want, o.stderr)
				}
			}
			again := r.run("--base", "./base")
			if again.calls != 0 || explained(again.report, "c001") != explained(o.report, "c001") || again.comment != o.comment {
				t.Errorf("the same again took %d calls and says %q\n%s", again.calls, explained(again.report, "c001"), again.stderr)
			}
		})
	}
}

func TestEveryKindOfPromptIsToldApart(t *testing.T) {
	indented := func(prompt, by string) string {
		return strings.ReplaceAll(strings.TrimSuffix(prompt, "\n"), "\n", "\n"+by)
	}
	cases := "cases:\n  - { id: c000, vars: { name: n000 }, expected_response: 'yes', match: contains }\n  - { id: c001, vars: { name: n001 }, expected_response: 'yes', match: contains }\n"
	for _, c := range []struct {
		rule, path string
		write      func(prompt string) map[string]string
		line       int
	}{
		{"a message in the suite", "suites/s.yaml", func(prompt string) map[string]string {
			return map[string]string{"suites/s.yaml": "version: 1\nmessages:\n  - role: user\n    content: |\n      " + indented(prompt, "      ") + "\n" + cases}
		}, 9},
		{"a message from a file", "prompts/s.md", func(prompt string) map[string]string {
			return map[string]string{"prompts/s.md": prompt, "suites/s.yaml": "version: 1\nmessages: [{ role: user, file: ../prompts/s.md }]\n" + cases}
		}, 5},
		{"a list of messages", "prompts/s.yaml", func(prompt string) map[string]string {
			return map[string]string{"prompts/s.yaml": "- role: user\n  content: |\n    " + indented(prompt, "    ") + "\n", "suites/s.yaml": "version: 1\nprompt: ../prompts/s.yaml\n" + cases}
		}, 7},
		{"a prompt file of GitHub Models", "suites/s.prompt.yml", func(prompt string) map[string]string {
			return map[string]string{"suites/s.prompt.yml": "messages:\n  - role: user\n    content: |\n      " + indented(prompt, "      ") + "\ntestData:\n  - { id: c000, name: n000 }\n  - { id: c001, name: n001 }\n" +
				"evaluators:\n  - { name: says yes, string: { contains: 'yes' } }\n"}
		}, 8},
		{"sentences of one long line", "prompts/s.md", func(prompt string) map[string]string {
			return map[string]string{"prompts/s.md": strings.ReplaceAll(strings.TrimSuffix(prompt, "\n"), "\n", " ") + "\n", "suites/s.yaml": "version: 1\nprompt: ../prompts/s.md\n" + cases}
		}, 1},
		{"a prompt that moved", "prompts/new.md", func(prompt string) map[string]string {
			path := "prompts/new.md"
			if !strings.Contains(prompt, "forget") {
				path = "prompts/old.md"
			}
			return map[string]string{path: prompt, "suites/s.yaml": "version: 1\nprompt: ../" + path + "\n" + cases}
		}, 5},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := newRepo(t, 1, modeltest.TextStep(func(q string) string {
				return map[bool]string{true: "no", false: "yes"}[forgets(q, 5) && strings.Contains(q, "n001")]
			}))
			r.config("limits: { max_cost_usd: 1000 }")
			r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), `["suites/*.yaml"]`, `["suites/*"]`, 1))
			r.remove("suites/s.yaml")
			r.write("base/failproof.yml", r.read("failproof.yml"))
			for name, text := range c.write(promptOf(12)) {
				r.write("base/"+name, text)
			}
			for name, text := range c.write(promptOf(12, 2, 5, 9)) {
				r.write(name, text)
			}
			o := r.run("--base", "./base")
			if got, want := explained(o.report, "c001"), fmt.Sprintf("told: %s %d-%d without 8/8 alone 0/8", c.path, c.line, c.line); o.code != cli.ExitFailed || got != want {
				t.Errorf("exit %d, it says %q, want %q\n%s%s", o.code, got, want, o.stdout, o.stderr)
			}
			if quotes := strings.Contains(o.comment, "The words `"); quotes != (c.rule == "sentences of one long line") {
				t.Errorf("it quotes words: %t\n%s", quotes, o.comment)
			}
		})
	}
}

// breaks makes a repository in which one of three changed lines breaks a case.
func breaks(t *testing.T, config string) *repo {
	r := newRepo(t, 3, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[forgets(q, 5) && strings.Contains(q, "n001")]
	}))
	r.config(config)
	r.write("prompts/s.md", promptOf(12))
	r.asBase()
	r.write("prompts/s.md", promptOf(12, 2, 5, 9))
	return r
}

// first counts the answers before lines are told apart: both sides of three cases, and of the one that flipped seven
// times more.
const first = 6 + 14

// telling counts the answers that tell the line: 32 prove it, and the two other cases are asked without it.
const telling = 32 + 2

func TestWhatTellingTheLineMayTakeIsForetoldAndBounded(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }")
	o := r.run("--base", "./base")
	o.expect(t, "by default", cli.ExitFailed, first+telling, "at most 414 calls", "where answers differ and are asked again, and 360 answers tell which line did it",
		"asking which of the changed lines broke 1 case: at most 120 answers (explain.max_calls)")
	if e := o.report.Explanation; e.Answers != telling || e.MaxAnswers != 120 || o.report.Calls.Provider != first+telling {
		t.Errorf("%d answers of %d, %d calls in all", e.Answers, e.MaxAnswers, o.report.Calls.Provider)
	}

	r = breaks(t, "limits: { max_cost_usd: 1000 }\nexplain: off")
	o = r.run("--base", "./base")
	o.expect(t, "switched off", cli.ExitFailed, first, "at most 54 calls")
	if o.report.Explanation != nil {
		t.Errorf("it is told although it is off: %+v", o.report.Explanation)
	}

	r = breaks(t, "limits: { max_cost_usd: 1000 }\nexplain: { max_calls: 20 }")
	o = r.run("--base", "./base")
	if got := explained(o.report, "c001"); o.code != cli.ExitFailed || o.calls > first+20 || got != "untold budget" ||
		!strings.Contains(o.comment, "could not be told with 20 answers. The search had come to line 5 of `prompts/s.md`.") {
		t.Errorf("with 20 answers: exit %d after %d calls, it says %q", o.code, o.calls, got)
	}

	r = breaks(t, "limits: { max_cost_usd: 1000, max_calls: 30 }")
	o = r.run("--base", "./base")
	if got := explained(o.report, "c001"); o.code != cli.ExitFailed || o.calls != 30 || got != "untold ended" || o.report.Explanation.Ended != "limits.max_calls (30) is used up" {
		t.Errorf("with a limit of the run: exit %d after %d calls, it says %q\n%s", o.code, o.calls, got, o.stderr)
	}
}

func TestAChangeDoesNotChooseWhatTellingTheLineTakes(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }\nexplain: off")
	r.config("limits: { max_cost_usd: 1000 }\nexplain: { max_calls: 5000 }")
	o := r.run("--base", "./base")
	o.expect(t, "the base says off", cli.ExitFailed, first, "explain")
	if o.report.Explanation != nil {
		t.Errorf("the head's setting is in force: %+v", o.report.Explanation)
	}
}

func TestARunThatWasCutOffWhileItToldTheLineGoesOn(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }")
	ctx, cancel := context.WithCancel(t.Context())
	all := modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[forgets(q, 5) && strings.Contains(q, "n001")]
	})
	var asked atomic.Int32
	r.server = modeltest.Serve(t, func(w http.ResponseWriter, q *http.Request) {
		if asked.Add(1) == first+10 {
			cancel()
		}
		all(w, q)
	})
	r.config("limits: { max_cost_usd: 1000 }")
	r.write("base/failproof.yml", r.read("failproof.yml"))
	cut := r.runIn(ctx, "--base", "./base")
	if got := explained(cut.report, "c001"); cut.code != cli.ExitFailed || got != "untold ended" {
		t.Errorf("cut off: exit %d, it says %q; the verdict stood\n%s", cut.code, got, cut.stderr)
	}
	o := r.run("--base", "./base")
	if got := explained(o.report, "c001"); got != "told: prompts/s.md 5-5 without 8/8 alone 0/8" || cut.calls+o.calls != first+telling {
		t.Errorf("it says %q after %d and %d calls, want 54 in all", got, cut.calls, o.calls)
	}
}

func TestARegressionThatDidNotComeFromThePromptIsSaidToBeBrokenElsewhere(t *testing.T) {
	r := newRepo(t, 3, func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		text := "yes"
		if strings.Contains(string(body), `"worse"`) && strings.Contains(string(body), "n001") {
			text = "no"
		}
		modeltest.JSON(modeltest.Completion(text))(w, q)
	})
	r.config("limits: { max_cost_usd: 1000 }")
	r.write("prompts/s.md", promptOf(12))
	r.asBase()
	r.write("prompts/s.md", promptOf(12, 2, 5, 9))
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "model: m,", "model: worse,", 1))
	o := r.run("--base", "./base")
	if got := explained(o.report, "c001"); o.code != cli.ExitFailed || got != "elsewhere" {
		t.Errorf("exit %d, it says %q\n%s", o.code, got, o.stderr)
	}
}

// explain runs `failproof explain`.
func (r *repo) explain(args ...string) liveOutcome {
	r.t.Helper()
	before := len(r.server.Requests())
	var out, errs bytes.Buffer
	o := liveOutcome{code: mainOf(r.t.Context(), append([]string{"explain"}, args...), cli.System{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: r.dir, UserDir: r.user,
		Getenv: func(name string) string { return r.env[name] },
		Now:    func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
	})}
	o.stdout, o.stderr, o.calls = out.String(), errs.String(), len(r.server.Requests())-before
	return o
}

func TestExplainTellsByHandWhichLineDidIt(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }\nexplain: off")
	told := "Line 5 of “prompts/s.md” broke “c001”: without this change 8 of 8 right, with it\nalone 0 of 8.\n"
	mends := "Taking back line 5 of “prompts/s.md” alone mends 1 of 1 broken case; nothing\nelse got worse (2 asked).\n"
	o := r.explain("--base", "./base")
	o.expect(t, "of what is broken", cli.ExitPassed, 6+8+telling, told, mends, "at most 366 answers, to find which line broke up to 3 cases, for at most $")
	r.explain("--base", "./base").expect(t, "the same again", cli.ExitPassed, 0, told, mends)
	r.explain("--base", "./base", "c001").expect(t, "of a case by its name", cli.ExitPassed, 0, told, "to find which line broke 1 case")
	r.explain("--base", "./base", "s/c000").expect(t, "of one that is well", cli.ExitPassed, 8, "“c000” is not broken: 4 of 4 right.")
	r.explain("--base", "./base", "--json", "c001").expect(t, "as data", cli.ExitPassed, 0, `"outcome": "told"`)
	r.explain("--base", "./base", "c999").expect(t, "of none", cli.ExitInput, 0, "there is no case \"c999\"")
	r.explain().expect(t, "without a base", cli.ExitInput, 0, "there is no default branch")
	r.explain("--base", "./base", "--head", "./base").expect(t, "of nothing that changed", cli.ExitPassed, 0, "No case is right on the base and wrong on the head.")
}

func TestExplainThatReachesALimitIsUndecided(t *testing.T) {
	for calls, want := range map[int]string{4: "failproof: limits.max_calls (4) is used up", 10: "Which line broke “c001” could not be told: limits.max_calls (10) is used up"} {
		r := breaks(t, fmt.Sprintf("limits: { max_cost_usd: 1000, max_calls: %d }", calls))
		r.explain("--base", "./base").expect(t, want, cli.ExitUndecided, calls, want)
	}
}

func TestExplainAsksALiveTargetInPlaceOfRecordings(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }")
	r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "default_target: fast\ntargets:", "default_target: replay\ntargets:\n  replay: { provider: recorded, path: 'recordings/{suite}.jsonl' }", 1))
	r.write("base/failproof.yml", r.read("failproof.yml"))
	for _, folder := range []string{"", "base/"} {
		r.write(folder+"recordings/s.jsonl", `{"suite_id":"s","case_id":"c000","raw_response":"yes"}`+"\n"+`{"suite_id":"s","case_id":"c001","raw_response":"yes"}`+"\n"+`{"suite_id":"s","case_id":"c002","raw_response":"yes"}`+"\n")
	}
	r.explain("--base", "./base", "c999").expect(t, "of none", cli.ExitInput, 0, "there is no case \"c999\"")
	r.explain("--base", "./base", "--target", "fats").expect(t, "with none that there is", cli.ExitInput, 0, `--target is "fats"; expected a live target`)
	r.explain("--base", "./base", "--target", "fast").expect(t, "with a target", cli.ExitPassed, 6+8+telling, "Line 5 of “prompts/s.md” broke “c001”")
	r.explain("--base", "./base").expect(t, "without, the only one is asked", cli.ExitPassed, 0, "Line 5 of “prompts/s.md” broke “c001”")
	for _, folder := range []string{"", "base/"} {
		r.write(folder+"failproof.yml", strings.Replace(r.read("failproof.yml"), "targets:\n", "targets:\n  other: { provider: openai, model: m, base_url: 'http://127.0.0.1:1/v1' }\n", 1))
	}
	r.explain("--base", "./base").expect(t, "without, of two", cli.ExitInput, 0, "name a live target of the configuration with --target")
}

// A suite is recorded from two models, and the change breaks a case of one of them alone.
func TestExplainOfATargetTellsOfItsCasesAlone(t *testing.T) {
	r := newRepo(t, 2, func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		isBroken := strings.Contains(string(body), `"model":"small"`) && forgets(string(body), 5) && strings.Contains(string(body), "n001")
		modeltest.JSON(modeltest.Completion(map[bool]string{true: "no", false: "yes"}[isBroken]))(w, q)
	})
	target := func(name string) string {
		return fmt.Sprintf("  %[1]s: { provider: openai, model: %[1]s, base_url: %[2]q, api_key_env: MODEL_KEY }\n"+
			"  %[1]s-replay: { provider: recorded, records: %[1]s, path: 'recordings/%[1]s.jsonl' }\n", name, r.server.URL+"/v1")
	}
	r.write("failproof.yml", "version: 1\nsuites: ['suites/*.yaml']\ntargets:\n"+target("big")+target("small"))
	cases := r.read("suites/s.yaml")
	r.write("suites/s.yaml", strings.Replace(cases, "version: 1\n", "version: 1\ntargets: [big-replay, small-replay]\n", 1))
	r.write("suites/live.yaml", strings.Replace(cases, "version: 1\n", "version: 1\ntarget: small\n", 1))
	r.write("prompts/s.md", promptOf(12))
	r.asBase()
	r.write("base/suites/live.yaml", r.read("suites/live.yaml"))
	for _, folder := range []string{"", "base/"} {
		for _, name := range []string{"big", "small"} {
			lines := ""
			for _, id := range []string{"c000", "c001"} {
				lines += fmt.Sprintf(`{"suite_id":"s@%s-replay","case_id":%q,"raw_response":"yes"}`+"\n", name, id)
			}
			r.write(folder+"recordings/"+name+".jsonl", lines)
		}
	}
	r.write("prompts/s.md", promptOf(12, 2, 5, 9))
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"--target big", cli.ExitPassed, nil},
		{"--target small", cli.ExitPassed, []string{"live/c001", "s@small-replay/c001"}},
		{"--target big s@small-replay/c001", cli.ExitInput, nil}, // it has another request, of another model
	} {
		o := r.explain(append([]string{"--base", "./base", "--json", "--yes"}, strings.Fields(c.args)...)...)
		var told report.Explanation
		_ = json.Unmarshal([]byte(o.stdout), &told)
		var got []string
		for _, one := range told.Cases {
			got = append(got, one.SuiteID+"/"+one.CaseID)
		}
		names := strings.Contains(o.stderr, "its answers are of other targets than --target big")
		if o.code != c.code || !slices.Equal(got, c.want) || names != (c.code == cli.ExitInput) {
			t.Errorf("%s: exit %d, want %d; it tells of %q, want %q\n%s", c.args, o.code, c.code, got, c.want, o.stderr)
		}
	}
}

func TestTheMergeOfShardsTellsWhichLineDidIt(t *testing.T) {
	r := breaks(t, "limits: { max_cost_usd: 1000 }")
	r.shards(2, "--base", "./base")
	before := len(r.server.Requests())
	if before != 6 {
		t.Errorf("the parts asked %d times, want the first answers alone, 6", before)
	}
	code, calls, out := r.told("merge", "--base", "./base", "--no-cache", "shards")
	if code != cli.ExitFailed || calls != 14+telling || !strings.Contains(out, "Line 5 of “prompts/s.md” broke “c001”") {
		t.Errorf("exit %d after %d calls\n%s", code, calls, out)
	}
}

func TestTheLineIsToldWhereAJudgeGrades(t *testing.T) {
	answers := modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "forty days", false: "thirty days"}[forgets(q, 5)]
	})
	b := newBench(t, answers, modeltest.JudgeStep(modeltest.ContainsVerdict))
	prompt := func(changed ...int) map[string]string {
		return map[string]string{"suites/prompt.md": strings.ReplaceAll(promptOf(12, changed...), "name", "q")}
	}
	b.lay("base", prompt())
	b.lay("head", prompt(2, 5, 9))
	exit, said := b.run("run", "--base", "../base")
	if exit != cli.ExitFailed || !strings.Contains(said, "Line 5 of “suites/prompt.md” broke “a”") {
		t.Errorf("exit %d\n%s", exit, said)
	}
}

func TestBeyondTwelvePlacesTheNearestAreOneAndThoseThatAskNothingElseAreNone(t *testing.T) {
	r := newRepo(t, 3, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[forgets(q, 82) && strings.Contains(q, "n001")]
	}))
	r.config("limits: { max_cost_usd: 1000 }")
	r.write("prompts/s.md", promptOf(400))
	r.asBase()
	r.suite("", "%s", 4) // a case more
	r.write("prompts/s.md", promptOf(400, 5, 40, 80, 82, 84, 110, 150, 190, 220, 260, 300, 333, 360, 399))
	o := r.run("--base", "./base")
	if got, want := explained(o.report, "c001"), "told: prompts/s.md 80-84 without 8/8 alone 0/8"; got != want || len(o.report.Explanation.Hunks) != 12 {
		t.Errorf("it says %q of %d hunks, want %q of 12\n%s", got, len(o.report.Explanation.Hunks), want, o.stderr)
	}
}
