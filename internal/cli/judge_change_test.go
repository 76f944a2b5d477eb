package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
)

// another is the configuration with another model as judge.
func (b *bench) another() string {
	return strings.Replace(b.config("{ target: grader }"), "model: j", "model: k", 1)
}

// record records in the head with the given files, and returns the recording.
func (b *bench) record(files map[string]string, args ...string) string {
	b.t.Helper()
	b.lay("head", files)
	if exit, said := b.run(append([]string{"record", "--yes"}, args...)...); exit != 0 {
		b.t.Fatalf("record: exit %d\n%s", exit, said)
	}
	return b.recordings()
}

// words is text with single spaces between its words.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestAChangeOfTheJudgeSaysHowManyRecordedVerdictsItMakesStale(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	text := b.record(map[string]string{"suites/s.yaml": replayed})
	b.lay("base", map[string]string{"suites/s.yaml": replayed, "recordings/s.jsonl": text})
	b.lay("head", map[string]string{"suites/s.yaml": replayed, "failproof.yml": b.another()})
	b.key = ""
	exit, said := b.gate("--no-cache")
	for _, want := range []string{"targets.grader.model (it makes 2 recorded verdicts stale)",
		"The new judge makes 2 recorded verdicts stale. After the merge, record them with `failproof record`"} {
		if exit != 0 || !strings.Contains(words(said), want) {
			t.Errorf("exit %d, no %q in\n%s", exit, want, said)
		}
	}
	if c := b.report().PolicyChanges; len(c) != 1 || c[0].StaleVerdicts != 2 || c[0].EarlyVerdicts != 0 {
		t.Errorf("changes %+v", c)
	}
}

func TestVerdictsOfAProposedJudgeCountAfterTheMerge(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	head := map[string]string{"suites/s.yaml": replayed}
	old := b.record(head)
	b.lay("base", map[string]string{"suites/s.yaml": replayed, "recordings/s.jsonl": old})
	head["failproof.yml"] = b.another()
	b.record(head)
	b.key = ""
	exit, said := b.gate("--no-cache")
	if want := "2 recorded verdicts are of the judge that this change proposes"; exit != 3 || !strings.Contains(words(said), want) {
		t.Errorf("exit %d, no %q in\n%s", exit, want, said)
	}
	b.key = judgeKey
	if text := b.record(head, "--base", filepath.Join(b.dir, "base")); text != old {
		t.Errorf("the base's judge grades otherwise than before\n%s", text)
	}
	b.key = ""
	if exit, said := b.gate("--no-cache"); exit != 0 {
		t.Errorf("what was advised does not help: exit %d\n%s", exit, said)
	}
}

func TestNewVerdictsOnAnEqualAnswerCountForTheBaseToo(t *testing.T) {
	b := newBench(t, say(politely), modeltest.JudgeStep(modeltest.ContainsVerdict))
	base := map[string]string{"suites/s.yaml": replayed}
	base["recordings/s.jsonl"] = b.record(base)
	base["failproof.yml"] = b.another()
	b.lay("base", base)
	b.record(base)
	b.key = ""
	exit, said := b.gate("--no-cache")
	if rep := b.report(); exit != 0 || rep.BaseRunScore == nil || *rep.BaseRunScore != 1 {
		t.Errorf("exit %d, base %v\n%s", exit, rep.BaseRunScore, said)
	}

	// A criterion that is not met is so on both sides: nothing broke, and the threshold decides.
	text := strings.Replace(b.recordings(), `"criterion":"polite","met":true`, `"criterion":"polite","met":false`, 1)
	base["recordings/s.jsonl"] = text
	b.lay("head", base)
	exit, said = b.gate("--no-cache")
	if rep := b.report(); exit != 1 || *rep.BaseRunScore != 0 || !strings.Contains(said, "fail → fail") {
		t.Errorf("exit %d, base %v\n%s", exit, *rep.BaseRunScore, said)
	}
}

func TestAHeadGivesTheBasesOtherAnswerNoVerdict(t *testing.T) {
	const other = "Polite: thirty days."
	b := newBench(t, answersByPrompt(politely, other), modeltest.JudgeStep(modeltest.ContainsVerdict))
	base := map[string]string{"suites/s.yaml": replayed, "suites/prompt.md": "Answer: {{ q }}\n"}
	stale := b.record(base)
	base["failproof.yml"] = b.another()
	current := b.record(base)
	base["recordings/s.jsonl"] = stale
	b.lay("base", base)
	files := map[string]string{"suites/s.yaml": replayed, "failproof.yml": b.another(),
		"suites/prompt.md": "Now answer: {{ q }}\n"}
	head := b.record(files, "--no-settle")
	if !strings.Contains(head, other) {
		t.Fatalf("the answer is the same\n%s", head)
	}

	// The verdict's key is of the base's answer, which the head's file grades.
	var line struct {
		Verdicts []map[string]any `json:"verdicts"`
	}
	if err := json.Unmarshal([]byte(current), &line); err != nil {
		t.Fatal(err)
	}
	for _, v := range line.Verdicts {
		v["met"] = false
		forged, _ := json.Marshal(v)
		head = strings.Replace(head, `"verdicts":[`, `"verdicts":[`+string(forged)+",", 1)
	}
	files["recordings/s.jsonl"] = head
	b.lay("head", files)
	b.key = ""
	exit, said := b.gate("--no-cache")
	for _, want := range []string{"error → pass", "Record them there first: `failproof record` on that branch"} {
		if exit != 3 || !strings.Contains(words(said), want) {
			t.Errorf("exit %d, no %q in\n%s", exit, want, said)
		}
	}
	if strings.Contains(words(said), "when the target answers") {
		t.Errorf("no target is asked\n%s", said)
	}
}

func TestAnEditedCriterionLeavesTheBasesScore(t *testing.T) {
	edited := strings.Replace(replayed, "polite", "kind", 1)
	for _, c := range []struct{ rule, answer, prompt, says string }{
		{"the answer is equal: it has the base's verdict", politely, "Answer: {{ q }}\n",
			"passes the old expectation as well"},
		{"the answer is another", "Kind: thirty days.", "Now answer: {{ q }}\n", "was not judged by the old expectation"},
	} {
		b := newBench(t, answersByPrompt(politely, c.answer), modeltest.JudgeStep(modeltest.ContainsVerdict))
		base := map[string]string{"suites/s.yaml": replayed}
		base["recordings/s.jsonl"] = b.record(base)
		b.lay("base", base)
		b.record(map[string]string{"suites/s.yaml": edited, "suites/prompt.md": c.prompt}, "--no-settle")
		b.key = ""
		exit, said := b.gate("--no-cache")
		if rep := b.report(); exit != 0 || *rep.BaseRunScore != 1 || !strings.Contains(words(said), c.says) {
			t.Errorf("%s: exit %d, base %v\n%s", c.rule, exit, *rep.BaseRunScore, said)
		}
	}
}
