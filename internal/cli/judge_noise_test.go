package cli_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/report"
)

// isControl reports a question that the run asks to see whether its judge can be trusted.
func isControl(q modeltest.JudgeQuestion) bool { return strings.Contains(q.Criterion, "lighthouse") }

// wrongOnce is a judge that says the opposite at certain times that a question is asked: 1 for the first.
func wrongOnce(wrong func(q modeltest.JudgeQuestion, time int) bool) func(modeltest.JudgeQuestion) string {
	var mu sync.Mutex
	times := map[modeltest.JudgeQuestion]int{}
	return func(q modeltest.JudgeQuestion) string {
		mu.Lock()
		defer mu.Unlock()
		times[q]++
		return modeltest.VerdictJSON(modeltest.Contains(q) != wrong(q, times[q]), "because")
	}
}

// coin is a judge that is wrong in so many of a hundred of the verdicts that it is asked for again, as seed has it.
func coin(percent, seed uint32) func(modeltest.JudgeQuestion) string {
	return wrongOnce(func(q modeltest.JudgeQuestion, time int) bool {
		h := fnv.New32a()
		fmt.Fprint(h, seed, q, time)
		return !isControl(q) && time > 1 && h.Sum32()%100 < percent
	})
}

// asksOf counts the questions by criterion that are no controls.
func asksOf(all []modeltest.JudgeQuestion) map[string]int {
	n := map[string]int{}
	for _, q := range all {
		if !isControl(q) {
			n[q.Criterion]++
		}
	}
	return n
}

const fiveCriteria = "version: 1\nprompt: prompt.md\ncases:\n  - { id: a, vars: { q: when }, rubric: [thirty, days, within, polite, kind] }\n"

// answersByPrompt says one thing to the base's prompt and another to the head's.
func answersByPrompt(base, head string) modeltest.Step {
	return modeltest.TextStep(func(last string) string {
		if strings.HasPrefix(last, "Now") {
			return head
		}
		return base
	})
}

// changed lays a suite with another prompt on each side. No bar is held: whether the case regressed is what decides.
func changed(b *bench, suite string) {
	unbarred := b.config("{ target: grader }") + "gate: { min_run_score: 0 }\n"
	b.lay("base", map[string]string{"failproof.yml": unbarred, "suites/s.yaml": suite})
	b.lay("head", map[string]string{"failproof.yml": unbarred, "suites/s.yaml": suite, "suites/prompt.md": "Now answer: {{ q }}\n"})
}

const politely = "Within thirty days, kind and polite sir."

func TestAFlipThatTheJudgeAloneMadeIsAcquittedWithoutAskingForAnswers(t *testing.T) {
	const other = "Kind and polite sir, within thirty days."
	b := newBench(t, answersByPrompt(politely, other), modeltest.JudgeStep(wrongOnce(func(q modeltest.JudgeQuestion, time int) bool {
		return q.Criterion == "polite" && q.Answer == other && time == 1
	})))
	changed(b, fiveCriteria)
	exit, said := b.gate()
	rep := b.report()
	if exit != 0 || rep.Counts[report.Regressed] != 0 || rep.Counts[report.Flaky] != 1 {
		t.Errorf("exit %d, %v\n%s", exit, rep.Counts, said)
	}
	if n := len(b.answers.Requests()); n != 2 {
		t.Errorf("%d answers were asked for, want 2", n)
	}
	if got := asksOf(b.asked()); got["polite"] > 2+10 || got["kind"] != 2 {
		t.Errorf("asked by criterion %v; want the flipped one again, and no other", got)
	}
}

func TestACriterionThatTheChangeBreaksIsConfirmed(t *testing.T) {
	b := newBench(t, answersByPrompt(politely, "Within thirty days, kind sir."), modeltest.JudgeStep(coin(10, 3)))
	changed(b, fiveCriteria)
	exit, said := b.gate()
	rep := b.report()
	if exit != 1 || rep.Counts[report.Regressed] != 1 {
		t.Errorf("exit %d, %v\n%s", exit, rep.Counts, said)
	}
	if rep.Statistics == nil || rep.Statistics.Mode != report.ModeNoisy {
		t.Errorf("statistics %+v, want a noisy run", rep.Statistics)
	}
}

func TestEqualAnswersGetOneVerdictAtFirst(t *testing.T) {
	b := newBench(t, answersByPrompt(politely, politely), modeltest.JudgeStep(wrongOnce(func(q modeltest.JudgeQuestion, time int) bool { return time > 1 && !isControl(q) })))
	changed(b, fiveCriteria)
	if exit, said := b.gate(); b.report().Counts[report.Regressed]+b.report().Counts[report.Flaky] != 0 {
		t.Errorf("exit %d, %v\n%s", exit, b.report().Counts, said)
	}
	for criterion, n := range asksOf(b.asked()) {
		if n != 1 {
			t.Errorf("%s was asked %d times of one answer", criterion, n)
		}
	}
}

