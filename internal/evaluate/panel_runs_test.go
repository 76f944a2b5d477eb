package evaluate_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fact"
	judgement "github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// The judge gives up to three votes. The first run has the answers no and a.
func TestVerdictsAreCachedByJudgeAndVote(t *testing.T) {
	for _, c := range []struct {
		rule, head, address string          // of the second run
		votes               int             // that are left of each verdict
		text                model.Untrusted // of a vote that is left, if it is not the judge's
		asks                bool
	}{
		{"with all votes nobody is asked", "a", "j", 2, "", false},
		{"another judge is asked", "a", "k", 2, "", true},
		{"beside a new answer the old one is judged again too", "ab", "j", 2, "", true},
		{"one vote is no majority", "a", "j", 1, "", true},
		{"a reply that cannot be read is none", "a", "j", 2, gibberish, true},
	} {
		j, asked, called := newMemory(), []string{`Says "a": no`, `Says "a": no`, `Says "a": a`, `Says "a": a`}, "2 calls, 0 cached"
		checkRun := func(head, address string) {
			g := &grader{}
			p := plan([]*suite.Suite{suiteOf(t, "x", criteria("a"))}, say(head))
			p.Base = &evaluate.Side{Suites: []*suite.Suite{suiteOf(t, "x", criteria("a"))}, Target: recordings(model.Response{Text: "no"})}
			p.Evaluator.Panel = evaluate.NewPanel(judgement.Judge{Votes: 3}, g, evaluate.PanelOptions{Address: address, Journal: j, Standing: judgement.UncheckedStanding()})
			equal(t, c.rule, verdictsOf(t, p), []string{"base fail unmet; " + called, "head pass met; " + called})
			equal(t, c.rule, g.asked, asked)
		}
		checkRun("a", "j")
		for k, r := range j.kept {
			if r.Text = cmp.Or(c.text, r.Text); k.Occurrence > c.votes {
				delete(j.kept, k)
			} else {
				j.kept[k] = r
			}
		}
		if asked[2], asked[3] = `Says "a": `+c.head, `Says "a": `+c.head; !c.asks {
			asked, called = nil, "0 calls, 1 cached"
		}
		checkRun(c.head, c.address)
	}
}

// Both sides give the same answer, which meets both criteria. The base has 2 trials, the head 3, and the panel's judge
// one vote.
func TestRerunsAreNumberedAndGradedApart(t *testing.T) {
	old := [2]*model.Response{{Text: "0.0", ToolCalls: []model.ToolCall{{Name: "was"}}}, {Text: "0.0", ToolCalls: []model.ToolCall{{Name: "is"}}}}
	for _, c := range []struct {
		rule  string
		live  bool
		want  report.RerunRequest
		sent  []string // trial and rerun that the target sees, and those of the answer
		calls string   // verdicts of the first side of the first rerun
		asked int      // questions to the judge
	}{
		{"they follow the trials of the side with more", true, report.RerunRequest{FirstNumber: 4}, []string{"4.1 4.1", "4.1 4.1", "5.2 5.2", "5.2 5.2"}, "met met; 2 calls, 0 cached", 4},
		{"recorded ones follow the first one", false, report.RerunRequest{FirstNumber: 6, Recorded: true}, []string{"6.1 6.1", "6.1 6.1", "7.2 7.2", "7.2 7.2"}, "met met; 2 calls, 0 cached", 4},
		{"to be graded again a model answers anew, by the majority of three votes", true, report.RerunRequest{FirstNumber: 4, Regrade: true}, []string{"4.1 4.1", "4.1 4.1", "5.2 5.2", "5.2 5.2"}, "met met; 4 calls, 0 cached", 16},
		{"a recording has its first answers", false, report.RerunRequest{FirstNumber: 4, Regrade: true}, []string{"1.0 4.1", "2.0 4.1", "1.0 5.2", "2.0 5.2"}, "met met; 4 calls, 0 cached", 16},
		{"old answers are graded by the majority of five votes", true, report.RerunRequest{FirstNumber: 4, Regrade: true, Answers: old}, []string{"0.0 4.1 head is", "0.0 4.1 base was", "0.0 5.2 base was", "0.0 5.2 head is"}, "met met; 6 calls, 0 cached", 24},
		{"by some criteria only", true, report.RerunRequest{FirstNumber: 4, Regrade: true, Answers: old, Criteria: []string{`Says "."`}}, []string{"0.0 4.1 head is", "0.0 4.1 base was", "0.0 5.2 base was", "0.0 5.2 head is"}, "met; 3 calls, 0 cached", 12},
		{"and on the base alone", true, report.RerunRequest{FirstNumber: 4, Recorded: true, Answers: [2]*model.Response{old[0]}}, []string{"0.0 4.1 base was", "0.0 5.2 base was"}, "met met; 2 calls, 0 cached", 2},
	} {
		p, _ := both([]*suite.Suite{suiteOf(t, "old", criteria(".", ""))}, []*suite.Suite{suiteOf(t, "new", criteria(".", ""))})
		p.Base.Suites[0].Cases[0].Trials, p.Head.Suites[0].Cases[0].Trials, p.EvaluationConcurrency = 2, 3, 1
		p.Head.Target = func(string) evaluate.Target {
			return evaluate.Target{Concurrency: 1, Live: c.live, Client: answers(func(_ context.Context, r model.Request) (model.Response, error) {
				return model.Response{Text: model.Untrusted(fmt.Sprintf("%d.%d", r.Trial, r.Rerun))}, nil
			})}
		}
		p.Base.Target = p.Head.Target
		c.want.SuiteID, c.want.CaseID, c.want.Rounds, c.want.Reason = "s0", "a", 2, report.RerunConfirm
		j, g, sent := newMemory(), &grader{}, []string(nil)
		rerun := func() []evaluate.Answer {
			g.asked = nil
			p.Evaluator.Panel = evaluate.NewPanel(judgement.Judge{Votes: 1}, g, evaluate.PanelOptions{Journal: j, Standing: judgement.UncheckedStanding()})
			return answersOf(t, p, c.want)
		}
		for i, a := range rerun() {
			if a.Result.Trial != a.Request.Trial || a.Result.RerunReason != report.RerunConfirm || i == 0 && !strings.HasSuffix(verdicts(a), " pass "+c.calls) {
				t.Errorf("%s: trial %d of reason %q, %s", c.rule, a.Result.Trial, a.Result.RerunReason, verdicts(a))
			}
			if sent = append(sent, fmt.Sprintf("%s %d.%d", a.Response.Text, a.Request.Trial, a.Request.Rerun)); len(a.Result.ToolCalls) > 0 {
				sent[len(sent)-1] += fmt.Sprint(" ", a.Side, " ", a.Result.ToolCalls[0].Name)
			}
		}
		equal(t, c.rule, sent, c.sent)
		if len(g.asked) != c.asked {
			t.Errorf("%s: %d questions", c.rule, len(g.asked))
		}
		if rerun(); len(g.asked) > 0 {
			t.Errorf("%s: an interrupted run asks %q again", c.rule, g.asked)
		}
	}
}

