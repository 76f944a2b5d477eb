package evaluate_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

func TestTheJournalSparesQuestions(t *testing.T) {
	old, new1, new2 := side(t, 1, "a=old", "b=same"), side(t, 1, "a=new", "b=same"), side(t, 1, "a=newer", "b=same")
	sides := func(base, head *suite.Suite, j model.Journal) (evaluate.Plan, *[]string) {
		p, asked := both([]*suite.Suite{base}, []*suite.Suite{head})
		p.Journal = j
		return p, asked
	}
	run := func(base, head *suite.Suite, j model.Journal) []string {
		p, asked := sides(base, head, j)
		ran(t, p)
		return *asked
	}
	j := newMemory()
	equal(t, "the first run asks", run(old, new1, j), []string{"base old/1", "head new/1", "head same/1"})
	equal(t, "the same revisions again ask", run(old, new1, j), nil)
	equal(t, "a further change of a request asks both sides afresh, for the base's answer is of another day",
		run(old, new2, j), []string{"base old/1", "head newer/1"})
	equal(t, "once merged, the answer serves both sides", run(new1, new1, j), nil)

	p, asked := sides(old, new1, j)
	p.Journal = nil
	ran(t, p)
	equal(t, "without a journal all is asked", *asked, []string{"base old/1", "head new/1", "head same/1"})
}

func TestARunThatWasCutOffGoesOn(t *testing.T) {
	old, changed := side(t, 1, "a=old"), side(t, 1, "a=new")
	j := newMemory()
	p, asked := both([]*suite.Suite{old}, []*suite.Suite{changed})
	p.Journal = j
	ran(t, p)
	for a := range j.kept {
		if strings.HasSuffix(a.Comparison, " head") {
			delete(j.kept, a)
		}
	}
	*asked = nil
	ran(t, p)
	equal(t, "beside a half of another run both are asked: it may be of another model", *asked, []string{"base old/1", "head new/1"})
}

// failing answers as its asker does until it is to fail.
type failing struct {
	model.Client
	at map[string]bool
}

func (f failing) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	out, err := f.Client.Answer(ctx, r)
	if f.at[r.Messages[0].Content] {
		out = model.Response{Failure: &model.Failure{Reason: model.ReasonServer, Message: "down"}}
	}
	return out, err
}

func TestAnswersThatAreComparedAreKeptTogetherOrNotAtAll(t *testing.T) {
	old, changed := side(t, 2, "a=old", "b=older", "c=same"), side(t, 2, "a=new", "b=newer", "c=same")
	p, asked := both([]*suite.Suite{old}, []*suite.Suite{changed})
	j := newMemory()
	p.Journal = j
	target := p.Head.Target
	p.Head.Target = func(name string) evaluate.Target {
		out := target(name)
		out.Client = failing{out.Client, map[string]bool{"new": true}}
		return out
	}
	ran(t, p)
	p.Head.Target = target
	*asked = nil
	ran(t, p)
	equal(t, "both sides of the case that lost an answer are asked, and in the turns they had", *asked,
		[]string{"base old/1", "head new/1", "head new/2", "base old/2"})
	*asked = nil
	ran(t, p)
	equal(t, "then nothing is", *asked, nil)
}

func TestAFailureIsNotKept(t *testing.T) {
	p, _ := both(nil, []*suite.Suite{side(t, 1, "a=x")})
	j := newMemory()
	p.Journal = j
	p.Head.Target = func(string) evaluate.Target {
		return evaluate.Target{Concurrency: 1, Live: true, Client: answers(func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Failure: &model.Failure{Reason: model.ReasonServer, Message: "down"}}, nil
		})}
	}
	ran(t, p)
	if len(j.kept) > 0 {
		t.Errorf("kept %v", j.kept)
	}
}

