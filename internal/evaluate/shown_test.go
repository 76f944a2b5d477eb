package evaluate

import (
	"context"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// shower is a judge by words that says that text shows every criterion without "file". It counts what it is asked.
type shower struct{ shows, met int }

func (s *shower) Answer(_ context.Context, q model.Request) (model.Response, error) {
	put := modeltest.ParseQuestion(q.Messages[1].Content)
	text := modeltest.ContainsVerdict(put)
	if strings.Contains(q.Messages[1].Content, "[ANSWER ") {
		if q.CaseID != "control" {
			s.met++
		}
	} else {
		if q.CaseID != "control" {
			s.shows++
		}
		text = modeltest.VerdictJSON(!strings.Contains(put.Criterion, "file"), "So it is.")
	}
	return model.Response{Text: model.Untrusted(text), Finish: "stop"}, nil
}

// graded are two answers to one question that are held to two criteria, of which one needs a file.
func graded(verdicts ...model.Verdict) []*grading {
	criteria := []suite.Criterion{{Text: "Says \"ok\"", Needs: skilleval.NeedsAsking}, {Text: "A file is saved", Needs: skilleval.NeedsAsking}}
	c := &suite.Case{ID: "c", Body: &suite.Body{Vars: map[string]string{skilleval.Task: "Do it."},
		Judging: suite.Judging{Rubric: &suite.Rubric{Criteria: criteria}}}}
	of := &suite.Suite{ID: "s"}
	return []*grading{{suite: of, c: c, response: model.Response{Text: "ok"}},
		{suite: of, c: c, response: model.Response{Text: "no", Verdicts: verdicts}}}
}

func TestWhetherTextShowsACriterionIsAskedOnceForBothSides(t *testing.T) {
	client := &shower{}
	p := NewPanel(judge.Judge{Target: config.Target{Name: "j"}, Votes: 1}, client, PanelOptions{})
	for range 2 { // the second time the verdicts are fresh
		all := graded()
		if err := p.gradeTrial(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		for i, g := range all {
			got := g.grades()
			if len(got) != 2 || got[0].NeedsRun || got[0].Met != (i == 0) || !got[1].NeedsRun || got[1].hasVerdict() {
				t.Errorf("answer %d: %+v", i, got)
			}
			if n := len(got.unmet()); n != i {
				t.Errorf("answer %d: %d criteria are not met, want %d", i, n, i)
			}
			if m, ok := got.rubricMetric(); !ok || m.Description != []string{"1 of 1 criteria met", "0 of 1 criteria met"}[i] {
				t.Errorf("answer %d: %+v", i, m)
			}
		}
	}
	if client.shows != 2 || client.met != 2 {
		t.Errorf("asked %d and %d times, want 2 and 2", client.shows, client.met)
	}
}

func TestWhatOneSideShowsIsJudgedOnBoth(t *testing.T) {
	client := &shower{}
	p := NewPanel(judge.Judge{Target: config.Target{Name: "j"}, Votes: 1}, client, PanelOptions{})
	before := graded()
	if err := p.gradeTrial(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	var verdicts []model.Verdict // as the head's author would have them
	for _, v := range before[0].recordedResponse(model.Response{}).Verdicts {
		if v.Shows {
			v.Met = !v.Met
			verdicts = append(verdicts, v)
		}
	}
	if len(verdicts) != 2 {
		t.Fatalf("recorded %+v", verdicts)
	}
	p = NewPanel(p.judge, client, PanelOptions{})
	all := graded(verdicts...)
	all[0].response.Verdicts = before[0].recordedResponse(model.Response{}).Verdicts
	if err := p.gradeTrial(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for i, g := range all {
		if got := g.grades(); got[0].NeedsRun || got[1].NeedsRun {
			t.Errorf("answer %d: %+v", i, got)
		}
	}
}