// The forecast is written as the judge's questions: criteria by their number, with control questions.
func TestAForecastOfGradings(t *testing.T) {
	const met, shown = `Contains the word "lighthouse"`, `The sentence was saved to the file sea.txt, and the file was opened again to check it`
	facts, measured := criteria("1", "2", "3", "4", "5", "6", "7"), &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy)}
	for i := range facts {
		f, err := fact.NewSynonyms(nil).Fact(fmt.Sprint("kettle ", i))
		if err != nil {
			t.Fatal(err)
		}
		facts[i].Fact, measured.Facts = f.String(), append(measured.Facts, f)
	}
	needs, run := criteria("a"), criteria("a")
	needs[0].Needs, run[0].Needs = skilleval.NeedsAsking, skilleval.NeedsRun
	for _, c := range []struct {
		rule       string
		base, head []suite.Criterion
		recorded   *model.Response
		known      string // criterion with a recorded verdict
		want       map[string]int
	}{
		{"answers that are not known are assumed, and every vote counts", nil, criteria("a", "b"), nil, "", map[string]int{met: 3, `Says "a"`: 3, `Says "b"`: 3}},
		{"one answer that both sides share is graded once", criteria("a"), criteria("a"), nil, "", map[string]int{met: 3, `Says "a"`: 3}},
		{"a redefined case by both criteria", criteria("a"), criteria("b"), nil, "", map[string]int{met: 3, `Says "a"`: 3, `Says "b"`: 3}},
		{"the rules miss one key fact of three", nil, facts, nil, "", map[string]int{met: 3, `Says "1"`: 3, `Says "4"`: 3, `Says "7"`: 3}},
		{"a recorded answer has all its key facts missing", nil, facts[:2], &model.Response{Text: "a"}, "", map[string]int{met: 3, `Says "1"`: 3, `Says "2"`: 3}},
		{"or has them", nil, facts[:2], &model.Response{Text: "The kettle 0 and the kettle 1."}, "", nil},
		{"no answer is not graded", nil, criteria("a"), &model.Response{Failure: &model.Failure{}}, "", nil},
		{"whether text suffices is asked too", nil, needs, nil, "", map[string]int{`Contains the word "lighthouse"`: 4, `Says "a"`: 6, shown: 1}},
		{"and then not the criterion, if it is known to need more", nil, needs, &model.Response{Text: "a", Verdicts: []model.Verdict{{Criterion: `Says "a"`, Shows: true}}}, "",
			map[string]int{`Contains the word "lighthouse"`: 1, `Says "a"`: 3, shown: 1}},
		{"nor one with a recorded verdict", nil, criteria("a", "b"), &model.Response{Text: "a"}, `Says "a"`, map[string]int{met: 3, `Says "b"`: 3}},
		{"nor one that needs a run", nil, run, nil, "", nil},
	} {
		p, _ := both(nil, []*suite.Suite{suiteOf(t, "x", c.head)})
		panel := evaluate.NewPanel(judgement.Judge{Target: config.Target{Name: "j"}, Votes: 3}, &grader{}, evaluate.PanelOptions{AskStale: true})
		if c.base != nil {
			p.Base = &evaluate.Side{Suites: []*suite.Suite{suiteOf(t, "x", c.base)}, Target: p.Head.Target}
		}
		if c.head[0].Fact != "" {
			p.Head.Suites[0].Cases[0].Measured = measured
		}
		if c.recorded != nil {
			if asking, err := panel.Question(p.Head.Suites[0].Cases[0], c.known, c.recorded.Text); c.known != "" {
				c.recorded.Verdicts = []model.Verdict{{Key: asking.Key, Criterion: c.known}}
			} else if err != nil {
				t.Fatal(err)
			}
			p.Head.Target = recordings(*c.recorded)
		}
		for range evaluate.ForecastGradings(p) {
			t.Fatal("questions without a judge")
		}
		p.Evaluator.Panel = panel
		got := map[string]int{}
		for q := range evaluate.ForecastGradings(p) {
			_, criterion, _ := strings.Cut(q.Request.Messages[1].Content, "[CRITERION ")
			if got[strings.Split(criterion, "\n")[1][2:]]++; q.Target != "j" || q.Compared != (evaluate.CaseRef{}) {
				t.Errorf("%s: %+v", c.rule, q)
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
	p, _ := both([]*suite.Suite{suiteOf(t, "old", needs)}, []*suite.Suite{suiteOf(t, "new", needs)})
	p.Evaluator, p.Panel = nil, panelOf(&grader{}, 1)
	var got []string
	for q := range evaluate.ForecastGradings(p) {
		if got = append(got, fmt.Sprint(strings.Contains(q.Request.Messages[1].Content, "[ANSWER "), q.Compared.Suite == p.Head.Suites[0])); len(got) == 7 {
			break
		}
	}
	// control questions, whether text suffices, and then the criterion; for the head only the criterion
	equal(t, "questions on answers that are compared", got, []string{"false false", "false false", "false true", "true false", "true false", "true false", "true true"})
}

func TestLabelsAreGradedTwice(t *testing.T) {
	var labels []judgement.Label
	for i, answer := range []string{"1a", "2", "3", "4a", "5a", "6", "7a"} {
		labels = append(labels, judgement.Label{Met: i%2 == 0, Question: judgement.Question{Criterion: `Says "a"`, Answer: model.Untrusted(answer),
			Vars: map[string]string{"question": "Which?"}, Context: map[string]string{"passages": "All of it."}}})
	}
	labels[6].Reference = strings.Repeat("x", 1<<20)
	g := &grader{reply: replies("", "", "", "", "", "", "", "unmet", noAnswer, "", "", noAnswer)} // in the second of the 4th, the first of the 5th, and the second of the 6th
	p, calls := evaluate.NewPanel(judgement.Judge{Votes: 1}, g, evaluate.PanelOptions{Journal: newMemory()}), 0
	got, err := p.CheckLabels(t.Context(), labels, 1, func() { calls++ })
	if err != nil || calls != 14 || len(got) != 7 || len(g.asked) != 12 {
		t.Fatalf("%d of %d labels after %d questions, %v", len(got), calls, len(g.asked), err)
	}
	want := judgement.Agreement{Met: judgement.AgreementCounts{Labels: 2, Agreed: 1}, Unmet: judgement.AgreementCounts{Labels: 3, Agreed: 2}, Errors: 2, Twice: 4, Contradicted: 1}
	if a := evaluate.CountAgreement(got); a != want {
		t.Errorf("agreement %+v, want %+v", a, want)
	}
	q, err := p.Question(&suite.Case{Body: &suite.Body{Vars: map[string]string{"question": "Which?", "passages": "All of it."},
		Judging: suite.Judging{Rubric: &suite.Rubric{ContextVars: []string{"passages"}}}}}, `Says "a"`, "1a")
	if err != nil || q.Key != got[0].Grades[0].Key {
		t.Errorf("the question about a label is not that about a case: %v", err)
	}
	g.asked, g.reply = nil, always(clientError)
	if _, err := p.CheckLabels(t.Context(), labels[:4], 1, func() {}); err != nil || len(g.asked) > 0 { // the verdicts are cached
		t.Errorf("checked again: %q, %v", g.asked, err)
	}
	if _, err := p.CheckLabels(t.Context(), labels[4:5], 1, func() {}); err == nil {
		t.Error("an error of the judge's client is no error")
	}
}
