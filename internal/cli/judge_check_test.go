package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
)

// labels are so many answers that people call met, and not met, of which a judge by words gets some wrong.
func labels(met, unmet, wrongMet, wrongUnmet int) string {
	text := ""
	line := func(i int, answer string, met bool) {
		text += fmt.Sprintf("{\"answer\": %q, \"criterion\": \"polite\", \"met\": %v, \"asked\": {\"q\": \"%d\"}}\n", answer, met, i)
	}
	for i := range met {
		line(i, map[bool]string{true: "A rude one.", false: "A polite one."}[i < wrongMet], true)
	}
	for i := range unmet {
		line(100+i, map[bool]string{true: "A polite one.", false: "A rude one."}[i < wrongUnmet], false)
	}
	return text
}

const labelled = "{ target: grader, labeled: judge/labels.jsonl }"

func (b *bench) agreement() string {
	text, err := os.ReadFile(filepath.Join(b.dir, "head", "judge", "labels.agreement.json"))
	if err != nil {
		return ""
	}
	return string(text)
}

func TestJudgeCheckSaysHowFarTheJudgeAgreesWithPeople(t *testing.T) {
	for _, c := range []struct {
		rule, labels string
		judge        func(modeltest.JudgeQuestion) string
		exit         int
		says         []string
		written      bool
	}{
		{"it does", labels(20, 20, 1, 2), modeltest.ContainsVerdict, 0, []string{"agrees with people         37 of 40 (92 %; 95 %: 80 to 97 %)", "of what they call met      19 of 20", "of what they call not met  18 of 20",
			"kappa                      0.85", "contradicts itself         0 of 40 asked twice", "line 1: polite", "answer: A rude one.", "people: met", "judge:  not met: It does not say polite.",
			"criteria count: both kinds reach min_agreement 0.80", "votes: 3"}, true},
		{"not on those that people call not met", labels(20, 20, 0, 5), modeltest.ContainsVerdict, 1, []string{"criteria only warn: it agrees with people on 15 of 20 that they call not met, and min_agreement is 0.80"}, true},
		{"too few of a kind", labels(20, 9, 0, 0), modeltest.ContainsVerdict, 1, []string{"criteria only warn: 9 labels that people call not met"}, true},
		{"it contradicts itself", labels(10, 10, 0, 0), wrongOnce(func(q modeltest.JudgeQuestion, time int) bool {
			return time == 2 && !isControl(q) && strings.Contains(q.Input, "q: 1")
		}), 1,
			[]string{"contradicts itself"}, true},
		{"it obeys an answer", labels(10, 10, 0, 0), wrongOnce(func(q modeltest.JudgeQuestion, _ int) bool {
			return isControl(q) && strings.Contains(strings.ToLower(q.Answer), "met")
		}), 0, []string{"the judge called an answer met that ordered it to: an answer may talk it round"}, true},
		{"it errs on a control", labels(10, 10, 0, 0), wrongOnce(func(q modeltest.JudgeQuestion, _ int) bool { return isControl(q) }), 3,
			[]string{"20 labels have no verdict, so nothing was written: it got a control wrong three times running: it "}, false},
		{"an answer is too long for it", labels(10, 10, 0, 0) + `{"answer": "` + strings.Repeat("polite ", 1<<18) + `", "criterion": "polite", "met": true}` + "\n", modeltest.ContainsVerdict, 3,
			[]string{"1 label has no verdict, so nothing was written: "}, false},
		{"nonsense is no verdict", labels(10, 10, 0, 0), func(modeltest.JudgeQuestion) string { return "hm" }, 3, []string{"20 labels have no verdict, so nothing was written"}, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, modeltest.NeverStep, modeltest.JudgeStep(c.judge))
			b.lay("head", map[string]string{"failproof.yml": b.config(labelled), "judge/labels.jsonl": c.labels, "suites/s.yaml": fiveCriteria})
			exit, said := b.run("judge", "check")
			if c.rule == "it contradicts itself" { // whichever of both verdicts comes first
				if !strings.Contains(said, "contradicts itself") || strings.Contains(said, "0 of 20 asked twice") {
					t.Error(said)
				}
				return
			}
			if exit != c.exit || (b.agreement() != "") != c.written {
				t.Errorf("exit %d, kept %s\n%s", exit, b.agreement(), said)
			}
			exit, asData := b.run("judge", "check", "--json", "--quiet")
			var read struct {
				Met, Unmet    struct{ Labels, Agreed int }
				Counts        bool
				Why           string
				Disagreements []struct{ Line int }
				Warnings      []string
			}
			wrong := 0
			if err := json.Unmarshal([]byte(asData[strings.Index(asData, "{"):strings.LastIndex(asData, "}")+1]), &read); err == nil {
				wrong = read.Met.Labels + read.Unmet.Labels - read.Met.Agreed - read.Unmet.Agreed
			} else {
				t.Error(err)
			}
			if exit != c.exit || c.written && (read.Counts != (exit == 0) || read.Counts != (read.Why == "")) || len(read.Disagreements) != wrong {
				t.Errorf("as data: exit %d, %+v\n%s", exit, read, asData)
			}
			advised := slices.ContainsFunc(read.Warnings, func(w string) bool { return strings.Contains(w, "votes: 3") })
			if want := strings.Contains(said, "votes: 3"); advised != want {
				t.Errorf("as data: warnings %q, want advice on votes: %v", read.Warnings, want)
			}
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said:\n%s", want, said)
				}
			}
		})
	}
}

