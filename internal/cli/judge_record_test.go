package cli_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

const replayed = "version: 1\ntarget: replay\nprompt: prompt.md\ncases:\n  - { id: a, vars: { q: when }, rubric: [thirty, polite] }\n"

// recordings are the lines of the head's recording.
func (b *bench) recordings() string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, "head", "recordings", "s.jsonl"))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func TestRecordWritesTheVerdictsBesideTheAnswers(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	b.lay("head", map[string]string{"suites/s.yaml": replayed})
	if exit, said := b.run("record"); exit != 0 || !strings.Contains(said, "suites/s.yaml: 1 answer") && !strings.Contains(said, "recordings/s.jsonl: 1 answer") {
		t.Fatalf("exit %d\n%s", exit, said)
	}
	var line struct {
		Response string `json:"raw_response"`
		Verdicts []struct {
			Key, Criterion, Why string
			Met                 bool
		}
	}
	if err := json.Unmarshal([]byte(b.recordings()), &line); err != nil {
		t.Fatal(err)
	}
	if line.Response != politely || len(line.Verdicts) != 2 || len(line.Verdicts[0].Key) != 64 || !line.Verdicts[1].Met || line.Verdicts[1].Criterion != "polite" {
		t.Errorf("recorded %+v", line)
	}

	// From now on nobody is asked, with a key or without, and nothing is noise.
	answers, questions := len(b.answers.Requests()), len(b.judge.Requests())
	b.key = ""
	exit, said := b.run("run")
	r := b.results("results.jsonl")[0]
	if exit != 0 || len(b.answers.Requests()) != answers || len(b.judge.Requests()) != questions || !r.Judge.Recorded || r.Judge.Calls != 0 || len(r.Criteria) != 2 {
		t.Errorf("exit %d, judge %+v, %d more questions\n%s", exit, r.Judge, len(b.judge.Requests())-questions, said)
	}
	if rep := b.report(); rep.Statistics.Mode != report.ModeStrict {
		t.Errorf("a run on recorded verdicts is %s", rep.Statistics.Mode)
	}
}

func TestRecordingATargetAsksTheJudgeForVerdictsAndNotThatTarget(t *testing.T) {
	for _, config := range []struct{ rule, target, defaults string }{
		{"a judge that answers no case", "replay", "live"},
		{"a judge that answers cases too", "grader", "grader"},
	} {
		b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
		b.lay("head", map[string]string{"suites/s.yaml": strings.Replace(replayed, "target: replay", "target: "+config.target, 1),
			"failproof.yml": strings.Replace(b.config("{ target: grader }"), "default_target: live", "default_target: "+config.defaults, 1)})
		exit, said := b.run("record", "--target", "live")
		if answers, verdicts := len(b.answers.Requests()), len(b.judge.Requests()); exit != 0 || answers != 1 || verdicts < 2 {
			t.Errorf("%s: exit %d, the target is asked %d times, the judge %d times, want 1 and at least 2\n%s", config.rule, exit, answers, verdicts, said)
		}
		if text := b.recordings(); !strings.Contains(text, `"name":"live"`) || !strings.Contains(text, `"verdicts"`) {
			t.Errorf("%s: recorded\n%s", config.rule, text)
		}
	}
}

