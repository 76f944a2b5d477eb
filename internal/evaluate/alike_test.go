package evaluate

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

func TestOneAnswerToACaseThatBothSidesHaveAlikeIsJudgedOnce(t *testing.T) {
	yes, no, lost := model.Response{Text: "yes"}, model.Response{Text: "no"}, model.Response{Failure: &model.Failure{}}
	for _, c := range []struct {
		of     *trial
		all    []model.Response
		judged int
	}{
		{&trial{equalSides: true}, []model.Response{yes, yes}, 1},
		{&trial{equalSides: true}, []model.Response{yes, no}, 2},
		{&trial{equalSides: true}, []model.Response{lost, lost}, 2},
		{&trial{equalSides: true}, []model.Response{lost, yes}, 2},
		{&trial{}, []model.Response{yes, yes}, 2},
	} {
		judged := 0
		for _, r := range c.all {
			got, err := c.of.resultOf(r, func() (report.Result, error) { judged++; return report.Result{Warnings: []string{string(r.Text)}}, nil })
			if err != nil || !slices.Equal(got.Warnings, []string{string(r.Text)}) {
				t.Errorf("%q is judged as %v, %v", r.Text, got.Warnings, err)
			}
		}
		if judged != c.judged {
			t.Errorf("%v are judged %d times, want %d", c.all, judged, c.judged)
		}
	}
}

func TestWhatAnAnswerIsJudgedByTellsAnswersApart(t *testing.T) {
	// Who gave an answer and how it came to be judges nothing.
	how := []string{"Failure", "Model", "Cached", "Sampled", "Stale", "Unchanged", "Verdicts", "Attempts", "Pause", "MayCost"}
	for i := range reflect.TypeFor[model.Response]().NumField() {
		var other model.Response
		field, name := reflect.ValueOf(&other).Elem().Field(i), reflect.TypeFor[model.Response]().Field(i).Name
		switch field.Interface().(type) {
		case model.Untrusted, string:
			field.SetString("another")
		case time.Duration, int:
			field.SetInt(1)
		case bool:
			field.SetBool(true)
		case model.Usage:
			field.Set(reflect.ValueOf(model.Usage{TokensOut: 1}))
		default:
			if field.Kind() == reflect.Slice {
				field.Set(reflect.MakeSlice(field.Type(), 1, 1))
			}
		}
		if got := sameAnswer(model.Response{}, other); got != slices.Contains(how, name) {
			t.Errorf("another %s: the same answer: %v", name, got)
		}
	}
}

func TestWhatTellsTheSidesApartIsJudgedApart(t *testing.T) {
	one := func(change func(s *suite.Suite, b *suite.Body)) sideCase {
		s, b := &suite.Suite{ID: "s"}, &suite.Body{}
		change(s, b)
		return sideCase{suite: s, c: &suite.Case{Body: b}}
	}
	same := func(*suite.Suite, *suite.Body) {}
	if !sidesEqual(one(same), one(same)) {
		t.Error("a case that both sides have alike is judged apart")
	}
	for name, other := range map[string]func(s *suite.Suite, b *suite.Body){
		"suite":       func(s *suite.Suite, _ *suite.Body) { s.ID = "t" },
		"request":     func(_ *suite.Suite, b *suite.Body) { b.Keys.RequestKey[0]++ },
		"expectation": func(_ *suite.Suite, b *suite.Body) { b.Keys.ExpectationKey[0]++ },
		"rubric":      func(_ *suite.Suite, b *suite.Body) { b.Rubric = &suite.Rubric{} },
	} {
		if sidesEqual(one(other), one(same)) {
			t.Errorf("the sides differ in their %s, and are judged alike", name)
		}
	}
}