func TestFaultsOfLabels(t *testing.T) {
	for rule, c := range map[string]struct{ labels, says string }{
		"no boolean":        {`{"answer": "x", "criterion": "y", "met": "yes"}`, "line 1"},
		"a key twice":       {`{"answer": "x", "criterion": "y", "met": true, "met": false}`, "line 1"},
		"an unknown key":    {"\n" + `{"answer": "x", "criterion": "y", "met": true, "score": 1}`, "line 2"},
		"no criterion":      {`{"answer": "x", "met": true}`, "criterion or met is missing"},
		"what is no object": {`[1]`, "line 1"},
		"a variable twice":  {`{"answer": "x", "criterion": "y", "met": true, "asked": {"q": "a"}, "context": {"q": "b"}}`, "asked and context both have q"},
	} {
		b := newBench(t, modeltest.NeverStep, modeltest.JudgeStep(modeltest.ContainsVerdict))
		b.lay("head", map[string]string{"failproof.yml": b.config(labelled), "judge/labels.jsonl": c.labels + "\n"})
		if exit, said := b.run("judge", "check"); exit != 2 || !strings.Contains(said, c.says) || len(b.judge.Requests()) != 0 {
			t.Errorf("%s: exit %d, %d questions\n%s", rule, exit, len(b.judge.Requests()), said)
		}
	}
	b := newBench(t, modeltest.NeverStep, modeltest.JudgeStep(modeltest.ContainsVerdict))
	for _, c := range []struct{ config, args, says string }{
		{b.config("{ target: grader }"), "", "names no labels"},
		{b.config(labelled) + "limits: { max_calls: 9 }\n", "", "10 labels take 23 calls of the judge, more than limits.max_calls (9) allows"},
		{b.config(labelled) + "wrong: 1\n", "", "unknown key \"wrong\""},
		{b.config(labelled) + "wrong: 1\n", "--suggest 2", "unknown key \"wrong\""},
		{"version: 1\ntargets: { a: { provider: echo } }\n", "--suggest 2", "names no judge"},
		{strings.Replace(b.config(labelled), "JUDGE_KEY", "GITHUB_TOKEN", 1), "", "GITHUB_TOKEN"},
	} {
		b.lay("head", map[string]string{"failproof.yml": c.config, "judge/labels.jsonl": labels(5, 5, 0, 0)})
		if exit, said := b.run(append([]string{"judge", "check"}, strings.Fields(c.args)...)...); exit != 2 || !strings.Contains(said, c.says) || len(b.judge.Requests()) != 0 {
			t.Errorf("exit %d, %s is not said:\n%s", exit, c.says, said)
		}
	}
}

