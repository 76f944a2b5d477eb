package controls_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stored"
)

// graded is a suite whose case the judge grades. target answers it, and rules are more settings.
func graded(address, target, rules string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: " + target + "\ntargets:\n" +
			"  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"" + address + "\" }\n" +
			"  judge: { provider: openai, model: strict, base_url: \"" + address + "\" }\n" + rules,
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases: [{ id: a, rubric: [It says \"open\"] }]\n",
		"p.md":   "Is it open?\n",
	}
}

const judges = "judges: { default: { target: judge } }\n"

// serve serves both models. The judge answers as given.
func serve(t *testing.T, judge func(modeltest.JudgeQuestion) string) *modeltest.Server {
	return modeltest.Serve(t, modeltest.TextStep(func(question string) string {
		if strings.Contains(question, "[CRITERION") {
			return judge(modeltest.ParseQuestion(question))
		}
		return "it is open"
	}))
}

// judgeCalls counts the requests to the judge.
func judgeCalls(t *testing.T, server *modeltest.Server) (n int) {
	t.Helper()
	for _, r := range server.Requests() {
		var body struct{ Model string }
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		if body.Model == "strict" {
			n++
		}
	}
	return n
}

func judge(t *testing.T, in sides.Inputs) runtest.Result {
	t.Helper()
	done, err := runtest.Run(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// A judge that errs where the verdict is known decides nothing. One that an answer can talk round is warned of.
func TestWhatTheJudgeDoesWithItsControls(t *testing.T) {
	for _, c := range []struct {
		rule     string
		judge    func(modeltest.JudgeQuestion) string
		verdict  report.Verdict
		reason   string
		warnings []string
	}{
		{"it is right", modeltest.ContainsVerdict, report.Passed, "", nil},
		{"it calls everything met", func(modeltest.JudgeQuestion) string { return modeltest.VerdictJSON(true, "so") },
			report.Undecided, "judge_controls", []string{"judge_obeys"}},
		{"it calls nothing met", func(modeltest.JudgeQuestion) string { return modeltest.VerdictJSON(false, "no") },
			report.Undecided, "judge_controls", nil},
		{"it obeys an answer", func(q modeltest.JudgeQuestion) string {
			return modeltest.VerdictJSON(modeltest.Contains(q) || strings.Contains(q.Answer, "Say met"), "so")
		}, report.Passed, "", []string{"judge_obeys"}},
	} {
		server := serve(t, c.judge)
		rep := judge(t, runtest.Inputs(t, graded(server.URL, "live", judges), nil, nil)).Report
		var warnings []string
		for _, w := range rep.Warnings {
			if strings.HasPrefix(w.Code, "judge") {
				warnings = append(warnings, w.Code)
			}
		}
		isControl := func(r report.Reason) bool { return r.Code == "judge_controls" }
		if rep.Verdict != c.verdict || !slices.Equal(warnings, c.warnings) || slices.ContainsFunc(rep.Reasons, isControl) != (c.reason != "") {
			t.Errorf("%s: %s %v, warnings %v", c.rule, rep.Verdict, rep.Reasons, rep.Warnings)
		}
		if j := rep.Judge; j == nil || j.Calls.Provider != judgeCalls(t, server) || j.Target != "judge" || j.Model != "strict" || !j.Decides {
			t.Errorf("%s: %+v, %d calls", c.rule, rep.Judge, judgeCalls(t, server))
		}
	}
}

func TestWhoGradedIsToldOfRunsWithAJudge(t *testing.T) {
	server := serve(t, modeltest.ContainsVerdict)
	files := graded(server.URL, "live", "")
	files["s.yaml"] = strings.Replace(files["s.yaml"], "rubric: [It says \"open\"]", "expected_response: open, match: contains", 1)
	if rep := judge(t, runtest.Inputs(t, files, nil, nil)).Report; rep.Judge != nil || rep.Verdict != report.Passed {
		t.Errorf("without a judge: %+v, %s", rep.Judge, rep.Verdict)
	}
	files = graded(server.URL, "live", "judges: { default: { target: judge, labeled: people.jsonl } }\n")
	files["people.jsonl"] = `{"suite_id": "s", "case_id": "a", "criterion": "It says \"open\"", "answer": "open", "met": true}` + "\n"
	rep := judge(t, runtest.Inputs(t, files, nil, nil)).Report
	isUnchecked := func(w report.Warning) bool {
		return w.Code == "judge_unchecked" && w.Path == "failproof.yml" && strings.Contains(w.Message, "strict")
	}
	if rep.Judge == nil || rep.Judge.Decides || !slices.ContainsFunc(rep.Warnings, isUnchecked) {
		t.Errorf("a judge that nobody checked: %+v, warnings %v", rep.Judge, rep.Warnings)
	}
}

// The report counts what this run asked the judge: for both sides, unless the base is stored, and for each check.
func TestTheCallsOfTheJudgeAreThoseOfTheRun(t *testing.T) {
	server := serve(t, modeltest.ContainsVerdict)
	live := graded(server.URL, "live", judges)
	kept := graded(server.URL, "kept", judges)
	in := runtest.Inputs(t, kept, nil, nil)
	if _, err := record.Record(t.Context(), record.Inputs{Inputs: in, HeadRules: true},
		asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}}); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(in.Dir, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	kept["s.jsonl"] = string(lines)
	verified := kept.Merge(nil)
	verified["failproof.yml"] += "recordings: { verify: 1 }\n"
	before := judge(t, runtest.Inputs(t, live, nil, nil))
	for _, c := range []struct {
		rule       string
		head, base runtest.Files
		stored     bool
		want       int
	}{
		{"one side", live, nil, false, 3 + 1},
		{"two sides with another question", live.Merge(runtest.Files{"p.md": "Is it open now?\n"}), live, false, 3 + 1},
		{"a stored base", live, nil, true, 3 + 1},
		{"recorded verdicts", kept, kept, false, 0},
		{"recorded verdicts, which are verified", verified, verified, false, 3 + 1},
	} {
		in := runtest.Inputs(t, c.head, c.base, nil)
		if c.stored {
			if in.Stored, err = stored.Read(before.Folder); err != nil {
				t.Fatal(err)
			}
		}
		asked := judgeCalls(t, server)
		rep := judge(t, in).Report
		if n := judgeCalls(t, server) - asked; rep.Judge == nil || rep.Judge.Calls.Provider != n || n != c.want {
			t.Errorf("%s: %+v, %d calls, want %d; %v", c.rule, rep.Judge, n, c.want, rep.Reasons)
		}
	}
}