func TestRecordAsksTheJudgeAloneWhereTheAnswersHold(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	b.lay("head", map[string]string{"suites/s.yaml": replayed})
	if exit, said := b.run("record"); exit != 0 {
		t.Fatal(said)
	}
	before := b.recordings()
	answers := len(b.answers.Requests())
	for _, c := range []struct{ rule, old, new string }{
		{"a criterion that is new", "polite]", "polite, kind]"},
		{"one that is worded otherwise", "polite, kind]", "polite, sir]"},
	} {
		suite, err := os.ReadFile(filepath.Join(b.dir, "head", "suites", "s.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		b.lay("head", map[string]string{"suites/s.yaml": strings.Replace(string(suite), c.old, c.new, 1)})
		exit, said := b.run("record")
		if exit != 0 || !strings.Contains(said, "verdicts on 1 answer") || len(b.answers.Requests()) != answers {
			t.Errorf("%s: exit %d, %d answers asked for\n%s", c.rule, exit, len(b.answers.Requests())-answers, said)
		}
	}
	cut := func(text string) string { return text[:strings.Index(text, `,"verdicts"`)] }
	if cut(before) != cut(b.recordings()) {
		t.Errorf("the answer was touched:\n%s\n%s", before, b.recordings())
	}
	if exit, said := b.run("run"); exit != 0 {
		t.Errorf("exit %d\n%s", exit, said)
	}
}

func TestACaseWhoseAnswerAndVerdictsHoldIsNotAskedWithTheOthers(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	two := replayed + "  - { id: b, vars: { q: where }, rubric: [polite] }\n"
	b.lay("head", map[string]string{"suites/s.yaml": two})
	if exit, said := b.run("record"); exit != 0 {
		t.Fatal(said)
	}
	first, _, _ := strings.Cut(b.recordings(), "\n")
	b.lay("head", map[string]string{"suites/s.yaml": strings.Replace(two, "where", "who", 1)})
	answers := len(b.answers.Requests())
	exit, said := b.run("record")
	if exit != 0 || !strings.Contains(said, "s.jsonl: 1 answer\n") || !strings.Contains(said, "kept 1 answer as recorded") || len(b.answers.Requests()) != answers+1 ||
		!strings.HasPrefix(b.recordings(), first+"\n") || strings.Count(b.recordings(), `"verdicts"`) != 2 {
		t.Errorf("exit %d\n%s\n%s", exit, said, b.recordings())
	}
	unjudged := first[:strings.Index(first, `,"verdicts"`)] + "}\n"
	b.lay("head", map[string]string{"suites/s.yaml": strings.Replace(two, "where", "when", 1),
		"recordings/s.jsonl": strings.Replace(b.recordings(), first+"\n", unjudged, 1)})
	if exit, said = b.run("record"); exit != 0 || len(b.answers.Requests()) != answers+2 || strings.Contains(b.recordings(), `"draws"`) {
		t.Errorf("a kept answer counts as drawn again: exit %d\n%s\n%s", exit, said, b.recordings())
	}
}

func TestAnAnswerWithoutVerdictsIsAskedAnewWhereItWouldBeWithThem(t *testing.T) {
	for _, c := range []struct {
		rule string
		from string // "" as it was recorded
		args []string
	}{
		{"--no-cache asks for all", "", []string{"record", "--no-cache"}},
		{"it says of nobody that it is his", recording(politely), []string{"record"}},
	} {
		b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
		b.lay("head", map[string]string{"suites/s.yaml": replayed})
		if exit, said := b.run("record"); exit != 0 {
			t.Fatal(said)
		}
		text := b.recordings()
		text = cmp.Or(c.from, text[:strings.Index(text, `,"verdicts"`)]+"}\n")
		b.lay("head", map[string]string{"recordings/s.jsonl": text})
		if err := os.RemoveAll(filepath.Join(b.dir, "head", ".failproof")); err != nil {
			t.Fatal(err)
		}
		answers := len(b.answers.Requests())
		if exit, said := b.run(c.args...); exit != 0 || !strings.Contains(said, "s.jsonl: 1 answer\n") || len(b.answers.Requests()) != answers+1 {
			t.Errorf("%s: exit %d, %d answers asked for\n%s", c.rule, exit, len(b.answers.Requests())-answers, said)
		}
	}
}

func TestAnswersByHandGetTheirVerdictsWithoutATargetToAnswer(t *testing.T) {
	b := newBench(t, modeltest.NeverStep, modeltest.JudgeStep(modeltest.ContainsVerdict))
	config := strings.Replace(b.config("{ target: grader }"), "default_target: live", "default_target: replay", 1)
	config = config[:strings.Index(config, "\n  live:")] + config[strings.Index(config, "\n  grader:"):]
	b.lay("head", map[string]string{"failproof.yml": config, "suites/s.yaml": replayed, "recordings/s.jsonl": recording(politely)})
	b.key = ""
	if exit, said := b.run("record"); exit != 3 || !strings.Contains(said, "not written, verdicts on 1 answer missing: the judge: ") {
		t.Errorf("without the key: exit %d\n%s", exit, said)
	}
	b.key = judgeKey
	if exit, said := b.run("record"); exit != 0 || !strings.Contains(b.recordings(), `"criterion":"polite","met":true`) {
		t.Errorf("exit %d\n%s\n%s", exit, said, b.recordings())
	}
}

func TestAVerdictThatDoesNotHoldIsNone(t *testing.T) {
	for _, c := range []struct {
		rule        string
		change      func(b *bench)
		key, stale  string
		exit, asked int // questions that are no controls
		lost, says  string
	}{
		{rule: "another criterion, and no key", change: func(b *bench) {
			b.lay("head", map[string]string{"suites/s.yaml": strings.Replace(replayed, "polite", "kind", 1)})
		}, exit: 3, lost: "no_key", says: "JUDGE_KEY is empty; it needs the target’s key; with the key, `failproof record suites/s.yaml` writes verdicts that need none"},
		{rule: "another judge, and the key: stale", key: judgeKey, change: func(b *bench) {
			b.lay("head", map[string]string{"suites/s.yaml": replayed, "failproof.yml": strings.Replace(b.config("{ target: grader }"), "model: j", "model: k", 1)})
		}, exit: 3, lost: "stale_verdict", says: "the recorded verdict is of another judge, question or answer"},
		{rule: "another judge, the key, and stale ones are asked anew", key: judgeKey, change: func(b *bench) {
			b.lay("head", map[string]string{"suites/s.yaml": replayed, "failproof.yml": strings.Replace(b.config("{ target: grader }"), "model: j", "model: k", 1) + "recordings: { stale: ask }\n"})
		}, exit: 0, asked: 2},
		{rule: "another answer", key: judgeKey, change: func(b *bench) {
			text := strings.Replace(b.recordings(), "thirty days", "twenty days", 1)
			b.lay("head", map[string]string{"suites/s.yaml": replayed, "recordings/s.jsonl": text})
		}, exit: 3, lost: "stale_verdict"},
		{rule: "no verdict, and the key: asked live", key: judgeKey, change: func(b *bench) {
			text := b.recordings()
			b.lay("head", map[string]string{"suites/s.yaml": replayed, "recordings/s.jsonl": text[:strings.Index(text, `,"verdicts"`)] + "}\n"})
		}, exit: 0, asked: 2},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
			b.lay("head", map[string]string{"suites/s.yaml": replayed})
			if exit, said := b.run("record"); exit != 0 {
				t.Fatal(said)
			}
			c.change(b)
			before := len(b.judge.Requests())
			b.key = c.key
			exit, said := b.run("run", "--no-cache")
			r := b.results("results.jsonl")[0]
			lost := ""
			for _, one := range r.Criteria {
				lost += one.MissingReason
			}
			if exit != c.exit || !strings.Contains(lost, c.lost) || c.lost == "" && lost != "" || !strings.Contains(said+b.file("results.jsonl"), c.says) {
				t.Errorf("exit %d, lost %q\n%s\n%s", exit, lost, said, b.file("results.jsonl"))
			}
			n := 0
			for _, q := range b.asked()[before:] {
				if !isControl(q) {
					n++
				}
			}
			if n != c.asked {
				t.Errorf("%d questions, want %d", n, c.asked)
			}
		})
	}
}