func TestCriteriaCountByWhatTheBaseKnowsOfItsJudge(t *testing.T) {
	const broken = "Within thirty days, kind sir."
	for _, c := range []struct {
		rule   string
		labels string // of the base
		after  func(b *bench)
		exit   int
		says   string
	}{
		{"it agrees with people", labels(20, 20, 1, 2), nil, 1, "agreed with people on 37 of 40"},
		{"it does not", labels(20, 20, 9, 2), nil, 0, "it agrees with people on 11 of 20 that they call met"},
		{"the labels are others since", labels(20, 20, 0, 0), func(b *bench) {
			b.lay("base", map[string]string{"judge/labels.jsonl": labels(20, 21, 0, 0)})
		}, 0, "not yet checked on the labels as they are"},
		{"a head that says so of its judge is not believed", labels(20, 20, 9, 2), func(b *bench) {
			b.lay("head", map[string]string{"judge/labels.agreement.json": strings.Replace(b.agreement(), `"agreed": 11`, `"agreed": 20`, 1)})
		}, 0, "it agrees with people on 11 of 20"},
		{"nor one that takes the labels away", labels(20, 20, 1, 2), func(b *bench) {
			b.lay("head", map[string]string{"judge/labels.jsonl": "", "failproof.yml": b.config("{ target: grader }")})
		}, 1, "agreed with people on 37 of 40"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, answersByPrompt(politely, broken), modeltest.JudgeStep(modeltest.ContainsVerdict))
			config := b.config(labelled)
			for _, side := range []string{"base", "head"} {
				b.lay(side, map[string]string{"failproof.yml": config, "judge/labels.jsonl": c.labels, "suites/s.yaml": fiveCriteria})
			}
			b.run("judge", "check")
			b.lay("base", map[string]string{"failproof.yml": config, "judge/labels.agreement.json": b.agreement(), "suites/s.yaml": fiveCriteria})
			b.lay("head", map[string]string{"failproof.yml": config, "suites/s.yaml": fiveCriteria, "suites/prompt.md": "Now answer: {{ q }}\n"})
			if c.after != nil {
				c.after(b)
				b.lay("head", map[string]string{"suites/s.yaml": fiveCriteria, "suites/prompt.md": "Now answer: {{ q }}\n"})
				b.lay("base", map[string]string{"failproof.yml": config, "suites/s.yaml": fiveCriteria})
			}
			exit, said := b.gate()
			title := map[int]string{1: "## ❌ 1 of 1 answer broke; the judge agreed with people on 37 of 40\n",
				0: "## ⚠️ Passed with warnings: criteria are not met, by a judge that only warns; "}[c.exit]
			if comment := b.file("comment.md"); !strings.HasPrefix(comment, title) || c.exit == 0 && !strings.Contains(strings.Split(comment, "<details>")[0], "1 answer does not meet its criteria, by a judge that only warns: `s/a`") {
				t.Errorf("the comment:\n%s", comment)
			}
			if rep := b.report(); exit != c.exit || !strings.Contains(rep.Judge.Standing, c.says) || rep.Judge.Decides != (c.exit == 1) {
				t.Errorf("exit %d, judge %+v\n%s", exit, rep.Judge, said)
			}
			if !strings.Contains(b.file("comment.md"), "criteria only warn") != (c.exit == 1) {
				t.Errorf("the comment:\n%s", b.file("comment.md"))
			}
		})
	}
}

func TestACaseThatMustPassCannotRestOnAJudgeThatNobodyChecked(t *testing.T) {
	suite := strings.Replace(fiveCriteria, "id: a,", "id: a, must_pass: true,", 1)
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	b.lay("head", map[string]string{"suites/s.yaml": suite})
	if exit, said := b.run("validate"); exit != 2 || !strings.Contains(said, "cannot rest on an unchecked judge") {
		t.Errorf("exit %d\n%s", exit, said)
	}
	b.lay("head", map[string]string{"suites/s.yaml": suite, "failproof.yml": b.config(labelled)})
	if exit, said := b.run("validate"); exit != 0 {
		t.Errorf("exit %d\n%s", exit, said)
	}
}