// recording is a line of a recorded answer.
func recording(text string) string {
	return fmt.Sprintf("{\"suite_id\":\"s\",\"case_id\":\"a\",\"trial\":1,\"raw_response\":%q}\n", text)
}

func TestALiveJudgeOfRecordedAnswersIsAskedUntilItIsCertain(t *testing.T) {
	suite := strings.Replace(fiveCriteria, "version: 1", "version: 1\ntarget: replay", 1)
	for _, c := range []struct {
		rule, head string
		judge      func(modeltest.JudgeQuestion) string
		exit       int
		status     report.Status
	}{
		{"a criterion that the answer breaks is confirmed", "Within thirty days, kind sir.", coin(10, 4), 1, report.Regressed},
		{"one that the judge alone broke is not", "Kind and polite sir, within thirty days.", wrongOnce(func(q modeltest.JudgeQuestion, time int) bool {
			return q.Criterion == "polite" && strings.HasPrefix(q.Answer, "Kind") && time == 1
		}), 0, report.Flaky},
	} {
		t.Run(c.rule, func(t *testing.T) {
			b := newBench(t, modeltest.NeverStep, modeltest.JudgeStep(c.judge))
			unbarred := b.config("{ target: grader }") + "gate: { min_run_score: 0 }\n"
			b.lay("base", map[string]string{"failproof.yml": unbarred, "suites/s.yaml": suite, "recordings/s.jsonl": recording(politely)})
			b.lay("head", map[string]string{"failproof.yml": unbarred, "suites/s.yaml": suite, "recordings/s.jsonl": recording(c.head)})
			exit, said := b.gate()
			rep := b.report()
			if exit != c.exit || rep.Counts[c.status] != 1 {
				t.Errorf("exit %d, %v\n%s", exit, rep.Counts, said)
			}
			if rep.Judge == nil || rep.Judge.Calls.Provider == 0 || rep.Calls.Provider != 0 {
				t.Errorf("calls %+v, judge %+v", rep.Calls, rep.Judge)
			}
		})
	}
}

func TestARunThatIsRepeatedAsksTheJudgeNothingAgain(t *testing.T) {
	b := newBench(t, answersByPrompt(politely, "Within thirty days, kind sir."), modeltest.JudgeStep(modeltest.ContainsVerdict))
	changed(b, fiveCriteria)
	first, _ := b.gate()
	verdicts, questions := b.file("results.jsonl"), len(b.asked())
	second, said := b.gate()
	for _, q := range b.asked()[questions:] {
		if !isControl(q) {
			t.Errorf("asked again: %+v", q)
		}
	}
	if first != second || strings.Count(verdicts, `"met":false`) != strings.Count(b.file("results.jsonl"), `"met":false`) {
		t.Errorf("exit %d, then %d\n%s", first, second, said)
	}
}

func TestAKeptVerdictServesOnlyBesideAnother(t *testing.T) {
	// The base's answer was graded in a run of its own. Beside an answer that is new, both are graded now: the judge
	// may have changed.
	b := newBench(t, answersByPrompt(politely, "Within thirty days, kind sir."), modeltest.JudgeStep(modeltest.ContainsVerdict))
	b.lay("base", map[string]string{"suites/s.yaml": fiveCriteria})
	b.lay("head", map[string]string{"suites/s.yaml": fiveCriteria})
	if exit, said := b.run("run"); exit != 0 {
		t.Fatal(said)
	}
	before := len(b.asked())
	changed(b, fiveCriteria)
	b.gate()
	graded := map[string]int{}
	for _, q := range b.asked()[before:] {
		if q.Answer == politely {
			graded[q.Criterion]++
		}
	}
	for _, criterion := range []string{"thirty", "days", "kind"} {
		if graded[criterion] == 0 {
			t.Errorf("%s: a verdict of another run stands beside one of this", criterion)
		}
	}
}

func TestReportsOfDifferentJudgesAreNotComparedOnCriteria(t *testing.T) {
	b := newBench(t, answersByPrompt(politely, "Within thirty days, kind sir."), modeltest.JudgeStep(modeltest.ContainsVerdict))
	changed(b, fiveCriteria)
	b.lay("head", map[string]string{"failproof.yml": b.config("{ target: grader }") + "gate: { min_run_score: 0 }\n", "suites/s.yaml": fiveCriteria})
	if exit, said := b.run("run", "--out", "before"); exit != 0 {
		t.Fatal(said)
	}
	for model, want := range map[string]report.Status{"j": report.Flaky, "k": report.Redefined} { // nobody can be asked again of a stored report
		config := strings.Replace(b.config("{ target: grader }"), "model: j", "model: "+model, 1) + "gate: { min_run_score: 0 }\n"
		b.lay("head", map[string]string{"failproof.yml": config, "suites/s.yaml": fiveCriteria, "suites/prompt.md": "Now answer: {{ q }}\n"})
		b.run("run", "--base", "./before/report.json")
		if rep := b.report(); rep.Counts[want] != 1 {
			t.Errorf("judge %s: %v, want %s", model, rep.Counts, want)
		}
	}
}