func TestFreshTrialsAreAskedOfBothSidesAndKeptForThisComparison(t *testing.T) {
	base, head := side(t, 1, "a=old", "b=same", "gone=x"), side(t, 1, "a=new", "b=same", "c=y")
	p, asked := both([]*suite.Suite{base}, []*suite.Suite{head})
	j := newMemory()
	p.Journal = j
	ran(t, p)
	*asked = nil
	fresh := func(wants ...report.RerunRequest) (results []string) {
		err := evaluate.Rerun(t.Context(), p, wants, func(a evaluate.Answer) error {
			at, r := a.Side, a.Result
			results = append(results, fmt.Sprintf("%s %s/%d", at, r.CaseID, r.Trial))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	wants := []report.RerunRequest{{SuiteID: "s0", CaseID: "b", Rounds: 1, FirstNumber: 2}, {SuiteID: "s0", CaseID: "a", Rounds: 2, FirstNumber: 2}}
	equal(t, "results", fresh(wants...), []string{"head b/2", "base b/2", "head a/2", "base a/2", "base a/3", "head a/3"})
	want := []string{"head same/2", "base same/2", "head new/2", "base old/2", "base old/3", "head new/3"}
	equal(t, "asked, even where both sides ask the same", *asked, want)
	*asked = nil
	fresh(wants...)
	equal(t, "asked again", *asked, nil)
	both := []*suite.Suite{base, head}
	for _, c := range [][2]string{{"older", "newer"}, {"old", "newer"}} { // each side has an answer to the latter of another comparison
		p.Base.Suites, p.Head.Suites, *asked = []*suite.Suite{side(t, 1, "a="+c[0])}, []*suite.Suite{side(t, 1, "a="+c[1])}, nil
		fresh(wants[1:]...)
		equal(t, "asked for another comparison", *asked, []string{"head newer/2", "base " + c[0] + "/2", "base " + c[0] + "/3", "head newer/3"})
	}
	p.Base.Suites, p.Head.Suites, *asked = both[:1], both[1:], nil
	fresh(report.RerunRequest{SuiteID: "s0", CaseID: "a", Rounds: 1, FirstNumber: 4, NoRetry: true})
	equal(t, "one try", *asked, []string{"head new/4 once", "base old/4 once"})
	equal(t, "cases of one side", fresh(report.RerunRequest{SuiteID: "s0", CaseID: "c", Rounds: 1, FirstNumber: 2}, report.RerunRequest{SuiteID: "s0", CaseID: "gone", Rounds: 1, FirstNumber: 2}),
		[]string{"head c/2", "base gone/2"})

	err := evaluate.Rerun(t.Context(), p, []report.RerunRequest{{SuiteID: "s0", CaseID: "nobody", Rounds: 1, FirstNumber: 2}}, nil)
	if err == nil || !strings.Contains(err.Error(), "case nobody of suite s0") {
		t.Errorf("error %v", err)
	}
}

func TestEachCaseHasItsOwnCachedAnswer(t *testing.T) {
	base, head := side(t, 1, "a=same", "b=same", "c=old", "d=old"), side(t, 1, "a=same", "b=same", "c=same", "d=same")
	p, asked := both([]*suite.Suite{base}, []*suite.Suite{head})
	j := newMemory()
	p.Journal = j
	ran(t, p)
	count := map[string]int{}
	for k := range j.kept {
		count[fmt.Sprint(strings.TrimLeft(k.Comparison, "0123456789abcdef"), k.Occurrence)]++
	}
	if want := map[string]int{"1": 1, "2": 1, " base1": 1, " base2": 1, " head3": 1, " head4": 1}; !maps.Equal(count, want) {
		t.Errorf("kept %v, want %v", count, want)
	}
	p.Base, p.Head.Suites, *asked = nil, []*suite.Suite{side(t, 1, "a=same", "b=same", "e=same")}, nil
	equal(t, "other cases", ran(t, p), []string{"head a/1 cached", "head b/1 cached", "head e/1 cached"})
	all := []evaluate.Variation{{Suite: head, Case: new(head.Cases[0].Open()), Round: 1}, {Suite: head, Case: new(head.Cases[1].Open()), Round: 2}}
	all[1].Case.Trials = 3
	for _, want := range [][]string{{"head same/2", "head same/5"}, nil} {
		*asked = nil
		var rounds []string
		if err := evaluate.RunVariations(t.Context(), p, "reworded", all, func(a evaluate.Answer) error {
			rounds = append(rounds, fmt.Sprintf("%s/%d/%d %s", a.Case.ID, a.Request.Trial, a.Request.Rerun, a.TargetName))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		equal(t, "variations", *asked, want)
		equal(t, "their rounds", rounds, []string{"a/2/1 fast", "b/5/2 fast"})
	}
}