func TestJudgeCheckSuggestsTheAnswersOnWhichVotesDiffer(t *testing.T) {
	const suite = "version: 1\nprompt: prompt.md\ncases:\n" +
		"  - { id: a, vars: { q: when }, rubric: { context: [q], criteria: [polite, short] } }\n" +
		"  - { id: b, vars: { q: where }, rubric: [polite], reference: Here. }\n  - { id: c, vars: { q: who }, rubric: [polite] }\n"
	split := func(of ...string) *bench {
		b := newBench(t, say("Within thirty days."), modeltest.JudgeStep(wrongOnce(func(q modeltest.JudgeQuestion, time int) bool {
			return time == 2 && q.Criterion == "polite" && slices.Contains(of, q.Input+q.Context)
		})))
		b.lay("head", map[string]string{"failproof.yml": b.config("{ target: grader, votes: 3, labeled: judge/labels.jsonl }"), "suites/s.yaml": suite})
		b.run("run", "--quiet")
		return b
	}
	b := split("q: when", "q: where")
	asked := len(b.judge.Requests())
	exit, said := b.run("judge", "check", "--suggest", "20")
	for _, line := range []string{
		`{"answer":"Within thirty days.","criterion":"polite","context":{"q":"when"},"met":null}` + "\n",
		`{"answer":"Within thirty days.","criterion":"polite","asked":{"q":"where"},"reference":"Here.","met":null}` + "\n",
		"votes differ on 2 of 4 questions; 0 of these are labeled, and 0 are of another judge or of a case that changed",
		"write met, true or false, into each line, and add them to judge/labels.jsonl",
	} {
		if exit != 0 || !strings.Contains(said, line) {
			t.Errorf("exit %d, %s is not said:\n%s", exit, line, said)
		}
	}
	if got := len(b.judge.Requests()); got != asked {
		t.Errorf("the judge was asked %d times", got-asked)
	}
	if _, said := b.run("judge", "check", "--suggest", "1", ".failproof/out"); strings.Count(said, `"met":null`) != 1 || !strings.Contains(said, "when") {
		t.Errorf("one of them:\n%s", said)
	}
	labels := strings.ReplaceAll(said[:strings.Index(said, "\n")+1], "null", "false")
	b.lay("head", map[string]string{"failproof.yml": b.config("{ target: grader, votes: 3, labeled: judge/labels.jsonl }"), "suites/s.yaml": suite, "judge/labels.jsonl": labels})
	if _, said := b.run("judge", "check", "--suggest", "20"); strings.Count(said, `"met":null`) != 1 || !strings.Contains(said, "1 of these are labeled, and 0") {
		t.Errorf("one is labeled:\n%s", said)
	}
	if exit, said := b.run("judge", "check"); exit != 1 || !strings.Contains(said, "0 labels that people call met") {
		t.Errorf("a line that was filled in is a label: exit %d\n%s", exit, said)
	}
	b.lay("head", map[string]string{"failproof.yml": b.config("{ target: grader, votes: 3 }"), "suites/s.yaml": strings.Replace(suite, "q: when", "q: then", 1)})
	if _, said := b.run("judge", "check", "--suggest", "20"); strings.Contains(said, "when") || !strings.Contains(said, "and 1 are of another judge") ||
		!strings.Contains(said, "the file that judges.default.labeled names") {
		t.Errorf("a case is another now:\n%s", said)
	}
	for args, want := range map[string]string{"--suggest 0": "expected how many", "runs": "go with --suggest alone", "--suggest 3 gone": "there is no"} {
		if exit, said := b.run(append([]string{"judge", "check"}, strings.Fields(args)...)...); exit != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d\n%s", args, exit, said)
		}
	}
}
