package compare_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/report"
)

func TestPassingAnswersInOtherWordsAreCounted(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass pass", "s/b pass pass other", "s/c pass,pass pass,pass other", "s/d fail fail other", "s/e pass fail other", "s/f pass pass,pass other")
	got := comparetest.Compare(base, head).Reworded
	want := report.Reworded{Passing: 3, Changed: 2, SuiteID: "s", CaseID: "b", Before: "answer", Now: "other answer"}
	if got == nil || *got != want {
		t.Errorf("reworded = %+v, want %+v", got, want)
	}
	base, head = comparetest.Sides(t, "s/a pass,pass pass,pass other", "s/b pass pass other")
	want = report.Reworded{Passing: 2, Changed: 2, SuiteID: "s", CaseID: "a"}
	if got := comparetest.Compare(base, head).Reworded; got == nil || *got != want {
		t.Errorf("reworded = %+v, want %+v: which of several answers differ is not known", got, want)
	}
	base, head = comparetest.Sides(t, "s/a pass pass", "s/b pass fail other")
	if got := comparetest.Compare(base, head).Reworded; got != nil {
		t.Errorf("no passing answer changed, and reworded = %+v", got)
	}
}

func TestAnswersToAnotherInputAndAbsentOnesAreNotReworded(t *testing.T) {
	for name, set := range map[string]func(*report.Case){
		"another input": func(c *report.Case) { c.InputKey++ },
		"no answer in the results": func(c *report.Case) {
			c.ByRunner, c.AnswerKey = true, 2*report.ParseKey("")
		},
	} {
		base, head := comparetest.Sides(t, "s/a pass,pass pass,pass other")
		set(head.Suites[0].Cases[0])
		if got := comparetest.Compare(base, head).Reworded; got != nil {
			t.Errorf("%s: reworded = %+v", name, got)
		}
	}
}
